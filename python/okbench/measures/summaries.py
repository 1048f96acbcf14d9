"""Measures of the summaries of trials."""

import numpy as np

from ..errors import NotRun
from .registry import AXIS, EVALUATIONS, METRIC, TRIAL, Kind, function, trial_function

PARAMETER = Kind("a parameter")  # of the preceding trial argument
PART = Kind("a size of the data", choices=("train", "test", "features"))
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
    "feature_evaluations",
):
    trial_function(plain)
trial_function("margin_error_rate", lambda trace: trace.metric("margin_errors") / trace.summary["examples"])


# Branch and bound in the last test: bounds computed per box, and images where exhaustive search found another box.
trial_function("bounds_share", lambda trace: trace.bounds("bounded") / trace.bounds("boxes"))
trial_function("bounds_missed", lambda trace: trace.bounds("missed"))


@function("cost", TRIAL, EVALUATIONS)
def cost(results, trial, kind):
    """Kernel evaluations of a kind (requested, computed, evaluation) in one run, including its cross validation."""
    return results.mean(trial, lambda trace: trace.cost(kind))


def means_over(results, metric, trial, axes):
    """Mean of a measure at each combination of values of the axes."""
    by_point = {}
    for trace in results.find(trial):
        by_point.setdefault(tuple(trace.parameter(axis) for axis in axes), []).append(trace.metric(metric))
    return [float(np.mean(values)) for values in by_point.values()]


@function("least", METRIC, TRIAL, AXIS, repeated=AXIS)
def least(results, metric, trial, *axes):
    """Smallest mean of a measure over the values of one or several axes of the grid."""
    return min(means_over(results, metric, trial, axes))


@function("most", METRIC, TRIAL, AXIS, repeated=AXIS)
def most(results, metric, trial, *axes):
    """Largest mean of a measure over the values of one or several axes of the grid."""
    return max(means_over(results, metric, trial, axes))


@function("deviation", METRIC, TRIAL)
def deviation(results, metric, trial):
    """Sample standard deviation of a measure over the repetitions of one trial. Needs two repetitions."""
    values = [trace.metric(metric) for trace in results.by_repetition(trial).values()]
    if len(values) < 2:
        raise NotRun(f"{trial} has only one repetition")
    return float(np.std(values, ddof=1))


@function("grid_cost", TRIAL, EVALUATIONS)
def grid_cost(results, trial, kind):
    """Kernel evaluations of a kind (requested, computed, evaluation) of all grid points together, per repetition: the
    cost of tuning over the grid."""
    by_repetition = {}
    for trace in results.find(trial):
        by_repetition.setdefault(trace.spec["repetition"], []).append(trace.cost(kind))
    return float(np.mean([sum(costs) for costs in by_repetition.values()]))


@function("validation_error", TRIAL)
def validation_error(results, trial):
    """Validation error, in 0..1, of the parameters that cross validation chose: the smallest of all candidates."""

    def value(trace):
        if "tuned" not in trace.summary:
            raise NotRun(f"{trace.name} was not tuned")
        # A candidate that diverged has none.
        return min(error for error in trace.summary["tuned"]["validation_errors"] if error is not None)

    return results.mean(trial, value)


@function("parameter", TRIAL, PARAMETER)
def parameter(results, trial, name):
    """Geometric mean over the repetitions of a parameter > 0, given or chosen by cross validation."""
    return float(np.exp(results.mean(trial, lambda trace: np.log(trace.parameter(name)))))


@function("rows", TRIAL, PART)
def rows(results, trial, part):
    """Number of training examples (train), of test examples (test), or of features of a trial's data."""
    return results.mean(trial, lambda trace: trace.provenance["data_shape"][part])


@function("seconds", TRIAL)
def seconds(results, trial):
    """Seconds of learning. Depends on the machine that ran the trial."""
    return results.mean(trial, lambda trace: trace.provenance["wall_seconds"])


@function("kernel_share", TRIAL)
def kernel_share(results, trial):
    """Share of the learning time, in 0..1, spent on kernel evaluations. Depends on the machine that ran the trial."""

    def value(trace):
        share = trace.provenance.get("kernel_share")
        if share is None:
            raise NotRun(f"{trace.name} has no kernel share: it was too short to sample, or its trace is too old")
        return share

    return results.mean(trial, value)


@function("data_shape", TABLE_1)
def data_shape(results, data_set):
    """List of the numbers of training examples, test examples, classes and features of a data set, as used for table 1
    of budget-2003."""
    trace = results.find(TABLE_1.trial_of(data_set))[0]
    return [trace.provenance["data_shape"][key] for key in ("train", "test", "classes", "features")]
