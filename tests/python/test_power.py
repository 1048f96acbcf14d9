"""Whether claims can fail: the chance that random numbers in the range of their measures pass."""

import json
import pathlib

import numpy as np
import pytest
from fake_results import FakeResults, planned, trace

from okbench import claims
from okbench.claims import power
from okbench.claims.specs import Specs

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAPERS = sorted(path.parent.name for path in (ROOT / "experiments").glob("*/claims.toml"))


def claim(value="test_error(p/e/l)", expect="<= 0.5", **more):
    entry = {"id": "c", "where": "", "statement": "", "tolerance": "", "note": "", "value": value, "expect": expect}
    return claims.make_claim("p", {**entry, **more}, claims.Numbers())


@pytest.mark.parametrize("paper", PAPERS)
def test_no_claim_passes_by_chance(paper):
    specs = Specs(ROOT / "experiments")
    judged = claims.read(ROOT / "experiments" / paper / "claims.toml", specs).claims
    ranges = power.read_ranges(ROOT / "experiments" / paper)
    chances = {
        paper_claim.id: power.chance(paper_claim, ranges) for paper_claim in judged if not paper_claim.blocked_by
    }
    weak = {name: round(share, 2) for name, share in chances.items() if share > power.MAX_SHARE}
    assert not weak


def test_the_chance_is_that_of_uniform_numbers():
    ranges = {"test_error(p/e/l)": (0.0, 1.0), "test_error(p/e/m)": (0.0, 1.0)}
    assert power.chance(claim(expect="<= 0.1"), ranges) == pytest.approx(0.1, abs=0.02)
    assert power.chance(claim(expect="within [0.3, 0.5]"), ranges) == pytest.approx(0.2, abs=0.025)
    ordered = claim(["test_error(p/e/l)", "test_error(p/e/m)"], "increasing")
    assert power.chance(ordered, ranges) == pytest.approx(0.5, abs=0.03)
    # The same measure twice is one number, and cannot differ from itself.
    assert power.chance(claim("test_error(p/e/l) / test_error(p/e/l)", "within [0.99, 1.01]"), ranges) == 1
    # Over orders of magnitude, every order is as likely.
    assert power.chance(claim(expect="<= 1"), {"test_error(p/e/l)": (0.01, 100)}) == pytest.approx(0.5, abs=0.03)
    assert power.chance(claim(expect="equal", paper=0.5), ranges) == 0


def test_a_claim_may_state_its_range():
    stated = claim(["test_error(p/e/l)", "2"], "all <= 1", plausible=[0, 10])
    assert power.chance(stated, {}) == pytest.approx(0.01, abs=0.01)
    with pytest.raises(claims.ClaimError, match="has no range: run okbench claims --ranges"):
        power.chance(claim(), {})
    for bad in ([1, 0], [[0, 1], [0, 1]], [0], ["a", "b"]):
        with pytest.raises(claims.ClaimError, match="plausible must be"):
            claim(plausible=bad)


class Run(FakeResults):
    """The trials made up, with the plan that siblings are looked for in."""

    def __init__(self, folder, *more):
        super().__init__(*more)
        self.folder = folder
        (folder / "p" / "e").mkdir(parents=True)
        (folder / "p" / "e" / "plan.json").touch()


def test_ranges_are_those_of_all_trials_on_the_same_data(tmp_path):
    other = trace("m", 2, 0.9)
    elsewhere = trace("n", 3, 5.0)
    elsewhere.spec["data"]["name"] = "other"
    results = Run(tmp_path, planned(other), planned(elsewhere))
    # The generated trial and that on other data are left out: 0.1, 0.3, 0.7 and 0.9 are there.
    assert power.ranges_of([claim()], results) == {"test_error(p/e/l)": [0.1, 0.9]}
    assert power.ranges_of([claim("least(test_error, p/e/l, x)")], results) == {
        "least(test_error, p/e/l, x)": [0.1, 0.9]
    }
    # What cannot be measured on single trials, and what states its own, has none.
    assert power.ranges_of([claim("deviation(test_error, p/e/l[x=1])"), claim(plausible=[0, 1])], results) == {}
    # Nor has what has not been run: its range of other results stays.
    assert power.ranges_of([claim("test_error(p/f/l)")], results) == {}


def test_ranges_are_written_and_read(tmp_path):
    (tmp_path / "p").mkdir()
    expression, other = "test_error(p/e/l)", "cost(p/e/l, requested)"
    both = [claim(expression), claim(other)]
    power.write_ranges(tmp_path / "p", both, {expression: [0.0, 1.0], other: [1.0, 2.0]})
    power.write_ranges(tmp_path / "p", both, {other: [1.0, 3.0]})
    assert power.read_ranges(tmp_path / "p") == {expression: (0.0, 1.0), other: (1.0, 3.0)}
    # What no claim names any more goes.
    power.write_ranges(tmp_path / "p", both[:1], {})
    assert power.read_ranges(tmp_path / "p") == {expression: (0.0, 1.0)}
    assert power.read_ranges(tmp_path / "none") == {}
    power.path_of(tmp_path / "p").write_text(json.dumps({"format": 2, "ranges": {}}))
    with pytest.raises(claims.ClaimError, match="unknown format 2"):
        power.read_ranges(tmp_path / "p")


def test_no_range_is_kept_that_no_claim_names():
    for paper in PAPERS:
        judged = claims.read(ROOT / "experiments" / paper / "claims.toml", Specs(ROOT / "experiments")).claims
        assert set(power.read_ranges(ROOT / "experiments" / paper)) <= power.named(judged), paper


def test_every_difference_has_a_cause_that_was_tried():
    for paper in PAPERS:
        for paper_claim in claims.read(
            ROOT / "experiments" / paper / "claims.toml", Specs(ROOT / "experiments")
        ).claims:
            assert paper_claim.tried or paper_claim.expected == claims.REPRODUCED, paper_claim.id
    with pytest.raises(claims.ClaimError, match="has no 'tried'"):
        claim(expected="not reproduced")
    with pytest.raises(claims.ClaimError, match="tried must be"):
        claim(expected="not reproduced", tried=[{"what": "x"}])
    with pytest.raises(claims.ClaimError, match="unknown function"):
        claim(expected="not reproduced", tried=[{"what": "x", "value": "tset_error(p/e/l)"}])


def test_tried_variants_are_judged_with_the_claim():
    tried = [
        {"what": "another x", "value": "test_error(p/e/l[x=0.5])"},
        {"what": "a run of its own", "value": [0.25, 3]},
        {"what": "not run", "value": "test_error(p/f/l)"},
    ]
    judged = claims.judge(claim(expect="<= 0.1", expected="not reproduced", tried=tried), FakeResults())
    assert [(what, values) for what, values, _ in judged.tried] == [
        ("another x", [pytest.approx(0.7)]),
        ("a run of its own", [0.25, 3]),
        ("not run", []),
    ]
    assert judged.tried[2][2] == "no result of p/f"
    output = claims.as_json(judged)["tried"]
    assert output[0]["value"] == [pytest.approx(0.7)] and output[2]["reason"] and np.isfinite(output[1]["value"]).all()
