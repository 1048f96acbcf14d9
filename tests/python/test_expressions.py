"""Expressions over results: arithmetic, measures, and what is no number."""

import pathlib

import numpy as np
import pytest
from fake_results import FakeResults, planned, trace

from okbench.claims import Numbers
from okbench.errors import ClaimError, NotRun
from okbench.measures import Expression
from okbench.results import Trace
from okbench.measures import caches


def value(text):
    return Expression(text, FakeResults()).value()


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


@pytest.mark.parametrize(
    "text",
    [
        *("1 +", "test_eror(p/e/l)", "test_error(nothing)", "(1", "1 2", "test_error(p/e/l", "cost(p/e/l)"),
        *("max()", "test_error()", "test_error(p/e/l, 1)", "test_error(p/e/l[x])", "test_error(p/e/l[x=1,x=2])"),
        *("test_error(p/e/l[])", "step_size(p/e/l, soon)", "min_rise(p/e/l, 6, soon)", "at(p/e/l, 1 + 1, 0.5)"),
        *("least(test_eror, p/e/l, x)", "cost(p/e/l, asked)", "best_fixed(test_error, e[)", "min_rise(p/e/l, [1, 2)"),
    ],
)
def test_bad_expressions_are_one_clear_line(text):
    with pytest.raises(ClaimError, match="."):
        value(text)


def test_claims_that_cannot_be_judged_have_a_reason():
    for text, reason in (
        ("test_error(p/e/s)", "synthetic"),
        ("test_error(p/e/l[x=9])", "no result of p/e/l"),
        ("test_error(p/f/l)", "no result of p/f"),
        ("step_size(p/e/l[x=1], 5)", "no step 5"),
    ):
        with pytest.raises(NotRun, match=reason):
            value(text)


def test_numbers_of_the_paper():
    numbers = Numbers({"fig1": {"at": [1, 2, 4], "error": [0.25, 0.01], "size": 3}})

    def value(text):
        return Expression(text, FakeResults(), numbers).value()

    assert value("paper(fig1.error) * paper(fig1.size)") == 0.75
    assert value("max(paper(fig1.size), 5)") == 5
    # At t = 1 there is no step before: rises over 0.5 at t = 2 and over 0.4 at t = 4.
    assert value("min_rise(p/e/l[x=1], [2, 4], 0)") == pytest.approx(0.75)
    assert Expression("paper(fig1.at)", FakeResults(), numbers).value() == [1, 2, 4]
    with pytest.raises(ClaimError, match=r"there is no number 'fig1.eror': fig1 has at, error, size"):
        value("paper(fig1.eror)")


def test_rank_correlation_shares_ranks_and_refuses_constants(monkeypatch):
    def sizes(mistakes, errors):
        def trace(m, e):
            return Trace(pathlib.Path(), {}, {"mistakes": m, "test_error": e}, {}, {})

        monkeypatch.setattr(
            caches,
            "caches",
            lambda results, trial: {size: [trace(m, e)] for size, (m, e) in enumerate(zip(mistakes, errors))},
        )

    sizes([3, 1, 2], [0.3, 0.1, 0.2])
    assert caches.rank_correlation(None, "mistakes", "test_error", "x") == pytest.approx(1)
    assert caches.chosen_by(None, "test_error", "mistakes", "x") == 1
    sizes([1, 1, 2, 3], [0.1, 0.4, 0.2, 0.3])
    stats = pytest.importorskip("scipy.stats")
    assert caches.rank_correlation(None, "mistakes", "test_error", "x") == pytest.approx(
        stats.spearmanr([1, 1, 2, 3], [1, 4, 2, 3])[0]
    )
    sizes([5, 5, 5, 5], [0.1, 0.2, 0.3, 0.4])
    with pytest.raises(NotRun):
        caches.rank_correlation(None, "mistakes", "test_error", "x")
    sizes([5], [0.1])
    with pytest.raises(NotRun):
        caches.chosen_by(None, "test_error", "mistakes", "x")


