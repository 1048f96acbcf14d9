"""The runs of the league: all trials of the experiments league/..., by data set, learner and budget."""

import copy
import dataclasses
import functools
import math
import re

import numpy as np

from ..errors import NotRun
from ..reading import files_like
from ..results import Trace, streams
from ..results.means import decimal
from ..results.names import is_number
from . import costs, targets
from ..results.marks import data_marks

PREFIX = "league/"
# Parameters that are budgets. The first one that a learner has is its budget.
BUDGETS = ("budget", "buffer", "features")
# Overridden keys that change no step of a learner.
HARMLESS = ("measures.", "trace.predictions=")


def is_ranked(experiment):
    """Whether the league takes the results of an experiment: no override changes a step of a learner."""
    return all(override.startswith(HARMLESS) for override in experiment.overrides)


@dataclasses.dataclass(eq=False)
class Run:
    """A learner with a budget on one order of a data set: its trace, or the reason why there is none."""

    set: str
    learner: str
    budget: int | None  # None: a learner without a budget
    order: int  # repetition, which determines the order of the examples
    trace: Trace | None
    missing: str | None  # reason why there is no trace
    measure: str | None = None  # measure of the ranking, such as "g-mean"; None: the end error

    @functools.cached_property
    def real(self):
        """Whether the data set has real targets. Errors are then mean squared errors."""
        return "squared_error_sum" in self.trace.tables["trace"]

    @property
    def error_sums(self):
        """Mistakes, or squared errors, up to each recorded step."""
        return self.trace["squared_error_sum" if self.real else "mistakes"]

    @functools.cached_property
    def running(self):
        """(indices of recorded steps, running errors), see targets.running."""
        return targets.running(self.trace["step"], self.error_sums, self.window)

    @functools.cached_property
    def window(self):
        """Examples in the window of the running error."""
        return targets.window_of(self.trace["step"])

    @functools.cached_property
    def error(self):
        """End error: mistakes, or squared errors, divided by the number of examples of the stream."""
        return float(self.error_sums[-1] / self.trace["step"][-1])

    @functools.cached_property
    def value(self):
        """The measure of the ranking."""
        return streams.value_of(self.trace, self.measure) if self.measure and not self.real else self.error

    @functools.cached_property
    def cumulative_cost(self):
        """{kind: costs up to each recorded step}, see costs.cumulative_cost."""
        return {kind: costs.cumulative_cost(self.trace, kind) for kind in costs.KINDS}

    def cost(self, kind, place=-1):
        """Cost at the recorded step of index `place` (default: the last)."""
        return float(self.cumulative_cost[kind][place])


@dataclasses.dataclass(eq=False)
class Entry:
    """A learner with a budget on a data set: one run per order."""

    set: str
    learner: str
    budget: int | None
    runs: list

    @property
    def missing(self):
        """Reason for each run without a trace."""
        return [run.missing for run in self.runs if run.trace is None]

    @functools.cached_property
    def undefined(self):
        """Orders in which the measure of the ranking has no finite value. REQUIRES: no run is missing."""
        return [run.order for run in self.runs if not math.isfinite(run.value)]

    @functools.cached_property
    def error(self):
        """Mean end error over the orders."""
        return decimal(np.mean([run.error for run in self.runs]))

    @functools.cached_property
    def value(self):
        """Mean over the orders of the measure of the ranking."""
        return decimal(np.mean([run.value for run in self.runs]))

    @property
    def rank_by(self):
        """The value, negated if larger values are better: smaller is better."""
        measure = self.runs[0].measure
        larger = measure is not None and streams.find(streams.parse(measure)[0]).larger
        return -self.value if larger and not self.runs[0].real else self.value

    def spread(self, value):
        """(mean, sample standard deviation) of value(run) over the orders; deviation 0 for a single order."""
        values = [value(run) for run in self.runs]
        return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0

    @functools.cached_property
    def start(self):
        """Mean over the orders of the first running error; None if a run has no running error."""
        firsts = [run.running[1][:1] for run in self.runs]
        return float(np.mean(firsts)) if all(map(len, firsts)) else None

    @functools.lru_cache(maxsize=None)
    def places(self, target):
        """For each order, the index of the recorded step at which it reaches a target; None if it does not."""
        return [targets.reached(*run.running, target) for run in self.runs]

    def at(self, target, kind):
        """(reached, costs): for each order, whether it reaches the target, and its cost there or else at its end."""
        places = self.places(target)
        run_costs = [run.cost(kind, -1 if place is None else place) for run, place in zip(self.runs, places)]
        return np.array([place is not None for place in places]), np.array(run_costs)


