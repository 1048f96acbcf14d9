"""okbench in Python.

Results: `okbench.load` reads them as a data frame, `okbench.to_xarray` makes a labelled array of a grid,
`okbench.judge_claims` returns the verdicts on the papers' claims, `okbench.plot` draws curves. The packages
okbench.results, okbench.measures, okbench.claims, okbench.league and okbench.crate have further functions.

Running: `okbench.run` runs the trials of a spec in this process, `okbench.load_data` returns rows of a data set.

Learning: every learner of the registry is an estimator with scikit-learn's conventions: `okbench.SVMD`,
`okbench.Pegasos`, ... (okbench.estimators). All but okbench.errors needs the compiled module.
"""

import functools
import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from . import claims as claims  # noqa: F401
    from . import errors as errors  # noqa: F401
    from .estimators import *  # noqa: F401, F403

Path = str | os.PathLike[str]
FUNCTIONS = ["judge_claims", "load", "load_data", "plot", "prequential", "run", "to_xarray"]


F = TypeVar("F", bound=Callable[..., Any])


def needs(extra: str) -> Callable[[F], F]:
    """Decorates a function with optional dependencies: ImportError names the extra of the package that has them."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def called(*arguments: Any, **options: Any) -> Any:
            try:
                return function(*arguments, **options)
            except ModuleNotFoundError as error:
                if (error.name or __name__).split(".")[0] == __name__:
                    raise
                what = f"okbench.{function.__name__} needs {error.name}: pip install 'okbench[{extra}]'"
                raise ImportError(what, name=error.name) from None

        return cast(F, called)

    return decorate


# Imports are deferred: load() and judge_claims() do not need matplotlib.


@needs("results")
def load(path: Path = "results/default", measures: Mapping[str, Callable[..., float]] | None = None) -> Any:
    """Results as a data frame; see okbench.results.table.load."""
    from .results import table

    return table.load(path, measures)


@needs("results")
def to_xarray(frame: Any, *arguments: Any, **options: Any) -> Any:
    """A grid of trials as an xarray.Dataset; see okbench.results.table.to_xarray."""
    from .results import table

    return table.to_xarray(frame, *arguments, **options)


@needs("results")
def judge_claims(
    results: Path = "results/default", papers: Sequence[str] = (), experiments: Sequence[Path] | None = None
) -> Any:
    """The verdicts on claims as a data frame; see okbench.claims.judge_claims."""
    from .claims import judge_claims as judge

    return judge(results, papers, experiments)


@needs("data")
def load_data(
    name: str,
    part: str = "train",
    positive: Sequence[int] = (),
    scale: tuple[float, float] | None = None,
    unit_norm: bool = False,
    synthetic: bool = False,
    rows: int = 0,
    dtype: str = "float32",
) -> tuple[Any, Any]:
    """Rows and labels of a data set; see okbench.api.load_data."""
    from . import api

    return api.load_data(name, part, positive, scale, unit_norm, synthetic, rows, dtype)


@needs("results")
def run(
    spec: Path | Mapping[str, Any],
    tier: str = "default",
    overrides: Mapping[str, Any] | None = None,
    out: Path | None = None,
    only: str = "",
    jobs: int = 0,
    timeout: float = 0,
    force: bool = False,
    progress: bool = True,
    learners: Mapping[str, Callable[..., Any]] | None = None,
    measures: Mapping[str, Callable[..., float]] | None = None,
) -> Any:
    """Runs the trials of a spec and returns their results; see okbench.api.run."""
    from . import api

    return api.run(spec, tier, overrides, out, only, jobs, timeout, force, progress, learners, measures)


@needs("results")
def prequential(
    estimator: Any,
    stream: Any,
    measures: Sequence[str] | Mapping[str, Callable[..., float]] | None = None,
    window: int | None = 1000,
    delay: int = 0,
    classes: Sequence[Any] | None = None,
) -> Any:
    """Tests, then trains an estimator on every row of a stream; see okbench.api.prequential."""
    from .api.prequential import prequential as evaluate

    return evaluate(estimator, stream, measures, window, delay, classes)


@needs("plots")
def plot(
    sources: Path | Sequence[Path],
    x: str = "requested",
    y: str = "error",
    only: str = "*",
    log: str | Sequence[str] = (),
    results: Path = "results/default",
    target: float | None = None,
    best: bool = False,
) -> Any:
    """Draws a measure of learners against their cost; see okbench.api.plot."""
    from . import api

    return api.plot(sources, x, y, only, log, results, target, best)


def __getattr__(name: str) -> Any:
    """Loads modules of the package and estimators on first use."""
    if name == "__all__":
        return __dir__()
    if name == "__version__":
        return importlib.import_module("._native", __name__).version().split()[1].rstrip(",")
    if not name.startswith("_"):
        if importlib.util.find_spec(f"{__name__}.{name}"):
            return importlib.import_module(f".{name}", __name__)
        estimators = importlib.import_module(".estimators", __name__)
        if hasattr(estimators, name):
            return getattr(estimators, name)
    raise AttributeError(f"module 'okbench' has no attribute '{name}'")


def __dir__() -> list[str]:
    names = ["claims", *FUNCTIONS]
    try:
        from . import estimators

        names += estimators.__all__
    except ImportError:  # no compiled module, or no scikit-learn
        pass
    return sorted(names)
