"""The learners of okbench, compiled; use them through the package okbench."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_Path = str | os.PathLike[str]

class Session:
    """One learner on rows in memory."""

    def __init__(self, request: str, double_precision: bool, kernel: object = None) -> None: ...
    @staticmethod
    def load(saved: bytes, kernel: object = None) -> Session: ...
    def learn(
        self,
        rows: object,
        classes: npt.NDArray[np.int32] | None,
        targets: npt.NDArray[np.float64] | None,
        weights: npt.NDArray[np.float64] | None,
        restart: bool,
    ) -> bool: ...
    def learn_dict(
        self,
        places: dict[Any, int],
        x: dict[Any, Any],
        label: float,
        weight: float,
        sparse: bool,
        constant: bool,
    ) -> bool: ...
    def scores_of_dict(
        self, places: dict[Any, int], x: dict[Any, Any], sparse: bool, constant: bool
    ) -> list[float]: ...
    def add_class(self) -> None: ...
    def add_features(self, count: int, at: int, sparse: bool) -> None: ...
    def scores(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]: ...
    def predict(self, rows: object) -> npt.NDArray[np.float64]: ...
    def variances(self, rows: object) -> npt.NDArray[np.float64]: ...
    def model(self) -> dict[str, Any]: ...
    def counts(self) -> dict[str, int]: ...
    def trace(self) -> dict[str, Any]: ...
    def save(self, estimator: str = "") -> bytes: ...
    @property
    def double_precision(self) -> bool: ...
    @property
    def estimator(self) -> str: ...
    @property
    def features(self) -> int: ...
    @property
    def rows(self) -> int: ...

class HandedKernel:
    """The counted kernel of a trial, for a learner that is a Python object."""

    def values(self, a: object, b: object) -> npt.NDArray[Any]:
        """k(a_i, b_j) of rows in the kernel's precision."""
    @property
    def precision(self) -> str: ...

def version() -> str:
    """Version, commit and compiler of this build."""

def home() -> str:
    """Folder with experiments/ and datasets/: OKBENCH_HOME, else the package's own."""

def target() -> str:
    """The instruction set in use, e.g. 'avx2'; RuntimeError when the processor has no fused multiply-add."""

def prediction_measures() -> list[dict[str, Any]]:
    """The measures of predictions: name, title, percent, larger."""

def unfit(measure: str, kind: str, classes: int) -> str:
    """Why a measure cannot be computed from such scores; empty if it can."""

def measured(
    measure: str,
    window: int,
    kind: str,
    classes: int,
    scores: Any,
    targets: Any,
    labels: Any,
    predicted: Any,
    steps: Any,
) -> Any:
    """A measure after each of the steps, over the last `window` rows or, with 0, over all."""

def trace(path: _Path) -> dict[str, Any]:
    """spec, summary, provenance, tables, trial_id, digest, training and undigested; raises TraceFileError."""

def has_trace(path: _Path) -> bool:
    """Whether a trace exists, in a file or a segment, and no failure record does."""

def axes(specs: Sequence[_Path]) -> list[dict[str, Any]]:
    """The experiment of each spec, and the values of each axis of its learners over all tiers; raises ValueError."""

def plan_header(path: _Path) -> dict[str, Any]:
    """Everything of a plan.json but its trials; raises TraceFileError."""

def plan(
    results: _Path, experiment: str, most: int = 0, searches: bool = False
) -> tuple[dict[str, Any], list[dict[str, Any]], dict[tuple[str, str], int]] | None:
    """Header, trials and numbers of planned trials; None without a plan. Raises TraceFileError."""

def compare_plans(results: _Path) -> tuple[dict[str, str], list[str]]:
    """Reasons of stale results by trial id, and names of unplanned trials. Raises TraceFileError, ValueError."""

def rows(
    paths: Sequence[_Path],
    searches: bool = False,
    stale: bool = False,
    target: float | None = None,
    grouping: bool = False,
) -> tuple[dict[str, dict[str, Any]], int, list[str]]:
    """Columns, number of rows and messages of all trials. Raises ValueError, TraceFileError."""

def rows_json(
    paths: Sequence[_Path], searches: bool, stale: bool, target: float | None, write: Callable[[str], object]
) -> tuple[bool, list[str]]:
    """Passes the rows as JSON to write(text); whether every row has numbers, and messages."""

def row_fields() -> list[dict[str, Any]]:
    """Name, meaning, reproducible and stored of the fields of a row."""

def compare(a: _Path, b: _Path) -> tuple[int, list[dict[str, Any]]]:
    """Number of compared traces, and differences bit for bit."""

def learners() -> str:
    """The registry of learners, as JSON."""

def losses() -> str:
    """The registry of losses, as JSON."""

def data(
    name: str,
    part: str,
    positive: Sequence[int],
    scale: tuple[float, float] | None,
    unit_norm: bool,
    synthetic: bool,
    rows: int,
    double_precision: bool,
) -> tuple[Any, Any]:
    """Rows and labels of a data set of the catalog."""

def run(
    specs: Sequence[str],
    tier: str,
    overrides: Sequence[str],
    out: str,
    only: str,
    jobs: int,
    timeout: float,
    force: bool,
    quiet: bool,
    progress: Callable[[int, int, str], None] | None,
    learners: Sequence[object] = ...,
) -> int:
    """Runs the trials of specs that have no valid result yet; the exit status."""

def default_folder(tier: str, overrides: Sequence[str]) -> str:
    """The result folder of a run that names none."""
