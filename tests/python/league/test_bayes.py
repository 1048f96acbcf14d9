"""The Bayesian signed-rank test, by hand and by an independent computation; conclusions in words."""

import itertools

import numpy as np
import pytest

from okbench.league import bayes, conclusions


def test_one_difference_by_hand():
    """z = (0, 1), weights w and 1 - w with w ~ Beta(s, 1), so P(w <= x) = x^s.

    Sums above 2 rope = 0.02 are those with z_1: theta_right = 1 - w^2, theta_rope = w^2. Right wins if w^2 < 1/2, with
    probability 2^(-s/2); for s = 1/2, 0.8409.
    """
    left, rope, right = bayes.signed_rank([1.0], rope=0.01, prior=0.5)
    assert (
        left == 0 and right == pytest.approx(2**-0.25, abs=0.01) and rope == pytest.approx(1 - 2**-0.25, abs=0.01)
    )
    assert bayes.signed_rank([-1.0], prior=1)[0] == pytest.approx(2**-0.5, abs=0.015)
    assert bayes.signed_rank([0.001, -0.002, 0.0]) == (0, 1, 0)


def slowly(differences, rope, prior, samples=4000):
    """The same with loops over all pairs, and weights drawn by NumPy's Dirichlet distribution."""
    z, random, wins = [0, *differences], np.random.RandomState(1), np.zeros(3)
    for _ in range(samples):
        w, theta = random.dirichlet([prior, *np.ones(len(differences))]), np.zeros(3)
        for i, j in itertools.product(range(len(z)), repeat=2):
            total = z[i] + z[j]
            theta[0 if total < -2 * rope else 2 if total > 2 * rope else 1] += w[i] * w[j]
        wins[np.argmax(theta)] += 1
    return wins / samples


@pytest.mark.parametrize("seed", range(3))
def test_an_independent_computation(seed):
    differences = np.random.RandomState(seed).normal(0.01 * (seed - 1), 0.03, 8)
    assert bayes.signed_rank(differences, 0.01, 0.5) == pytest.approx(slowly(differences, 0.01, 0.5), abs=0.03)


# Mean accuracies of naive Bayes and J48 on 54 data sets, 10 runs of 10-fold cross-validation: the data of the paper, as
# published with its authors' library (https://github.com/janezd/baycomp, docs/code/accuracies.txt).
# fmt: off
NAIVE_BAYES = np.array([
    95.946, 71.395, 83.338, 49.986, 76.167, 86.217, 86.217, 81.873, 52.811, 75.040, 71.935, 50.125, 72.031,
    60.000, 83.688, 84.361, 98.311, 89.402, 93.333, 87.791, 87.600, 56.847, 85.100, 62.665, 74.636, 96.389,
    95.761, 90.299, 92.169, 93.375, 80.417, 87.720, 75.260, 68.111, 47.198, 91.147, 85.594, 86.622, 93.814,
    76.712, 92.196, 89.826, 79.219, 95.417, 59.033, 62.067, 46.321, 58.788, 79.968, 64.929, 98.706, 97.196,
    57.614, 93.982,
])
J48 = np.array([
    98.642, 77.221, 77.196, 49.498, 83.500, 86.290, 86.290, 80.212, 64.207, 72.170, 72.312, 39.662, 71.510,
    60.000, 78.571, 80.517, 99.186, 90.116, 93.600, 99.437, 85.800, 56.847, 76.371, 64.094, 97.802, 98.917,
    100.000, 97.181, 78.593, 96.605, 73.167, 88.616, 74.323, 69.778, 41.008, 94.143, 88.955, 89.979, 97.841,
    74.676, 92.634, 92.852, 81.060, 94.166, 63.500, 77.667, 46.783, 76.535, 74.872, 60.952, 90.729, 95.037,
    57.075, 92.609,
])
# fmt: on


def test_the_published_example():
    """The library's documentation prints (0.23014, 0.00674, 0.76312) for rope = 1, from 50000 samples."""
    probabilities = bayes.signed_rank(J48 - NAIVE_BAYES, rope=1, samples=50000)
    assert probabilities == pytest.approx((0.23014, 0.00674, 0.76312), abs=0.006)


def test_it_is_symmetric_and_certain_with_many_data_sets():
    differences = np.random.RandomState(0).normal(0.02, 0.03, 30)
    left, rope, right = bayes.signed_rank(differences)
    assert bayes.signed_rank(-differences) == pytest.approx((right, rope, left), abs=0.01) and right > 0.9
    assert bayes.signed_rank(np.full(30, 0.05))[2] > 0.999 and bayes.signed_rank(np.full(30, 0.005))[1] == 1
    assert bayes.signed_rank(differences, rope=0.2)[1] > 0.999


def test_pairs_leave_out_missing_results():
    table = np.array([[0.1, 0.3, np.nan], [0.1, 0.3, np.nan], [0.2, 0.4, 0.1]])
    pairs = bayes.compared(["a", "b", "c"], table)
    assert [(pair["learners"], pair["sets"]) for pair in pairs] == [(("a", "b"), 3), (("a", "c"), 1), (("b", "c"), 1)]
    assert pairs[0]["better"] > 0.9 and pairs[0]["better"] + pairs[0]["equal"] + pairs[0]["worse"] == pytest.approx(1)
    turned = conclusions.against("b", pairs)
    assert turned["a"]["worse"] == pairs[0]["better"] and turned["c"] == pairs[2]


def ranking(p=1e-5):
    labels = {"a": ("Alpha", 1.2), "b": ("Beta", 1.9), "c": ("Gamma", 3.0), "d": ("Delta", 3.9)}
    rows = [{"learner": key, "label": label, "mean_rank": rank} for key, (label, rank) in labels.items()]
    pairs = [
        {"learners": ("a", "b"), "better": 0.02, "equal": 0.97, "worse": 0.01},
        {"learners": ("c", "a"), "better": 0.0, "equal": 0.0, "worse": 1.0},
        {"learners": ("a", "d"), "better": 0.6, "equal": 0.3, "worse": 0.1},
    ]
    tests = {"sets": 20, "friedman": {"f_p": p}, "critical_difference": 1.0}
    return {"learners": rows, "tests": tests | {"bayes": {"rope": 0.01, "pairs": pairs}}}


def test_conclusions_in_words():
    assert conclusions.over_sets(ranking()) == [
        "Over 20 data sets, Alpha has the best mean rank, 1.20",
        "Its mean rank is significantly better than that of 2 of 3 learners (Nemenyi, 0.05). "
        "It is not significantly better than that of Beta",
        "On a further data set it is better by more than 1 point than Gamma, " "with probability 0.95 or more",
        "It is practically equal (within 1 point) to Beta, with probability 0.95 or more",
        "These data do not decide between it and Delta",
    ]
    shared = ranking()
    shared["learners"][1]["mean_rank"] = 1.2
    assert conclusions.over_sets(shared) == [
        "Over 20 data sets, Alpha and Beta share the best mean rank, 1.20",
        "This mean rank is significantly better than that of 2 of 2 learners (Nemenyi, 0.05)",
        "On a further data set Alpha is better by more than 1 point than Gamma, with probability 0.95 or more",
        "Alpha is practically equal (within 1 point) to Beta, with probability 0.95 or more",
        "These data do not decide between Alpha and Delta",
    ]
    assert conclusions.over_sets(ranking(0.3))[1:] == ["The learners do not differ significantly (Friedman, p = 0.3)"]
    one_set = ranking()
    one_set["tests"]["sets"] = 1
    assert conclusions.over_sets(one_set) == []
