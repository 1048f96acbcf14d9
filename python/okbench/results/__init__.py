"""Reads traces, plans and the trials of an experiment."""

from ..errors import ClaimError, NotRun, TraceFileError
from .plans import Experiment, Planned, failure_record, read_experiment, read_failure
from .trace import Trace, mean_and_spread, read_trace
from .trials import Results, compare_plans, results_below

__all__ = [
    "ClaimError",
    "Experiment",
    "NotRun",
    "Planned",
    "Results",
    "Trace",
    "TraceFileError",
    "compare_plans",
    "failure_record",
    "mean_and_spread",
    "read_experiment",
    "read_failure",
    "read_trace",
    "results_below",
]
