"""Registry of the functions that expressions may call. Each takes the results and its arguments."""

import dataclasses
import inspect

import numpy as np


@dataclasses.dataclass(frozen=True)
class Kind:
    """Kind of an argument: a number, a list of numbers, or a name."""

    what: str  # noun phrase for messages and docs
    trial: str = ""  # trial that the argument names, with {} for its text; empty: it names no trial
    choices: object = ()  # allowed names, or a function that returns them; empty: any

    @property
    def names(self):
        return self.choices() if callable(self.choices) else self.choices

    def trial_of(self, text):
        return self.trial.format(text)


NUMBER, NUMBERS = Kind("a number"), Kind("a list of numbers")
TRIAL = Kind("a trial", "{}")
COLUMN = Kind("a column")  # of a table of the trace
AXIS = Kind("an axis")  # of the preceding trial argument
METRIC = Kind(
    "a measure",
    choices=(
        *("error_rate", "test_error", "mistakes", "margin_errors", "support_vectors", "mean_loss"),
        *("rmse", "test_rmse", "insertions", "task_loss", "test_task_loss", "oracle_calls", "feature_evaluations"),
    ),
)
EVALUATIONS = Kind("a kind of kernel evaluations", choices=("requested", "computed", "evaluation"))

FUNCTIONS, KINDS = {}, {}


def function(name, *kinds, repeated=None):
    """Decorator that registers a function (results, *arguments) with the kinds of its arguments.

    `repeated`: kind of further arguments, of which there may be any number.
    """

    def register(f):
        FUNCTIONS[name] = f
        KINDS[name] = kinds, repeated
        return f

    return register


def trial_function(name, value=None):
    """Registers the mean of value(trace) over the repetitions of a trial. Default: trace.metric(name)."""
    function(name, TRIAL)(lambda results, trial: results.mean(trial, value or (lambda trace: trace.metric(name))))


def kinds_for(name, count):
    """Kinds of `count` arguments of a function, each None if any will do. Returns None if the function does not take
    `count` arguments."""
    if name not in KINDS:
        try:
            inspect.signature(FUNCTIONS[name]).bind(None, *[None] * count)
        except TypeError:
            return None
        return [None] * count
    kinds, repeated = KINDS[name]
    kinds = [*kinds, *[repeated] * (count - len(kinds) if repeated else 0)]
    return kinds if len(kinds) == count and count else None


# Functions of numbers.
function("max", NUMBER, repeated=NUMBER)(lambda results, *values: float(np.max(values)))
function("min", NUMBER, repeated=NUMBER)(lambda results, *values: float(np.min(values)))
function("median", NUMBER, repeated=NUMBER)(lambda results, *values: float(np.median(values)))
