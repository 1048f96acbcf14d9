"""The compiled module, with an error that says what to do if it is missing."""

import importlib.machinery
import pathlib
import sys

from .errors import root_cause

REMEDY = f"run `make build PYTHON={sys.executable}` in the clone, or install a wheel"


def cause(error):
    """Why the module cannot be imported, in one line."""
    built = sorted(path.name for path in pathlib.Path(__file__).parent.glob("_native*.so"))
    if not built:
        return f"okbench has no compiled module: {REMEDY}"
    if f"_native{importlib.machinery.EXTENSION_SUFFIXES[0]}" not in built:
        return f"okbench's compiled module {built[0]} is of another Python: {REMEDY}"
    return f"{root_cause(error)} ({sys.executable})"


try:
    from . import _native as module  # noqa: F401
except ImportError as error:
    raise ImportError(cause(error)) from None
