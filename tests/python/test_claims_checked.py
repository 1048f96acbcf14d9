"""Claims against the specs when they are read, and on results that are not whole, of other sizes, or odd."""

import json
import pathlib

import numpy as np
import pytest
from fake_results import FakeResults, plan_file, planned, trace, write_results

from okbench import claims
from okbench.cli import call
from okbench.measures import FUNCTIONS
from okbench.claims.output import shown_values
from okbench.results import Experiment, Results, Trace

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

SPEC = """format = 2
experiment = "p/e"
repetitions = 3
[data]
name = ["a8a", "ijcnn1"]
batch = [10, 0.01]
[kernel]
name = "rbf"
gamma = 1
[learners.l]
learner = "norma"
label = "L"
margin = 1
loss = "hinge"
c = { divide_by_n = 0.002 }
[learners.l.grid]
buffer = [100, 200]
offset = [true, false]
eta0 = { powers_of_two = [-1, 0] }
[learners.t]
learner = "pegasos"
[learners.t.tune]
lambda = { powers_of_two = [-2, 0], divide_by_n = true }
[learners.v]
learner = "pegasos"
[learners.v.grid]
lambda = { values = [1, 2.5] }
[learners.fixed]
learner = "perceptron"
[tiers.quick]
repetitions = 1
"learners.l.grid.buffer" = [5]
[tiers.paper]
repetitions = 7
"learners.v.grid.lambda" = { values = [30] }
"""


def claims_file(folder, value, more="", expect="<= 1"):
    paper = folder / "experiments" / "p"
    paper.mkdir(parents=True, exist_ok=True)
    (paper / "e.toml").write_text(SPEC)
    (paper / "claims.toml").write_text(
        f'format = 1\npaper = "p"\n[[claims]]\nid = "c"\nwhere = "w"\nstatement = "s"\nvalue = {json.dumps(value)}\n'
        f'expect = "{expect}"\ntolerance = "t"\nnote = "n"\n{more}'
    )
    return paper / "claims.toml"


@pytest.mark.parametrize(
    "trial",
    [
        *(
            "p/e/l",
            "p/e/l[data=a8a]",
            "p/e/l[data=ijcnn1,batch=10]",
            "p/e/l[batch=37]",
            "p/e/l[margin=1]",
            "p/e/l[loss=hinge]",
        ),
        *("p/e/l[buffer=100]", "p/e/l[buffer=5]", "p/e/l[offset=true]", "p/e/l[eta0=0.5]", "p/e/l[repetition=6]"),
        *(
            "p/e/t[lambda=7.14286e-06]",
            "p/e/v[lambda=2.5]",
            "p/e/v[lambda=30]",
            "p/e/l[c=2e-06]",
            "p/e/l[c=2.74311e-07]",
        ),
    ],
)
def test_claims_that_specs_have(tmp_path, trial):
    assert claims.read(claims_file(tmp_path, f"test_error({trial})")).claims


