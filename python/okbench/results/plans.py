"""Plans: which trials a spec has, and what became of each."""

import dataclasses
import json
import pathlib
import re

from ..errors import ClaimError, TraceFileError
from .names import same_value
from .traces import Trace, read_trace

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
TIERS = ("quick", "default", "paper")


@dataclasses.dataclass
class Planned:
    """A trial of a plan: its trace, or why there is none."""

    name: str
    learner_key: str
    grid_point: str
    label: str
    repetition: int
    trace: Trace | None
    failure: str | None = None  # kind of failure
    axes: dict | None = None  # what [axis=value] may name; None: the plan does not say (format 1)
    tuned: tuple = ()  # parameters that cross validation chooses

    @property
    def missing(self):
        """Why there is no trace; None when there is one."""
        if self.trace is not None:
            return None
        return f"{self.name} failed: {self.failure}" if self.failure else f"no result of {self.name}"

    def fits(self, name):
        """Whether it is among the trials of a name; what a plan does not tell of a missing trial may be anything."""
        return self.learner_key == name.learner and all(self.fits_axis(*pair) for pair in name.axes.items())

    def fits_axis(self, axis, text):
        known = self.axes if self.axes is not None else self.trace and self.trace.axes
        if known is None:
            return True
        if axis in self.tuned and axis not in known:
            return self.trace is None or same_value(self.trace.parameters.get(axis), text)
        return same_value(known.get(axis), text)


@dataclasses.dataclass
class Experiment:
    """The trials of one spec, in the order of its plan; those of cross validation are left to the tuned trials, whose
    summaries hold what the search chose and cost."""

    name: str
    title: str
    tier: str
    trials: list
    overrides: tuple = ()  # path=value, as given on the command line

    @property
    def traces(self):
        return [trial.trace for trial in self.trials if trial.trace is not None]

    @property
    def missing(self):
        """Of each trial without a trace, why."""
        return [trial.missing for trial in self.trials if trial.trace is None]

    @property
    def overridden(self):
        """ "run with --set PATH=VALUE", or nothing."""
        return "run with " + " ".join(f"--set {one}" for one in self.overrides) if self.overrides else ""

    def by_learner(self, key):
        """Traces of one [learners.KEY], all grid points and repetitions."""
        return [trace for trace in self.traces if trace.provenance["learner_key"] == key]


def inside(folder, name):
    """The path of a name inside a folder, links resolved; None when it is none."""
    if not isinstance(name, str) or not name or CONTROL.search(name):
        return None
    parts = pathlib.PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts:
        return None
    path = folder / parts
    try:
        return path if path.resolve().is_relative_to(folder.resolve()) else None
    except (OSError, RuntimeError):
        return None


def experiment_in(plan):
    """The name of the experiment whose plan.json this is; what else it says is read_experiment's to check."""
    try:
        return str(json.loads(pathlib.Path(plan).read_text(encoding="utf-8"))["experiment"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ClaimError(f"{plan}: not a valid plan") from error


def read_experiment(results, name):
    """The experiment's trials below a result folder, or None when it has not been run."""
    results = pathlib.Path(results)
    folder = inside(results, name)
    if folder is None:
        raise TraceFileError(f"{results}: {ascii(name)} names no experiment inside this folder")
    plan_file = folder / "plan.json"
    if not plan_file.is_file():
        return None
    try:
        return read_plan(name, folder, json.loads(plan_file.read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        raise TraceFileError(f"{plan_file}: not a valid plan ({cause}); okbench run writes it anew") from error


def check_text(value, what):
    if not isinstance(value, str) or CONTROL.search(value):
        raise ValueError(f"{what} {ascii(value)} is no line of text")
    return value


def read_plan(name, folder, plan):
    """The Experiment of a plan; raises ValueError, LookupError or TypeError where it is none."""
    if plan["format"] not in (1, 2):
        raise ValueError(f"its format is {plan['format']!r}, okbench reads 1 and 2")
    if plan["experiment"] != name:
        raise ValueError(f"it is of the experiment {ascii(plan['experiment'])}")
    if plan["tier"] not in TIERS:
        raise ValueError(f"there is no tier {ascii(plan['tier'])}")
    overrides = plan["overrides"] if plan["format"] == 2 else []
    if not isinstance(overrides, list):
        raise ValueError("overrides must be a list")
    trials = [read_trial(folder, plan["format"], trial) for trial in plan["trials"] if trial.get("fold") is None]
    return Experiment(
        name,
        check_text(plan["title"], "title"),
        plan["tier"],
        trials,
        tuple(check_text(one, "override") for one in overrides),
    )


def read_trial(folder, written, trial):
    """One trial of a plan, with its trace."""
    axes, tuned = (trial["axes"], trial.get("tuned", [])) if written == 2 else (None, [])
    if written == 2 and not (isinstance(axes, dict) and isinstance(tuned, list)):
        raise ValueError(f"axes of the trial {ascii(trial['name'])} must be an object, tuned a list")
    found = Planned(
        check_text(trial["name"], "name"),
        check_text(trial["learner_key"], "learner"),
        check_text(trial["grid_point"], "grid point"),
        check_text(trial["label"], "label"),
        int(trial["repetition"]),
        None,
        axes=axes,
        tuned=tuple(tuned),
    )
    path = inside(folder, trial["file"])
    if path is None:
        raise ValueError(f"{ascii(trial['file'])} names no file inside the folder")
    record = path.with_suffix(".failed.json")
    if record.exists():
        # A failure counts, even beside a trace: that is of an earlier run.
        found.failure = kind_of_failure(record)
    elif path.is_file():
        found.trace = read_trace(path)
        if found.trace.trial_id != trial["id"]:
            raise TraceFileError(f"{path}: of the trial {found.trace.trial_id}, its plan says {ascii(trial['id'])}")
        # The trace has a digest, its plan has none: a claim's [axis=value] must not rest on what the plan alone says.
        if axes is not None and axes != found.trace.planned_axes:
            raise TraceFileError(f"{path}: its plan says other parameters, data or repetition than the trace")
    return found


def kind_of_failure(record):
    """Such as "diverged"; a record that cannot be read is of a failure, too."""
    try:
        return check_text(json.loads(record.read_text(encoding="utf-8"))["kind"], "kind")
    except (OSError, ValueError, LookupError, TypeError):
        return "its record cannot be read"
