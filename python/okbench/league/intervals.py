"""Intervals of means over seeds, and tests between learners on the same seeds."""

import numpy as np

from .ranks import ALPHA, holm
from .restarts import generator

RESAMPLES = 10000


def bootstrap(values, level=1 - ALPHA, name="bootstrap", resamples=RESAMPLES):
    """(low, high): percentile interval of the mean of `values` over resamples; None for fewer than two values.

    With a matrix of one row per seed, low and high are arrays with a bound per column.

    Source: B. Efron and R. Tibshirani, "An introduction to the bootstrap", 1993, section 13.3. With n values, the
    resamples have at most C(2n - 1, n) different means, so with few seeds the interval is too short.
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return None
    drawn = (generator(name).random_sample((resamples, len(values))) * len(values)).astype(int)
    tail = (1 - level) / 2
    shares = np.array([np.bincount(one, minlength=len(values)) for one in drawn]) / len(values)
    if values.ndim > 1:
        return tuple(np.quantile(shares @ values, [tail, 1 - tail], axis=0))
    low, high = np.quantile(shares @ values, [tail, 1 - tail])
    return float(low), float(high)


def not_worse(values):
    """{learner: whether it is not significantly worse than the best}.

    `values`: {learner: {seed: error}}. Paired t-tests of each learner against the one with the smallest mean, over
    their common seeds, with Holm's correction at ALPHA. A learner with fewer than two common seeds counts as worse.
    """
    from scipy.stats import ttest_rel

    means = {learner: float(np.mean(list(of.values()))) for learner, of in values.items() if of}
    if not means:
        return {}
    best = min(means, key=means.get)
    tested = {}
    for learner in means.keys() - {best}:
        seeds = sorted(values[best].keys() & values[learner].keys())
        if len(seeds) < 2:
            continue
        ones, others = ([values[one][seed] for seed in seeds] for one in (learner, best))
        same = np.ptp(np.subtract(ones, others)) == 0  # no variance: the test is not defined
        tested[learner] = float(ones[0] == others[0]) if same else float(ttest_rel(ones, others).pvalue)
    adjusted = dict(zip(tested, holm(list(tested.values()))))
    return {learner: learner == best or bool(adjusted.get(learner, 0) >= ALPHA) for learner in values}
