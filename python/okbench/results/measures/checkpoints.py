"""Measures of what is measured during a run at its checkpoints, and of the examples it lists."""

import numpy as np

from ...errors import NotRun
from .registry import COLUMN, NUMBER, TRIAL, function, trial_function

trial_function("objective", lambda trace: trace.checkpoints["objective"][-1])


def mean_checkpoints(found, column):
    columns = [np.asarray(trace.checkpoints[column], dtype=float) for trace in found]
    length = min(len(values) for values in columns)
    return np.mean([values[:length] for values in columns], axis=0)


def shares(found):
    return mean_checkpoints(found, "examples") / found[0].summary["examples"]


@function("first_checkpoint_below", TRIAL, NUMBER)
def first_checkpoint_below(results, trial, bound):
    """Share of the examples after which the mean test error stays below the bound."""
    found = results.find(trial)
    above = np.flatnonzero(mean_checkpoints(found, "test_error") >= bound)
    first = above[-1] + 1 if len(above) else 0
    done = shares(found)
    return float(done[first]) if first < len(done) else float("inf")


@function("at", TRIAL, COLUMN, NUMBER)
def at(results, trial, column, share):
    """A column at the first checkpoint at or after a share of the run."""
    found = results.find(trial)
    done = shares(found)
    return float(mean_checkpoints(found, column)[min(np.searchsorted(done, share - 1e-9), len(done) - 1)])


@function("after", TRIAL, COLUMN, NUMBER)
def after(results, trial, column, step):
    """A column at the checkpoint of this very step or round, which every repetition has."""
    found = results.find(trial)
    values = []
    for trace in found:
        at_step = np.flatnonzero(np.asarray(trace.checkpoints["step"]) == int(step))
        if not len(at_step):
            raise NotRun(f"{trial} has no checkpoint after round {int(step)}")
        values.append(float(np.asarray(trace.checkpoints[column])[at_step[0]]))
    return float(np.mean(values))


@function("roughness", TRIAL, NUMBER)
def roughness(results, trial, share):
    """Mean absolute change of the test error, in points, between checkpoints after a share of the run."""

    def value(trace):
        after = trace.checkpoints["examples"] >= share * trace.summary["examples"]
        if np.sum(after) < 2:
            raise NotRun(f"{trace.name} has fewer than two checkpoints after {share:g} of the run")
        return 100 * np.mean(np.abs(np.diff(trace.checkpoints["test_error"][after])))

    return results.mean(trial, value)


@function("listed_overlap", TRIAL, NUMBER)
def listed_overlap(results, trial, which):
    """Share of the examples in one list of a trace that are in another repetition's, too: the mean over all pairs."""
    lists = [
        set(trace.tables["listed"]["example"][trace.tables["listed"]["list"] == which]) for trace in results.find(trial)
    ]
    if not all(lists):
        raise NotRun(f"{trial} lists no examples in list {which:g}")
    overlaps = [len(one & two) / len(one) for one in lists for two in lists if one is not two]
    if not overlaps:
        raise NotRun(f"{trial} has one repetition only")
    return float(np.mean(overlaps))
