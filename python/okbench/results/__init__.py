"""Results: trace files and plans, the bounds that theory puts on them, and measures of trials by name."""

from ..errors import ClaimError, NotRun, TraceFileError
from .error_rates import is_error_rate
from .expressions import Expression, Parser
from .measures import FUNCTIONS
from .plans import Experiment, Planned, failure_record, read_experiment, read_failure
from .traces import Trace, mean_and_spread, read_trace
from .trials import Results, results_below

__all__ = [
    "FUNCTIONS",
    "ClaimError",
    "Experiment",
    "Expression",
    "NotRun",
    "Parser",
    "Planned",
    "Results",
    "Trace",
    "TraceFileError",
    "failure_record",
    "is_error_rate",
    "mean_and_spread",
    "read_experiment",
    "read_failure",
    "read_trace",
    "results_below",
]
