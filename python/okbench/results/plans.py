"""Plans: the trials of a spec with the result of each."""

import dataclasses
import json
import pathlib
import re

from ..errors import CONTENT_ERRORS, TraceFileError, cause_of
from ..native import module as _native
from .names import same_value
from .trace import Trace, read_trace

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # control, line separator, surrogate
TIERS = ("quick", "default", "paper")
FORMAT = 2  # of plan.json


@dataclasses.dataclass
class Planned:
    """A trial of a plan, with its trace or the reason why there is none."""

    name: str
    learner_key: str
    grid_point: str
    label: str
    repetition: int
    axes: dict  # {axis: value} for [axis=value] in names
    failure: str | None = None  # kind of failure
    tuned: tuple = ()  # names of the parameters that cross validation chooses
    id: str = ""
    path: pathlib.Path | None = None  # path of the trace, which may not exist
    stored_in: pathlib.Path | None = None  # file that contains the trace: a trace file or a segment; None without one
    needs: tuple = ()  # ids of the cross-validation trials that choose its parameters
    stale: str | None = None  # how the present spec, data or code differs from those of the result

    _trace: Trace | None = None  # after it was read

    @property
    def has_result(self):
        """Whether there is a trace. Does not read it."""
        return self._trace is not None or self.stored_in is not None

    @property
    def trace(self):
        """The Trace, which is read on the first use; None without one. Raises TraceFileError."""
        if self._trace is None and self.stored_in is not None:
            self._trace = self.read()
        return self._trace

    def read(self):
        """Reads the trace. Raises TraceFileError, also if it is of another trial."""
        trace = read_trace(self.path)
        if trace.trial_id != self.id:
            raise TraceFileError(f"{self.path}: belongs to trial {trace.trial_id}, the plan says {ascii(self.id)}")
        # Only the trace has a digest, so the axes that claims select by must agree with it.
        if self.axes != trace.planned_axes:
            raise TraceFileError(f"{self.path}: parameters, data or repetition differ from the plan")
        return trace

    def discard(self, reason):
        """Treats the result as missing, because it is stale for this reason."""
        self._trace, self.stored_in, self.stale = None, None, reason

    @property
    def data_set(self):
        return self.axes["data"]

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
        if axis in self.tuned and axis not in self.axes:
            return not self.has_result or same_value(self.trace.parameters.get(axis), text)
        return same_value(self.axes.get(axis, 0 if axis == "delay" else None), text)


@dataclasses.dataclass
class Experiment:
    """The trials of one spec, in plan order.

    Cross-validation trials are in `folds`, and only if read_experiment() was called with searches=True. The summaries
    of the tuned trials hold the chosen parameters and the cost of the search.
    """

    name: str
    title: str
    tier: str
    trials: list
    overrides: tuple = ()  # "PATH=VALUE" texts, as given on the command line
    spec: str = ""  # path of the spec, as given on the command line
    folds: list = dataclasses.field(default_factory=list)  # cross-validation trials
    replaced_data: tuple = ()  # names of data sets that a catalog of the user had replaced
    unplanned: list = dataclasses.field(default_factory=list)  # trials of the present spec that the plan lacks
    planned: dict = dataclasses.field(default_factory=dict)  # {(learner, grid point): trials} if `trials` has some
    folder: pathlib.Path | None = None  # with the plan and the traces

    @property
    def unplanned_note(self):
        """How many trials of the present spec the plan lacks, as a sentence; empty without such trials."""
        count = len(self.unplanned)
        return f"the present spec of {self.name} has {count} more trials; run it again" if count else ""

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
        return "run with " + " ".join(f"--set {override}" for override in self.overrides) if self.overrides else ""

    def by_learner(self, key):
        """Traces of [learners.KEY]: all grid points and repetitions."""
        return [trace for trace in self.traces if trace.provenance["learner_key"] == key]


def read_experiment(results, name, searches=False, most=0):
    """Reads the Experiment below a result folder. Returns None if it has no plan.json.

    `searches`: also read the cross-validation trials. `most`: read at most so many trials per learner and grid point;
    0: all. Raises TraceFileError.
    """
    if CONTROL.search(name):
        raise TraceFileError(f"{results}: {ascii(name)} is not an experiment inside this folder")
    plan = _native.plan(results, name, most, searches)
    if plan is None:
        return None
    header, trials, planned = plan
    try:
        experiment = experiment_of(name, header, trials, planned)
        experiment.folder = pathlib.Path(results, name)
        return experiment
    except CONTENT_ERRORS as error:
        path = pathlib.Path(results, name, "plan.json")
        raise TraceFileError(f"{path}: not a valid plan ({cause_of(error)}); 'okbench run' rewrites it") from error


def check_text(value, what):
    if not isinstance(value, str) or CONTROL.search(value):
        raise ValueError(f"{what} {ascii(value)} must be one line of text")
    return value


def experiment_of(name, header, trials, planned):
    """Returns the Experiment of a plan. Raises ValueError, LookupError or TypeError if the plan is invalid."""
    if header["format"] != FORMAT:
        raise ValueError(f"unknown format {header['format']!r}; okbench reads {FORMAT}")
    if header["experiment"] != name:
        raise ValueError(f"belongs to the experiment {ascii(header['experiment'])}")
    if header["tier"] not in TIERS:
        raise ValueError(f"unknown tier {ascii(header['tier'])}")
    if not isinstance(header["overrides"], list):
        raise ValueError("overrides must be a list")
    return Experiment(
        name,
        check_text(header["title"], "title"),
        header["tier"],
        [trial_of(entry) for entry in trials if entry["fold"] is None],
        tuple(check_text(override, "override") for override in header["overrides"]),
        check_text(header.get("spec", ""), "spec"),
        [trial_of(entry) for entry in trials if entry["fold"] is not None],
        tuple(check_text(data_set, "data set") for data_set in header.get("replaced_data", [])),
        planned=planned,
    )


def trial_of(entry):
    """The Planned trial of an entry of a plan. Raises like experiment_of()."""
    axes, tuned = entry["axes"], entry.get("tuned", [])
    if not (isinstance(axes, dict) and isinstance(tuned, list)):
        raise ValueError(f"trial {ascii(entry['name'])}: axes must be an object, tuned a list")
    stored_in = pathlib.Path(entry["stored_in"])
    return Planned(
        check_text(entry["name"], "name"),
        check_text(entry["learner_key"], "learner"),
        check_text(entry["grid_point"], "grid point"),
        check_text(entry["label"], "label"),
        int(entry["repetition"]),
        axes,
        failure=kind_of_failure(read_failure(stored_in)) if entry["place"] == "failure" else None,
        tuned=tuple(tuned),
        id=check_text(entry["id"], "id"),
        path=pathlib.Path(entry["path"]),
        stored_in=stored_in if entry["place"] in ("file", "segment") else None,
        needs=tuple(entry.get("needs", ())),
    )


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
