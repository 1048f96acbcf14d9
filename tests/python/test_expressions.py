"""Expressions over results: arithmetic, measures, and what is no number."""

import pathlib

import pytest
from fake_results import FakeResults

from okbench.claims import Numbers
from okbench.errors import ClaimError, NotRun
from okbench.results import Expression, Trace
from okbench.results.measures import caches


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
    "text", ["1 +", "test_eror(p/e/l)", "test_error(nothing)", "(1", "1 2", "test_error(p/e/l", "cost(p/e/l)"]
)
def test_bad_expressions_are_one_clear_line(text):
    with pytest.raises(ClaimError, match="."):
        value(text)


def test_what_cannot_be_judged_says_why():
    for text, reason in (
        ("test_error(p/e/s)", "stand-in"),
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
