"""Measures of trials: the functions that the expressions of claims may call, one module per subject.

Each function takes the results and trial names, and returns the mean over repetitions unless its docstring says
otherwise. A function raises NotRun if the results lack something that it needs. Importing the package registers all
functions.
"""

from . import bounds, caches, checkpoints, risks, steps, streams, summaries
from .error_rates import is_error_rate
from .expressions import Expression, Parser
from .registry import FUNCTIONS

__all__ = [
    "FUNCTIONS",
    "Expression",
    "Parser",
    "bounds",
    "caches",
    "checkpoints",
    "is_error_rate",
    "risks",
    "steps",
    "streams",
    "summaries",
]
