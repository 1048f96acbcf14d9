"""Claims about behaviour on real data in place of the papers'."""

import json

import pytest
from fake_results import FakeResults, planned, trace

from okbench import claims
from okbench.claims.output import as_json, print_brief, print_text
from okbench.claims.replacing import ReplacedResults
from okbench.results import Experiment, Results
from okbench.results.marks import ON_SYNTHETIC


def claim(value, expect="<= 0.5", **more):
    entry = {"id": "c", "where": "", "statement": "", "tolerance": "", "note": "", "value": value, "expect": expect}
    return claims.make_claim("p", {"generalises": True, **entry, **more}, claims.Numbers())


def replaced(key, error, title="clothes in place of digits", **more):
    fake_trace = trace(key, 1, error, **more)
    if title:
        fake_trace.provenance["replacement"] = title
    return planned(fake_trace)


@pytest.fixture
def results():
    """p/e of FakeResults on the papers' data; p/g on replacing data; p/h on both kinds of data."""
    sample_results = ReplacedResults("/nonexistent-replaced-data", FakeResults())
    sample_results.experiments["p/g"] = Experiment("p/g", "", "default", [replaced("l", 0.4)], replaced_data=("set",))
    sample_results.experiments["p/q"] = Experiment("p/q", "", "quick", [replaced("l", 0.4)], replaced_data=("set",))
    mixed = [replaced("l", 0.4), replaced("s", 0.1, "", synthetic=True)]
    sample_results.experiments["p/h"] = Experiment("p/h", "", "default", mixed, replaced_data=("set",))
    return sample_results


@pytest.mark.parametrize(
    "value, verdict, values, reason",
    [
        ("test_error(p/g/l)", claims.HOLDS, [0.4], ""),
        ("test_error(p/g/l) * 2", claims.DOES_NOT_HOLD, [0.8], ""),
        # An experiment without replaced data is that on the papers' data: the mean of 0.1, 0.3 and 0.7.
        ("test_error(p/g/l) / test_error(p/e/l)", claims.DOES_NOT_HOLD, [0.4 / (1.1 / 3)], ""),
        ("test_error(p/e/l)", claims.NOT_RUN, [1.1 / 3], "nothing replaces its data"),
        ("test_error(p/e/s)", claims.NOT_RUN, [], ON_SYNTHETIC),
        ("test_error(p/h/s)", claims.NOT_RUN, [], ON_SYNTHETIC),
        ("test_error(p/q/l)", claims.NOT_RUN, [], "needs the default tier, these results are of the quick tier"),
        ("test_error(p/f/l)", claims.NOT_RUN, [], "no result of p/f"),
    ],
)
def test_verdicts(results, value, verdict, values, reason):
    judgement = claims.generalise(claim(value), results)
    assert (judgement.verdict, judgement.reason) == (verdict, reason) and judgement.values == pytest.approx(values)
    assert judgement.data == (
        ("clothes in place of digits",) if verdict in (claims.HOLDS, claims.DOES_NOT_HOLD) else ()
    )


def test_the_data_of_one_claim_are_not_those_of_the_next(results):
    assert claims.generalise(claim("test_error(p/g/l)"), results).data
    assert claims.generalise(claim("test_error(p/e/l)"), results).verdict == claims.NOT_RUN


def test_a_printed_number_is_not_about_behaviour(results):
    judgement = claims.generalise(claim("test_error(p/g/l)", generalises=False), results)
    assert (judgement.verdict, judgement.values) == (claims.NOT_ABOUT_BEHAVIOUR, [])


def test_replaced_data_are_never_judged_as_the_papers(results):
    judged = claims.judge(claim("test_error(p/g/l)"), results.named)
    assert judged.verdict == claims.NOT_RUN
    named = FakeResults()
    named.experiments["p/g"] = results.experiments["p/g"]
    judged = claims.judge(claim("test_error(p/g/l)"), named)
    assert (judged.verdict, judged.reason) == (claims.NOT_RUN, "run on other data of the names set")


def test_both_tables_are_printed(results, capsys):
    sample_claim = claim("test_error(p/g/l)")
    judged, generalisation = claims.judge(sample_claim, results.named), claims.generalise(sample_claim, results)
    print_brief([judged], [generalisation])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("  ")[0] == "statements of the papers" and lines[2].split() == ["all", "0", "0", "0", "1"]
    assert lines[3].startswith("on replacing data") and lines[5].split() == ["all", "1", "0", "0", "0"]
    print_text([judged], [generalisation])
    assert "replaced data: holds: 40 %" in capsys.readouterr().out
    content = json.loads(json.dumps(as_json(judged, generalisation)))["on_replacing_data"]
    expected = {"verdict": "holds", "values": [0.4], "reason": "", "data": ["clothes in place of digits"]}
    assert content == expected and as_json(judged)["on_replacing_data"] is None


def test_the_folder_beside_the_results(tmp_path):
    assert claims.replaced_results(Results(tmp_path / "r")) is None
    (tmp_path / "r-replaced-data").mkdir()
    assert claims.replaced_results(Results(tmp_path / "r")).folder == tmp_path / "r-replaced-data"
