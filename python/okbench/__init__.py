"""okbench: the results of okbench in Python.

`okbench.results` reads trace files (HDF5) and the plans beside them, which docs/trace-format.md describes, and measures
trials; `okbench.claims` judges on them what the papers state. `okbench.load` has results as a data frame (pandas),
`okbench.to_xarray` a grid of them as an array with names, `okbench.claims(...)` the verdicts as a data frame;
`okbench.crate` describes a result folder for archives (RO-Crate). `okbench.run`, `okbench.plot` and `okbench.data` are
the program's verbs. The learners are estimators with scikit-learn's conventions, one a method of the registry:
`okbench.SVMD`, `okbench.Pegasos`, ... (okbench.estimators; they need the compiled module).
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


# Rooms above this one: loaded by name, when something of theirs is first asked for.
ABOVE = {"data": ".facade", "plot": ".facade", "run": ".facade"}


def __getattr__(name):
    """okbench.claims and other modules, okbench.run, okbench.plot, okbench.data, and the estimators."""
    import importlib.util

    if name in ABOVE:
        return getattr(importlib.import_module(ABOVE[name], __name__), name)
    if name == "__all__":
        return __dir__()
    if name == "__version__":
        return importlib.import_module("._native", __name__).version().split()[1].rstrip(",")
    if not name.startswith("_"):
        # What needs no compiled module does without it.
        if importlib.util.find_spec(f"{__name__}.{name}"):
            return importlib.import_module(f".{name}", __name__)
        estimators = importlib.import_module(".estimators", __name__)
        if hasattr(estimators, name):
            return getattr(estimators, name)
    raise AttributeError(f"module 'okbench' has no attribute '{name}'")


def __dir__():
    """With what is loaded later, as far as it can be."""
    names = ["claims", "load", "to_xarray", *ABOVE]
    try:
        from . import estimators

        names += estimators.__all__
    except ImportError:  # no compiled module, or no scikit-learn
        pass
    return sorted(names)
