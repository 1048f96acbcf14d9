"""The running error, ladders of targets and cost to target, by hand."""

import numpy as np
import pytest
from league_files import experiment, run

from okbench.league import COUNT, WINDOW, League
from okbench.league.targets import ladder, reached, running

A9A = "league/a9a"


def test_running_error_is_of_the_last_thousand_examples():
    steps = 100 * np.arange(1, 16)
    # 40 mistakes in each of the first 10 hundreds, then 10 in each.
    mistakes = np.cumsum([40] * 10 + [10] * 5)
    places, errors = running(steps, mistakes)
    assert list(steps[places]) == [1000, 1100, 1200, 1300, 1400, 1500]
    assert errors == pytest.approx([0.4, 0.37, 0.34, 0.31, 0.28, 0.25])


def test_no_running_error_without_the_recorded_step_before():
    # The last step is no multiple of 100; 1100 was not recorded, so that 2100 has no running error.
    steps = np.array([*range(100, 1100, 100), *range(1200, 2200, 100), 2150])
    places, _ = running(steps, np.arange(len(steps)))
    assert list(steps[places]) == [1000, *range(1200, 2100, 100)]
    assert len(running([100, 200, 300], [1, 2, 3])[0]) == 0


def test_a_target_is_reached_where_the_error_stays_below_to_the_end():
    places, errors = np.array([9, 10, 11, 12]), np.array([0.3, 0.2, 0.25, 0.2])
    assert reached(places, errors, 0.2) == 12
    assert reached(places, errors, 0.25) == 10
    assert reached(places, errors, 0.3) == 9
    assert reached(places, errors, 0.19) is None
    assert reached(np.array([]), np.array([]), 0.5) is None
    # A number that is none is not below.
    assert reached(places, np.array([0.1, np.nan, 0.1, 0.1]), 0.2) == 11


def test_targets_are_evenly_spaced_in_the_logarithm():
    targets = ladder(0.1 / 1.05, 0.1 * 2**7)
    assert len(targets) == COUNT == 8
    assert targets == pytest.approx([0.1 * 2**n for n in range(7, -1, -1)])
    assert ladder(0.25, 0.25) == (0.2625,)  # no better than at the start
    assert ladder(0, 0.128)[-1] == 1 / WINDOW


def league():
    """good: 0.4 at the start, then 0.1; noisy: 0.5, 0.3 and, for a while, 0.5; on two orders, the second without a
    cost of the first 1000 examples."""
    good, noisy = [40] * 10 + [10] * 20, [50] * 10 + [30] * 10 + [50] * 5 + [30] * 5
    trials = []
    for key, rates, rows in (("good", good, 10), ("noisy", noisy, 3)):
        for order in range(2):
            each = np.where(np.arange(30) < 10 * order, 0, 100 * rows)
            trials.append(run(A9A, key, order, np.cumsum(rates), np.cumsum(each), {"budget": rows}))
    return League([experiment(A9A, *trials)])


def test_the_ladder_is_from_the_start_to_the_least_end_error():
    fake_league = league()
    (targets,) = fake_league.ladders.values()
    best = (10 * 40 + 20 * 10) / 3000
    assert targets[0] == pytest.approx((0.4 + 0.5) / 2)  # the median of two
    assert targets[-1] == pytest.approx(1.05 * best)
    assert fake_league.notes == []


def test_cost_at_the_first_recorded_step_from_which_on_it_stays():
    fake_league = league()
    good = fake_league.entries["a9a", "good", 10]
    # The running error falls from 0.4 by 0.03 with each hundred: 0.22 at 1600, 0.19 at 1700.
    good_at = good.at(0.2, "requested")
    assert list(good_at[0]) == [True, True] and list(good_at[1]) == [17 * 1000, 7 * 1000]
    noisy = fake_league.entries["a9a", "noisy", 3]
    # 0.3 at 2000, 0.4 at 2500 to 3000: not at or below 0.35 at the end; what the whole stream cost.
    reaches, costs = noisy.at(0.35, "requested")
    assert list(reaches) == [False, False] and list(costs) == [30 * 300, 20 * 300]
    # 0.42 at 1400: from there on never more than 0.4.
    reaches, costs = noisy.at(0.42, "requested")
    assert list(reaches) == [True, True] and list(costs) == [14 * 300, 4 * 300]


