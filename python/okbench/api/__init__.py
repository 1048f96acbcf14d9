"""The program's verbs as functions: run, plot and load_data."""

import pathlib

from .running import load_data, run

__all__ = ["load_data", "plot", "run"]


def plot(places, x="requested", y="error", only="*", log=(), results="results/default", target=None):
    """A matplotlib figure of a measure against its cost: mean and spread over seeds, one curve per learner.

    `places`: specs, whose results are below `results`, or folders of results; one or several. `x`: requested, computed,
    steps, examples, seconds or support_vectors. `y`: error, test_error, loss, or a column of the traces. `only`: a glob
    over learners and trials. `log`: "x", "y" or both. `target`: a level of y; the legend shows the cost to reach it.
    Raises ClaimError, NotRun, TraceFileError.
    """
    from ..plotting import plot as plotting

    single = isinstance(places, (str, pathlib.Path))
    log = tuple(part for part in log.split(",") if part) if isinstance(log, str) else tuple(log)
    return plotting.draw([places] if single else list(places), x, y, only, log, results, target)
