"""Tests between learners on the same seeds."""

import dataclasses
import math

import numpy as np

ALPHA = 0.05  # significance level


def holm(values):
    """p-values adjusted by Holm's method: p'_(i) = min(1, max over j <= i of (m - j + 1) p_(j)), m = len(values)."""
    values = np.asarray(values, dtype=float)
    order = np.argsort(values, kind="stable")
    adjusted = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    p_values = np.empty(len(values))
    p_values[order] = np.minimum(adjusted, 1)
    return p_values


@dataclasses.dataclass(frozen=True)
class PairedTest:
    """Two-sided paired t-test of differences against mean 0."""

    n: int
    mean: float
    low: float  # 95 % confidence interval of the mean; the mean if n < 2 or all differences are equal
    high: float
    effect: float  # Cohen's d_z = mean / standard deviation; infinite if all differences are equal and not 0
    p: float  # 1 if n < 2; if all differences are equal, 1 for 0 and else 2^(1 - n), that of the test of signs


def paired_test(differences):
    """The PairedTest of at least one difference. REQUIRES: finite values."""
    from scipy.stats import t as student

    differences = np.asarray(differences, dtype=float)
    n, mean = len(differences), float(np.mean(differences))
    if n < 2 or np.ptp(differences) == 0:  # no variance: the statistic is not defined
        mean = float(differences[0])
        effect = math.copysign(math.inf, mean) if n > 1 and mean else 0.0
        return PairedTest(n, mean, mean, mean, effect, 0.5 ** (n - 1) if mean else 1.0)
    deviation = float(np.std(differences, ddof=1))
    error = deviation / math.sqrt(n)
    half = float(student.ppf(1 - ALPHA / 2, n - 1)) * error
    p = float(2 * student.sf(abs(mean) / error, n - 1))
    return PairedTest(n, mean, mean - half, mean + half, mean / deviation, p)


def not_worse(values):
    """{learner: whether it is not significantly worse than the best}.

    `values`: {learner: {seed: error}}. Paired t-tests of each learner against the one with the smallest mean, over
    their common seeds, with Holm's correction at ALPHA. A learner with fewer than two common seeds counts as worse if
    its mean is larger.
    """
    means = {learner: float(np.mean(list(of.values()))) for learner, of in values.items() if of}
    if not means:
        return {}
    best = min(means, key=means.get)
    tested = {}
    for learner in means.keys() - {best}:
        seeds = sorted(values[best].keys() & values[learner].keys())
        if len(seeds) > 1:
            tested[learner] = paired_test([values[learner][seed] - values[best][seed] for seed in seeds]).p
    adjusted = dict(zip(tested, holm(list(tested.values()))))
    untested = {learner: float(mean == means[best]) for learner, mean in means.items()}
    return {learner: bool(adjusted.get(learner, untested.get(learner, 0)) >= ALPHA) for learner in values}
