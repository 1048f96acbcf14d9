"""Measures of trials: what the expressions of claims are made of, one module a subject.

Each function takes the results and names of trials (trials.py), and gives the mean over repetitions unless it says
otherwise. Importing the package registers all of them.
"""

from . import caches, checkpoints, risks, steps, summaries
from .registry import FUNCTIONS

__all__ = ["FUNCTIONS", "caches", "checkpoints", "risks", "steps", "summaries"]
