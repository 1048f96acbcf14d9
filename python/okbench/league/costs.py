"""What a run has cost at each of its recorded steps: kernel evaluations of three kinds, memory and seconds.

A coordinate of an explicit feature map (FOGD, NOGD) counts as a kernel evaluation does: it is a dot product, too.
"""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of cost: what it is called, and what several runs one after the other cost."""

    label: str
    combined: np.ufunc  # np.add; np.maximum of memory, which is free again when a run is over


KINDS = {
    "tuning": Kind("kernel values and features requested, with tuning", np.add),
    "requested": Kind("kernel values and features requested", np.add),
    "computed": Kind("kernel evaluations computed", np.add),
    "memory": Kind("numbers held (rows × columns)", np.maximum),
    "seconds": Kind("seconds of learning", np.add),
}


def column(trace, name):
    """A column of the table "trace" as floats; zeros where there is none."""
    table = trace.tables["trace"]
    return np.asarray(table[name], dtype=float) if name in table else np.zeros(len(table["step"]))


def tuning(trace):
    """Kernel and feature evaluations that the choice of parameters took, those of its validation included."""
    tuned = trace.summary.get("tuned", {})
    kernel = tuned.get("kernel_evaluations", {})
    return kernel.get("requested", 0) + kernel.get("evaluation", 0) + tuned.get("feature_evaluations", 0)


def outputs(trace):
    """Columns of the coefficients: 1 with two classes or real targets, else one a class."""
    classes = trace.provenance.get("data_shape", {}).get("classes", 0)
    return classes if classes > 2 else 1


def memory(trace):
    """The most numbers held so far: rows (support vectors, of random features these) times columns."""
    features = trace.parameters.get("features")
    if features is not None:
        return np.full(len(trace["step"]), float(features * outputs(trace)))
    return np.maximum.accumulate(column(trace, "support_vectors")) * outputs(trace)


def along(trace, kind):
    """The cost up to each recorded step; `kind` is one of KINDS."""
    if kind == "memory":
        return memory(trace)
    if kind == "seconds":
        return column(trace, "seconds")
    evaluations = column(trace, "kernel_computed" if kind == "computed" else "kernel_requested")
    evaluations = evaluations + column(trace, "feature_evaluations")
    return evaluations + tuning(trace) if kind == "tuning" else evaluations
