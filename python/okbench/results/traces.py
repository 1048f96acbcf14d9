"""Reading trace files and the plans that say which of them belong together."""

import dataclasses
import json
import pathlib

import h5py
import numpy as np

from ..errors import TraceFileError

TRACE_FORMAT = 1


@dataclasses.dataclass
class Trace:
    """One trial: its columns as arrays, and its attributes."""

    path: pathlib.Path
    spec: dict
    summary: dict
    provenance: dict
    tables: dict

    def __getitem__(self, column):
        """A column of the table "trace"."""
        return self.tables["trace"][column]

    @property
    def label(self):
        return self.provenance["label"]

    @property
    def stand_in(self):
        return self.provenance["stand_in"]

    @property
    def data_set(self):
        return self.spec["data"]["name"]

    @property
    def checkpoints(self):
        """The columns of the table "checkpoints"."""
        return self.tables["checkpoints"]

    @property
    def parameters(self):
        """All parameters, those chosen by cross validation included."""
        return {**self.spec["parameters"], **self.summary.get("tuned", {}).get("chosen", {})}

    def cost(self, kind):
        """Kernel evaluations (requested, computed or evaluation) of the run with its cross validation: an exact
        count."""
        search = self.summary.get("tuned", {}).get("kernel_evaluations", {}).get(kind, 0)
        return self.summary["kernel_evaluations"][kind] + search

    @property
    def average_error(self):
        """Mistakes among examples 1..t over t, at the recorded steps."""
        return self["mistakes"] / self["step"]


def read_trace(path):
    """One trace file; raises TraceFileError."""
    try:
        with h5py.File(path, "r") as file:
            if int(file.attrs["format"]) != TRACE_FORMAT:
                raise TraceFileError(f"{path}: its format is {file.attrs['format']}, okbench reads {TRACE_FORMAT}")

            def text(name):
                value = file.attrs[name]
                return json.loads(value.decode() if isinstance(value, bytes) else str(value))

            tables = {
                name: {column: np.asarray(data) for column, data in group.items()} for name, group in file.items()
            }
            return Trace(pathlib.Path(path), text("spec"), text("summary"), text("provenance"), tables)
    except (OSError, KeyError, ValueError) as error:
        raise TraceFileError(f"{path}: not a valid trace file: {error}") from error


def mean_and_spread(traces, value):
    """Mean and standard deviation of a value of each trace; 0 for a single one."""
    values = [value(trace) for trace in traces]
    return np.mean(values), np.std(values, ddof=1) if len(values) > 1 else 0.0


@dataclasses.dataclass
class Experiment:
    """The traces of one spec, in the order of its plan; those of cross validation are left to the tuned trials, whose
    summaries hold what the search chose and cost."""

    name: str
    title: str
    tier: str
    traces: list
    missing: list

    def by_learner(self, key):
        """Traces of one [learners.KEY], all grid points and repetitions."""
        return [trace for trace in self.traces if trace.provenance["learner_key"] == key]


def read_experiment(results, name):
    """The experiment's traces below a result folder, or None when it has not been run."""
    folder = pathlib.Path(results) / name
    plan_file = folder / "plan.json"
    if not plan_file.is_file():
        return None
    try:
        plan = json.loads(plan_file.read_text())
        trials, title = plan["trials"], (plan["experiment"], plan["title"], plan["tier"])
    except (ValueError, KeyError) as error:
        raise TraceFileError(f"{plan_file}: not a valid plan; okbench run writes it anew") from error
    traces, missing = [], []
    for trial in trials:
        if trial.get("fold") is not None:
            continue
        path = folder / trial["file"]
        if path.is_file():
            traces.append(read_trace(path))
        else:
            missing.append(trial["name"])
    return Experiment(*title, traces, missing)
