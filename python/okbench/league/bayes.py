"""The Bayesian signed-rank test with a region of practical equivalence.

Source: A. Benavoli, G. Corani, J. Demsar and M. Zaffalon, "Time for a change: a tutorial for comparing multiple
classifiers through Bayesian analysis", JMLR 18, 2017, section 4.2.
"""

import itertools

import numpy as np

from ..results.intervals import generator

ROPE = 0.01  # differences of errors up to one percentage point are practically equal
PRIOR = 0.5  # weight of the pseudo-observation 0, in data sets
SAMPLES = 20000
CERTAIN = 0.95  # probability for a conclusion


def signed_rank(differences, rope=ROPE, prior=PRIOR, samples=SAMPLES):
    """(P(left), P(rope), P(right)): posterior probabilities that differences are below -rope, within, or above rope.

    With z_0 = 0 and the differences z_1 ... z_n, and weights w from a Dirichlet distribution with the parameters
    (prior, 1, ..., 1),

        theta_left = sum over i, j of w_i w_j [z_i + z_j < -2 rope],  theta_right = the same with z_i + z_j > 2 rope,

    and theta_rope is the rest; equality counts one half. A probability is the share of samples of w in which this theta
    is the largest.
    """
    z = np.concatenate(([0.0], np.asarray(differences, dtype=float)))
    sums = z[:, None] + z[None, :]
    right = np.heaviside(sums - 2 * rope, 0.5)
    left = np.heaviside(-sums - 2 * rope, 0.5)
    # A Dirichlet sample is a vector of gamma variables divided by its sum.
    gammas = generator("signed rank").standard_gamma(np.append(prior, np.ones(len(z) - 1)), (samples, len(z)))
    weights = gammas / gammas.sum(axis=1, keepdims=True)
    of_right, of_left = (
        np.einsum("si,ij,sj->s", weights, counted, weights, optimize=True) for counted in (right, left)
    )
    winners = np.argmax(np.stack([of_left, 1 - of_left - of_right, of_right]), axis=0)
    return tuple(float(share) for share in np.bincount(winners, minlength=3) / samples)


def compared(learners, errors, rope=ROPE):
    """[{learners, sets, better, equal, worse}] of all pairs: the probabilities that the first learner is better than
    the second, practically equal, or worse on a further data set of this kind.

    `errors`: one row per data set, one column per learner. sets: data sets with results of both; pairs without any
    are left out.
    """
    errors = np.asarray(errors, dtype=float)
    pairs = []
    for column, other in itertools.combinations(range(len(learners)), 2):
        both = np.isfinite(errors[:, column]) & np.isfinite(errors[:, other])
        if both.any():
            better, equal, worse = signed_rank(errors[both, column] - errors[both, other], rope)
            pair = {"learners": (learners[column], learners[other]), "sets": int(both.sum())}
            pairs.append(pair | {"better": better, "equal": equal, "worse": worse})
    return pairs
