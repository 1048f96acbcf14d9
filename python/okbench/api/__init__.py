"""The commands of the program as functions: run, plot and load_data."""

import pathlib

from .prequential import Prequential, prequential
from .running import load_data, run

__all__ = ["Prequential", "load_data", "plot", "prequential", "run"]


def plot(
    sources, x="requested", y="error", only="*", log=(), results="results/default", target=None, best=False, bare=False
):
    """Draws a measure of learners against their cost: one curve per learner, mean and interval over seeds.

    sources: one or several specs, with results below `results`, or result folders.
    x: "requested", "computed", "steps", "examples", "seconds", "support_vectors", or a parameter of the grid, such as
        "gamma": then y is the last value of each trial.
    y: "error", "test_error", "loss", a measure such as "kappa@1000", or a column of the traces.
    only: glob over learners and trials.
    log: "x", "y" or both: logarithmic axes.
    target: level of y, as a share in 0..1 for rates; the legend shows the cost to reach it.
    best: only the grid point of each learner with the least error.
    bare: without title and caption.

    Raises ClaimError, NotRun, TraceFileError.
    """
    from ..plotting import plot as plotting

    single = isinstance(sources, (str, pathlib.Path))
    log = tuple(part for part in log.split(",") if part) if isinstance(log, str) else tuple(log)
    return plotting.draw([sources] if single else list(sources), x, y, only, log, results, target, best, bare)
