"""The field of the league: every run of the experiments league/..., by data set, learner and budget."""

import dataclasses
import functools
import re

import numpy as np

from ..errors import NotRun
from ..reading import files_like
from ..traces import Trace
from ..traces.names import is_number
from . import costs, targets

PREFIX = "league/"
# The parameter that is a learner's budget, the first that it has.
BUDGETS = ("budget", "buffer", "features", "size")


@dataclasses.dataclass(eq=False)
class Run:
    """A learner with a budget on one order of a data set: its trace, or why there is none."""

    set: str
    learner: str
    budget: int | None  # None: the learner has none
    order: int
    trace: Trace | None
    missing: str | None

    @functools.cached_property
    def running(self):
        """(places among the recorded steps, running errors): targets.running."""
        return targets.running(self.trace["step"], self.trace["mistakes"])

    @functools.cached_property
    def error(self):
        """Mistakes over all examples of the stream."""
        return float(self.trace["mistakes"][-1] / self.trace["step"][-1])

    @functools.cached_property
    def along(self):
        """{kind: costs up to each recorded step}."""
        return {kind: costs.along(self.trace, kind) for kind in costs.KINDS}

    def cost(self, kind, place=-1):
        """The cost at a recorded step; at the end where no place is given."""
        return float(self.along[kind][place])


@dataclasses.dataclass(eq=False)
class Entry:
    """A learner with a budget on a data set: its runs, one an order."""

    set: str
    learner: str
    budget: int | None
    runs: list

    @property
    def missing(self):
        """Of each run without a trace, why."""
        return [run.missing for run in self.runs if run.trace is None]

    @functools.cached_property
    def error(self):
        """Mean over the orders of the end error."""
        return float(np.mean([run.error for run in self.runs]))

    def spread(self, value):
        """(mean, standard deviation) over the orders of a value of each run; 0 for a single one."""
        values = [value(run) for run in self.runs]
        return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0

    @functools.cached_property
    def start(self):
        """Mean over the orders of the first running error; None for streams that are too short for one."""
        firsts = [run.running[1][:1] for run in self.runs]
        return float(np.mean(firsts)) if all(map(len, firsts)) else None

    @functools.lru_cache(maxsize=None)
    def places(self, target):
        """Of each order the place at which it reaches a target; None where it does not."""
        return [targets.reached(*run.running, target) for run in self.runs]

    def at(self, target, kind):
        """(whether each order reaches the target, what it cost there or else to its end)."""
        places = self.places(target)
        found = [run.cost(kind, -1 if place is None else place) for run, place in zip(self.runs, places)]
        return np.array([place is not None for place in places]), np.array(found)


@dataclasses.dataclass(frozen=True)
class Learner:
    """A learner of the league: a key of its specs and, of further axes of a grid, their values."""

    id: str
    label: str
    method: str  # its name in the registry

    @property
    def slug(self):
        """For names of files."""
        return re.sub(r"[^\w.-]+", "-", self.id).strip("-")


