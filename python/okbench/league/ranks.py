"""Ranks of learners over data sets and significance tests.

Source: J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
"""

import itertools

import numpy as np

from ..results.significance import ALPHA, holm

MIN_PAIRS = 6  # fewest differences for a signed-rank test: with 5, p >= 2 / 2^5 = 0.0625


def ranked(errors):
    """Ranks of the learners (columns) on each data set (row); rank 1 has the smallest error.

    Equal errors share the mean of their ranks. Learners without a value (NaN) share the last ranks.
    """
    from scipy.stats import rankdata

    errors = np.asarray(errors, dtype=float)
    return rankdata(np.where(np.isnan(errors), np.inf, errors), axis=1)


def friedman(ranks):
    """Friedman's test that all learners are equal, corrected for ties: {chi_square, p, f, f_p}.

    f is the less conservative statistic of Iman and Davenport: with N data sets and k learners,
    F = (N - 1) chi^2 / (N (k - 1) - chi^2) with k - 1 and (k - 1)(N - 1) degrees of freedom. Returns None with fewer
    than three learners or two data sets, or if all ranks are equal.
    """
    from scipy.stats import f as f_distribution
    from scipy.stats import friedmanchisquare

    ranks = np.asarray(ranks)
    sets, learners = ranks.shape
    if learners < 3 or sets < 2 or np.all(ranks == ranks[:, :1]):
        return None
    chi_square, p = friedmanchisquare(*ranks.T)
    rest = sets * (learners - 1) - chi_square
    f = (sets - 1) * chi_square / rest if rest > 1e-9 else np.inf
    f_p = f_distribution.sf(f, learners - 1, (learners - 1) * (sets - 1))
    return {"chi_square": float(chi_square), "p": float(p), "f": float(f), "f_p": float(f_p)}


def critical_difference(learners, sets, alpha=ALPHA):
    """Nemenyi's critical difference: larger differences of mean ranks are significant at level alpha.

    q sqrt(k (k + 1) / (6 N)) for k learners and N data sets; q is the 1 - alpha quantile of the studentised range with
    infinite degrees of freedom, divided by sqrt(2).
    """
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(1 - alpha, learners, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(learners * (learners + 1) / (6 * sets)))


def groups(mean_ranks, difference):
    """Maximal groups of at least two learners whose mean ranks differ by at most the critical difference.

    Each group is (first, last): indices into the ascending mean ranks, both inclusive.
    """
    values = np.sort(np.asarray(mean_ranks))
    intervals = []
    for first, value in enumerate(values):
        last = int(np.searchsorted(values, value + difference, side="right")) - 1
        if last > first and not (intervals and intervals[-1][1] >= last):
            intervals.append((first, last))
    return intervals


def signed_ranks(ones, others):
    """Two-sided p-value of Wilcoxon's signed-rank test on the pairs that differ; None for fewer than MIN_PAIRS pairs.

    The distribution of the sum of ranks over all 2^n signs is exact, with ties too (scipy approximates it by a normal
    distribution then).
    """
    from scipy.stats import rankdata

    differences = np.asarray(ones, dtype=float) - np.asarray(others, dtype=float)
    differences = differences[np.isfinite(differences) & (differences != 0)]
    if len(differences) < MIN_PAIRS:
        return None
    ranks = np.rint(2 * rankdata(np.abs(differences))).astype(int)  # doubled: tied ranks are multiples of a half
    chance = np.zeros(ranks.sum() + 1)
    chance[0] = 1
    for rank in ranks:
        chance[rank:] = (chance[rank:] + chance[:-rank]) / 2
        chance[:rank] /= 2
    positive = ranks[differences > 0].sum()
    return float(min(1, 2 * min(chance[: positive + 1].sum(), chance[positive:].sum())))


def compared(learners, errors):
    """Signed-rank tests of all pairs of learners: [{learners, sets, p, adjusted}].

    `errors`: one row per data set, one column per learner. sets: data sets with results of both. p and adjusted are
    None for pairs that cannot be tested. Holm's correction covers all tested pairs.
    """
    errors = np.asarray(errors, dtype=float)
    pairs = []
    for column, other in itertools.combinations(range(len(learners)), 2):
        both = np.isfinite(errors[:, column]) & np.isfinite(errors[:, other])
        p = signed_ranks(errors[both, column], errors[both, other])
        pairs.append(
            {"learners": (learners[column], learners[other]), "sets": int(both.sum()), "p": p, "adjusted": None}
        )
    tested = [pair for pair in pairs if pair["p"] is not None]
    for pair, adjusted in zip(tested, holm([pair["p"] for pair in tested])):
        pair["adjusted"] = float(adjusted)
    return pairs
