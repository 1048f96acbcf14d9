"""Results: trace files and plans, the bounds that theory puts on them, and measures of trials by name."""

from ..errors import ClaimError, NotRun, TraceFileError
from .expressions import Expression
from .measures import FUNCTIONS
from .traces import Experiment, Trace, mean_and_spread, read_experiment, read_trace
from .trials import Results

__all__ = [
    "FUNCTIONS",
    "ClaimError",
    "Experiment",
    "Expression",
    "NotRun",
    "Results",
    "Trace",
    "TraceFileError",
    "mean_and_spread",
    "read_experiment",
    "read_trace",
]