@dataclasses.dataclass(frozen=True)
class Learner:
    """A learner of the league."""

    id: str  # key in the specs, with the values of further grid axes in brackets
    label: str
    method: str  # name in the registry

    @property
    def slug(self):
        """The id as part of a file name."""
        return re.sub(r"[^\w.-]+", "-", self.id).strip("-")


class League:
    """All entries of a result folder. `notes` lists what is excluded and why, one line each. Not thread-safe.

    Ranks and targets are those of the data sets with classes, `sets`. `on_real_targets` is the league of the
    others, `regression`.
    """

    labels = "classes"  # of the data sets that are ranked

    def __init__(self, experiments, measure=None):
        self.measure = measure
        self.tiers = sorted({experiment.tier for experiment in experiments})
        self.curves = {}  # cache of curves.curve
        self.notes, runs, learners, real = [], [], {}, set()
        for experiment in experiments:
            if not is_ranked(experiment):
                self.notes.append(f"{experiment.name} is excluded: it was {experiment.overridden}")
                continue
            if experiment.unplanned:
                self.notes.append(experiment.unplanned_note)
            for trial in experiment.trials:
                run, learner = run_of(experiment, trial, measure)
                runs.append(run)
                if learner.id not in learners or run.trace is not None:
                    learners[learner.id] = learner
                if run.trace is not None and run.real:
                    real.add(run.set)
        groups = {}
        for run in runs:
            groups.setdefault((run.set, run.learner, run.budget), []).append(run)
        entries = [Entry(*key, sorted(of, key=lambda run: run.order)) for key, of in groups.items()]
        # Exclude entries with missing runs: a mean over fewer orders is not comparable.
        for entry in entries:
            self.notes += [f"{why}: {named(entry)} is excluded" for why in entry.missing[:1]]
        whole = [candidate for candidate in entries if not candidate.missing]
        # A mean with an undefined value is undefined, and so is every order and test with it.
        for entry in whole:
            if entry.undefined:
                orders = f"order{'s' * (len(entry.undefined) > 1)} {', '.join(map(str, entry.undefined))}"
                self.notes.append(f"{measure} is not defined in {orders}: {named(entry)} is excluded")
        self.entries = {
            (candidate.set, candidate.learner, candidate.budget): candidate
            for candidate in whole
            if not candidate.undefined
        }
        self.by_set = {}
        for (name, learner, _), league_entry in sorted(self.entries.items(), key=lambda pair: size(pair[1])):
            self.by_set.setdefault((name, learner), []).append(league_entry)
        sets = sorted({key[0] for key in self.entries})
        self.regression = [name for name in sets if name in real]
        self.sets = [name for name in sets if name not in real]
        self.learners = dict(sorted(learners.items()))
        self.data_mark = data_marks(run.trace for run in self.runs())
        self.ladders = {name: self.ladder(name) for name in self.sets}
        self.notes += [
            f"{name} has no running error and no cost to target: too few steps are recorded"
            for name, steps in self.ladders.items()
            if not steps
        ]
        for learner in self.learners:
            absent = [name for name in self.sets if not self.taken(name, learner)]
            if absent and len(absent) < len(self.sets):
                self.notes.append(f"{learner} has no result on {', '.join(absent)}: it is ranked last there")
            elif absent and not any(self.taken(name, learner) for name in self.regression):
                self.notes.append(f"{learner} has no results and no rank")

    @functools.cached_property
    def on_real_targets(self):
        """The same results as a league whose `sets` are those with real targets, by mean squared error."""
        view = copy.copy(self)
        view.labels, view.curves, view.measure = "real targets", {}, None
        view.sets, view.regression = self.regression, []
        view.learners = {
            learner: description
            for learner, description in self.learners.items()
            if any(self.taken(name, learner) for name in view.sets)
        }
        view.ladders = {name: view.ladder(name) for name in view.sets}
        return view

    def runs(self):
        return [run for entry in self.entries.values() for run in entry.runs]

    def budgets(self):
        """All budgets of classifiers, ascending."""
        return sorted({budget for name, _, budget in self.entries if budget is not None and name in self.sets})

    def taken(self, name, learner, at_most=None, at=None):
        """Entries of a learner on a data set, smallest budget first, entries without a budget last.

        `at_most`: only budgets up to this one. `at`: only this budget. Both exclude entries without a budget.
        """
        entries = self.by_set.get((name, learner), [])
        if at_most is not None:
            entries = [entry for entry in entries if entry.budget is not None and entry.budget <= at_most]
        if at is not None:
            entries = [entry for entry in entries if entry.budget == at]
        return entries

    def best(self, name, learner, **choice):
        """Best entry by the measure of the ranking, the smaller budget on ties; None if the learner has no entry."""
        return min(self.taken(name, learner, **choice), key=lambda entry: entry.rank_by, default=None)

    def ladder(self, name):
        """Targets of a data set, the same for all learners and choices of budgets (targets.ladder).

        The start is the median of the learners' first running errors, each at its best budget. The best is the
        smallest end error of all learners. Empty if no learner has a running error.
        """
        best = [best_entry for learner in self.learners if (best_entry := self.best(name, learner))]
        starts = [entry.start for entry in best if entry.start is not None]
        entries = [entry for learner in self.learners for entry in self.taken(name, learner)]
        if not starts:
            return ()
        resolution = 0 if entries[0].runs[0].real else 1 / self.window(name)
        return targets.ladder(min(entry.error for entry in entries), float(np.median(starts)), resolution)

    def window(self, name):
        """Examples in the window of the running error of a data set."""
        return next(entry for learner in self.learners for entry in self.taken(name, learner)).runs[0].window

    def frame(self):
        """A pandas data frame with one row per run."""
        import pandas as pd

        return pd.DataFrame([row_of(run) for run in self.runs()])


