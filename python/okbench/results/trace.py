"""Traces: the columns and attributes of one trial."""

import dataclasses
import pathlib

import numpy as np

from ..errors import ClaimError, NotRun, nearest
from ..native import module as _native
from . import streams
from .marks import SYNTHETIC
from .names import is_number


class Named(dict):
    """Tables or columns by name. A missing one raises ClaimError, because a claim or figure requested it."""

    def __init__(self, what, content):
        super().__init__(content)
        self.what = what  # start of the error message, such as "TRIAL has no column"

    def __missing__(self, name):
        raise ClaimError(f"{self.what} '{name}'{nearest(name, self)}")


@dataclasses.dataclass
class Trace:
    """The trace of one trial: tables of columns as arrays, and attributes."""

    path: pathlib.Path
    spec: dict
    summary: dict
    provenance: dict
    tables: dict
    trial_id: str = ""
    digest: str = ""  # verified SHA-256 of the deterministic columns
    training: int = 0  # number of training examples
    undigested: dict = dataclasses.field(default_factory=dict)  # {table: columns that the digest leaves out}

    def __post_init__(self):
        self.tables = Named(
            f"{self.name} has no table",
            {name: Named(f"{self.name}: table '{name}' has no column", of) for name, of in self.tables.items()},
        )

    def __getitem__(self, column):
        """A column of the table "trace"."""
        return self.tables["trace"][column]

    @property
    def name(self):
        """Name of the trial as in plans; parts that the trace does not record are missing or None."""
        grid = self.provenance.get("grid_point")
        return (
            f"{self.spec.get('experiment')}/{self.provenance.get('learner_key')}"
            f"{f'[{grid}]' if grid else ''}/r{self.spec.get('repetition')}"
        )

    @property
    def label(self):
        return self.provenance["label"]

    @property
    def synthetic(self):
        return self.provenance["synthetic"]

    @property
    def replacement(self):
        """Title of the real data set in place of the named one; empty for the named one."""
        return self.provenance.get("replacement", "")

    @property
    def data_mark(self):
        """What figures and tables say of the data: that they are synthetic, or the replacement; else empty."""
        return SYNTHETIC if self.synthetic else self.replacement

    @property
    def data_set(self):
        return self.spec["data"]["name"]

    @property
    def checkpoints(self):
        """The columns of the table "checkpoints"."""
        return self.tables["checkpoints"]

    @property
    def parameters(self):
        """All parameters, including those chosen by cross validation."""
        return {**self.spec["parameters"], **self.summary.get("tuned", {}).get("chosen", {})}

    @property
    def planned_axes(self):
        """Axes of the trial in its plan: without the parameters that cross validation chose."""
        return {
            "data": self.data_set,
            "batch": self.spec["data"].get("batch"),
            "repetition": self.spec.get("repetition"),
            **({"delay": self.spec["data"]["delay"]} if "delay" in self.spec["data"] else {}),
            **self.spec["parameters"],
            **{f"kernel.{key}": value for key, value in (self.spec.get("kernel_point") or {}).items()},
        }

    @property
    def axes(self):
        """Axes that [axis=value] in a trial name may use."""
        return {**self.planned_axes, **self.parameters}

    def parameter(self, name):
        """Value of one parameter. Raises ClaimError if the trial does not have it."""
        if name not in self.parameters:
            raise ClaimError(f"{self.name} has no parameter '{name}'{nearest(name, self.parameters)}")
        return self.parameters[name]

    def metric(self, name):
        """A measure of the whole run: a number of the summary, or the final value of "insertions".

        Raises ClaimError for an unknown measure, NotRun if the summary has null.
        """
        if name == "insertions":
            return self["insertions"][-1]
        if name not in self.summary:
            measured = [measure for measure, value in self.summary.items() if is_number(value)]
            raise ClaimError(f"{self.name} has no measure '{name}'{nearest(name, measured)}")
        if self.summary[name] is None:
            raise NotRun(f"{self.name} has no value for {name}")
        return self.summary[name]

    def cost(self, kind):
        """Exact number of kernel evaluations of a kind (requested, computed, evaluation), with cross validation."""
        search = self.summary.get("tuned", {}).get("kernel_evaluations", {}).get(kind, 0)
        return self.summary["kernel_evaluations"][kind] + search

    def cumulative(self, kind):
        """Kernel evaluations of a kind (requested, computed) so far, at the recorded steps.

        An evaluated coordinate of an explicit feature map (FOGD, NOGD) counts as one: it also takes a dot product.
        """
        table = self.tables["trace"]
        values = np.asarray(table[f"kernel_{kind}"], dtype=float)
        if "feature_evaluations" in table:
            values = values + np.asarray(table["feature_evaluations"], dtype=float)
        return values

    def bounds(self, kind):
        """A count of branch and bound in the last test: "bounded", "boxes" or "missed". Raises NotRun without it."""
        if not self.summary.get("bounds"):
            raise NotRun(f"{self.name} did not use branch and bound")
        return self.summary["bounds"][kind]

    def measure(self, name, window=None, at=None):
        """(steps, values) of a measure of the stream, such as "kappa", or of a function of labels and scores.

        `window`: number of last steps; None: all so far. `at`: the steps; default: the recorded ones if the spec chose
        the measure ([measures]), else up to 500, evenly spaced, from recorded predictions. Raises ClaimError and
        NotRun.
        """
        column = f"{name}@{window}" if window else name
        if at is None and isinstance(column, str) and column in self.tables["trace"]:
            return self["step"], self[column]
        return streams.measured(streams.stream_of(self), name, window, at)

    def frame(self, table="trace"):
        """A table ("trace", "checkpoints", ...) as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame({name: np.asarray(column) for name, column in self.tables[table].items()})

    @property
    def average_error(self):
        """Mistakes divided by `counted`, at the recorded steps; of a stream, the error rate on examples 1..t."""
        return self["mistakes"] / self.counted

    @property
    def counted(self):
        """Number of examples that mistakes and losses are counted on, at the recorded steps."""
        if self.provenance.get("counted") == "training set":
            return np.full(len(self["step"]), self.training)
        return self.processed

    @property
    def processed(self):
        """Examples processed so far, at the recorded steps: one per step of a stream, all in each round of a method
        that counts on the whole training set."""
        if "examples" in self.tables["trace"]:
            return self["examples"]
        if self.provenance.get("counted") == "training set":
            return np.full(len(self["step"]), self.summary["examples"])
        return self["step"]


def read_trace(path):
    """Reads and verifies a trace, from a segment of its folder if it has no file. Raises TraceFileError."""
    return Trace(pathlib.Path(path), **_native.trace(path))


def mean_and_spread(traces, value):
    """Mean and sample standard deviation of value(trace) over the traces; deviation 0 for a single trace."""
    values = [value(trace) for trace in traces]
    return np.mean(values), np.std(values, ddof=1) if len(values) > 1 else 0.0
