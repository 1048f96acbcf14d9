"""Attaches the progress of learning (steps, examples, kernel evaluations) to the points of curves.

The report's charts offer these quantities as alternative x axes.
"""

import numpy as np

KINDS = ("steps", "examples", "kernel evaluations requested", "kernel evaluations computed")
COLUMNS = dict(zip(KINDS, ("step", "examples", "kernel_requested", "kernel_computed")))


def at_rows(trace, column):
    """A column of the table "trace", or None. In a stream, the number of examples equals the step."""
    table = trace.tables["trace"]
    if column == "examples" and column not in table and np.any(table["example"]):
        column = "step"
    return np.asarray(table[column], dtype=float) if column in table else None


def at_checkpoints(trace, column):
    """A column at the checkpoints: recorded there, else from the last recorded step before each; else None."""
    if column in trace.checkpoints:
        return np.asarray(trace.checkpoints[column], dtype=float)
    values = at_rows(trace, column)
    if values is None:
        return None
    rows = np.searchsorted(np.asarray(trace["step"]), np.asarray(trace.checkpoints["step"]), side="right") - 1
    return values[rows]


def mean_of(columns):
    """Mean over seeds at each checkpoint. A shorter run contributes its last value to the later checkpoints."""
    length = max(len(values) for values in columns)
    return np.mean([np.pad(values, (0, length - len(values)), mode="edge") for values in columns], axis=0)


def mark(lines, traces, column=at_rows, change=lambda values: values):
    """Attaches the mean progress of traces to the points of lines. Returns the lines.

    column(trace, name): reads a column of a trace. change(values): the transformation that the curve has undergone.
    """
    progress = {}
    for kind, name in COLUMNS.items():
        columns = [column(trace, name) for trace in traces]
        # Learners without a kernel count 0 evaluations: not a usable axis.
        if all(values is not None and len(values) and values[-1] > 0 for values in columns):
            progress[kind] = change(mean_of(columns))
    return put(lines, progress)


def put(lines, progress):
    """Attaches {kind: one value per point} to lines. Returns the lines."""
    for line in lines:
        line.progress = progress
    return lines


def of_line(line):
    """{kind: one value per point} attached to a line; empty if there is none."""
    points = len(line.get_xdata())
    return {kind: values for kind, values in getattr(line, "progress", {}).items() if len(values) == points}


def select(experiment, key, data_set):
    """The traces of a learner on a data set, one per seed."""
    return [trace for trace in experiment.by_learner(key) if trace.data_set == data_set]


def average(traces, column):
    """The mean over traces of a column of the checkpoints."""
    return mean_of([np.asarray(trace.checkpoints[column], dtype=float) for trace in traces])
