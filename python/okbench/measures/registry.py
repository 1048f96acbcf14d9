"""The functions that expressions may call, by name: each takes the results and its arguments."""

import dataclasses
import inspect

import numpy as np


@dataclasses.dataclass(frozen=True)
class Kind:
    """What an argument is: an expression, a list of numbers, or a name."""

    what: str
    trial: str = ""  # the trial that it names, {} standing for its text
    choices: tuple = ()  # all names there are, where they are known

    def trial_of(self, text):
        return self.trial.format(text)


NUMBER, NUMBERS = Kind("a number"), Kind("a list of numbers")
TRIAL = Kind("a trial", "{}")
COLUMN = Kind("a column")  # of a trace
AXIS = Kind("an axis")  # of the trial before it
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
    """Decorator: registers a function of (results, *arguments) of these kinds, and any number more of one."""

    def register(f):
        FUNCTIONS[name] = f
        KINDS[name] = kinds, repeated
        return f

    return register


def trial_function(name, value=None):
    """Registers the mean over a trial's repetitions of a value of each trace; left out: that of the summary."""
    function(name, TRIAL)(lambda results, trial: results.mean(trial, value or (lambda trace: trace.metric(name))))


def kinds_for(name, count):
    """The kinds of so many arguments, None where any will do; without an answer the function takes another number."""
    if name not in KINDS:
        try:
            inspect.signature(FUNCTIONS[name]).bind(None, *[None] * count)
        except TypeError:
            return None
        return [None] * count
    kinds, repeated = KINDS[name]
    kinds = [*kinds, *[repeated] * (count - len(kinds) if repeated else 0)]
    return kinds if len(kinds) == count and count else None


# Of numbers alone.
function("max", NUMBER, repeated=NUMBER)(lambda results, *values: float(np.max(values)))
function("min", NUMBER, repeated=NUMBER)(lambda results, *values: float(np.min(values)))