@pytest.mark.parametrize(
    "value, cause",
    [
        ("test_error(p/f/l)", "'p/f/l': no spec of p/f; did you mean p/e?"),
        ("test_error(p/e/m)", "'p/e/m': its spec has no learner 'm'; did you mean"),
        ("test_error(p/e/fixe)", "no learner 'fixe'; did you mean fixed?"),
        ("test_error(p/e/l[bufer=100])", "its trials have no axis 'bufer'; did you mean buffer?"),
        ("test_error(p/e/l[label=L])", "its trials have no axis 'label'"),
        ("test_error(p/e/l[lambda=1])", "its trials have no axis 'lambda'"),
        ("test_error(p/e/l[data=a8b])", "no tier has data = a8b; did you mean a8a?"),
        ("test_error(p/e/l[buffer=140])", "no tier has buffer = 140; the nearest is '100'"),
        ("test_error(p/e/l[offset=yes])", "no tier has offset = yes"),
        ("test_error(p/e/l[offset=tru])", "no tier has offset = tru; did you mean true?"),
        ("test_error(p/e/l[repetition=7])", "no tier has repetition = 7; the nearest is '6'"),
        ("test_error(p/e/l[batch=0.5])", "no tier has batch = 0.5; the nearest is '10'"),
        ("test_error(p/e/t[lambda=7.30000e-04])", "no tier has lambda = 7.30000e-04"),
        ("test_error(p/e/v[lambda=3])", "no tier has lambda = 3; the nearest is '2.5'"),
        ("1 + max(2, test_error(p/e/l) / test_error(p/e/k))", "'p/e/k': its spec has no learner"),
        ("largest_change(p/e/l, p/e/k, loss)", "'p/e/k': its spec has no learner"),
        ("best_fixed(test_error, p/g)", "'p/g/fixed': no spec of p/g"),
        ("data_shape(mnist)", "no spec of budget-2003/table1"),
        ("least(test_error, p/e/l, bufer)", "its trials have no axis 'bufer'; did you mean buffer?"),
        ("test_eror(p/e/l)", "unknown function 'test_eror'; did you mean test_error?"),
        (["1", "test_error(p/e/k)"], "'p/e/k': its spec has no learner"),
        ([], "value must be an expression or a list of them"),
        ("test_error(p/e/l", "syntax error at"),
        ("cost(p/e/l)", "wrong number of arguments"),
    ],
)
def test_claims_that_no_spec_has(tmp_path, capsys, value, cause):
    path = claims_file(tmp_path, value, expect="all <= 1" if isinstance(value, list) else "<= 1")
    with pytest.raises(claims.ClaimError) as raised:
        claims.read(path)
    text = str(raised.value)
    assert text.startswith(f"{path}: claim 'c': ") and cause in text and "\n" not in text
    (tmp_path / "r").mkdir()
    assert call("claims", ["--experiments", str(tmp_path / "experiments"), "--results", str(tmp_path / "r")]) == 2
    assert capsys.readouterr().err == f"okbench: {text}\n"


def test_a_spec_that_cannot_be_read_is_reported(tmp_path):
    path = claims_file(tmp_path, "test_error(p/e/l)")
    (path.parent / "e.toml").write_text('experiment = "p/e"\n')
    with pytest.raises(claims.ClaimError, match="invalid spec: .*e.toml"):
        claims.read(path)


def test_a_claim_may_await_its_spec(tmp_path):
    path = claims_file(tmp_path, "test_error(p/f/l)", 'blocked_by = "p/f needs a cow"\n')
    claim = claims.read(path).claims[0]
    judged = claims.judge(claim, FakeResults())
    assert (judged.verdict, judged.reason, judged.surprising) == ("not run", "p/f needs a cow", False)
    for value, more, cause in (
        ("test_error(p/e/l)", 'blocked_by = "a cow"\n', "every experiment in its value has a spec"),
        ("test_error(p/f/l) - test_error(p/e/k)", 'blocked_by = "a cow"\n', "its spec has no learner 'k'"),
        ("test_eror(p/f/l)", 'blocked_by = "a cow"\n', "unknown function"),
        ("test_error(p/f/l)", 'blocked_by = ""\n', "blocked_by must state a reason"),
        ("test_error(p/f/l)", 'blockd_by = "a cow"\n', "blockd_by: unknown key.*blocked_by"),
        ("test_error(p/e/l)", 'tier = "quick"\n', "tier must be 'default' or 'paper'"),
    ):
        with pytest.raises(claims.ClaimError, match=cause):
            claims.read(claims_file(tmp_path, value, more))


def judged(results, value="test_error(p/e/l[x=1])", expect="<= 1", **entry):
    entry = {"id": "c", "where": "", "statement": "", "tolerance": "", "note": "", **entry}
    claim = claims.make_claim("p", {**entry, "value": value, "expect": expect}, claims.Numbers())
    return claims.judge(claim, results)


