"""Table: the rows of results, one per trial. Every view of results starts from it."""

import functools
import os
import pathlib
import sys

import numpy as np

from ..errors import ClaimError, RequestError, TraceFileError
from ..native import module as _native
from . import streams
from .trace import read_trace

ACCEPT = "OKBENCH_STALE"  # 1: accept stale results
# Columns that identify a trial in a data frame. Parameters are further columns, param_NAME.
AXES = ("experiment", "learner", "data", "batch", "seed")
FIRST = ("experiment", "learner", "method", "label", "grid_point", "data", "batch", "seed")
# The error that ranks learners is the first of these that a trial has.
ERRORS = ("test_error", "test_rmse", "test_task_loss", "error_rate", "rmse", "task_loss")
PERCENT = {"test_error", "error_rate"}  # figures and tables show these in percent
COUNTS = ("requested", "computed", "evaluation")
TUNING = "tuned/kernel_evaluations/"
# Names in data frames of fields of a row; parameters/NAME is param_NAME, measures/NAME is NAME.
FRAME_NAMES = {
    "key": "learner",
    "learner": "method",
    "data_set": "data",
    "overrides": "overridden",
    "wall_seconds": "seconds",
    "trace_digest": "digest",
    "delay": "param_delay",
    **{f"kernel_evaluations/{kind}": kind for kind in COUNTS},
    **{f"{TUNING}{kind}": f"tuning_{kind}" for kind in COUNTS},
}


def frame_name(name):
    """The name of a column in a data frame."""
    for prefix, replacement in (("parameters/", "param_"), ("measures/", "")):
        if name.startswith(prefix):
            return replacement + name.removeprefix(prefix)
    return FRAME_NAMES.get(name, name)


class Column:
    """The values of a column: numbers (NaN if missing), texts (None if missing), or both."""

    def __init__(self, numbers, codes=None, texts=(), boolean=False):
        self.numbers, self.codes, self.boolean = numbers, codes, boolean
        self.texts = np.array([*texts, None], dtype=object)  # the code -1 is the last

    @property
    def is_number(self):
        return self.codes is None and not self.boolean

    @functools.cached_property
    def values(self):
        """An array: int64 or float64 of numbers, else objects. Do not change it."""
        if self.is_number:
            whole = len(self.numbers) and np.all(self.numbers == np.floor(self.numbers))  # false for NaN
            return self.numbers.astype(np.int64) if whole else self.numbers
        objects = self.texts[self.codes] if self.codes is not None else np.full(len(self.numbers), None, dtype=object)
        if self.numbers is not None:
            known = ~np.isnan(self.numbers)
            objects[known] = [bool(number) if self.boolean else number for number in self.numbers[known]]
        return objects

    def keys(self):
        """An array of numbers that are equal where values are equal."""
        codes = np.zeros(len(self), dtype=np.int64) if self.codes is None else self.codes.astype(np.int64)
        if self.numbers is None:
            return codes
        numbers = np.unique(self.numbers, return_inverse=True)[1]  # NaN is one value
        return codes * (numbers.max(initial=0) + 1) + numbers

    def __len__(self):
        return len(self.codes if self.numbers is None else self.numbers)


class Table:
    """The rows of results as columns by name; nested values have names like "kernel_evaluations/requested"."""

    def __init__(self, columns, rows, messages=()):
        self.columns = {name: Column(**fields) for name, fields in columns.items()}
        self.rows, self.messages = rows, list(messages)

    def __len__(self):
        return self.rows

    def __contains__(self, name):
        return name in self.columns

    def __getitem__(self, name):
        """The values of a column as an array."""
        return self.columns[name].values

    def name(self, place):
        """The name of a trial: EXPERIMENT/LEARNER[GRID POINT]/rN."""
        experiment, key, grid, seed = (self[column][place] for column in ("experiment", "key", "grid_point", "seed"))
        return f"{experiment}/{key}{f'[{grid}]' if grid else ''}/r{seed:.0f}"

    def add(self, name, numbers):
        """Adds a column of numbers, NaN if missing."""
        self.columns[name] = Column(np.asarray(numbers, dtype=float))

    @functools.cached_property
    def has_numbers(self):
        """Whether each row has the numbers of a valid result."""
        return np.char.startswith(self["status"].astype(str), "ok")

    def records(self, places=None):
        """Rows with the names of data frames, as a list of dictionaries. `places`: indices of rows; default: all."""
        places = np.arange(self.rows) if places is None else np.asarray(places, dtype=int)
        columns = {frame_name(name): self[name][places].tolist() for name in self.shown_columns()}
        return [dict(zip(columns, values)) for values in zip(*columns.values())]

    def shown_columns(self):
        """Names of the columns of a data frame. Empty objects and chosen parameters, which are parameters, are not."""
        known = {"tuned/candidate", "measures", "parameters", "cost_to_reach", "bounds", "tuned"}
        return [name for name in self.columns if name not in known and not name.startswith("tuned/chosen/")]

    def frame(self):
        """A pandas data frame: axes and parameters first. Columns without gaps keep their integers."""
        import pandas as pd

        frame = pd.DataFrame({frame_name(name): self[name] for name in self.shown_columns()})
        for name in ("replacement", "overridden"):
            frame[name] = frame[name].where(frame[name].notna(), "")
        for kind in COUNTS:
            name = f"tuning_{kind}"
            frame[name] = frame[name].fillna(0) if name in frame else 0
        if "param_delay" in frame:
            frame["param_delay"] = frame["param_delay"].fillna(0)
        parameters = sorted(name for name in frame.columns if name.startswith("param_"))
        first = [*FIRST, *parameters]
        return frame.reindex(columns=[*first, *(name for name in frame.columns if name not in first)])


