"""Measures over a grid of fixed caches, as in budget-2003."""

import numpy as np

from ..errors import NotRun
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


@function("share_below", METRIC, TRIAL, NUMBER)
def share_below(results, metric, trial, bound):
    """The share of the cache sizes that have a mean of the metric below the bound."""
    return float(np.mean([mean(metric, found) < bound for found in caches(results, trial).values()]))


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


@function("against_line", METRIC, METRIC, TRIAL, TRIAL)
def against_line(results, metric, place, line, trial):
    """A trial's measure over what the line of the fixed caches has at the same place (such as support vectors)."""
    points = sorted((mean(place, found), mean(metric, found)) for found in caches(results, line).values())
    traces = results.find(trial)
    at = mean(place, traces)
    places = [one for one, _ in points]
    if not places[0] <= at <= places[-1]:
        raise NotRun(f"{trial} lies beside the line of {line}: {place} {at:.6g}")
    return mean(metric, traces) / float(np.interp(at, places, [value for _, value in points]))


@function("chosen_by", METRIC, METRIC, TRIAL)
def chosen_by(results, metric, chooser, trial):
    """The first measure at the cache size where the second is least, over the least value of the first."""
    by_size = caches(results, trial)
    if len(by_size) < 3:
        raise NotRun(f"{trial} has too few sizes")
    pairs = [(mean(metric, found), mean(chooser, found)) for found in by_size.values()]
    chosen = min(pairs, key=lambda pair: pair[1])
    return chosen[0] / min(pair[0] for pair in pairs)
