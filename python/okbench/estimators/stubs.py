"""python -m okbench.estimators.stubs: the text of okbench/__init__.pyi, what type checkers and editors see of the
package. The estimators in it are those of the registry; a test compares the file."""

from . import ESTIMATORS
from .kinds import Classifier, Regressor

HEAD = '''"""okbench in Python: estimators, results, figures. Generated: python -m okbench.estimators.stubs."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from . import claims as claims
from . import errors as errors

__version__: str

class KernelEvaluations(NamedTuple):
    requested: int
    computed: int
    evaluation: int
    features: int
    measured_features: int

class Estimator:
    n_features_in_: int
    @property
    def support_vectors_(self) -> Any: ...
    @property
    def dual_coef_(self) -> Any: ...
    @property
    def intercept_(self) -> Any: ...
    @property
    def coef_(self) -> Any: ...
    @property
    def components_(self) -> Any: ...
    @property
    def kernel_evaluations_(self) -> KernelEvaluations: ...
    @property
    def trace_(self) -> Any: ...
    @property
    def trace_digest_(self) -> str: ...
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def predict(self, X: Any) -> Any: ...

class Classifier(Estimator):
    classes_: Any
    def fit(self, X: Any, y: Any) -> Self: ...
    def decision_function(self, X: Any) -> Any: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

class Regressor(Estimator):
    def fit(self, X: Any, y: Any) -> Self: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

class NoveltyDetector(Estimator):
    @property
    def offset_(self) -> float: ...
    def fit(self, X: Any, y: Any = None) -> Self: ...
    def fit_predict(self, X: Any, y: Any = None) -> Any: ...
    def decision_function(self, X: Any) -> Any: ...
    def score_samples(self, X: Any) -> Any: ...
'''
TAIL = """
def load_estimator(path: str | os.PathLike[str]) -> Any: ...
def load(place: str | os.PathLike[str] = "results/default") -> Any: ...
def to_xarray(frame: Any, measures: Sequence[str] = ...) -> Any: ...
def data(
    name: str,
    part: str = "train",
    positive: Sequence[int] = (),
    scale: tuple[float, float] | None = None,
    unit_norm: bool = False,
    synthetic: bool = False,
    rows: int = 0,
    dtype: str = "float32",
) -> tuple[Any, Any]: ...
def run(
    spec: str | os.PathLike[str] | Mapping[str, Any],
    tier: str = "default",
    overrides: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] | None = None,
    only: str = "",
    jobs: int = 0,
    timeout: float = 0,
    fresh: bool = False,
    progress: bool = True,
    learners: Mapping[str, Callable[..., Any]] | None = None,
) -> Any: ...
def plot(
    places: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    x: str = "requested",
    y: str = "error",
    only: str = "*",
    log: str | Sequence[str] = (),
    results: str | os.PathLike[str] = "results/default",
    target: float | None = None,
) -> Any: ...
"""
# What may be given where the default alone would say less.
TYPES = {
    "gamma": "float | str",
    "sigma": "float | None",
    "kernel": "str | Mapping[str, Any]",
    "random_state": "Any",
}
PARTIAL = {
    Classifier: "X: Any, y: Any, classes: Any = None",
    Regressor: "X: Any, y: Any",
}


def text():
    """The file."""
    blocks = [HEAD]
    for name, estimator in ESTIMATORS.items():
        base = estimator.__mro__[1]
        lines = [f"class {name}({base.__name__}):"]
        if estimator._learner["resumable"]:
            lines.append(f"    def partial_fit(self, {PARTIAL.get(base, 'X: Any, y: Any = None')}) -> Self: ...")
        lines += ["    def __init__(", "        self,", "        *,"]
        for parameter, default in estimator().get_params().items():
            kind = TYPES.get(parameter, type(default).__name__)
            lines.append(f"        {parameter}: {kind} = {default!r},".replace("'", '"'))
        lines.append("    ) -> None: ...")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join([*blocks, TAIL.lstrip("\n")])


if __name__ == "__main__":
    print(text(), end="")
