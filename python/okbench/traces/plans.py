"""Plans: which trials a spec has, and what became of each."""

import dataclasses
import json
import pathlib
import re

from ..errors import ODD_CONTENT, ClaimError, TraceFileError, cause_of
from .names import same_value
from .trace import Trace, read_trace

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # and what is no character
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
    id: str = ""
    path: pathlib.Path | None = None  # of its trace, whether there is one or not
    needs: tuple = ()  # ids of the trials of cross validation that it chooses parameters by

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
    summaries hold what the search chose and cost, unless `folds` of it were asked for."""

    name: str
    title: str
    tier: str
    trials: list
    overrides: tuple = ()  # path=value, as given on the command line
    spec: str = ""  # its file, as given on the command line
    folds: list = dataclasses.field(default_factory=list)  # trials of cross validation

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
    except (OSError, *ODD_CONTENT) as error:
        raise ClaimError(f"{plan}: not a valid plan") from error


def read_experiment(results, name, folds=False):
    """The experiment's trials below a result folder, or None when it has not been run; `folds`: those of cross
    validation, too."""
    results = pathlib.Path(results)
    folder = inside(results, name)
    if folder is None:
        raise TraceFileError(f"{results}: {ascii(name)} names no experiment inside this folder")
    plan_file = folder / "plan.json"
    try:
        if not plan_file.is_file():
            return None
        return read_plan(name, folder, json.loads(plan_file.read_text(encoding="utf-8")), folds)
    except (OSError, *ODD_CONTENT) as error:
        raise TraceFileError(
            f"{plan_file}: not a valid plan ({cause_of(error)}); okbench run writes it anew"
        ) from error


def check_text(value, what):
    if not isinstance(value, str) or CONTROL.search(value):
        raise ValueError(f"{what} {ascii(value)} is no line of text")
    return value


def read_plan(name, folder, plan, folds):
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
    once, searched = (
        [one for one in plan["trials"] if (one.get("fold") is not None) == of_search] for of_search in (False, True)
    )
    return Experiment(
        name,
        check_text(plan["title"], "title"),
        plan["tier"],
        [read_trial(folder, plan["format"], one) for one in once],
        tuple(check_text(one, "override") for one in overrides),
        check_text(plan.get("spec", ""), "spec"),
        [read_trial(folder, plan["format"], one) for one in searched if folds],
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
        id=check_text(trial["id"], "id"),
        needs=tuple(trial.get("needs", ())),
    )
    path = found.path = inside(folder, trial["file"])
    if path is None:
        raise ValueError(f"{ascii(trial['file'])} names no file inside the folder")
    record = failure_record(path)
    if record.exists():
        # A failure counts, even beside a trace: that is of an earlier run.
        found.failure = kind_of_failure(read_failure(record))
    elif path.is_file():
        found.trace = read_trace(path)
        if found.trace.trial_id != trial["id"]:
            raise TraceFileError(f"{path}: of the trial {found.trace.trial_id}, its plan says {ascii(trial['id'])}")
        # The trace has a digest, its plan has none: a claim's [axis=value] must not rest on what the plan alone says.
        if axes is not None and axes != found.trace.planned_axes:
            raise TraceFileError(f"{path}: its plan says other parameters, data or repetition than the trace")
    return found


def failure_record(path):
    """Where the failure of a trial is recorded, that would have left its trace in this file."""
    return path.with_suffix(".failed.json")


def read_failure(record):
    """What the record of a failure says; {} where it cannot be read."""
    try:
        content = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def kind_of_failure(content):
    """Such as "diverged"; a record that cannot be read is of a failure, too."""
    try:
        return check_text(content["kind"], "kind")
    except (LookupError, ValueError):
        return "its record cannot be read"
