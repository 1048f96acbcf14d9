"""The functions that expressions may call, by name: each takes the results and its arguments."""

import numpy as np

# Of numbers alone.
FUNCTIONS = {
    "max": lambda results, *values: float(np.max(values)),
    "min": lambda results, *values: float(np.min(values)),
}


def function(name):
    """Decorator: registers a function of (results, *arguments)."""

    def register(f):
        FUNCTIONS[name] = f
        return f

    return register


def trial_function(name, value=None):
    """Registers the mean over a trial's repetitions of a value of each trace; left out: that of the summary."""
    value = value or (lambda trace: trace.summary[name])
    FUNCTIONS[name] = lambda results, trial: results.mean(trial, value)
