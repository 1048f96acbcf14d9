"""Rows as the compiled module gives them."""

from scipy import sparse


def python_rows(rows):
    """An array as it is, (data, indices, indptr, features) as a CSR matrix."""
    if not isinstance(rows, tuple):
        return rows
    data, indices, indptr, features = rows
    return sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, features))
