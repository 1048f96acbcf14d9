"""Measures over a grid of fixed caches, as in budget-2003."""

import numpy as np

from ...errors import NotRun
from .registry import function


def caches(results, trial):
    """Sizes of a learner's grid of fixed caches, with their traces."""
    by_size = {}
    for trace in results.find(trial):
        by_size.setdefault(trace.parameters["size"], []).append(trace)
    return by_size


def measure(name):
    return (lambda trace: trace["insertions"][-1]) if name == "insertions" else (lambda trace: trace.summary[name])


@function("count_below")
def count_below(results, metric, trial, bound):
    """How many cache sizes have a mean of the metric below the bound."""
    return sum(
        np.mean([measure(metric)(trace) for trace in found]) < bound for found in caches(results, trial).values()
    )


@function("best_fixed")
def best_fixed(results, metric, experiment):
    return min(
        float(np.mean([measure(metric)(trace) for trace in found]))
        for found in caches(results, f"{experiment}/fixed").values()
    )


@function("rank_correlation")
def rank_correlation(results, metric, other, trial):
    """Spearman's rank correlation of two measures over the sizes of a grid of fixed caches."""
    columns = [
        [
            float(np.mean([measure(name)(trace) for trace in found]))
            for _, found in sorted(caches(results, trial).items())
        ]
        for name in (metric, other)
    ]
    if len(columns[0]) < 3:
        raise NotRun(f"{trial} has too few sizes")
    # Equal values share the mean of their ranks.
    ranks = [[np.mean(np.flatnonzero(np.sort(column) == value)) for value in column] for column in columns]
    if any(len(set(column)) == 1 for column in columns):
        raise NotRun(f"{trial} has the same value at every size")
    return float(np.corrcoef(ranks)[0, 1])


@function("chosen_by")
def chosen_by(results, metric, chooser, trial):
    """The first measure at the cache size where the second is least, over the least value of the first."""
    by_size = caches(results, trial)
    if len(by_size) < 3:
        raise NotRun(f"{trial} has too few sizes")
    mean = {
        size: [float(np.mean([measure(name)(trace) for trace in found])) for name in (metric, chooser)]
        for size, found in by_size.items()
    }
    chosen = min(mean.values(), key=lambda pair: pair[1])
    return chosen[0] / min(pair[0] for pair in mean.values())