def test_missing_failed_and_overridden_trials_are_not_judged():
    lost = planned(trace("l", 1, 0.2, repetition=2), lost=True)
    failed = planned(trace("l", 1, 0.2, repetition=2), failure="diverged")
    for results, reason in (
        (FakeResults(lost), "no result of p/e/l[x=1]/r2"),
        (FakeResults(failed), "p/e/l[x=1]/r2 failed: diverged"),
        (FakeResults(tier="quick"), "needs the default tier, these results are of the quick tier"),
        (FakeResults(overrides=("a=1", "b=2")), "run with --set a=1 --set b=2"),
    ):
        judgement = judged(results)
        assert (judgement.verdict, judgement.reason, judgement.values, judgement.surprising) == (
            "not run",
            reason,
            [],
            False,
        )
    judgement = judged(FakeResults(tier="quick"), tier="paper")
    assert judgement.reason == "needs the paper tier, these results are of the quick tier"
    assert judged(FakeResults(tier="paper")).verdict == judged(FakeResults()).verdict == "reproduced"


@pytest.mark.parametrize("error", (ValueError, IndexError, KeyError, ZeroDivisionError, TypeError))
def test_an_error_in_a_measure_fails_its_claim_only(error):
    def strange(results):
        raise error("odd\ntraces")

    FUNCTIONS["strange"] = strange
    try:
        judgement = judged(FakeResults(), "strange()")
    finally:
        del FUNCTIONS["strange"]
    assert judgement.verdict == "not run" and "\n" not in judgement.reason
    if error is not ZeroDivisionError:
        assert judgement.reason.startswith(f"c cannot be computed on these results: {error.__name__}: ")


def test_values_that_cannot_be_compared_are_claim_errors():
    FUNCTIONS["strange"] = lambda results, kind: {"list": [1, 2], "text": "x", "none": None}[kind]
    try:
        for text, cause in (
            ("strange(list)", "only 'equal' compares lists"),
            ("strange(text)", "must be a number"),
            ("strange(none)", "must be a number"),
            ("1 + strange(list)", "must be a number"),
            ("1 + strange(none)", "must be a number"),
            ("max(strange(list), 1)", "must be a number"),
            ("max_ratio(p/e/l[x=1], aa, b)", "no column 'aa'; did you mean a?"),
        ):
            with pytest.raises(claims.ClaimError, match=f"claim 'c' of p: .*{cause}"):
                judged(FakeResults(), text)
    finally:
        del FUNCTIONS["strange"]


def run(folder, capsys):
    status = call("claims", ["--experiments", str(folder / "experiments"), "--results", str(folder / "r")])
    return status, capsys.readouterr()


def test_statuses_and_remedies(tmp_path, capsys):
    folder = write_results(tmp_path / "r")
    claims_file(tmp_path, "test_error(p/e/l)")
    status, output = run(tmp_path, capsys)
    assert status == 0 and output.out.endswith("all: of 1 statement judged, 1 holds\n")
    claims_file(tmp_path, "test_error(p/e/l)", expect=">= 1")
    status, output = run(tmp_path, capsys)
    assert status == 1 and "SURPRISE" in output.out
    claims_file(tmp_path, "at(p/e/l, tst_error, 0.5)")
    (folder / "l-r1.failed.json").write_text('{"kind": "timeout"}')
    status, output = run(tmp_path, capsys)
    assert status == 0 and "p/e/l[margin=1]/r1 failed: timeout" in output.out
    (folder / "l-r1.failed.json").unlink()
    status, output = run(tmp_path, capsys)
    assert status in (1, 2) and "no column 'examples'" in output.err and output.err.count("\n") == 1
    claims_file(tmp_path, "test_error(p/e/l)", expect=">= 1")
    for changes, reason, end in (
        (
            {"tier": "quick"},
            "needs the default tier",
            "of 0 statements judged, 0 hold; 1 was not run; to get the missing results, run: make experiments\n",
        ),
        ({"overrides": ["data.max_examples=1000"]}, "run with --set data.max_examples=1000", "1 was not run\n"),
    ):
        (folder / "plan.json").write_text(json.dumps(plan_file(**changes)))
        status, output = run(tmp_path, capsys)
        assert status == 0 and reason in output.out and output.out.endswith(end)
    (folder / "plan.json").write_text(json.dumps(plan_file()))
    (folder / "l-r0.h5").write_bytes((folder / "l-r0.h5").read_bytes()[:-1])
    status, output = run(tmp_path, capsys)
    assert status == 1 and "its bytes do not match its digest" in output.err and output.err.count("\n") == 1