def accepts_stale():
    return os.environ.get(ACCEPT) == "1"


def table(*paths, searches=False, stale=None, target=None, grouping=False):
    """The Table of trace files and result folders, without trials that occur twice.

    `searches`: include the trials of cross validation. `stale`: accept stale results; default: OKBENCH_STALE.
    `target`: add the cost to reach this average error. `grouping`: leave out id, trace_digest and file, whose values
    differ between all trials, and parameters of trials without a result; for many trials. Table.messages says why rows
    have no numbers. Raises RequestError for a path without results, TraceFileError for an invalid plan or failure
    record.
    """
    stale = accepts_stale() if stale is None else stale
    try:
        return Table(*_native.rows(paths, searches, stale, target, grouping))
    except ValueError as error:
        raise RequestError(str(error)) from error


class LazyTrace:
    """A Trace that is read when one of its attributes is used."""

    def __init__(self, path):
        self._path, self._trace = pathlib.Path(path), None

    def read(self):
        """The Trace. Raises TraceFileError."""
        if self._trace is None:
            self._trace = read_trace(self._path)
        return self._trace

    @property
    def path(self):
        return self._path

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.read(), name)

    def __getitem__(self, column):
        return self.read()[column]


def load(path="results/default", measures=None):
    """Returns a data frame with one row per trial of a trace file, or of all results below a folder.

    Columns:

    - `experiment`, `learner` (the key in the spec), `method`, `label`, `grid_point`, `data`, `batch`, `seed`
    - `param_NAME` for every parameter, including those chosen by cross validation; the kernel's grid parameters are
      named like `param_kernel.sigma`
    - `kernel`, `synthetic`, `replacement` (title of a real data set in place of `data`), `tier`, `overridden`
    - `status`: "ok", or why there is no result: "missing", "stale", "failed: KIND"
    - the measures of the summary (`error_rate`, `test_error`, ...) and of [measures] (`auc`, `auc@1000`, ...); NaN if
      the trial does not have the measure
    - the names of `measures`: {name: function of labels and scores}; NaN without recorded predictions of a stream
    - `requested`, `computed`, `evaluation`: kernel evaluations, without cross validation
    - `tuning_requested`, `tuning_computed`, `tuning_evaluation`: kernel evaluations of cross validation
    - `seconds`, `cpu_seconds`, `learner_peak_bytes`, `kernel_share`, `id`, `digest`, `setting`, `file`
    - `trace`: the Trace, read on its first use; its method `frame(table)` returns one of its tables as a data frame

    Verifies every digest. Raises ClaimError if there are no results, TraceFileError if a file cannot be read.
    """
    if not os.path.exists(path):
        raise ClaimError(f"{path}: no results here; okbench run makes some")
    try:
        rows = table(path)
    except RequestError as error:
        raise ClaimError(str(error)) from error
    damaged = np.flatnonzero(rows["status"] == "corrupt")
    if len(damaged):
        name = os.path.basename(rows["file"][damaged[0]])
        causes = [line for line in rows.messages if name in line or "not a valid segment" in line]
        raise TraceFileError(causes[0] if causes else f"{rows['file'][damaged[0]]}: its trace is damaged")
    accepted = int(np.sum(rows["status"] == "ok (stale)"))
    if accepted:
        print(f"okbench: {path}: accepts {accepted} stale results", file=sys.stderr)
    frame = rows.frame()
    frame.loc[frame["status"] == "ok (stale)", "status"] = "ok"
    frame["trace"] = [LazyTrace(file) if has else None for file, has in zip(frame["file"], rows.has_numbers)]
    for name, function in (measures or {}).items():
        frame[name] = [recorded(trace, function) for trace in frame["trace"]]
        frame = frame[[*(column for column in frame.columns if column != "trace"), "trace"]]
    return frame


def recorded(trace, function):
    """The last value of a function of labels and scores; None without recorded predictions."""
    if trace is None or "predictions" not in trace.tables:
        return None
    return streams.last(streams.stream_of(trace), function)


def to_xarray(frame, measures=("error_rate", "test_error", "requested", "support_vectors")):
    """Returns the trials of a data frame as an xarray.Dataset.

    The axes and parameters that vary are its dimensions, the measures its variables. Raises ClaimError if two trials
    have the same coordinates.
    """
    axes = [name for name in frame.columns if name in AXES or name.startswith("param_")]
    varying = [name for name in axes if frame[name].astype(str).nunique() > 1] or ["experiment"]
    grid = frame[[*varying, *[name for name in measures if name in frame]]]
    if grid.duplicated(varying).any():
        raise ClaimError(f"two trials have the same {', '.join(varying)}: select rows by learner or experiment first")
    return grid.set_index(varying).to_xarray()
