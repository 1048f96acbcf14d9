"""Traces below a result folder, found by the names of trials.

A trial is named experiment/learner, or experiment/learner[axis=value,...] when the spec has a grid.
"""

import pathlib
import re

import numpy as np

from ..errors import ClaimError, NotRun
from .traces import read_experiment


class Results:
    """Traces below a result folder, read once."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.experiments = {}
        self.tier = None  # what the claim that is judged needs

    def experiment(self, name):
        if name not in self.experiments:
            self.experiments[name] = read_experiment(self.folder, name)
        if self.experiments[name] is None:
            raise NotRun(f"no result of {name}")
        return self.experiments[name]

    def find(self, trial):
        """All repetitions of a trial, none of them on generated data."""
        match = re.fullmatch(r"([\w./-]+)/([\w-]+)(?:\[([^\]]*)\])?", trial)
        if not match:
            raise ClaimError(f"'{trial}' names no trial: experiment/learner[axis=value,...]")
        name, key, axes = match.groups()
        experiment = self.experiment(name)
        if self.tier not in (None, experiment.tier):
            raise NotRun(f"needs the tier {self.tier}, these results are of the tier {experiment.tier}")
        wanted = dict(pair.split("=", 1) for pair in axes.split(",")) if axes else {}
        found = [trace for trace in experiment.by_learner(key) if all(fits(trace, *pair) for pair in wanted.items())]
        if not found:
            raise NotRun(f"no result of {trial}")
        if any(trace.stand_in for trace in found):
            raise NotRun("generated stand-in data")
        return found

    def pairs(self, trial, other):
        """Each repetition of a trial with that of another on the same stream."""
        others = {trace.spec["repetition"]: trace for trace in self.find(other)}
        return [(trace, others[trace.spec["repetition"]]) for trace in self.find(trial)]

    def mean(self, trial, value):
        return float(np.mean([value(trace) for trace in self.find(trial)]))


def fits(trace, axis, text):
    """Whether a trace is at this place of an axis; "data" is the data set, "batch" the size of mini-batches."""
    value = {"data": trace.data_set, "batch": trace.spec["data"].get("batch")}.get(axis, trace.parameters.get(axis))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return np.isclose(float(text), float(value), rtol=1e-5, atol=0)
    return text == (str(value).lower() if isinstance(value, bool) else str(value))
