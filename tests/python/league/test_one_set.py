"""The ranking on one data set: intervals and tests over orders, or over blocks of a stream in one order."""

import itertools

import numpy as np
import pytest
from league_files import experiment, run

from okbench.league import League, single
from okbench.results.intervals import bootstrap
from okbench.results.significance import paired_test

NEAR = np.array([11, 9, 10, 12, 8, 11, 9, 10, 12, 9])  # mistakes of ten blocks of 100 examples
CHANGES = {
    "near": NEAR,
    "best": NEAR + [-2, 1, -1, 1, -1, 0, 1, -1, 1, -1],
    "far": NEAR + [5, 6, 7, 5, 6, 7, 5, 6, 7, 5],
}


def league(mistakes, orders=1, **output):
    trials = [
        run("league/x", key, order, np.cumsum(of), 100 * np.arange(1, len(of) + 1), **output)
        for (key, of), order in itertools.product(mistakes.items(), range(orders))
    ]
    return League([experiment("league/x", *trials)])


def test_blocks_of_a_stream_by_hand():
    rows = {row["learner"]: row for row in single.rows(league(CHANGES), "x")}
    assert list(rows) == ["best", "near", "far"] and rows["near"]["blocks"] == 10 and rows["near"]["orders"] == 1
    assert rows["near"]["error"] == pytest.approx(0.101) and rows["near"]["interval"] == bootstrap(NEAR / 100)
    # Against the best, "near" differs by 2, -1, 1, -1, 1, 0, -1, 1, -1, 1 and "far" by about 6.
    assert paired_test((NEAR - CHANGES["best"]) / 100).p > 0.5
    assert [rows[key]["best"] for key in ("best", "near", "far")] == [True, True, False]
    said = single.conclusions(list(rows.values()), "{:.3f}".format)
    assert (
        said[1]
        == "Not significantly worse (paired t-tests over 10 blocks of the stream, Holm's correction, 0.05): near"
    )


def test_recorded_steps_are_the_borders_of_blocks():
    """Steps 30, 60, ..., 360: the borders nearest after 36, 72, ... are 60, 90, 120, 150, 180, 240, ..., 360."""
    league_run = league({"a": np.arange(12)}, steps=30 * np.arange(1, 13)).entries["x", "a", None].runs[0]
    sums = np.cumsum(np.arange(12))
    borders = np.array([1, 2, 3, 4, 5, 7, 8, 9, 10, 11])
    lengths = np.array([60, 30, 30, 30, 30, 60, 30, 30, 30, 30])
    np.testing.assert_allclose(single.blocks(league_run), np.diff(sums[borders], prepend=0) / lengths)


def test_a_short_stream_has_no_test():
    rows = single.rows(league(CHANGES, steps=20 * np.arange(1, 11)), "x")
    assert all(row["interval"] is None and not row["best"] and row["blocks"] == 0 for row in rows)
    said = single.conclusions(rows, str)
    assert said[1] == "Whether learners differ cannot be told: the test needs 10 blocks of 30 rows, or several orders"


def test_other_measures_have_no_blocks():
    kappa_league = league(CHANGES)
    for entry in kappa_league.entries.values():
        entry.runs[0].measure, entry.runs[0].value = "kappa", 0.5
        entry.value = 0.5
    rows = single.rows(kappa_league, "x")
    assert all(row["blocks"] == 0 and row["interval"] is None and not row["best"] for row in rows)
    assert single.conclusions(rows, str, "kappa")[1].endswith("the test needs several orders for kappa")


def test_orders_are_compared_where_there_are_several():
    rows = single.rows(league(CHANGES, orders=2), "x")
    assert all(row["orders"] == 2 and row["blocks"] == 0 for row in rows)
    assert "over 2 random orders of the same rows" in single.conclusions(rows, str)[1]