class League:
    """All entries of a result folder; `told` says line by line what is left out, and why."""

    def __init__(self, experiments):
        self.tiers = sorted({experiment.tier for experiment in experiments})
        self.curves = {}  # kept by curves.curve
        self.told, runs, learners, real = [], [], {}, set()
        for experiment in experiments:
            if experiment.overridden:
                self.told.append(f"{experiment.name} was {experiment.overridden}, and is left out")
                continue
            for trial in experiment.trials:
                run, learner = run_of(experiment, trial)
                runs.append(run)
                if learner.id not in learners or run.trace is not None:
                    learners[learner.id] = learner
                if run.trace is not None and "squared_error_sum" in run.trace.tables["trace"]:
                    real.add(run.set)
        groups = {}
        for run in runs:
            groups.setdefault((run.set, run.learner, run.budget), []).append(run)
        entries = [Entry(*key, sorted(of, key=lambda run: run.order)) for key, of in groups.items()]
        # A mean over fewer orders would be of another experiment.
        for entry in entries:
            self.told += [f"{why}: {named(entry)} is left out" for why in entry.missing[:1]]
        self.entries = {(one.set, one.learner, one.budget): one for one in entries if not one.missing}
        self.by_set = {}
        for (name, learner, _), one in sorted(self.entries.items(), key=lambda pair: size(pair[1])):
            self.by_set.setdefault((name, learner), []).append(one)
        sets = sorted({key[0] for key in self.entries})
        self.regression = [name for name in sets if name in real]
        self.sets = [name for name in sets if name not in real]
        self.learners = dict(sorted(learners.items()))
        self.synthetic = any(run.trace.synthetic for run in self.runs())
        self.ladders = {name: self.ladder(name) for name in self.sets}
        self.told += [
            f"{name} has no running error: its streams have fewer than {targets.WINDOW} examples, or too few steps are "
            "recorded; no cost is told of it"
            for name, steps in self.ladders.items()
            if not steps
        ]
        for learner in self.learners:
            absent = [name for name in self.sets if not self.taken(name, learner)]
            if absent and len(absent) < len(self.sets):
                self.told.append(f"{learner} has no result on {', '.join(absent)}: it is ranked last there")
            elif absent and not any(self.taken(name, learner) for name in self.regression):
                self.told.append(f"{learner} has no result at all, and no rank")

    def runs(self):
        return [run for entry in self.entries.values() for run in entry.runs]

    def budgets(self):
        """All budgets that classifiers have, smallest first."""
        return sorted({one for name, _, one in self.entries if one is not None and name in self.sets})

    def taken(self, name, learner, at_most=None, at=None):
        """The entries of a learner on a data set, smallest budget first: of all its budgets and without one, or of
        budgets of at most so much, or of one budget alone."""
        found = self.by_set.get((name, learner), [])
        if at_most is not None:
            found = [one for one in found if one.budget is not None and one.budget <= at_most]
        if at is not None:
            found = [one for one in found if one.budget == at]
        return found

    def best(self, name, learner, **choice):
        """The entry with the least end error, the smaller budget of equal ones; None where there is none."""
        return min(self.taken(name, learner, **choice), key=lambda one: one.error, default=None)

    def ladder(self, name):
        """The targets of a data set, the same for all learners and choices: from the median over the learners of their
        first running errors, each at its best budget, to a little above the least end error of all."""
        best = [one for learner in self.learners if (one := self.best(name, learner))]
        starts = [one.start for one in best if one.start is not None]
        return targets.ladder(min(one.error for one in best), float(np.median(starts))) if starts else ()

    def frame(self):
        """A pandas data frame, one row a run."""
        import pandas as pd

        return pd.DataFrame([row_of(run) for run in self.runs()])


def size(entry):
    """Its budget; an infinite one where there is none."""
    return float("inf") if entry.budget is None else entry.budget


def named(entry):
    return f"{entry.learner} on {entry.set}" + ("" if entry.budget is None else f" with a budget of {entry.budget}")


def row_of(run):
    real = "squared_error_sum" in run.trace.tables["trace"]
    return {
        "set": run.set,
        "learner": run.learner,
        "budget": run.budget,
        "order": run.order,
        "examples": int(run.trace["step"][-1]),
        "error": None if real else run.error,
        "rmse": run.trace.summary.get("rmse"),
        **{kind: run.cost(kind) for kind in costs.KINDS},
        "synthetic": run.trace.synthetic,
        "digest": run.trace.digest,
    }


def budget_of(axes):
    """(name, value) of a learner's budget; (None, None) of a learner without one: 0 is none, and neither is a size that
    is there all the same without a cache (perceptron, mira), or without maintenance (bsgd)."""
    if axes.get("maintenance") == "none":
        return None, None
    for name in BUDGETS:
        unused = name == "size" and axes.get("cache") == "none"
        if is_number(axes.get(name)) and axes[name] > 0 and not unused:
            return name, axes[name]
    return None, None


def run_of(experiment, trial):
    """The Run of a trial, and its Learner."""
    axes = trial.axes or (trial.trace.axes if trial.trace is not None else {})
    name, budget = budget_of(axes)
    parts = [part.strip() for part in trial.grid_point.split(",") if part.strip()]
    data = [part.partition("=")[2] for part in parts if part.startswith("data=")]
    others = [part for part in parts if part.partition("=")[0] not in (name, "data")]
    learner = trial.learner_key + (f"[{', '.join(others)}]" if others else "")
    label = trial.label + (f", {', '.join(others)}" if others else "")
    method = trial.trace.spec["learner"] if trial.trace is not None else trial.learner_key
    place = "/".join([experiment.name.removeprefix(PREFIX), *data])
    run = Run(place, learner, budget, trial.repetition, trial.trace, trial.missing)
    return run, Learner(learner, label, method)


def names(results):
    """The experiments of the league that a result folder has."""
    return [PREFIX + plan.parent.name for plan in files_like(results.folder / PREFIX, "*", "plan.json")]


def read(results):
    """The league of a result folder; raises NotRun where it has none."""
    experiments = [results.read(name) for name in names(results)]
    league = League(experiments)
    if not league.entries:
        why = league.told[0] if league.told else "okbench run experiments/league/*.toml makes some"
        raise NotRun(f"no results of the league in {results.folder}: {why}")
    return league


def of(results):
    """The same, read once for each Results; raises NotRun."""
    if not hasattr(results, "league"):
        results.league = read(results)
    return results.league
