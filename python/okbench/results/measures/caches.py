"""Measures over a grid of fixed caches, as in budget-2003."""

import numpy as np

from ...errors import NotRun
from .registry import METRIC, NUMBER, TRIAL, Kind, function

FIXED = Kind("an experiment with fixed caches", "{}/fixed")


def caches(results, trial):
    """Sizes of a learner's grid of fixed caches, with their traces."""
    by_size = {}
    for trace in results.find(trial):
        by_size.setdefault(trace.parameter("size"), []).append(trace)
    return by_size


def mean(metric, found):
    return float(np.mean([trace.metric(metric) for trace in found]))


@function("count_below", METRIC, TRIAL, NUMBER)
def count_below(results, metric, trial, bound):
    """How many cache sizes have a mean of the metric below the bound."""
    return sum(mean(metric, found) < bound for found in caches(results, trial).values())


@function("best_fixed", METRIC, FIXED)
def best_fixed(results, metric, experiment):
    return min(mean(metric, found) for found in caches(results, FIXED.trial_of(experiment)).values())


@function("rank_correlation", METRIC, METRIC, TRIAL)
def rank_correlation(results, metric, other, trial):
    """Spearman's rank correlation of two measures over the sizes of a grid of fixed caches."""
    by_size = sorted(caches(results, trial).items())
    columns = [[mean(name, found) for _, found in by_size] for name in (metric, other)]
    if len(columns[0]) < 3:
        raise NotRun(f"{trial} has too few sizes")
    # Equal values share the mean of their ranks.
    ranks = [[np.mean(np.flatnonzero(np.sort(column) == value)) for value in column] for column in columns]
    if any(len(set(column)) == 1 for column in columns):
        raise NotRun(f"{trial} has the same value at every size")
    return float(np.corrcoef(ranks)[0, 1])


@function("chosen_by", METRIC, METRIC, TRIAL)
def chosen_by(results, metric, chooser, trial):
    """The first measure at the cache size where the second is least, over the least value of the first."""
    by_size = caches(results, trial)
    if len(by_size) < 3:
        raise NotRun(f"{trial} has too few sizes")
    pairs = [(mean(metric, found), mean(chooser, found)) for found in by_size.values()]
    chosen = min(pairs, key=lambda pair: pair[1])
    return chosen[0] / min(pair[0] for pair in pairs)
