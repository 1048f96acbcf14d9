"""Traces: one trial's columns, and what it says of itself."""

import dataclasses
import pathlib

import numpy as np

from ..errors import ClaimError, NotRun
from . import files
from .names import is_number, nearest


class Named(dict):
    """Tables by name, or a table's columns; one that is not there is a ClaimError: a claim or figure asked for it."""

    def __init__(self, what, content):
        super().__init__(content)
        self.what = what  # "TRIAL has no column", for the error

    def __missing__(self, name):
        raise ClaimError(f"{self.what} '{name}'{nearest(name, self)}")


@dataclasses.dataclass
class Trace:
    """One trial: its columns as arrays, and its attributes."""

    path: pathlib.Path
    spec: dict
    summary: dict
    provenance: dict
    tables: dict
    trial_id: str = ""
    digest: str = ""  # of the deterministic columns, verified

    def __post_init__(self):
        self.tables = Named(
            f"{self.name} has no table",
            {name: Named(f"{self.name} has in its table '{name}' no column", of) for name, of in self.tables.items()},
        )

    def __getitem__(self, column):
        """A column of the table "trace"."""
        return self.tables["trace"][column]

    @property
    def name(self):
        """The trial's name in plans, as far as the trace tells it."""
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

    @property
    def planned_axes(self):
        """The axes that its plan has of it: without parameters that cross validation chose."""
        return {
            "data": self.data_set,
            "batch": self.spec["data"].get("batch"),
            "repetition": self.spec.get("repetition"),
            **self.spec["parameters"],
            **{f"kernel.{key}": value for key, value in (self.spec.get("kernel_point") or {}).items()},
        }

    @property
    def axes(self):
        """What a claim's [axis=value] may name."""
        return {**self.planned_axes, **self.parameters}

    def parameter(self, name):
        """One of the parameters; one that the trial does not have is a ClaimError."""
        if name not in self.parameters:
            raise ClaimError(f"{self.name} has no parameter '{name}'{nearest(name, self.parameters)}")
        return self.parameters[name]

    def metric(self, name):
        """A measure of the whole run: what the summary has, or the insertions at the end."""
        if name == "insertions":
            return self["insertions"][-1]
        if name not in self.summary:
            measured = [one for one, value in self.summary.items() if is_number(value)]
            raise ClaimError(f"{self.name} has no measure '{name}'{nearest(name, measured)}")
        if self.summary[name] is None:
            raise NotRun(f"{self.name} has no number for {name}")
        return self.summary[name]

    def cost(self, kind):
        """Kernel evaluations (requested, computed or evaluation) of the run with its cross validation: an exact
        count."""
        search = self.summary.get("tuned", {}).get("kernel_evaluations", {}).get(kind, 0)
        return self.summary["kernel_evaluations"][kind] + search

    def bounds(self, kind):
        """What branch and bound did in the last test: bounded, boxes or missed."""
        if not self.summary.get("bounds"):
            raise NotRun(f"{self.name} has not searched by bounds")
        return self.summary["bounds"][kind]

    def frame(self, table="trace"):
        """A table (trace, checkpoints, ...) as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame({name: np.asarray(column) for name, column in self.tables[table].items()})

    @property
    def average_error(self):
        """Mistakes over the examples that they were counted on, at the recorded steps: of a stream those of 1..t."""
        return self["mistakes"] / self.counted

    @property
    def counted(self):
        """Examples that mistakes and losses were counted on, at the recorded steps."""
        if self.provenance.get("counted") == "training set":
            return np.full(len(self["step"]), self.provenance["data_shape"]["train"])
        return self.processed

    @property
    def processed(self):
        """Examples shown so far, at the recorded steps: a stream shows one a step, a batch method all in each round."""
        if "examples" in self.tables["trace"]:
            return self["examples"]
        if self.provenance.get("counted") == "training set":
            return np.full(len(self["step"]), self.summary["examples"])
        return self["step"]


def read_trace(path):
    """One trace file, checked; raises TraceFileError."""
    content = files.read(path)
    return Trace(
        pathlib.Path(path),
        **content.attributes,
        tables=content.tables,
        trial_id=content.trial_id,
        digest=content.digest,
    )


def mean_and_spread(traces, value):
    """Mean and standard deviation of a value of each trace; 0 for a single one."""
    values = [value(trace) for trace in traces]
    return np.mean(values), np.std(values, ddof=1) if len(values) > 1 else 0.0
