"""Rows of the compiled module, and the distances between rows."""

import numpy as np
from scipy import sparse


def python_rows(rows):
    """Returns a dense array unchanged, and a tuple (data, indices, indptr, features) as a scipy CSR matrix."""
    if not isinstance(rows, tuple):
        return rows
    data, indices, indptr, features = rows
    return sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, features))


def squared_median_distance(rows):
    """The squared median distance between rows that differ; 0 if all are equal."""
    from scipy.spatial.distance import pdist

    squares = pdist(rows.toarray() if sparse.issparse(rows) else rows, "sqeuclidean")
    squares = squares[squares > 0]
    return float(np.median(squares)) if len(squares) else 0.0
