"""How far learning was at the points of a curve: steps, examples and kernel evaluations, which the report's charts can
be drawn against."""

import numpy as np

KINDS = ("steps", "examples", "kernel evaluations requested", "kernel evaluations computed")
COLUMNS = dict(zip(KINDS, ("step", "examples", "kernel_requested", "kernel_computed")))


def at_rows(trace, column):
    """A column of the table "trace"; None where there is none. A stream shows an example a step."""
    table = trace.tables["trace"]
    if column == "examples" and column not in table and np.any(table["example"]):
        column = "step"
    return np.asarray(table[column], dtype=float) if column in table else None


def at_checkpoints(trace, column):
    """A column at the checkpoints: their own, else that of the last recorded step before each; None where it is not."""
    if column in trace.checkpoints:
        return np.asarray(trace.checkpoints[column], dtype=float)
    values = at_rows(trace, column)
    if values is None:
        return None
    rows = np.searchsorted(np.asarray(trace["step"]), np.asarray(trace.checkpoints["step"]), side="right") - 1
    return values[rows]


def mean_of(columns):
    """Mean over the seeds at each checkpoint; a run that was over sooner keeps its last value."""
    length = max(len(values) for values in columns)
    return np.mean([np.pad(values, (0, length - len(values)), mode="edge") for values in columns], axis=0)


def tell(lines, traces, column=at_rows, change=lambda values: values):
    """Gives lines the progress of these traces, their mean, at each of their points: `column` reads one from a trace,
    `change` is what was done to the curve's own columns."""
    found = {}
    for kind, name in COLUMNS.items():
        columns = [column(trace, name) for trace in traces]
        # A learner without a kernel has counts of 0 alone.
        if all(values is not None and len(values) and values[-1] > 0 for values in columns):
            found[kind] = change(mean_of(columns))
    return put(lines, found)


def put(lines, found):
    """Gives lines {kind: a value for each of their points}."""
    for line in lines:
        line.progress = found
    return lines


def of_line(line):
    """{kind: a value for each of its points}; empty where the figure tells none."""
    points = len(line.get_xdata())
    return {kind: values for kind, values in getattr(line, "progress", {}).items() if len(values) == points}


def select(experiment, key, data_set):
    """Traces of a learner on a data set, one per seed."""
    return [trace for trace in experiment.by_learner(key) if trace.data_set == data_set]


def average(traces, column):
    """The mean of a column of the checkpoints over traces."""
    return mean_of([np.asarray(trace.checkpoints[column], dtype=float) for trace in traces])
