"""Chosen values at an end of their range."""

import types

import pytest

from okbench.league import single, tuned


def run(chosen, axes=None, candidates=None):
    spec = {"tuned": {"axes": axes} if axes else {"candidates": candidates}}
    return types.SimpleNamespace(trace=types.SimpleNamespace(spec=spec, summary={"tuned": {"chosen": chosen}}))


def entry(*runs):
    return types.SimpleNamespace(runs=list(runs))


AXES = {"kernel.gamma": [1.0, 4.0, 0.0, 0.25], "C": [0.5, 2.0]}


@pytest.mark.parametrize(
    "chosen, ends",
    [
        ({"kernel.gamma": 4.0, "C": 0.5}, {"kernel.gamma": 4.0, "C": 0.5}),
        ({"kernel.gamma": 0.25, "C": 2.0}, {"C": 2.0}),
        ({"kernel.gamma": 0.0, "C": 2.0}, {"C": 2.0}),  # the limit of wide kernels is no end
    ],
)
def test_ends_of_ranges(chosen, ends):
    assert tuned.ends(entry(run(chosen, AXES))) == ends


def test_ranges_of_a_grid_of_candidates():
    candidates = [{"eta": 0.1}, {"eta": 1.0}, {"eta": 10.0}]
    assert tuned.ends(entry(run({"eta": 10.0}, candidates=candidates))) == {"eta": 10.0}
    assert tuned.ends(entry(run({"eta": 1.0}, candidates=candidates))) == {}


def test_most_orders_decide():
    ends = [run({"C": value}, {"C": [1, 2, 4]}) for value in (4, 4, 2)]
    assert tuned.ends(entry(*ends)) == {"C": 4}
    assert tuned.ends(entry(*ends, run({"C": 1}, {"C": [1, 2, 4]}))) == {}


def test_no_range_end_without_a_search():
    plain = types.SimpleNamespace(trace=types.SimpleNamespace(spec={}, summary={}))
    assert tuned.ends(entry(plain)) == {}


def row(label, error, learner="a", best=True, ends=None):
    shared = {"budget": None, "interval": None, "orders": 2, "blocks": 0, "cost": 1, "memory": 1, "seconds": 1}
    return {"learner": learner, "label": label, "method": learner, "error": error, "best": best, **shared} | {
        "baseline": learner in single.BASELINES,
        "ends": ends or {},
    }


def test_conclusions_name_ends_and_baselines():
    rows = [row("neighbours", 0.1, "knn", False), row("A", 0.2, ends={"C": 8.0}), row("B", 0.3, "b", ends={"C": 0.5})]
    said = single.conclusions(rows, str)
    assert "No learner is better than the neighbours (0.1)" in said
    assert "Tuned to an end of the range, so a value beyond it may be better: A: C = 8, B: C = 0.5" in said
    rows = [rows[1], row("last value", 0.25, "last-value", False), rows[2]]
    assert any(text.startswith("Not better than the last value (0.25): B") for text in single.conclusions(rows, str))
    rows = [row("last value", 0.05, "last-value", False), row("A", 0.2)]
    assert any("--lags 1" in text for text in single.conclusions(rows, str, "rmse"))
