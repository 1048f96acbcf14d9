"""Claims: their files, expressions, comparisons and verdicts."""

import pathlib

import numpy as np
import pytest

from okbench import claims
from okbench.results import FUNCTIONS, traces
from okbench.results.measures import caches

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

FILES = sorted((ROOT / "experiments").glob("*/claims.toml"))


class FakeResults(claims.Results):
    """Two repetitions of a learner with a grid over x, and one on generated data."""

    def __init__(self):
        super().__init__("/nonexistent")
        def trace(key, x, error, stand_in=False):
            return traces.Trace(pathlib.Path(), {"parameters": {"x": x}, "data": {"name": "set"}},
                                {"test_error": error, "examples": 100, "kernel_evaluations": {"requested": 10},
                                 "tuned": {"kernel_evaluations": {"requested": 5}, "chosen": {"y": 2.5}}},
                                {"learner_key": key, "stand_in": stand_in},
                                {"trace": {"step": np.array([1, 2, 4]), "a": np.array([1.0, 2.0, 3.0]), "step_size": np.array([0.5, 0.4, 0.3]), "b": np.array([2.0, 2.0, 2.0])},
                                 "checkpoints": {"examples": np.array([50, 100]), "test_error": np.array([0.5, error])}})
        self.experiments["p/e"] = traces.Experiment("p/e", "", "default", [
            trace("l", 1, 0.1), trace("l", 1, 0.3), trace("l", 0.5, 0.7), trace("s", 1, 0.1, True)], [])


def value(text):
    return claims.Expression(text, FakeResults()).value()


def test_expressions():
    assert value("1 + 2 * 3 - 4 / 2") == 5
    assert value("-(1 + 1) * 1e2") == -200
    assert value("test_error(p/e/l[x=1])") == pytest.approx(0.2)
    assert value("test_error(p/e/l[data=set,x=0.5,y=2.5]) / 7") == pytest.approx(0.1)
    assert value("cost(p/e/l[x=1], requested)") == 15
    assert value("max_ratio(p/e/l[x=1], a, b)") == 1.5
    assert value("last_over_first(p/e/l[x=1], a, 1)") == 3
    assert value("at(p/e/l[x=1], test_error, 0.5)") == 0.5
    assert value("first_checkpoint_below(p/e/l[x=1], 0.25)") == 1
    assert value("step_size(p/e/l[x=1], 3)") == pytest.approx(0.3)
    assert value("roughness(p/e/l[x=1], 0)") == pytest.approx(30)


@pytest.mark.parametrize("text", ["1 +", "test_eror(p/e/l)", "test_error(nothing)", "(1", "1 2", "test_error(p/e/l", "cost(p/e/l)"])
def test_bad_expressions_are_one_clear_line(text):
    with pytest.raises(claims.ClaimError, match="."):
        value(text)


def test_what_cannot_be_judged_says_why():
    for text, reason in (("test_error(p/e/s)", "stand-in"), ("test_error(p/e/l[x=9])", "no result of p/e/l"), ("test_error(p/f/l)", "no result of p/f"),
                         ("step_size(p/e/l[x=1], 5)", "no step 5")):
        with pytest.raises(claims.NotRun, match=reason):
            value(text)


def test_comparisons():
    assert claims.holds("increasing", [1, 2, 3], None) and not claims.holds("increasing", [1, 1], None)
    assert claims.holds("<= 2", [2], None) and not claims.holds(">= 2", [1.9], None)
    assert claims.holds("all <= 2", [1, 2], None) and not claims.holds("all within [0, 1]", [0.5, 1.1], None)
    assert claims.holds("within [[0, 1], [2, 3]]", [1, 2], None) and not claims.holds("within [[0, 1]]", [0.5, 0.5], None)
    assert claims.holds("equal", [[1, 2]], [[1, 2]])
    for bad in ("< 2", "about 3", "<= two"):
        with pytest.raises(claims.ClaimError):
            claims.holds(bad, [1], None)
    with pytest.raises(claims.ClaimError, match="all"):
        claims.holds("<= 2", [1, 3], None)


