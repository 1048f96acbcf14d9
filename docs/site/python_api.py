"""The pages of the Python package: its exported names, with their docstrings."""

import importlib
import inspect

from rst import page, title


def directive(name, thing):
    kind = "autoclass" if inspect.isclass(thing) else "autofunction" if callable(thing) else "autodata"
    return f".. {kind}:: {name}\n"


def exported(module, skipped=()):
    """Directives for the public names of a module. Names that cannot be imported, because the extension module is not
    built, are omitted."""
    parts = []
    for name in getattr(module, "__all__", ()):
        try:
            thing = getattr(module, name)
        except (AttributeError, ImportError):
            continue
        if name not in skipped and not inspect.ismodule(thing):
            parts.append(directive(f"{module.__name__}.{name}", thing))
    return parts


def pages():
    """The pages of python: names of the package, then its modules."""
    okbench = importlib.import_module("okbench")
    page_texts = {
        "index": page(
            title("The Python package"),
            ".. automodule:: okbench\n   :no-members:\n",
            title("Results as data frames", "-"),
            ".. autofunction:: okbench.results.table.load\n",
            ".. autofunction:: okbench.results.table.to_xarray\n",
            title("Traces", "-"),
            ".. autoclass:: okbench.results.Trace\n",
            ".. autofunction:: okbench.results.read_trace\n",
            *own_names(okbench),
            ".. toctree::\n   :hidden:\n\n   results\n   claims\n   league\n",
        )
    }
    elsewhere = {"Trace", "read_trace", "FUNCTIONS", "ClaimError", "NotRun", "TraceFileError"}
    numbers = {"COUNT", "KINDS", "PREFIX", "WINDOW"}
    for name, words in ((name, f"okbench.{name}") for name in ("results", "claims", "league")):
        module = importlib.import_module(words)
        parts = exported(module, elsewhere | numbers)
        errors = [".. automodule:: okbench.errors\n"] if name == "results" else []
        page_texts[name] = page(title(words), f".. automodule:: {words}\n   :no-members:\n", *parts, *errors)
    return page_texts


def own_names(okbench):
    """Other names that okbench exports, such as estimators."""
    parts = exported(okbench, {"load", "to_xarray", "claims"})
    return [title("Names of the package", "-"), *parts] if parts else []
