"""Ranks and tests of them against Demsar (2006) and by hand."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import rankdata, wilcoxon

from okbench.league.ranks import compared, critical_difference, friedman, groups, ranked, signed_ranks
from okbench.league.runs import Entry
from okbench.results.significance import holm

# The ranks in table 6 of Demsar (2006): C4.5 with and without its parameters m and cf tuned, on 14 data sets.
DEMSAR = [
    *([4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1], [1, 2.5, 4, 2.5], [3, 2, 4, 1]),
    *([2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3], [3, 1, 4, 2]),
]


def test_ranks_of_the_published_example():
    # Ranks as errors have themselves as ranks; what they are made of does not matter.
    ranks = ranked(10 * np.array(DEMSAR) - 3)
    assert np.array_equal(ranks, DEMSAR)
    assert ranks.mean(axis=0) == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)


def test_friedman_of_the_published_example():
    statistics = friedman(np.array(DEMSAR))
    # The paper's 9.28 is without correction for ties: three of two and one of four, of 14 times 4^3 - 4.
    ties = 1 - (3 * (2**3 - 2) + 4**3 - 4) / (14 * (4**3 - 4))
    assert statistics["chi_square"] * ties == pytest.approx(9.28, abs=0.005)
    chi_square = statistics["chi_square"]
    assert statistics["f"] == pytest.approx(13 * chi_square / (14 * 3 - chi_square))
    assert 0.01 < statistics["p"] < 0.02 and 0.01 < statistics["f_p"] < 0.02
    # The same form, of the paper's own statistic, is its 3.69.
    assert 13 * 9.28 / (14 * 3 - 9.28) == pytest.approx(3.69, abs=0.005)


def test_critical_difference_of_the_published_example():
    # q = 2.569 for four learners: 2.569 sqrt(4 * 5 / (6 * 14)).
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(2, 10) == pytest.approx(1.960 * np.sqrt(2 * 3 / 60), abs=1e-3)
    # C4.5 is 1.179 worse than with both tuned: they do not differ.
    assert groups([3.143, 2.000, 2.893, 1.964], 1.25) == [(0, 3)]


def test_groups_overlap_and_hold_two_and_more():
    assert groups([1.0, 1.5, 2.2, 4.0], 1.0) == [(0, 1), (1, 2)]
    assert groups([1.0, 3.0, 5.0], 1.0) == []


def test_missing_learners_share_the_last_ranks():
    ranks = ranked([[0.2, 0.1, np.nan, np.nan], [0.3, 0.3, 0.1, 0.2]])
    assert np.array_equal(ranks, [[2, 1, 3.5, 3.5], [3.5, 3.5, 1, 2]])


def test_too_few_sets_give_no_report():
    assert friedman([[1, 2], [2, 1]]) is None  # two learners
    assert friedman([[1, 2, 3]]) is None  # one data set
    assert friedman([[2, 2, 2], [2, 2, 2]]) is None
    assert signed_ranks([1, 2, 3, 4, 5], [0, 0, 0, 0, 0]) is None
    assert signed_ranks([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 6]) is None  # five that differ


def test_signed_ranks_by_hand():
    # All six differences positive: 2 of the 2^6 assignments of signs are as far out.
    assert signed_ranks([1, 2, 3, 4, 5, 6], np.zeros(6)) == pytest.approx(2 / 64)
    # The smallest of six negative: W = 1; 0 and 1 on either side are as far out.
    assert signed_ranks([-1, 2, 3, 4, 5, 6], np.zeros(6)) == pytest.approx(4 / 64)


def test_signed_ranks_with_ties_equal_all_signs():
    """The exact distribution over all 2^n signs, by enumeration."""
    generator = np.random.default_rng(3)
    for _ in range(20):
        differences = generator.integers(1, 4, size=8) * generator.choice([-1, 1], size=8)
        ranks = rankdata(np.abs(differences))
        sums = [float(np.dot(signs, ranks)) for signs in itertools.product((0, 1), repeat=8)]
        positive = ranks[differences > 0].sum()
        tails = np.mean(np.array(sums) <= positive), np.mean(np.array(sums) >= positive)
        assert signed_ranks(differences, np.zeros(8)) == pytest.approx(min(1, 2 * min(tails)))


def test_signed_ranks_of_many_pairs_are_near_the_normal_approximation():
    generator = np.random.default_rng(4)
    differences = generator.normal(0.2, 1, size=80)
    assert signed_ranks(differences, np.zeros(80)) == pytest.approx(
        wilcoxon(differences, mode="approx").pvalue, rel=0.05
    )


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert list(holm([])) == []


def test_pairs_are_over_the_data_sets_that_both_have():
    # a beats b on seven sets by ever more; c is on five of them alone.
    errors = np.array([[0.1, 0.1 + 0.01 * n, 0.3 if n < 6 else np.nan] for n in range(1, 8)])
    comparisons = {pair["learners"]: pair for pair in compared(["a", "b", "c"], errors)}
    assert comparisons["a", "b"]["p"] == pytest.approx(2 / 128) == comparisons["a", "b"]["adjusted"]
    assert comparisons["a", "c"] == {"learners": ("a", "c"), "sets": 5, "p": None, "adjusted": None}


def test_equal_errors_are_ties_whatever_the_rounding():
    """80 + 84 and 81 + 83 mistakes of 360 rows: the sums of the quotients differ in the last bit."""
    orders = {
        name: [SimpleNamespace(error=m / 360, value=m / 360) for m in of]
        for name, of in {"a": (80, 84), "b": (81, 83)}.items()
    }
    assert len({np.mean([run.error for run in of]) for of in orders.values()}) == 2
    entries = [Entry("set", name, None, of) for name, of in orders.items()]
    assert len({entry.error for entry in entries}) == len({entry.value for entry in entries}) == 1
