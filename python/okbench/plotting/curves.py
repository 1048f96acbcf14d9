"""Curves of learners from their traces: the quantities on the axes, and means over seeds."""

import dataclasses

import numpy as np

from ..errors import ClaimError, NotRun
from ..results.intervals import bootstrap
from ..results import streams

# Quantities for x: (column of the table "trace", label of the axis).
AXES = {
    "requested": ("kernel_requested", "kernel evaluations requested"),
    "computed": ("kernel_computed", "kernel evaluations computed"),
    "steps": ("step", "steps"),
    "examples": (None, "examples"),
    "seconds": ("seconds", "seconds of learning"),
    "support_vectors": ("support_vectors", "support vectors"),
}
EVALUATIONS = ("requested", "computed")
RESAMPLES = 2000  # of the band of a curve, which is drawn and not printed
POINTS = 400  # points of a mean curve if the seeds have different x
MAX_TIES = 0.05  # maximum share of steps without progress in x for which a mean over seeds is meaningful


@dataclasses.dataclass
class Curve:
    """One learner at one grid point: the mean of y over x, and its bootstrap interval over seeds."""

    label: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None  # bounds of the interval (league/intervals.py); None for one seed
    high: np.ndarray | None
    seeds: int


def axis_values(trace, name):
    """The values of x at the recorded steps of a trace. Raises NotRun."""
    column, _ = AXES[name]
    if column is None:
        return np.asarray(trace.processed, dtype=float)
    if column not in trace.tables["trace"]:
        raise NotRun(f"{trace.name}: has no column for {name}; rerun it with okbench run --force")
    return trace.cumulative(name) if name in EVALUATIONS else np.asarray(trace[column], dtype=float)


def axis_label(traces, name):
    """The label of x, which says if features are counted with the kernel evaluations."""
    features = any("feature_evaluations" in trace.tables["trace"] for trace in traces)
    return f"kernel values and features {name}" if features and name in EVALUATIONS else AXES[name][1]


def error_values(trace):
    """(average error in percent, or RMSE for regression; label of the axis)."""
    if "squared_error_sum" in trace.tables["trace"]:
        return np.sqrt(trace["squared_error_sum"] / trace["step"]), "root mean squared error"
    return 100 * trace.average_error, "average error (%)"


def series(trace, y):
    """(steps, values at these steps, label of the axis) of the quantity y. Raises NotRun and ClaimError."""
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
            raise NotRun(f"{trace.name}: has no test error; set data.test in its spec")
        return checkpoints["step"], 100 * checkpoints["test_error"], "test error (%)"
    if "@" in y or y in streams.measures():
        name, window = streams.parse(y)
        steps, values = trace.measure(name, window)
        measure = streams.find(name)
        shown = f"{measure.title}{f' of the last {window} steps' if window else ''}{' (%)' if measure.percent else ''}"
        return steps, values * (100 if measure.percent else 1), shown
    if y in trace.tables["trace"]:
        return steps, np.asarray(trace[y], dtype=float), y.replace("_", " ")
    if y in checkpoints:
        return checkpoints["step"], np.asarray(checkpoints[y], dtype=float), y.replace("_", " ")
    trace[y]  # raises ClaimError with the available columns
    raise ClaimError(f"{trace.name} has no column '{y}'")


def points(trace, x, y):
    """(x, y, label of y) of one trace. Interpolates x linearly at checkpoints between recorded steps."""
    steps, values, label = series(trace, y)
    along = axis_values(trace, x)
    if len(steps) != len(along) or np.any(steps != trace["step"]):
        along = np.interp(steps, trace["step"], along)
    return along, np.asarray(values, dtype=float), label


def reached(along, values, target):
    """The x from which on y stays below the target; infinite if y does not end below it."""
    above = np.flatnonzero(~(values < target))
    first = above[-1] + 1 if len(above) else 0
    return float(along[first]) if first < len(along) else float("inf")


def mean_curves(label, traces, x, y, log_x):
    """(curves, label of y): the mean over seeds as one curve, or one curve per seed if x does not increase.

    `log_x`: whether x is logarithmic. Then points with x <= 0 are left out, and values between recorded steps are
    interpolated over log x, as the axis draws them.
    """
    seed_points = [points(trace, x, y) for trace in traces]
    name = seed_points[0][2]
    if log_x:
        seed_points = [(a[a > 0], v[a > 0], name) for a, v, _ in seed_points]
    if len(seed_points) == 1:
        return [Curve(label, seed_points[0][0], seed_points[0][1], None, None, 1)], name
    same = all(len(a) == len(seed_points[0][0]) and np.array_equal(a, seed_points[0][0]) for a, _, _ in seed_points)
    if not same and any(np.any(np.diff(a) < 0) or np.mean(np.diff(a) == 0) > MAX_TIES for a, _, _ in seed_points):
        return [Curve(label if i == 0 else "", a, v, None, None, 1) for i, (a, v, _) in enumerate(seed_points)], name
    if not all(len(a) for a, _, _ in seed_points):
        return [], name
    along = seed_points[0][0] if same else common_places([a for a, _, _ in seed_points], log_x)
    scale = np.log if log_x else np.asarray
    values = np.array([v if same else np.interp(scale(along), scale(a), v) for a, v, _ in seed_points])
    return [Curve(label, along, values.mean(axis=0), *bootstrap(values, resamples=RESAMPLES), len(seed_points))], name


def common_places(axes, log_x):
    """POINTS values of x in the range that all seeds cover, so that every mean is over all seeds."""
    first, last = max(a[0] for a in axes), min(a[-1] for a in axes)
    if log_x:
        return np.geomspace(first, last, POINTS)
    return np.linspace(first, last, POINTS)
