"""Ranks of learners over data sets and tests of them, after Demsar, "Statistical comparisons of classifiers over
multiple data sets", JMLR 7, 2006."""

import itertools

import numpy as np

ALPHA = 0.05
LEAST_PAIRS = 6  # with fewer no signed ranks have p < 0.05 (2 / 2^5 = 0.0625)


def ranked(errors):
    """Ranks in each row (a data set), 1 the least error, of columns (learners); equal errors share the mean of their
    ranks, and so do, on the last places, learners without a value (nan)."""
    from scipy.stats import rankdata

    errors = np.asarray(errors, dtype=float)
    return rankdata(np.where(np.isnan(errors), np.inf, errors), axis=1)


def friedman(ranks):
    """Friedman's test that all learners are equal, ties corrected, and its form of Iman and Davenport, which is less
    conservative: {chi_square, p, f, f_p}; None with fewer than three learners or two data sets, or where all is
    equal."""
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
    """Nemenyi's: mean ranks of so many learners over so many data sets that differ by more differ significantly.

    q sqrt(k (k + 1) / (6 N)), q the quantile of the studentised range over sqrt(2)."""
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(1 - alpha, learners, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(learners * (learners + 1) / (6 * sets)))


def groups(mean_ranks, difference):
    """The largest runs of learners whose mean ranks differ by no more than the critical difference: (first, last)
    places in ascending order, those of two and more."""
    values = np.sort(np.asarray(mean_ranks))
    found = []
    for first, value in enumerate(values):
        last = int(np.searchsorted(values, value + difference, side="right")) - 1
        if last > first and not (found and found[-1][1] >= last):
            found.append((first, last))
    return found


def signed_ranks(ones, others):
    """p of Wilcoxon's signed-rank test on pairs, equal ones left out; None where too few are left to tell."""
    from scipy.stats import wilcoxon

    differences = np.asarray(ones, dtype=float) - np.asarray(others, dtype=float)
    differences = differences[np.isfinite(differences) & (differences != 0)]
    return float(wilcoxon(differences).pvalue) if len(differences) >= LEAST_PAIRS else None


def holm(values):
    """Adjusted p, by Holm: the i-th smallest of m times m - i + 1, none below the one before it, at most 1."""
    values = np.asarray(values, dtype=float)
    order = np.argsort(values, kind="stable")
    adjusted = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    found = np.empty(len(values))
    found[order] = np.minimum(adjusted, 1)
    return found


def compared(learners, errors):
    """All pairs of learners: {learners, sets (that both have), p, adjusted}; the last two None where it cannot be
    told. Holm's correction is over all pairs that can be."""
    errors = np.asarray(errors, dtype=float)
    found = []
    for one, other in itertools.combinations(range(len(learners)), 2):
        both = np.isfinite(errors[:, one]) & np.isfinite(errors[:, other])
        p = signed_ranks(errors[both, one], errors[both, other])
        found.append({"learners": (learners[one], learners[other]), "sets": int(both.sum()), "p": p, "adjusted": None})
    told = [pair for pair in found if pair["p"] is not None]
    for pair, adjusted in zip(told, holm([pair["p"] for pair in told])):
        pair["adjusted"] = float(adjusted)
    return found
