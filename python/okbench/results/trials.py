"""Finds traces below a result folder by trial name (names.py)."""

import functools
import os
import pathlib
import sys

import numpy as np

from ..errors import ClaimError, NotRun, TraceFileError, WrongTier
from ..native import module as _native
from ..reading import files_named
from .marks import ON_SYNTHETIC
from .names import trial_name
from .plans import read_experiment

ACCEPT = "OKBENCH_STALE"  # 1: accept stale results
SIZED = ("default", "paper")  # tiers with the sizes of the papers


def results_below(folder):
    """[(Results, experiment name)] for every plan.json in or below a folder. Raises ClaimError if there is none."""
    plans = files_named(folder, "plan.json")
    if not plans:
        raise ClaimError(f"{folder}: no results here; okbench run makes some")
    experiments, by_folder = [], {}
    for plan in plans:
        name = _native.plan_header(plan)["experiment"]
        parts = pathlib.PurePosixPath(name).parts
        if plan.parent.parts[-len(parts) :] != parts:  # the path of the folder is relative to one inside the results
            plan = pathlib.Path(os.path.abspath(plan))
        if plan.parent.parts[-len(parts) :] != parts:
            raise ClaimError(f"{plan}: the plan of {name} is not in a folder of that name")
        # The result folder is as many levels above the experiment's folder as the name has parts.
        root = plan.parents[len(parts)]
        experiments.append((by_folder.setdefault(root, Results(root)), name))
    return experiments


def compare_plans(folder):
    """How plans differ from the present specs: ({trial id: reason}, names).

    The trials that the present specs would run differently, each with a reason such as "mu = 1, now 0.5", and the
    names of the trials that the plans lack. With OKBENCH_STALE=1, prints the number of stale results to standard error
    and returns none of them. Raises TraceFileError.
    """
    try:
        stale, unplanned = _native.compare_plans(folder)
    except ValueError as error:
        raise TraceFileError(f"{folder}: {error}") from error
    if stale and os.environ.get(ACCEPT) == "1":
        print(f"okbench: {folder}: accepts {len(stale)} stale results", file=sys.stderr)
        stale = {}
    return stale, unplanned


class Results:
    """Traces below a result folder. Reads each experiment once. Not thread-safe."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.experiments = {}
        self.most = 0  # trials that are read per learner and grid point; 0: all
        self.tier = None  # required tier; None: any tier of SIZED
        self.used_tiers = set()  # tiers of the experiments that were read

    @functools.cached_property
    def plans(self):
        """({trial id: reason} of all stale results below the folder, names of trials that the plans lack)."""
        return compare_plans(self.folder)

    def read(self, name):
        """The experiment, or None if it has not been run. Stale results (stale.py) count as missing.

        Raises TraceFileError.
        """
        if name not in self.experiments:
            self.experiments[name] = experiment = read_experiment(self.folder, name, most=self.most)
            if experiment and experiment.spec:
                stale, unplanned = self.plans
                for trial in experiment.trials:
                    if trial.id in stale:
                        trial.discard(stale[trial.id])
                experiment.unplanned = [
                    unplanned_name for unplanned_name in unplanned if unplanned_name.startswith(f"{name}/")
                ]
        return self.experiments[name]

    def experiment(self, name):
        """An experiment that claims can be judged on. Raises NotRun, or WrongTier for results of another tier."""
        experiment = self.read(name)
        if experiment is None:
            raise NotRun(f"no result of {name}")
        if experiment.tier not in ((self.tier,) if self.tier else SIZED):
            results = [trial for trial in experiment.trials if trial.has_result]
            if results and all(trial.trace.synthetic for trial in results):
                raise NotRun(ON_SYNTHETIC)
            raise WrongTier(self.tier or SIZED[0], experiment.tier)
        if experiment.overridden:
            raise NotRun(experiment.overridden)
        self.check_data(experiment)
        self.used_tiers.add(experiment.tier)
        return experiment

    def check_data(self, experiment):
        """Raises NotRun unless the data of an experiment are those that its spec names."""
        if experiment.replaced_data:
            raise NotRun(f"run on other data of the names {', '.join(experiment.replaced_data)}")

    def find(self, trial):
        """Traces of all planned repetitions of a trial. Raises NotRun if one is missing, failed or used synthetic
        data."""
        name = trial_name(trial)
        trials = [
            planned_trial for planned_trial in self.experiment(name.experiment).trials if planned_trial.fits(name)
        ]
        if not trials:
            raise NotRun(f"no result of {trial}")
        start = f"{name.experiment}/{name.learner}"
        if any(
            unplanned_name.startswith((f"{start}/", f"{start}["))
            for unplanned_name in self.experiment(name.experiment).unplanned
        ):
            raise NotRun(f"the present spec has more trials of {name.experiment}/{name.learner}; run it again")
        for planned_trial in trials:
            if planned_trial.missing:
                raise NotRun(planned_trial.missing)
        if any(planned_trial.trace.synthetic for planned_trial in trials):
            raise NotRun(ON_SYNTHETIC)
        return [planned_trial.trace for planned_trial in trials]

    def by_repetition(self, trial):
        traces = self.find(trial)
        by_seed = {trace.spec["repetition"]: trace for trace in traces}
        if len(by_seed) < len(traces):
            raise ClaimError(f"'{trial}' matches several trials per repetition; pairs need exactly one")
        return by_seed

    def pairs(self, trial, other):
        """[(trace, other trace)] for each repetition of two trials, which share the stream. Raises NotRun if a
        repetition lacks its counterpart."""
        ones, others = self.by_repetition(trial), self.by_repetition(other)
        for seed in sorted(ones.keys() ^ others.keys()):
            raise NotRun(f"no result of {trial if seed in others else other}/r{seed} to pair")
        return [(ones[seed], others[seed]) for seed in ones]

    def mean(self, trial, value):
        return float(np.mean([value(trace) for trace in self.find(trial)]))