def size(entry):
    """Budget of an entry for sorting; infinite without a budget."""
    return float("inf") if entry.budget is None else entry.budget


def named(entry):
    return f"{entry.learner} on {entry.set}" + ("" if entry.budget is None else f" with a budget of {entry.budget}")


def row_of(run):
    return {
        "set": run.set,
        "learner": run.learner,
        "budget": run.budget,
        "order": run.order,
        "examples": int(run.trace["step"][-1]),
        "error": None if run.real else run.error,
        "rmse": run.trace.summary.get("rmse"),
        **{kind: run.cost(kind) for kind in costs.KINDS},
        "synthetic": run.trace.synthetic,
        "digest": run.trace.digest,
    }


def budget_of(axes):
    """(name, value) of a learner's budget parameter; (None, None) for a learner without a budget.

    A learner has no budget if the value is 0, if there is no cache (perceptron, mira), or if there
    is no budget maintenance (bsgd).
    """
    if axes.get("maintenance") == "none":
        return None, None
    for name in BUDGETS:
        unused = name == "budget" and axes.get("cache") == "none"
        if is_number(axes.get(name)) and axes[name] > 0 and not unused:
            return name, axes[name]
    return None, None


def run_of(experiment, trial, measure=None):
    """(Run, Learner) of a trial."""
    axes = trial.axes or (trial.trace.axes if trial.trace is not None else {})
    name, budget = budget_of(axes)
    parts = [part.strip() for part in trial.grid_point.split(",") if part.strip()]
    data = [part.partition("=")[2] for part in parts if part.startswith("data=")]
    others = [part for part in parts if part.partition("=")[0] not in (name, "data")]
    learner = trial.learner_key + (f"[{', '.join(others)}]" if others else "")
    label = trial.label + (f", {', '.join(others)}" if others else "")
    method = trial.trace.spec["learner"] if trial.trace is not None else trial.learner_key
    place = "/".join([experiment.name.removeprefix(PREFIX), *data])
    run = Run(place, learner, budget, trial.repetition, trial.trace, trial.missing, measure)
    return run, Learner(learner, label, method)


def names(results):
    """Names of the league's experiments in a result folder."""
    return [PREFIX + plan.parent.name for plan in files_like(results.folder / PREFIX, "*", "plan.json")]


def read(results, measure=None, only=None):
    """Reads the League of a result folder, ranked by a measure (default: the end error). `only`: one experiment.

    Raises NotRun if it has no results, ClaimError for an unknown measure.
    """
    experiments = [results.read(name) for name in ([only] if only else names(results))]
    league = League(experiments, measure)
    if not league.entries:
        why = league.notes[0] if league.notes else "create them with okbench run experiments/league/*.toml"
        raise NotRun(f"no results of the league in {results.folder}: {why}")
    return league


def of(results):
    """Like read(), but reads only once per Results. Raises NotRun."""
    if not hasattr(results, "league"):
        results.league = read(results)
    return results.league