def test_incomplete_traces_leave_their_claims_not_run(minimal_results, tmp_path, monkeypatch):
    """Every claim gets a verdict or a reason, with traces that record few steps and count as real data."""
    monkeypatch.setattr(Trace, "synthetic", False)
    results = Results(minimal_results.as_default_tier(tmp_path / "r"))
    papers = [claims.read(path) for path in sorted((ROOT / "experiments").glob("*/claims.toml"))]
    judged = {claim.id: claims.judge(claim, results) for paper in papers for claim in paper.claims}
    assert len(judged) > 140
    for judgement in judged.values():
        assert (judgement.verdict == "not run") == bool(judgement.reason) and "\n" not in judgement.reason
        assert not judgement.values or np.all(~np.isnan(np.hstack(judgement.values)))
    assert "too few steps outside the windows of the events" in judged["fig7-left-spikes"].reason
    assert any(judgement.values for judgement in judged.values())


@pytest.mark.parametrize(
    "value, cause",
    [
        ("1", "its value reads no result, so it cannot fail"),
        ("paper(a.b) / 2", "its value reads no result, so it cannot fail"),
        ("test_error(p/e/l) - test_error(p/e/l)", "both sides of '-' are equal, so it cannot fail"),
        ("2 * (test_error(p/e/l) / test_error(p/e/l))", "both sides of '/' are equal, so it cannot fail"),
        ("test_error(p/e/l) + 1e999", "1e999 is out of range"),
    ],
)
def test_claims_that_cannot_fail_are_refused(tmp_path, capsys, value, cause):
    claims_file(tmp_path, value, "[numbers.a]\nb = 1\n")
    (tmp_path / "r").mkdir()
    status, shown = run(tmp_path, capsys)
    assert status == 2 and "claim 'c': " in shown.err and cause in shown.err


def test_infinite_values_have_no_verdict():
    results = FakeResults(planned(trace("i", 1, float("inf"))))
    assert judged(results, "test_error(p/e/i)", ">= 0").reason == "a value is infinite"


def test_claims_about_time_have_values_and_no_verdict():
    timed_trace = trace("t", 1, 0.1)
    timed_trace.provenance["wall_seconds"] = 2.0
    judgement = judged(FakeResults(planned(timed_trace)), "seconds(p/e/t)", "<= 3")
    assert judgement.verdict == claims.NOT_RUN and judgement.reason == "depends on the speed of the machine; here 2"
    with pytest.raises(
        claims.ClaimError, match="has no verdict, because seconds and kernel_share depend on the machine"
    ):
        judged(FakeResults(), "seconds(p/e/t)", "<= 3", expected="reproduced")


def test_a_claim_over_two_tiers_names_them():
    results = FakeResults()
    results.experiments["p/g"] = Experiment("p/g", "", "paper", [planned(trace("l", 1, 0.1, experiment="p/g"))])
    mixed = judged(results, ["test_error(p/e/l[x=1])", "test_error(p/g/l)"], "all <= 1")
    assert mixed.verdict == claims.REPRODUCED
    assert mixed.reason == "compares results of the tiers default and paper"
    assert "compares results of the tiers" in shown_values(mixed)
    assert judged(results).reason == ""
