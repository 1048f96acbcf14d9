"""Converts rows returned by the compiled module."""

from scipy import sparse


def python_rows(rows):
    """Returns a dense array unchanged, and a tuple (data, indices, indptr, features) as a scipy CSR matrix."""
    if not isinstance(rows, tuple):
        return rows
    data, indices, indptr, features = rows
    return sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, features))
