"""Converts rows to the layouts of the compiled module. C-contiguous values are not copied."""

import numpy as np
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # older versions have the method BaseEstimator._validate_data instead
    validate_data = None


def finite(name, value):
    """A parameter's value as a Python object. Raises ValueError if it is not finite; the learner checks its range."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not np.isfinite(value):
        raise ValueError(f"{name}: must be finite, not {value}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{name}: {value} is out of range")
    return value


def plain(value):
    """A NumPy number as a Python number, for JSON. Raises ValueError for other types."""
    if isinstance(value, np.generic):
        return value.item()
    raise ValueError(f"a parameter must be a number, a string or a bool, not {type(value).__name__}")


PRECISIONS = (np.dtype(np.float64), np.dtype(np.float32))
PIECE = 2**16


def validated(estimator, X, reset, y="no_validation", **options):
    """X (and y) after scikit-learn's checks: a C-contiguous array or a CSR matrix of float32 or float64."""
    options = {"y": y, "accept_sparse": "csr", "dtype": PRECISIONS, "order": "C", **options}
    if validate_data is None:
        checked_data = estimator._validate_data(X, reset=reset, **options)
    else:
        checked_data = validate_data(estimator, X, reset=reset, **options)
    return (
        (canonical(checked_data[0]), *checked_data[1:]) if isinstance(checked_data, tuple) else canonical(checked_data)
    )


def canonical(X):
    """X with the values of repeated indices summed, if it is sparse and has any. X itself does not change."""
    if sparse.issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def row_weights(sample_weight, rows):
    """sample_weight as an array of float64, shape (rows,); a number stands for all rows. Raises ValueError."""
    if np.isscalar(sample_weight):
        sample_weight = np.full(rows, sample_weight, dtype=np.float64)
    weights = check_array(sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
    if weights.shape != (rows,):
        raise ValueError(f"sample_weight: expected shape ({rows},), not {weights.shape}")
    if (weights < 0).any():
        raise ValueError(f"sample_weight: {weights.min():g} is negative")
    return weights


def sample_weights(estimator, sample_weight, X, mean_one):
    """Checked sample_weight, shape (rows,), or None. Raises ValueError, or TypeError if the method has no weights.

    `mean_one`: divide by the mean of the positive weights, for methods that minimise a mean loss. Set by `fit`, which
    needs a weight above 0.
    """
    if sample_weight is None:
        return None
    learner = estimator._learner
    if not learner["weights"]:
        name = type(estimator).__name__
        raise TypeError(f"{name} does not support sample_weight; all examples have equal weight")
    weights = row_weights(sample_weight, X.shape[0])
    if not (weights > 0).any():
        if mean_one:
            raise ValueError("sample_weight: all weights are zero")
        return weights
    # For a method that minimises a mean loss over its training set only relative weights count.
    whole = learner["protocol"] == "mini-batches" or not learner["resumable"]
    averages = whole and "C" not in estimator.get_params(deep=False)
    return weights / weights[weights > 0].mean() if mean_one and averages else weights


def as_learned(estimator, X, y=None):
    """Whether X and y need neither conversion nor scikit-learn's checks; the compiled module checks the values.

    These checks would take most of the time of short chunks, and so would slower expressions here.
    """
    state = estimator.__dict__
    session = state.get("_session")
    if session is None or type(X) is not np.ndarray or X.ndim != 2 or not X.flags.c_contiguous:
        return False
    rows, features = X.shape
    layout = state["_layout"]
    if not rows or features != estimator.n_features_in_ or layout.compressed or layout.precomputed:
        return False
    if X.dtype != (PRECISIONS[0] if session.double_precision else PRECISIONS[1]) or "feature_names_in_" in state:
        return False
    if getattr(estimator, "class_weight", None) is not None:
        return False
    return y is None or type(y) is np.ndarray and y.ndim == 1 and len(y) == rows and y.dtype.kind in "iuf"


def with_ones(X):
    """X with a last feature that is 1 in every row. A sparse X takes a fifth of the time of scipy's hstack."""
    if not sparse.issparse(X):
        return np.hstack([X, np.ones((X.shape[0], 1), dtype=X.dtype)])
    # Each row moves up by the ones of the rows before it. 64 bits: the sum may exceed the index type of X.
    starts = X.indptr + np.arange(len(X.indptr), dtype=np.int64)
    old = np.ones(starts[-1], dtype=bool)
    old[starts[1:] - 1] = False
    parts = []
    for values, last in ((X.data, 1), (X.indices, X.shape[1])):
        part = np.full(len(old), last, dtype=values.dtype)
        part[old] = values
        parts.append(part)
    return sparse.csr_matrix((*parts, starts), shape=(X.shape[0], X.shape[1] + 1))


def encoded(y):
    """(sorted classes, index of each label's class), like np.unique(y, return_inverse=True).

    Integers of a small range are counted instead of sorted. Raises ValueError for labels that are no classes.
    """
    if y.dtype.kind == "i" and (least := int(y.min())) + len(y) >= int(y.max()):
        places = y.astype(np.intp) - least
        there = np.bincount(places) > 0
        return (np.flatnonzero(there) + least).astype(y.dtype), (np.cumsum(there) - 1)[places]
    check_classification_targets(y)
    return np.unique(y, return_inverse=True)


def variance_of(X):
    """Variance of all cells of X, including the zeros of a sparse X; not finite on overflow. Works in pieces, so that X
    is not copied."""
    values = X.data if sparse.issparse(X) else X.ravel()  # C-contiguous: no copy
    cells = X.shape[0] * X.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        mean = values.sum(dtype=np.float64) / cells
        squares = (cells - values.size) * mean**2
        for begin in range(0, values.size, PIECE):
            squares += np.square(np.subtract(values[begin : begin + PIECE], mean, dtype=np.float64)).sum()
        return squares / cells


def native_rows(X, dtype, compressed):
    """Rows for the compiled module: an array, or (data, indices, indptr, features) if `compressed`.

    `dtype` and `compressed` are the precision and layout of the session, set by its first rows. Raises ValueError.
    """
    if compressed and not sparse.issparse(X):
        X = sparse.csr_matrix(X)
    if not sparse.issparse(X):
        return np.ascontiguousarray(X, dtype=dtype)
    if not compressed:
        return np.ascontiguousarray(X.toarray(), dtype=dtype)
    X = canonical(X)
    if X.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"sparse X has {X.shape[1]} features; the limit is {np.iinfo(np.int32).max}")
    return (np.ascontiguousarray(X.data, dtype=dtype), X.indices, X.indptr, X.shape[1])
