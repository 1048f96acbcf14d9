"""Measures of what the summaries of trials hold."""

import numpy as np

from .registry import AXIS, EVALUATIONS, METRIC, TRIAL, Kind, function, trial_function

TABLE_1 = Kind("a data set", "budget-2003/table1/mira[data={}]")

for plain in (
    "error_rate",
    "test_error",
    "mistakes",
    "margin_errors",
    "support_vectors",
    "mean_loss",
    "rmse",
    "task_loss",
    "test_task_loss",
    "oracle_calls",
    "boxes_scored",
):
    trial_function(plain)
trial_function("margin_error_rate", lambda trace: trace.metric("margin_errors") / trace.summary["examples"])


# Branch and bound in the last test: bounds a box, and images where it found another box than the search of all.
trial_function("bounds_share", lambda trace: trace.bounds("bounded") / trace.bounds("boxes"))
trial_function("bounds_missed", lambda trace: trace.bounds("missed"))


@function("cost", TRIAL, EVALUATIONS)
def cost(results, trial, kind):
    """Kernel evaluations of one run with its cross validation."""
    return results.mean(trial, lambda trace: trace.cost(kind))


@function("least", METRIC, TRIAL, AXIS)
def least(results, metric, trial, axis):
    """The least mean of a measure over the values of an axis of the grid."""
    by_value = {}
    for trace in results.find(trial):
        by_value.setdefault(trace.parameter(axis), []).append(trace.metric(metric))
    return min(float(np.mean(values)) for values in by_value.values())


@function("data_shape", TABLE_1)
def data_shape(results, data_set):
    """Training and test examples, classes and features, as table 1 of budget-2003 saw them."""
    trace = results.find(TABLE_1.trial_of(data_set))[0]
    return [trace.provenance["data_shape"][key] for key in ("train", "test", "classes", "features")]
