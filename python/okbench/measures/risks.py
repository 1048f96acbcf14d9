"""Risks over their bounds, by the theorems of norma-2001."""

import numpy as np

from . import bounds
from .registry import TRIAL, function


@function("risk_over_bound", TRIAL, TRIAL)
def risk_over_bound(results, trial, best):
    """Theorems 1 and 2: the largest cumulative risk over its bound, over all steps and repetitions."""
    return max(
        float(np.max(one["risk_sum"] / bounds.cumulative_bound(one, two))) for one, two in results.pairs(trial, best)
    )


@function("risk_over_known_margin", TRIAL)
def risk_over_known_margin(results, trial):
    """The same against the hypothesis that is known to separate a generated set."""

    def value(trace):
        norm, risk = bounds.known_margin_risk(trace)
        return np.max(trace["risk_sum"] / (risk + bounds.regret_bound(trace, norm, trace["step"])))

    return max(float(value(trace)) for trace in results.find(trial))


@function("average_over_bound", TRIAL, TRIAL)
def average_over_bound(results, trial, best):
    """Theorem 3: the largest risk of the averaged hypothesis over its bound, over all checkpoints and repetitions."""
    return max(
        float(np.max(one.checkpoints["test_risk"] / bounds.expected_bound(one, two)))
        for one, two in results.pairs(trial, best)
    )