def test_verdicts():
    claim = {"id": "c", "where": "", "statement": "", "value": "test_error(p/e/l[x=1])", "expect": "<= 0.2", "tolerance": "", "note": ""}
    def judge(**changes):
        return claims.judge("p", {**claim, **changes}, FakeResults())
    assert judge().verdict == "reproduced" and not judge().surprising
    assert judge(expect="<= 0.1").verdict == "not reproduced" and judge(expect="<= 0.1").surprising
    assert not judge(expect="<= 0.1", expected="not reproduced").surprising
    assert judge(expected="not reproduced").surprising
    assert judge(tier="default").verdict == "reproduced" and judge(tier="paper").verdict == "not run"
    assert judge(value="test_error(p/e/s)").verdict == "not run" and not judge(value="test_error(p/e/s)").surprising


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_every_claim_of_the_project_can_be_read(path):
    paper, found = claims.read(path)
    assert paper == path.parent.name and len(found) >= 5
    for claim in found:
        judged = claims.judge(paper, claim, claims.Results("/nonexistent"))
        assert judged.verdict == "not run" or not any("(" in text for text in np.atleast_1d(claim["value"]))


@pytest.mark.parametrize("change, message", [
    ('format = 1', "needs format"), ('expect = "<= 1"\n', "'expect' is missing"), ('note = "n"', "'nota' is not known"), ('id = "b"', "two claims"),
])
def test_bad_claim_files(tmp_path, change, message):
    text = 'format = 1\npaper = "p"\n' + "".join(
        f'[[claims]]\nid = "{name}"\nwhere = "w"\nstatement = "s"\nvalue = "1"\nexpect = "<= 1"\ntolerance = "t"\nnote = "n"\n' for name in "ab")
    new = {'format = 1': 'format = 2', 'note = "n"': 'nota = "n"', 'id = "b"': 'id = "a"'}.get(change, "")
    (tmp_path / "claims.toml").write_text(text.replace(change, new))
    with pytest.raises(claims.ClaimError, match=message):
        claims.read(tmp_path / "claims.toml")


def test_values_of_any_kind_become_json():
    import json
    FUNCTIONS["strange"] = lambda results, kind: {"int": np.int64(3), "inf": float("inf"), "list": [np.int64(1), np.float64(2)]}[kind]
    try:
        for kind, values in (("int", [3]), ("inf", [None]), ("list", [[1, 2]])):
            claim = {"id": "c", "where": "", "statement": "", "value": f"strange({kind})", "expect": "<= 5" if kind != "list" else "equal", "tolerance": "", "note": "", "paper": [1, 2]}
            assert json.loads(json.dumps(claims.as_json(claims.judge("p", claim, FakeResults())), allow_nan=False))["values"] == values
    finally:
        del FUNCTIONS["strange"]


def test_what_gives_no_number_is_not_run():
    for text in ("(1 - 1) / (1 - 1)", "test_error(p/e/l[x=1]) / 0", "0 * nothing()"):
        FUNCTIONS["nothing"] = lambda results: float("nan")
        claim = {"id": "c", "where": "", "statement": "", "value": text, "expect": "<= 5", "tolerance": "", "note": ""}
        assert claims.judge("p", claim, FakeResults()).verdict == claims.NOT_RUN
    del FUNCTIONS["nothing"]


def test_rank_correlation_shares_ranks_and_refuses_constants(monkeypatch):
    def sizes(mistakes, errors):
        def trace(m, e):
            return traces.Trace(pathlib.Path(), {}, {"mistakes": m, "test_error": e}, {}, {})
        monkeypatch.setattr(caches, "caches", lambda results, trial: {size: [trace(m, e)] for size, (m, e) in enumerate(zip(mistakes, errors))})
    sizes([3, 1, 2], [0.3, 0.1, 0.2])
    assert caches.rank_correlation(None, "mistakes", "test_error", "x") == pytest.approx(1)
    assert caches.chosen_by(None, "test_error", "mistakes", "x") == 1
    sizes([1, 1, 2, 3], [0.1, 0.4, 0.2, 0.3])
    stats = pytest.importorskip("scipy.stats")
    assert caches.rank_correlation(None, "mistakes", "test_error", "x") == pytest.approx(stats.spearmanr([1, 1, 2, 3], [1, 4, 2, 3])[0])
    sizes([5, 5, 5, 5], [0.1, 0.2, 0.3, 0.4])
    with pytest.raises(claims.NotRun):
        caches.rank_correlation(None, "mistakes", "test_error", "x")
    sizes([5], [0.1])
    with pytest.raises(claims.NotRun):
        caches.chosen_by(None, "test_error", "mistakes", "x")
