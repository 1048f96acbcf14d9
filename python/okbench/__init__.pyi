"""okbench in Python: estimators, results, figures. Generated: python -m okbench.estimators.stubs."""

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

class BCFW(Classifier):
    def __init__(
        self,
        *,
        cache_mib: int = 1024,
        degree: int = 2,
        distance: str = "zero-one",
        epochs: int = 100,
        gamma: float | str = "scale",
        gap: float = 0.001,
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.0001,
        output_kernel: str = "identity",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class BPAS(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        C: float = 1.0,
        budget: int = 1000,
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class BSGD(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        budget: int = 1000,
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.0001,
        maintenance: str = "projection",
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class FOGD(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        degree: int = 2,
        epochs: int = 1,
        eta: float = 0.5,
        features: int = 400,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
        target_loss: str = "squared",
        width: float = 0.1,
    ) -> None: ...

class FOGDRegressor(Regressor):
    def partial_fit(self, X: Any, y: Any) -> Self: ...
    def __init__(
        self,
        *,
        degree: int = 2,
        epochs: int = 1,
        eta: float = 0.5,
        features: int = 400,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
        target_loss: str = "squared",
        width: float = 0.1,
    ) -> None: ...

class Forgetron(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        budget: int = 1000,
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class Hindsight(Classifier):
    def __init__(
        self,
        *,
        c: float = 1.0,
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        margin: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
        tolerance: float = 1e-06,
    ) -> None: ...

class KRLSRegressor(Regressor):
    def partial_fit(self, X: Any, y: Any) -> Self: ...
    def __init__(
        self,
        *,
        budget: int = 0,
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        nu: float = 0.001,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class KT(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class KernelOGD(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        degree: int = 2,
        epochs: int = 1,
        eta: float = 0.5,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class LaSVM(Classifier):
    def __init__(
        self,
        *,
        cache_mib: int = 1024,
        candidates: int = 50,
        degree: int = 2,
        epochs: int = 1,
        finishing: bool = True,
        gamma: float | str = "scale",
        gradients: str = "training-set",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.0001,
        random_state: Any = 0,
        selection: str = "gradient",
        sigma: float | None = None,
        tau: float = 0.001,
    ) -> None: ...

class LibLinear(Classifier):
    def __init__(
        self,
        *,
        lambda_: float = 0.0001,
        random_state: Any = 0,
        tolerance: float = 0.001,
    ) -> None: ...

class LinearOnlineSVM(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        average: bool = False,
        batch: int = 10,
        epochs: int = 5,
        lambda_: float = 0.0001,
        order: str = "uniform",
        projection: bool = False,
        random_state: Any = 0,
    ) -> None: ...

class MIRA(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        beta: float = 0.01,
        cache: str = "none",
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        removal_row: str = "recompute",
        sigma: float | None = None,
        size: int = 1000,
    ) -> None: ...

class MulticlassSVM(Classifier):
    def __init__(
        self,
        *,
        C: float = 1.0,
        cache_mib: int = 512,
        degree: int = 2,
        gamma: float | str = "scale",
        gap: float = 0.001,
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        max_rounds: int = 1000000,
        random_state: Any = 0,
        shrinking: bool = True,
        sigma: float | None = None,
    ) -> None: ...

class NOGD(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        budget: int = 1000,
        degree: int = 2,
        epochs: int = 1,
        eta: float = 0.5,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        rank: float = 0.2,
        sigma: float | None = None,
        start: str = "carried",
    ) -> None: ...

class NORMA(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        average: bool = False,
        buffer: int = 512,
        c: float = 0.0,
        degree: int = 2,
        dropped: str = "ignored",
        epochs: int = 1,
        eta0: float = 1.0,
        eta_margin0: float = 1.0,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        loss: str = "auto",
        margin: float = 1.0,
        margin_update: str = "exponential",
        nu: float = 0.0,
        offset: bool = False,
        order: str = "permutation",
        output_kernel: str = "identity",
        random_state: Any = 0,
        schedule: str = "sqrt-decay",
        sigma: float | None = None,
        tau: float = 100.0,
        truncation_error: float = 0.0,
    ) -> None: ...

class NORMANoveltyDetector(NoveltyDetector):
    def partial_fit(self, X: Any, y: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        average: bool = False,
        buffer: int = 512,
        c: float = 0.01,
        degree: int = 2,
        dropped: str = "ignored",
        epochs: int = 20,
        eta0: float = 1.0,
        eta_margin0: float = 1.0,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        margin: float = 1.0,
        margin_update: str = "additive",
        nu: float = 0.1,
        offset: bool = False,
        order: str = "permutation",
        output_kernel: str = "identity",
        random_state: Any = 0,
        schedule: str = "sqrt-decay",
        sigma: float | None = None,
        tau: float = 100.0,
        truncation_error: float = 0.0,
    ) -> None: ...

class NORMARegressor(Regressor):
    def partial_fit(self, X: Any, y: Any) -> Self: ...
    def __init__(
        self,
        *,
        average: bool = False,
        buffer: int = 512,
        c: float = 0.0,
        degree: int = 2,
        dropped: str = "ignored",
        epochs: int = 1,
        eta0: float = 1.0,
        eta_margin0: float = 1.0,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        loss: str = "auto",
        margin: float = 1.0,
        margin_update: str = "exponential",
        nu: float = 0.0,
        offset: bool = False,
        order: str = "permutation",
        output_kernel: str = "identity",
        random_state: Any = 0,
        schedule: str = "sqrt-decay",
        sigma: float | None = None,
        tau: float = 100.0,
        truncation_error: float = 0.0,
    ) -> None: ...

class PassiveAggressive(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        C: float = 1.0,
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class Pegasos(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        average: str = "none",
        batch: int = 10,
        decay: float = 3.0,
        degree: int = 2,
        epochs: int = 5,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.0001,
        order: str = "uniform",
        projection: bool = True,
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class Perceptron(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        beta: float = 0.0,
        cache: str = "none",
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        removal_row: str = "recompute",
        sigma: float | None = None,
        size: int = 1000,
    ) -> None: ...

class Projectron(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        budget: int = 0,
        compare: str = "delta",
        degree: int = 2,
        epochs: int = 1,
        eta: float = 0.1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
        variant: str = "plus-plus",
    ) -> None: ...

class RBP(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        budget: int = 1000,
        degree: int = 2,
        epochs: int = 1,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "permutation",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class SFD(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        batch: int = 10,
        bounded_below: bool = True,
        c: float = 1.0,
        degree: int = 2,
        draw: str = "given",
        epochs: int = 5,
        epsilon: float = 0.01,
        exponent: float = 1.0,
        gamma: float | str = "scale",
        gap: float = 1e-06,
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "uniform",
        random_state: Any = 0,
        rho_max: float = 1.0,
        rho_min: float = 0.0,
        schedule: str = "sfd1",
        sigma: float | None = None,
        solver: str = "coordinate",
    ) -> None: ...

class SVMD(Classifier):
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        adapt_margin: bool = True,
        buffer: int = 512,
        c: float = 0.0,
        degree: int = 2,
        dropped: str = "ignored",
        epochs: int = 1,
        eta0: float = 1.0,
        eta_margin0: float = 1.0,
        factor: str = "bi-linear",
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.95,
        loss: str = "auto",
        margin: float = 1.0,
        margin_update: str = "exponential",
        mu: float = 0.1,
        nu: float = 0.0,
        offset: bool = False,
        order: str = "permutation",
        output_kernel: str = "identity",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class SVMDNoveltyDetector(NoveltyDetector):
    def partial_fit(self, X: Any, y: Any = None) -> Self: ...
    def __init__(
        self,
        *,
        adapt_margin: bool = True,
        buffer: int = 512,
        c: float = 0.01,
        degree: int = 2,
        dropped: str = "ignored",
        epochs: int = 20,
        eta0: float = 1.0,
        eta_margin0: float = 1.0,
        factor: str = "bi-linear",
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.95,
        margin: float = 1.0,
        margin_update: str = "additive",
        mu: float = 0.1,
        nu: float = 0.1,
        offset: bool = False,
        order: str = "permutation",
        output_kernel: str = "identity",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class SVMDRegressor(Regressor):
    def partial_fit(self, X: Any, y: Any) -> Self: ...
    def __init__(
        self,
        *,
        adapt_margin: bool = True,
        buffer: int = 512,
        c: float = 0.0,
        degree: int = 2,
        dropped: str = "ignored",
        epochs: int = 1,
        eta0: float = 1.0,
        eta_margin0: float = 1.0,
        factor: str = "bi-linear",
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.95,
        loss: str = "auto",
        margin: float = 1.0,
        margin_update: str = "exponential",
        mu: float = 0.1,
        nu: float = 0.0,
        offset: bool = False,
        order: str = "permutation",
        output_kernel: str = "identity",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class SVMStruct(Classifier):
    def __init__(
        self,
        *,
        cache_mib: int = 1024,
        degree: int = 2,
        distance: str = "zero-one",
        epochs: int = 100,
        epsilon: float = 0.001,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.0001,
        output_kernel: str = "identity",
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class SampledCuts(Classifier):
    def __init__(
        self,
        *,
        batch: int = 100,
        degree: int = 2,
        epochs: int = 100,
        epsilon: float = 0.001,
        gamma: float | str = "scale",
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        lambda_: float = 0.0001,
        random_state: Any = 0,
        sigma: float | None = None,
    ) -> None: ...

class StructuralSFD(Classifier):
    def __init__(
        self,
        *,
        batch: int = 10,
        bounded_below: bool = True,
        c: float = 1.0,
        degree: int = 2,
        distance: str = "zero-one",
        epochs: int = 5,
        epsilon: float = 0.01,
        exponent: float = 1.0,
        gamma: float | str = "scale",
        gap: float = 1e-06,
        kernel: str | Mapping[str, Any] = "rbf",
        kernel_offset: float = 0.0,
        kernel_scale: float = 1.0,
        order: str = "uniform",
        output_kernel: str = "identity",
        random_state: Any = 0,
        schedule: str = "sfd1",
        sigma: float | None = None,
        solver: str = "dual",
    ) -> None: ...

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
