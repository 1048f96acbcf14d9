"""okbench.plot: the program's verb `plot`."""

import importlib
import pathlib
import sys


def plot(places, x="requested", y="error", only="*", log=(), results="results/default", target=None):
    """Any measure of learners against what it cost, mean and spread over seeds, a curve a learner: a matplotlib figure.

    `places`: specs, whose results lie in `results`, or folders of results; one or several. `x`: requested, computed,
    steps, examples, seconds or support_vectors. `y`: error, test_error, loss, or a column of the traces. `only`: a
    glob over learners and trials. `log`: "x", "y" or both. `target`: a level of y, whose cost the legend tells. Raises
    ClaimError, NotRun, TraceFileError.
    """
    single = isinstance(places, (str, pathlib.Path))
    log = tuple(part for part in log.split(",") if part) if isinstance(log, str) else tuple(log)
    return drawing().draw([places] if single else list(places), x, y, only, log, results, target)


def drawing():
    """The module okplots.plot, from beside this package, or from the clone that it lies in."""
    try:
        return importlib.import_module("okplots.plot")
    except ModuleNotFoundError as error:
        clone = pathlib.Path(__file__).resolve().parents[3] / "plots"
        if error.name != "okplots" or not (clone / "okplots").is_dir():
            raise
        sys.path.append(str(clone))
        return importlib.import_module("okplots.plot")
