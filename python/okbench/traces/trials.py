"""Traces below a result folder, found by the names of trials (names.py)."""

import pathlib

import numpy as np

from ..errors import ClaimError, NotRun, WrongTier
from ..reading import files_named
from .names import trial_name
from .plans import experiment_in, read_experiment

SIZED = ("default", "paper")  # tiers whose sizes are the papers'


def results_below(folder):
    """[(Results, name of an experiment)] of every plan below a folder, itself among them; raises ClaimError."""
    plans = files_named(folder, "plan.json")
    if not plans:
        raise ClaimError(f"{folder}: no results here; okbench run makes some")
    names = [experiment_in(plan) for plan in plans]
    # The result folder is as far above a plan as the experiment's name has parts.
    return [(Results(plan.parents[len(pathlib.PurePosixPath(name).parts)]), name) for plan, name in zip(plans, names)]


class Results:
    """Traces below a result folder, read once."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.experiments = {}
        self.tier = None  # what the claim that is judged needs; None: one of the papers' sizes

    def read(self, name):
        """The experiment, or None when it has not been run."""
        if name not in self.experiments:
            self.experiments[name] = read_experiment(self.folder, name)
        return self.experiments[name]

    def experiment(self, name):
        """An experiment that can be judged."""
        experiment = self.read(name)
        if experiment is None:
            raise NotRun(f"no result of {name}")
        if experiment.tier not in ((self.tier,) if self.tier else SIZED):
            raise WrongTier(self.tier or SIZED[0], experiment.tier)
        if experiment.overridden:
            raise NotRun(experiment.overridden)
        return experiment

    def find(self, trial):
        """All planned repetitions of a trial, none of them missing, failed or on generated data."""
        name = trial_name(trial)
        found = [one for one in self.experiment(name.experiment).trials if one.fits(name)]
        if not found:
            raise NotRun(f"no result of {trial}")
        for one in found:
            if one.missing:
                raise NotRun(one.missing)
        if any(one.trace.synthetic for one in found):
            raise NotRun("generated synthetic data")
        return [one.trace for one in found]

    def by_repetition(self, trial):
        found = self.find(trial)
        by_seed = {trace.spec["repetition"]: trace for trace in found}
        if len(by_seed) < len(found):
            raise ClaimError(f"'{trial}' names several trials of a repetition: only one can be paired")
        return by_seed

    def pairs(self, trial, other):
        """Each repetition of a trial with that of another on the same stream."""
        ones, others = self.by_repetition(trial), self.by_repetition(other)
        for seed in sorted(ones.keys() ^ others.keys()):
            raise NotRun(f"no result of {trial if seed in others else other}/r{seed} to pair")
        return [(ones[seed], others[seed]) for seed in ones]

    def mean(self, trial, value):
        return float(np.mean([value(trace) for trace in self.find(trial)]))
