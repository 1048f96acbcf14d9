"""Rows of scikit-learn's users as the compiled module takes them, without a copy of C-contiguous values."""

import numpy as np
from scipy import sparse

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # older ones have a method in its place
    validate_data = None

PRECISIONS = (np.float64, np.float32)
PIECE = 2**16


def validated(estimator, X, reset, y="no_validation", **options):
    """X (and y), checked, with scikit-learn's messages; a dense C-contiguous array or compressed rows."""
    options = {"y": y, "accept_sparse": "csr", "dtype": PRECISIONS, "order": "C", **options}
    if validate_data is None:
        return estimator._validate_data(X, reset=reset, **options)
    return validate_data(estimator, X, reset=reset, **options)


def as_learned(estimator, X, y=None):
    """Whether rows, and what is learned from them, are as the learner takes them already: all that scikit-learn would
    check holds, but for the values, which the compiled module checks. Short chunks would wait for those checks most of
    the time."""
    rows = (
        type(X) is np.ndarray
        and X.ndim == 2
        and X.flags.c_contiguous
        and len(X) > 0
        and X.shape[1] == estimator.n_features_in_
        and X.dtype == (np.float64 if estimator._session.double_precision else np.float32)
        and not estimator._compressed
        and not hasattr(estimator, "feature_names_in_")
    )
    return rows and (y is None or type(y) is np.ndarray and y.ndim == 1 and len(y) == len(X) and y.dtype.kind in "iuf")


def variance_of(X):
    """Of all cells of X, zeros of compressed rows included. In pieces: X may be most of the memory."""
    values = X.data if sparse.issparse(X) else X.ravel()  # C-contiguous: no copy
    cells = X.shape[0] * X.shape[1]
    mean = values.sum(dtype=np.float64) / cells
    squares = (cells - values.size) * mean**2
    for begin in range(0, values.size, PIECE):
        squares += np.square(np.subtract(values[begin : begin + PIECE], mean, dtype=np.float64)).sum()
    return squares / cells


def native_rows(X, dtype, compressed):
    """What _native takes: an array, or (data, indices, indptr, features), in the precision and the layout that the
    learner has, which are those of the rows that it saw first."""
    if compressed and not sparse.issparse(X):
        X = sparse.csr_matrix(X)
    if not sparse.issparse(X):
        return np.ascontiguousarray(X, dtype=dtype)
    if not compressed:
        return np.ascontiguousarray(X.toarray(), dtype=dtype)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"sparse X has {X.shape[1]} features; at most {np.iinfo(np.int32).max} are possible")
    return (np.ascontiguousarray(X.data, dtype=dtype), X.indices, X.indptr, X.shape[1])