def test_costs_of_every_kind():
    tuned = {"chosen": {"C": 1.0}, "kernel_evaluations": {"requested": 500, "computed": 400, "evaluation": 30}}
    steps = np.arange(1, 13)
    more = {"kernel_computed": 20 * steps, "feature_evaluations": 7 * steps, "support_vectors": np.minimum(steps, 5)}
    output = {"tuned": {**tuned, "feature_evaluations": 4}, "classes": 10, "more": more}
    (entry,) = League([experiment(A9A, run(A9A, "l", 0, steps, 30 * steps, **output))]).entries.values()
    (league_run,) = entry.runs
    assert league_run.cost("requested") == 12 * 37 and league_run.cost("requested", 0) == 37
    assert league_run.cost("computed") == 12 * 27
    assert league_run.cost("tuning", 1) == 2 * 37 + 500 + 30 + 4
    assert league_run.cost("memory", 2) == 3 * 10 and league_run.cost("memory") == 5 * 10
    assert league_run.cost("seconds") == pytest.approx(360e-6)


def test_memory_is_the_peak_so_far_with_features():
    vector_counts = np.array([1, 5, 3] * 4)
    weights = {"support_vectors": np.zeros(12), "weights": np.full(12, 124)}
    trials = [
        run(A9A, "shrinking", 0, np.arange(12), np.arange(12), more={"support_vectors": vector_counts}),
        run(A9A, "fogd", 0, np.arange(12), np.arange(12), {"features": 64}),
        run(A9A, "linear", 0, np.arange(12), np.arange(12), more=weights),
    ]
    fake_league = League([experiment(A9A, *trials)])
    shrinking, fogd, linear = (fake_league.by_set["a9a", trial][0].runs[0] for trial in ("shrinking", "fogd", "linear"))
    assert [shrinking.cost("memory", place) for place in range(4)] == [1, 5, 5, 5]
    assert fogd.cost("memory", 0) == 64 and linear.cost("memory", 0) == 124


def test_keys_of_budgets():
    flat = np.arange(12), np.arange(12)
    trials = [
        run(A9A, "perceptron", 0, *flat, {"cache": "none", "budget": 1000}, grid_point=""),
        run(A9A, "cached", 0, *flat, {"cache": "fixed", "budget": 50}),
        run(A9A, "norma", 0, *flat, {"buffer": 128, "eta0": 1.0}),
        run(A9A, "pegasos", 0, *flat, {"budget": 1000, "maintenance": "none"}, grid_point=""),
        run(A9A, "bsgd", 0, *flat, {"budget": 64, "maintenance": "merging"}),
        run(A9A, "projectron", 0, *flat, {"budget": 0}, grid_point=""),
    ]
    assert set(League([experiment(A9A, *trials)]).entries) == {
        ("a9a", "perceptron", None),
        ("a9a", "cached", 50),
        ("a9a", "norma", 128),
        ("a9a", "pegasos", None),
        ("a9a", "bsgd", 64),
        ("a9a", "projectron", None),
    }


def test_missing_runs_are_reported():
    flat = np.arange(12), np.arange(12)
    trials = [run(A9A, "l", 0, *flat), run(A9A, "l", 1, *flat, failure="diverged"), run(A9A, "whole", 0, *flat)]
    other = [run("league/w8a", "l", 0, *flat), run("league/w8a", "whole", 0, *flat)]
    short = [run("league/short", key, 0, [1, 2], [1, 2]) for key in ("l", "whole")]
    changed = experiment("league/x", run("league/x", "l", 0, *flat), overrides=("data.synthetic_rows=5",))
    fake_league = League(
        [experiment(A9A, *trials), experiment("league/w8a", *other), experiment("league/short", *short), changed]
    )
    assert fake_league.notes == [
        "league/x is excluded: it was run with --set data.synthetic_rows=5",
        "league/a9a/l/r1 failed: diverged: l on a9a is excluded",
        "short has no running error and no cost to target: too few steps are recorded",
        "l has no result on a9a: it is ranked last there",
    ]
