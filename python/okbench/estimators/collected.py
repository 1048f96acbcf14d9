"""Rows that `partial_fit` collects until they give a width of the kernel, and what an estimator predicts meanwhile."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ..native import module as _native
from . import kernels

ROWS = 30  # rows whose values give gamma="scale" or "median" in partial_fit


class Part(NamedTuple):
    """The arguments of one call: rows X, and the classes, targets and weights of the rows, each an array or None."""

    X: Any
    classes: Any
    targets: Any
    weights: Any


def is_needed(estimator):
    """Whether the width of the kernel comes from the rows."""
    if estimator._learner["linear"] or not kernels.has_width(estimator.kernel) or estimator.sigma is not None:
        return False
    return isinstance(estimator.gamma, str)


def count(parts):
    """The number of rows."""
    return sum(part.X.shape[0] for part in parts)


def joined(parts):
    """All parts as one. The first part decides on precision and layout, as the first rows of a session do."""
    matrices = [part.X for part in parts]
    if sparse.issparse(matrices[0]):
        X = sparse.vstack([sparse.csr_matrix(matrix) for matrix in matrices], format="csr", dtype=matrices[0].dtype)
    else:
        X = np.vstack([matrix.toarray() if sparse.issparse(matrix) else matrix for matrix in matrices])
        X = X.astype(matrices[0].dtype, copy=False)
    weights = None
    if any(part.weights is not None for part in parts):
        weights = [np.ones(part.X.shape[0]) if part.weights is None else part.weights for part in parts]
    columns = [[part[i] for part in parts] for i in (1, 2)]
    classes, targets = (None if column[0] is None else np.concatenate(column) for column in columns)
    return Part(X, classes, targets, None if weights is None else np.concatenate(weights))


def check(estimator, kind, classes, layout, part):
    """Raises what learning these rows raises with any width. Wrong parameters are then an error in the first call."""
    estimator.gamma_ = 1.0
    try:
        session = _native.Session(estimator._request(kind, classes), part.X.dtype == np.float64, layout.function)
        rows = layout.rows(part.X, session.double_precision, layout.compressed)
        session.learn(rows, part.classes, part.targets, part.weights, False)
    finally:
        del estimator.gamma_


def progress(estimator):
    """How many rows have come, as a sentence."""
    return (
        f"{type(estimator).__name__} has learned nothing yet: gamma={estimator.gamma!r} needs {ROWS} rows in "
        f"partial_fit, and {count(estimator._collected)} have come; a number as gamma learns at once"
    )


def scores(estimator, rows):
    """Scores of a model that has learned nothing, shape (rows, outputs): 0, or the mean of the targets if they are
    standardised. Warns."""
    warnings.warn(progress(estimator))
    outputs = estimator.__dict__.get("_functions") or len(estimator.__dict__.get("classes_", ()))
    output_scores = np.zeros((rows, outputs if estimator.__dict__.get("_known_kind") == "multiclass" else 1))
    if getattr(estimator, "standardize", False):
        output_scores += joined(estimator._collected).targets.mean()
    return output_scores