@pytest.mark.parametrize(
    "text, cause",
    [
        ("test_eror(p/e/l)", "unknown function 'test_eror'; did you mean test_error?"),
        ("least(test_eror, p/e/l, x)", "'test_eror' is not a measure; did you mean test_error?"),
        ("cost(p/e/l, request)", "'request' is not a kind of kernel evaluations; did you mean requested?"),
        ("max_ratio(p/e/l[x=1], aa, b)", "p/e/l[x=1]/r0: table 'trace' has no column 'aa'; did you mean a?"),
        ("last_over_first(p/e/l[x=1], bb, 1)", "no column 'bb'; did you mean b?"),
        ("largest_change(p/e/l[x=1], p/e/l[x=1], c)", "p/e/l[x=1]/r0: table 'trace' has no column 'c'"),
        (
            "at(p/e/l[x=1], tst_error, 0.5)",
            "table 'checkpoints' has no column 'tst_error'; did you mean test_error?",
        ),
        ("insertions(p/e/l[x=1])", "no column 'insertions'"),
        ("listed_overlap(p/e/l[x=1], 1)", "p/e/l[x=1]/r0 has no table 'listed'"),
        ("least(test_error, p/e/l, z)", "has no parameter 'z'"),
        ("mean_loss(p/e/l)", "p/e/l[x=1]/r0 has no measure 'mean_loss'"),
        ("max([1, 2])", "syntax error at"),
    ],
)
def test_missing_values_of_a_claim_are_named(text, cause):
    with pytest.raises(ClaimError) as raised:
        value(text)
    assert cause in str(raised.value) and "\n" not in str(raised.value)


def test_every_planned_repetition_is_needed():
    lost = planned(trace("l", 1, 0.2, repetition=2), lost=True)
    failed = planned(trace("l", 1, 0.2, repetition=2), failure="diverged")
    for trial, cause in ((lost, r"^no result of p/e/l\[x=1\]/r2$"), (failed, r"^p/e/l\[x=1\]/r2 failed: diverged$")):
        for text in ("test_error(p/e/l[x=1])", "least(test_error, p/e/l, x)", "first_below(p/e/l[x=0.5], p/e/l[x=1])"):
            with pytest.raises(NotRun, match=cause):
                Expression(text, FakeResults(trial)).value()
    assert Expression("test_error(p/e/l[x=0.5])", FakeResults(failed)).value() == 0.7
    with pytest.raises(NotRun, match="failed: diverged"):
        Expression("test_error(p/e/l[x=1])", FakeResults(failed)).value()
    # What cross validation would have chosen is not known.
    with pytest.raises(NotRun, match="failed: diverged"):
        Expression("test_error(p/e/l[x=1,y=3])", FakeResults(failed)).value()
    assert Expression("test_error(p/e/l[x=0.5,y=2.5])", FakeResults(failed)).value() == 0.7


def test_pairs_need_the_same_repetitions_of_one_trial_each():
    assert value("largest_change(p/e/l[x=1], p/e/l[x=1], a)") == 0
    with pytest.raises(NotRun, match=r"no result of p/e/l\[x=0.5\]/r1 to pair"):
        value("largest_change(p/e/l[x=1], p/e/l[x=0.5], a)")
    with pytest.raises(NotRun, match=r"no result of p/e/l\[x=0.5\]/r1 to pair"):
        value("largest_change(p/e/l[x=0.5], p/e/l[x=1], a)")
    with pytest.raises(ClaimError, match="several trials per repetition"):
        value("largest_change(p/e/l, p/e/l[x=1], a)")


def test_first_below_is_the_mean_over_repetitions():
    worse = [planned(trace("w", 1, 0.5, repetition=seed)) for seed in range(2)]
    for seed, mistakes in enumerate(([1, 2, 4], [1, 1, 2])):
        worse[seed].trace.tables["trace"]["mistakes"] = np.array(mistakes)
    results = FakeResults(*worse)
    # Below from step 2 on with seed 0, from step 4 on with seed 1.
    assert Expression("first_below(p/e/l[x=1], p/e/w)", results).value() == 3
    assert Expression("first_below(p/e/w, p/e/l[x=1])", results).value() == float("inf")


def test_events_without_recorded_steps_are_named():
    with pytest.raises(NotRun, match="p/e/l.x=0.5./r0 has no step recorded after the event 600"):
        value("min_rise(p/e/l[x=0.5], [2, 600], 0.05)")
    with pytest.raises(NotRun, match="before the event 1"):
        value("min_rise(p/e/l[x=0.5], [1, 2], 0.05)")
    with pytest.raises(NotRun, match="fewer than two checkpoints"):
        value("roughness(p/e/l[x=1], 0.9)")
    with pytest.raises(NotRun, match="has no step -16"):
        value("error_rate_last(p/e/l[x=1], 20)")


def test_results_of_other_sizes_are_not_judged():
    for results, cause in (
        (FakeResults(tier="quick"), "needs the default tier, these results are of the quick tier"),
        (FakeResults(overrides=("data.max_examples=1000",)), "^run with --set data.max_examples=1000$"),
    ):
        with pytest.raises(NotRun, match=cause):
            Expression("test_error(p/e/l)", results).value()
    assert Expression("test_error(p/e/l[x=0.5])", FakeResults(tier="paper")).value() == 0.7
