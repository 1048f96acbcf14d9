"""The paired t-test and Holm's adjustment, by hand."""

import math

import pytest

from okbench.results.significance import holm, paired_test


def test_three_differences_by_hand():
    """Mean 2, standard deviation 1, standard error 1/sqrt(3): t = 3.4641 with 2 degrees of freedom, for which
    p = 1 - t / sqrt(t^2 + 2) = 0.0742 in closed form. The 97.5 % quantile is 4.3027."""
    test = paired_test([1, 2, 3])
    assert (test.n, test.mean, test.effect) == (3, 2, 2)
    assert test.p == pytest.approx(1 - math.sqrt(12) / math.sqrt(14), rel=1e-9)
    assert test.low == pytest.approx(2 - 4.302652729911 / math.sqrt(3), rel=1e-8)
    assert test.high == pytest.approx(2 + 4.302652729911 / math.sqrt(3), rel=1e-8)
    opposite = paired_test([-1, -2, -3])
    assert (opposite.p, opposite.effect, opposite.low) == (test.p, -2, -test.high)


def test_one_difference_and_equal_differences():
    assert paired_test([0.5]).p == 1 and paired_test([0, 0]).p == 1
    shifted = paired_test([0.25, 0.25, 0.25])
    # Of the eight signs of three differences, two are all equal.
    assert (shifted.p, shifted.effect, shifted.low, shifted.high) == (0.25, math.inf, 0.25, 0.25)
    assert paired_test([1, 1]).p == 0.5 and paired_test([-1] * 11).p == 2**-10


def test_adjusted_p_values_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert list(holm([0.9, 0.8])) == [1, 1] and len(holm([])) == 0
