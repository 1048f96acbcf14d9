"""Measures of trials, which the expressions of claims use: one module per subject.

Each function takes results and names of trials and returns the mean over repetitions, unless its docstring says
something else. Importing the package registers all functions.
"""

from . import bounds, caches, checkpoints, risks, steps, summaries
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
    "summaries",
]
