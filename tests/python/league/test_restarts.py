"""Simulated runs with restarts against what they must be on the average, and the curves that are made of them."""

import itertools

import numpy as np
import pytest
from league_files import experiment, run, whole_league

from okbench.league import League, curve
from okbench.league.restarts import DRAWS, expected, simulated


def enumerated(reached, costs, combined, longest=60):
    """The mean by going through all ways of failing, up to a length: of each number of failed runs, what they and the
    run that ends it cost."""
    bad, good = np.asarray(costs)[~np.asarray(reached)], np.asarray(costs)[np.asarray(reached)]
    total, ways = 0.0, {0.0: 1.0}
    for _ in range(longest):
        after = {}
        for cost, chance in ways.items():
            total += sum(combined(cost, final_cost) * chance / len(costs) for final_cost in good)
            for failed_cost in bad:
                key = float(combined(cost, failed_cost))
                after[key] = after.get(key, 0.0) + chance / len(costs)
        ways = after
    return total


@pytest.mark.parametrize("combined", [np.add, np.maximum])
def test_expected_costs_are_those_of_all_ways(combined):
    reached, costs = [True, False, True, False], [10.0, 40.0, 20.0, 15.0]
    assert expected(reached, costs, combined) == pytest.approx(enumerated(reached, costs, combined), rel=1e-9)


def test_expected_sums_by_hand():
    # One order of three reaches it: two failures are expected, of 30 on the average; then 12.
    assert expected([False, True, False], [20, 12, 40], np.add) == pytest.approx(2 * 30 + 12)
    assert expected([True, True], [3, 5], np.add) == 4
    assert expected([False, False], [3, 5], np.add) == float("inf") == expected([False], [3], np.maximum)
    # Of maxima: 12 with a chance of 1/3, else 40 or 20, whichever failure is the largest before 12 ends it.
    chances = {12: 1 / 3, 20: (1 / 3) / (2 / 3) - 1 / 3, 40: 1 - (1 / 3) / (2 / 3)}
    assert expected([False, True, False], [20, 12, 40], np.maximum) == pytest.approx(
        sum(x * p for x, p in chances.items())
    )


@pytest.mark.parametrize("combined", [np.add, np.maximum])
def test_simulated_runs_have_the_expected_mean(combined):
    reached, costs = [False, True, False, True, False], [100.0, 10.0, 50.0, 30.0, 70.0]
    draws = simulated(reached, costs, combined, "mean", 200_000)
    deviation = draws.std() / np.sqrt(len(draws))
    assert abs(draws.mean() - expected(reached, costs, combined)) < 4 * deviation
    # The number of failures is geometric: 2/5 end with the first run.
    if combined is np.add:
        assert np.mean(draws <= 30) == pytest.approx(0.4, abs=0.005)
        assert draws.min() == 10 and set(np.unique(draws % 10)) == {0}


def test_the_same_bits_each_time_and_others_by_another_name():
    arguments = [True, False, False], [1.0, 2.0, 3.0], np.add
    draws = simulated(*arguments, "a9a/rbp/64/3")
    assert len(draws) == DRAWS >= 1000
    assert np.array_equal(draws, simulated(*arguments, "a9a/rbp/64/3"))
    assert not np.array_equal(draws, simulated(*arguments, "a9a/rbp/64/4"))
    # Written down: other bits would be other figures.
    assert draws.sum() == 5755
    assert np.all(np.isinf(simulated([False], [1.0], np.add, "x")))


def test_a_curve_is_of_all_pairs():
    """Two data sets, one order each. Both learners reach all targets of 'easy', only b reaches all of 'hard'."""
    falls, stays = np.cumsum([40] * 10 + [4] * 20), np.cumsum([40] * 30)
    each = 100 * np.arange(1, 31)
    trials = [
        experiment("league/easy", *(run("league/easy", key, 0, falls, each, {"budget": 8}) for key in ("a", "b"))),
        experiment(
            "league/hard",
            run("league/hard", "a", 0, stays, each, {"budget": 8}),
            run("league/hard", "b", 0, falls, 10 * each, {"budget": 8}),
        ),
    ]
    league = League(trials)
    a, b = (curve(league, key, "requested") for key in ("a", "b"))
    assert a.pairs == b.pairs == 16 and b.share == 1
    # The easiest target, the error at the start, is reached by who stays there: at the first running error.
    assert a.reached == 9 and a.share == 9 / 16
    assert a.at(999) == 0 and a.at(1000) == 2 / 16  # of both sets
    assert a.at(1e9) == 9 / 16 and len(a.costs) == 9 * DRAWS
    assert a.gives_up == 3000 and b.gives_up == (3000 + 30000) / 2
    assert np.isfinite(a.median) and a.median == a.costs[8 * DRAWS - 1]
    places, shares = a.points()
    assert shares[-1] == a.share and places[0] == 1000 and places[-1] == a.costs[-1]
    assert all(a.at(place) >= share for place, share in zip(places, shares))


def test_best_of_its_budgets_is_the_cheapest_for_each_pair():
    """The small budget is cheap and stops at 0.2, the large one is dear and goes on to 0.05."""
    each = 100 * np.arange(1, 31)
    small, large = np.cumsum([40] * 10 + [20] * 20), np.cumsum([40] * 10 + [5] * 20)
    name = "league/a9a"
    runs = [run(name, "l", 0, small, 4 * each, {"budget": 4}), run(name, "l", 0, large, 32 * each, {"budget": 32})]
    league = League([experiment(name, *runs)])
    best = curve(league, "l", "requested")
    at_4, at_32 = curve(league, "l", "requested", at=4), curve(league, "l", "requested", at=32)
    assert best.share == 1 == at_32.share and 0 < at_4.share < 1
    assert best.at(4 * 3000) == at_4.share  # what the small one reaches costs as little
    assert curve(league, "l", "requested", at_most=4).share == at_4.share
    assert curve(league, "l", "requested", at_most=3) is None and curve(league, "l", "requested", at=5) is None
    # Memory: what is reached by 4 rows is held in 4.
    assert set(curve(league, "l", "memory").costs) == {10.0}


def test_every_kind_of_a_whole_league():
    league = League(
        [experiment(name, *of) for name, of in itertools.groupby(whole_league(), lambda t: t.name.rsplit("/", 2)[0])]
    )
    curves = {kind: curve(league, "bpa-s", kind) for kind in ("tuning", "requested", "computed", "memory", "seconds")}
    assert all(0 < cost_curve.share < 1 for cost_curve in curves.values())
    assert curves["tuning"].median > curves["requested"].median
    assert curves["tuning"].costs[0] >= curves["requested"].costs[0] + 64 * 1000
