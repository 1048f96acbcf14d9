"""Results: trace files and plans, the bounds that theory puts on them, and measures of trials by name."""

from ..errors import ClaimError, NotRun, TraceFileError
from .expressions import Expression
from .measures import FUNCTIONS
from .plans import Experiment, Planned, read_experiment
from .traces import Trace, mean_and_spread, read_trace
from .trials import Results

__all__ = [
    "FUNCTIONS",
    "ClaimError",
    "Experiment",
    "Expression",
    "NotRun",
    "Planned",
    "Results",
    "Trace",
    "TraceFileError",
    "mean_and_spread",
    "read_experiment",
    "read_trace",
]
