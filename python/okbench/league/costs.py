"""Costs of a run up to each recorded step: kernel evaluations of three kinds, memory and seconds."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of cost."""

    label: str
    combined: np.ufunc  # cost of successive runs: np.add, or np.maximum for memory, which each run frees at its end


KINDS = {
    "tuning": Kind("kernel values and features requested, with tuning", np.add),
    "requested": Kind("kernel values and features requested", np.add),
    "computed": Kind("kernel evaluations computed", np.add),
    "memory": Kind("coefficients (vectors or features × outputs)", np.maximum),
    "seconds": Kind("seconds of learning, with tuning", np.add),
}


def column(trace, name):
    """A column of the table "trace" as floats; zeros if the trace does not have it."""
    table = trace.tables["trace"]
    return np.asarray(table[name], dtype=float) if name in table else np.zeros(len(table["step"]))


def tuning(trace):
    """Kernel and feature evaluations spent on choosing parameters, including validation."""
    tuned = trace.summary.get("tuned", {})
    kernel = tuned.get("kernel_evaluations", {})
    return kernel.get("requested", 0) + kernel.get("evaluation", 0) + tuned.get("feature_evaluations", 0)


def outputs(trace):
    """Number of coefficient columns: 1 for two classes or real targets, else one per class."""
    classes = trace.provenance.get("data_shape", {}).get("classes", 0)
    return classes if classes > 2 else 1


def memory(trace):
    """Largest number of coefficients so far, at each recorded step: support vectors, weights of a linear method, or
    features of an explicit feature map, times outputs. The vectors themselves are not counted."""
    features = trace.parameters.get("features")
    if features is not None:
        kernels = trace.parameters.get("kernels", 1)  # Raker has features for each
        return np.full(len(trace["step"]), float(features * kernels * outputs(trace)))
    vectors = column(trace, "support_vectors") + column(trace, "weights")
    return np.maximum.accumulate(vectors) * outputs(trace)


def cumulative_cost(trace, kind):
    """Cost up to each recorded step. REQUIRES: `kind` is a key of KINDS."""
    if kind == "memory":
        return memory(trace)
    if kind == "seconds":
        return column(trace, "seconds") + trace.provenance.get("search_seconds", 0.0)
    evaluations = trace.cumulative("computed" if kind == "computed" else "requested")
    return evaluations + tuning(trace) if kind == "tuning" else evaluations
