"""The compiled module, with an error that says what to do if it is missing."""

import pathlib
import sys

try:
    from . import _native as module  # noqa: F401
except ImportError as error:
    built = sorted(pathlib.Path(__file__).parent.glob("_native*.so"))
    cause = f"{built[0].name} is of another Python, or cannot be loaded: {error}" if built else "it is not built"
    remedy = "run `make python` in the clone, or install a wheel"
    raise ImportError(f"okbench has no compiled module for {sys.executable}: {cause}; {remedy}") from None
