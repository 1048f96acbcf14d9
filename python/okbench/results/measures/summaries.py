"""Measures of what the summaries of trials hold."""

import numpy as np

from .registry import function, trial_function

for plain in ("error_rate", "test_error", "mistakes", "margin_errors", "support_vectors", "mean_loss", "rmse"):
    trial_function(plain)
trial_function("margin_error_rate", lambda trace: trace.summary["margin_errors"] / trace.summary["examples"])


@function("cost")
def cost(results, trial, kind):
    """Kernel evaluations of one run with its cross validation."""
    return results.mean(trial, lambda trace: trace.cost(kind))


@function("least")
def least(results, metric, trial, axis):
    """The least mean of a measure over the values of an axis of the grid."""
    by_value = {}
    for trace in results.find(trial):
        by_value.setdefault(trace.parameters[axis], []).append(trace.summary[metric])
    return min(float(np.mean(values)) for values in by_value.values())


@function("data_shape")
def data_shape(results, data_set):
    """Training and test examples, classes and features, as table 1 of budget-2003 saw them."""
    trace = results.find(f"budget-2003/table1/mira[data={data_set}]")[0]
    return [trace.provenance["data_shape"][key] for key in ("train", "test", "classes", "features")]
