"""Measures over a grid of fixed cache sizes (budget-2003)."""

import numpy as np

from ..errors import NotRun
from .registry import METRIC, NUMBER, TRIAL, Kind, function

FIXED = Kind("an experiment with fixed caches", "{}/fixed")


def caches(results, trial):
    """{cache size: traces} of a trial with a grid of fixed cache sizes."""
    by_size = {}
    for trace in results.find(trial):
        by_size.setdefault(trace.parameter("budget"), []).append(trace)
    return by_size


def mean(metric, traces):
    return float(np.mean([trace.metric(metric) for trace in traces]))


@function("share_below", METRIC, TRIAL, NUMBER)
def share_below(results, metric, trial, bound):
    """Share, in 0..1, of the cache sizes whose mean of the measure is below the bound."""
    return float(np.mean([mean(metric, traces) < bound for traces in caches(results, trial).values()]))


@function("best_fixed", METRIC, FIXED)
def best_fixed(results, metric, experiment):
    """Smallest mean of the measure over the cache sizes of the experiment's learner `fixed`."""
    return min(mean(metric, traces) for traces in caches(results, FIXED.trial_of(experiment)).values())


@function("rank_correlation", METRIC, METRIC, TRIAL)
def rank_correlation(results, metric, other, trial):
    """Spearman's rank correlation, in -1..1, of the means of two measures over a grid of fixed cache sizes. Needs three
    sizes."""
    by_size = sorted(caches(results, trial).items())
    columns = [[mean(name, traces) for _, traces in by_size] for name in (metric, other)]
    if len(columns[0]) < 3:
        raise NotRun(f"{trial} has too few sizes")
    # Equal values share the mean of their ranks.
    ranks = [[np.mean(np.flatnonzero(np.sort(column) == value)) for value in column] for column in columns]
    if any(len(set(column)) == 1 for column in columns):
        raise NotRun(f"{trial} has the same value at every size")
    return float(np.corrcoef(ranks)[0, 1])


@function("against_line", METRIC, METRIC, TRIAL, TRIAL)
def against_line(results, metric, place, line, trial):
    """Ratio of a measure (first) of a trial (last) to the same measure of a grid of fixed cache sizes (third).

    The grid is interpolated linearly at the trial's value of the second measure, such as support vectors.
    """
    points = sorted(
        (mean(place, size_traces), mean(metric, size_traces)) for size_traces in caches(results, line).values()
    )
    traces = results.find(trial)
    at = mean(place, traces)
    places = [position for position, _ in points]
    if not places[0] <= at <= places[-1]:
        raise NotRun(f"{trial}: {place} {at:.6g} is outside the range of {line}")
    return mean(metric, traces) / float(np.interp(at, places, [value for _, value in points]))


@function("chosen_by", METRIC, METRIC, TRIAL)
def chosen_by(results, metric, chooser, trial):
    """Ratio of the first measure at the cache size that minimises the second measure to the minimum of the first. 1 or
    more; needs three sizes."""
    by_size = caches(results, trial)
    if len(by_size) < 3:
        raise NotRun(f"{trial} has too few sizes")
    pairs = [(mean(metric, traces), mean(chooser, traces)) for traces in by_size.values()]
    chosen = min(pairs, key=lambda pair: pair[1])
    return chosen[0] / min(pair[0] for pair in pairs)
