"""okbench: the results of okbench in Python.

`okbench.results` reads trace files (HDF5) and the plans beside them, which docs/trace-format.md describes, and measures
trials; `okbench.claims` judges on them what the papers state. `okbench.load` has results as a data frame (pandas),
`okbench.to_xarray` a grid of them as an array with names, `okbench.claims(...)` the verdicts as a data frame;
`okbench.crate` describes a result folder for archives (RO-Crate). Nothing here draws: okplots does, on
top of this (`okplots.plot.draw` is the program's verb `plot`).
"""

# What needs pandas is imported when it is first asked for.


def load(place="results/default"):
    """Results as a data frame; see okbench.frames.load."""
    from . import frames

    return frames.load(place)


def to_xarray(frame, *arguments, **options):
    """A grid of trials as an xarray.Dataset; see okbench.frames.to_xarray."""
    from . import frames

    return frames.to_xarray(frame, *arguments, **options)


def __getattr__(name):
    """okbench.claims and the estimators, when they are first asked for."""
    import importlib

    if name == "claims":
        return importlib.import_module(".claims", __name__)
    if not name.startswith("_"):
        estimators = importlib.import_module(".estimators", __name__)
        if hasattr(estimators, name):
            return getattr(estimators, name)
    raise AttributeError(f"module 'okbench' has no attribute '{name}'")
