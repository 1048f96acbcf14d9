"""Bootstrap intervals and the tests against the best learner."""

import itertools

import numpy as np
import pytest

from okbench.results.intervals import bootstrap
from okbench.results.significance import not_worse
from okbench.league.targets import window_of


def test_two_values_by_hand():
    """The resamples of (0, 1) have the means 0, 1/2, 1 with probabilities 1/4, 1/2, 1/4."""
    assert bootstrap([0, 1]) == (0, 1)
    assert bootstrap([0, 1], level=0.4) == (0.5, 0.5)
    assert bootstrap([3.0]) is None and bootstrap([2, 2, 2]) == (2, 2)
    assert bootstrap([0.46] * 3) == (0.46, 0.46) and bootstrap([0.07] * 10) == (0.07, 0.07)


def test_the_interval_is_that_of_all_resamples():
    values = [0.1, 0.13, 0.2, 0.11]
    means = [np.mean(resample) for resample in itertools.product(values, repeat=len(values))]
    assert bootstrap(values) == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.003)


def test_the_interval_covers_the_mean():
    random = np.random.RandomState(0)
    inside = 0
    for _ in range(200):
        low, high = bootstrap(random.normal(size=20))
        inside += low <= 0 <= high
    assert 175 <= inside <= 198  # 92 % are expected with 20 values


def test_learners_not_significantly_worse_than_the_best():
    best = {seed: float(seed) for seed in range(12)}
    verdicts = not_worse(
        {
            "best": best,
            "same": dict(best),
            "shifted": {seed: value + 1 for seed, value in best.items()},
            "noisy": {seed: value + (1.0, -0.5, 0.5, 0.2)[seed % 4] for seed, value in best.items()},
            "worse": {seed: value + (2.0, 2.1, 1.9, 2.0)[seed % 4] for seed, value in best.items()},
            "alone": {99: 50.0},
        }
    )
    assert verdicts == {"best": True, "same": True, "shifted": False, "noisy": True, "worse": False, "alone": False}
    assert not_worse({}) == {}
    # One seed: nothing is tested, and equal errors are equal.
    assert not_worse({"a": {0: 1.0}, "b": {0: 1.0}, "c": {0: 2.0}}) == {"a": True, "b": True, "c": False}
    # Two equal differences are no evidence.
    assert not_worse({"a": {0: 1.0, 1: 2.0}, "b": {0: 2.0, 1: 3.0}}) == {"a": True, "b": True}


def test_windows_of_short_streams():
    assert window_of(np.arange(100, 3100, 100)) == 1000
    assert window_of(np.arange(5, 505, 5)) == 125
    assert window_of(np.array([10, 20])) == 0
