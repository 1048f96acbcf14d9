"""Reads plans: the trials of a spec with the result of each."""

import collections
import dataclasses
import functools
import json
import os
import pathlib
import re

from ..errors import CONTENT_ERRORS, ClaimError, TraceFileError, cause_of
from . import segments
from .names import same_value
from .trace import Trace, read_trace

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # control, line separator, surrogate
TIERS = ("quick", "default", "paper")
# A plan written by okbench has one trial per line. JSON strings contain no such text, because they escape quotes.
TRIALS = b',"trials":[\n'
TEXT = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
CURVE = re.compile(rb'"fold":null,"grid_point":(%b),"id":"\w*","label":%b,"learner_key":(%b)' % (TEXT, TEXT, TEXT))


@dataclasses.dataclass
class Planned:
    """A trial of a plan, with its trace or the reason why there is none."""

    name: str
    learner_key: str
    grid_point: str
    label: str
    repetition: int
    trace: Trace | None
    failure: str | None = None  # kind of failure
    axes: dict | None = None  # {axis: value} for [axis=value] in names; None in plans of format 1
    tuned: tuple = ()  # names of the parameters that cross validation chooses
    id: str = ""
    path: pathlib.Path | None = None  # path of the trace, which may not exist
    needs: tuple = ()  # ids of the cross-validation trials that choose its parameters
    stale: str | None = None  # how the present spec, data or code differs from those of the result

    @property
    def has_result(self):
        """Whether there is a trace. Does not read it."""
        return self.trace is not None

    @property
    def stored_in(self):
        """Path of the file that contains the trace."""
        return self.path

    @property
    def summary(self):
        """The measures of the trace."""
        return self.trace.summary

    @property
    def data_set(self):
        return self.trace.data_set

    @property
    def missing(self):
        """Reason why there is no trace; None if there is one."""
        if self.has_result:
            return None
        if self.stale:
            return f"{self.name} is stale ({self.stale}); run it again"
        return f"{self.name} failed: {self.failure}" if self.failure else f"no result of {self.name}"

    def fits(self, name):
        """Whether a TrialName selects this trial. An axis value that is unknown because the trace is missing matches
        any text."""
        return self.learner_key == name.learner and all(self.fits_axis(*pair) for pair in name.axes.items())

    def fits_axis(self, axis, text):
        known = self.axes if self.axes is not None else self.has_result and self.trace.axes
        if not known:
            return True
        if axis in self.tuned and axis not in known:
            return not self.has_result or same_value(self.trace.parameters.get(axis), text)
        return same_value(known.get(axis, 0 if axis == "delay" else None), text)


class Packed(Planned):
    """A trial of a plan whose result is in a segment. Its trace is read on first use."""

    _trace = None
    unread = None  # function that returns the trace; None after it was called
    row = None  # function that returns the summary row
    segment = None  # path of its segment

    @property
    def stored_in(self):
        return self.segment

    @property
    def trace(self):
        if self.unread:
            self._trace, self.unread = self.unread(), None
        return self._trace

    @trace.setter
    def trace(self, value):
        self._trace, self.unread = value, None

    @property
    def has_result(self):
        return self.unread is not None or self._trace is not None

    @property
    def summary(self):
        return self.row()

    @property
    def data_set(self):
        return self.axes["data"] if self.axes else self.trace.data_set


@dataclasses.dataclass
class Experiment:
    """The trials of one spec, in plan order.

    Cross-validation trials are in `folds`, and only if read_experiment() was called with folds=True. The summaries of
    the tuned trials hold the chosen parameters and the cost of the search.
    """

    name: str
    title: str
    tier: str
    trials: list
    overrides: tuple = ()  # "PATH=VALUE" texts, as given on the command line
    spec: str = ""  # path of the spec, as given on the command line
    folds: list = dataclasses.field(default_factory=list)  # cross-validation trials
    replaced_data: tuple = ()  # names of data sets that a catalogue of the user had replaced
    unplanned: list = dataclasses.field(default_factory=list)  # trials of the present spec that the plan lacks
    planned: dict = dataclasses.field(
        default_factory=dict
    )  # {(learner, grid point): trials}, if `trials` has only some

    @property
    def traces(self):
        return [trial.trace for trial in self.trials if trial.has_result]

    @property
    def missing(self):
        """Reason for each trial without a trace."""
        unplanned = [f"{name} is not in the plan; run the spec again" for name in self.unplanned]
        return [trial.missing for trial in self.trials if not trial.has_result] + unplanned

    @property
    def overridden(self):
        """The text "run with --set PATH=VALUE ..."; empty without overrides."""
        return "run with " + " ".join(f"--set {one}" for one in self.overrides) if self.overrides else ""

    def by_learner(self, key):
        """Traces of [learners.KEY]: all grid points and repetitions."""
        return [trace for trace in self.traces if trace.provenance["learner_key"] == key]


def inside(folder, name):
    """Path of a name inside a directory. None if the name is invalid or, with links resolved, leads outside."""
    if not isinstance(name, str) or not name or CONTROL.search(name):
        return None
    parts = pathlib.PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts:
        return None
    path = folder / parts
    try:
        if len(parts.parts) == 1 and not os.path.islink(path):  # resolving many names takes long
            return path
        return path if path.resolve().is_relative_to(folder.resolve()) else None
    except (OSError, RuntimeError):
        return None


