"""Ratios of risks to their bounds by the theorems of norma-2001 (bounds.py). A ratio of at most 1 satisfies a bound."""

import numpy as np

from . import bounds
from .registry import TRIAL, function


@function("risk_over_bound", TRIAL, TRIAL)
def risk_over_bound(results, trial, best):
    """Theorems 1 and 2 of norma-2001: largest ratio of the cumulative risk of the first trial to its bound against the
    second, the best fixed hypothesis. The maximum is over all recorded steps and repetitions; at most 1 if the bound
    holds."""
    return max(
        float(np.max(trace["risk_sum"] / bounds.cumulative_bound(trace, two)))
        for trace, two in results.pairs(trial, best)
    )


@function("risk_over_known_margin", TRIAL)
def risk_over_known_margin(results, trial):
    """Theorems 1 and 2 of norma-2001: largest ratio of the cumulative risk to its bound against the hypothesis known to
    separate a generated set. The maximum is over all recorded steps and repetitions; at most 1 if the bound holds."""

    def value(trace):
        norm, risk = bounds.known_margin_risk(trace)
        return np.max(trace["risk_sum"] / (risk + bounds.regret_bound(trace, norm, trace["step"])))

    return max(float(value(trace)) for trace in results.find(trial))


@function("bound_over_bound", TRIAL, TRIAL, TRIAL)
def bound_over_bound(results, trial, other, best):
    """Theorems 1 to 3 of norma-2001: bound on the excess risk of the first trial over that of the second, at the last
    step. Both are bounds against the third, the best fixed hypothesis. Mean over the repetitions."""
    pairs = zip(results.pairs(trial, best), results.pairs(other, best))
    ratios = []
    for (trace, hindsight), (two, _) in pairs:
        norm = bounds.comparator_norm(hindsight)
        ratios.append(
            bounds.regret_bound(trace, norm, trace["step"][-1]) / bounds.regret_bound(two, norm, two["step"][-1])
        )
    return float(np.mean(ratios))


@function("average_over_bound", TRIAL, TRIAL)
def average_over_bound(results, trial, best):
    """Theorem 3 of norma-2001: largest ratio of the test risk of the first trial's averaged hypothesis to its bound
    against the second, the best fixed hypothesis. The maximum is over all checkpoints and repetitions; at most 1 if
    the bound holds."""
    return max(
        float(np.max(trace.checkpoints["test_risk"] / bounds.expected_bound(trace, two)))
        for trace, two in results.pairs(trial, best)
    )
