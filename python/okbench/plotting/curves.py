"""Curves of learners over their traces: what a plot's axes may be, and means over seeds."""

import dataclasses

import numpy as np

from ..errors import ClaimError, NotRun

# What x may be: the column of the table "trace", and the label.
AXES = {
    "requested": ("kernel_requested", "kernel evaluations requested"),
    "computed": ("kernel_computed", "kernel evaluations computed"),
    "steps": ("step", "steps"),
    "examples": (None, "examples"),
    "seconds": ("seconds", "seconds of learning"),
    "support_vectors": ("support_vectors", "support vectors"),
}
POINTS = 400  # of a mean over seeds whose x differ
MOST_TIES = 0.05  # of steps that x stands still at: beyond, a mean at one x would be one over many steps


@dataclasses.dataclass
class Curve:
    """One learner at one point of its grid: y over x, with its standard deviation where there are several seeds."""

    label: str
    x: np.ndarray
    y: np.ndarray
    spread: np.ndarray | None  # None for one seed
    seeds: int


def axis_values(trace, name):
    """x at the recorded steps of a trace."""
    column, _ = AXES[name]
    if column is None:
        return np.asarray(trace.processed, dtype=float)
    if column not in trace.tables["trace"]:
        raise NotRun(f"{trace.name} ran before okbench recorded {name}; okbench run --fresh makes it anew")
    return np.asarray(trace[column], dtype=float)


def error_values(trace):
    """The average error in percent; of regression the root of the mean squared error."""
    if "squared_error_sum" in trace.tables["trace"]:
        return np.sqrt(trace["squared_error_sum"] / trace["step"]), "root mean squared error"
    return 100 * trace.average_error, "average error (%)"


def course(trace, y):
    """(places in the table "trace", as steps or rounds, values, label) of what is drawn against x."""
    steps = trace["step"]
    if y == "error":
        values, label = error_values(trace)
        return steps, values, label
    if y == "loss":
        return steps, trace["loss_sum"] / trace.counted, "average loss"
    checkpoints = trace.tables.get("checkpoints", {})
    if y == "test_error" and "test_rmse" in checkpoints:
        return checkpoints["step"], checkpoints["test_rmse"], "root mean squared error on the test part"
    if y == "test_error":
        if "test_error" not in checkpoints:
            raise NotRun(f"{trace.name} has no test part: data.test")
        return checkpoints["step"], 100 * checkpoints["test_error"], "test error (%)"
    if y in trace.tables["trace"]:
        return steps, np.asarray(trace[y], dtype=float), y.replace("_", " ")
    if y in checkpoints:
        return checkpoints["step"], np.asarray(checkpoints[y], dtype=float), y.replace("_", " ")
    trace[y]  # says which columns there are
    raise ClaimError(f"{trace.name} has no column '{y}'")


def points(trace, x, y):
    """(x, y, label of y) of one trace. Between recorded steps, where a checkpoint may lie, x is linear."""
    steps, values, label = course(trace, y)
    along = axis_values(trace, x)
    if len(steps) != len(along) or np.any(steps != trace["step"]):
        along = np.interp(steps, trace["step"], along)
    return along, np.asarray(values, dtype=float), label


def reached(along, values, target):
    """x from which on y stays below the target; infinite where it does not end below."""
    above = np.flatnonzero(~(values < target))
    first = above[-1] + 1 if len(above) else 0
    return float(along[first]) if first < len(along) else float("inf")


def mean_curves(label, traces, x, y, log_x):
    """The mean over seeds as one curve; where x does not grow, a curve a seed. Gives (curves, label of y)."""
    found = [points(trace, x, y) for trace in traces]
    name = found[0][2]
    if len(found) == 1:
        return [Curve(label, found[0][0], found[0][1], None, 1)], name
    same = all(len(a) == len(found[0][0]) and np.array_equal(a, found[0][0]) for a, _, _ in found)
    if not same and any(np.any(np.diff(a) < 0) or np.mean(np.diff(a) == 0) > MOST_TIES for a, _, _ in found):
        return [Curve(label if i == 0 else "", a, v, None, 1) for i, (a, v, _) in enumerate(found)], name
    along = found[0][0] if same else common_places([a for a, _, _ in found], log_x)
    values = np.array([v if same else np.interp(along, a, v) for a, v, _ in found])
    return [Curve(label, along, values.mean(axis=0), values.std(axis=0, ddof=1), len(found))], name


def common_places(axes, log_x):
    """Places where all seeds have values: a mean over fewer would jump."""
    first, last = max(a[0] for a in axes), min(a[-1] for a in axes)
    if log_x and first > 0:
        return np.geomspace(first, last, POINTS)
    return np.linspace(first, last, POINTS)