def experiment_in(plan):
    """Name of the experiment of a plan.json. Checks nothing else; read_experiment() does. Raises ClaimError."""
    try:
        with open(plan, "rb") as file:
            first = file.readline()
            whole = first.removesuffix(b"\n") + b"]}" if first.endswith(TRIALS) else first + file.read()
        return str(json.loads(whole)["experiment"])
    except (OSError, *CONTENT_ERRORS) as error:
        raise ClaimError(f"{plan}: not a valid plan") from error


def some_trials(plan_file, most):
    """(text of the plan with the first `most` trials of each curve, Experiment.planned). Does not check the plan."""
    planned, kept = collections.Counter(), []
    with open(plan_file, "rb") as file:
        kept.append(file.readline())
        if not kept[0].endswith(TRIALS):
            return kept[0] + file.read(), {}
        for line in file:
            if found := CURVE.search(line):
                curve = found.groups()
                planned[curve] += 1
                if planned[curve] > most:
                    continue
            kept.append(line)
    if len(kept) > 2:
        kept[-2] = kept[-2].removesuffix(b",\n")
    counts = {(json.loads(learner), json.loads(grid)): count for (grid, learner), count in planned.items()}
    return b"".join(kept), counts


def read_experiment(results, name, folds=False, most=None):
    """Reads the Experiment below a result directory. Returns None if it has no plan.json.

    `folds`: also read the cross-validation trials. `most`: read at most so many trials per learner and grid point.
    Raises TraceFileError.
    """
    results = pathlib.Path(results)
    folder = inside(results, name)
    if folder is None:
        raise TraceFileError(f"{results}: {ascii(name)} is not an experiment inside this directory")
    plan_file = folder / "plan.json"
    try:
        if not plan_file.is_file():
            return None
        text, planned = some_trials(plan_file, most) if most else (plan_file.read_bytes(), {})
        experiment = read_plan(name, folder, json.loads(text), folds)
        experiment.planned = planned
        return experiment
    except (OSError, *CONTENT_ERRORS) as error:
        raise TraceFileError(f"{plan_file}: not a valid plan ({cause_of(error)}); 'okbench run' rewrites it") from error


def check_text(value, what):
    if not isinstance(value, str) or CONTROL.search(value):
        raise ValueError(f"{what} {ascii(value)} must be one line of text")
    return value


def read_plan(name, folder, plan, folds):
    """Returns the Experiment of a parsed plan. Raises ValueError, LookupError or TypeError if the plan is invalid."""
    if plan["format"] not in (1, 2):
        raise ValueError(f"unknown format {plan['format']!r}; okbench reads 1 and 2")
    if plan["experiment"] != name:
        raise ValueError(f"belongs to the experiment {ascii(plan['experiment'])}")
    if plan["tier"] not in TIERS:
        raise ValueError(f"unknown tier {ascii(plan['tier'])}")
    overrides = plan["overrides"] if plan["format"] == 2 else []
    if not isinstance(overrides, list):
        raise ValueError("overrides must be a list")
    packed = segments.index_of(folder)
    once, searched = (
        [one for one in plan["trials"] if (one.get("fold") is not None) == of_search] for of_search in (False, True)
    )
    return Experiment(
        name,
        check_text(plan["title"], "title"),
        plan["tier"],
        [read_trial(folder, plan["format"], one, packed) for one in once],
        tuple(check_text(one, "override") for one in overrides),
        check_text(plan.get("spec", ""), "spec"),
        [read_trial(folder, plan["format"], one, packed) for one in searched if folds],
        tuple(check_text(one, "data set") for one in plan.get("replaced_data", [])),
    )


def read_trial(folder, written, trial, packed):
    """Reads one trial of a plan of format `written`, with its trace or failure record. Raises like read_plan().

    `packed`: the segments.Index of the directory.
    """
    axes, tuned = (trial["axes"], trial.get("tuned", [])) if written == 2 else (None, [])
    if written == 2 and not (isinstance(axes, dict) and isinstance(tuned, list)):
        raise ValueError(f"trial {ascii(trial['name'])}: axes must be an object, tuned a list")
    found = (Packed if trial["file"] in packed.places else Planned)(
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
        raise ValueError(f"{ascii(trial['file'])} is not a file inside the directory")
    record = failure_record(path)
    if record.exists():
        # A failure record takes precedence: a trace beside it is from an earlier run.
        found.failure = kind_of_failure(read_failure(record))
    elif path.is_file():
        found.trace = read_planned(path, found)
    elif isinstance(found, Packed):
        found.unread = functools.partial(read_planned, path, found)
        found.row = functools.partial(packed.row, trial["file"])
        found.segment = pathlib.Path(packed.places[trial["file"]][0])
    return found


def read_planned(path, trial):
    """Reads the trace of a planned trial. Raises TraceFileError, also if it is of another trial."""
    trace = read_trace(path)
    if trace.trial_id != trial.id:
        raise TraceFileError(f"{path}: belongs to trial {trace.trial_id}, the plan says {ascii(trial.id)}")
    # Only the trace has a digest, so the axes that claims select by must agree with it.
    if trial.axes is not None and trial.axes != trace.planned_axes:
        raise TraceFileError(f"{path}: parameters, data or repetition differ from the plan")
    return trace


def failure_record(path):
    """Path of the failure record that belongs to a trace path."""
    return path.with_suffix(".failed.json")


def read_failure(record):
    """Content of a failure record; {} if it cannot be read."""
    try:
        content = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def kind_of_failure(content):
    """Kind of a failure, such as "diverged"; a text that says so if the record could not be read."""
    try:
        return check_text(content["kind"], "kind")
    except (LookupError, ValueError):
        return "its record cannot be read"
