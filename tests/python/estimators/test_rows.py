"""The fast conversions of rows and labels give what NumPy and SciPy give."""

import numpy as np
import pytest
from scipy import sparse

from okbench.estimators.rows import encoded, with_ones


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("value", [np.float32, np.float64])
def test_ones_are_the_last_feature(value, index):
    for density in (0, 0.1, 1):
        X = sparse.random(50, 7, density, format="csr", dtype=value, random_state=0)
        X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
        augmented_rows, expected = with_ones(X), sparse.hstack([X, np.ones((50, 1), value)], format="csr")
        assert augmented_rows.dtype == value and augmented_rows.shape == (50, 8) and augmented_rows.has_canonical_format
        assert (augmented_rows.toarray() == expected.toarray()).all() and augmented_rows.nnz == X.nnz + 50
        dense = with_ones(X.toarray())
        assert dense.dtype == value and (dense == expected.toarray()).all()


@pytest.mark.parametrize("labels", [[3], [1, -1, 1], [5, 5, 7, 6, 9], [-100, 100] * 200, [0, 10**12]])
@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.uint64, float, str, bool])
def test_labels_are_encoded_as_numpy_does(labels, kind):
    with np.errstate(all="ignore"):
        y = np.array(labels).astype(kind)
    classes, indices = encoded(y)
    expected, places = np.unique(y, return_inverse=True)
    assert classes.dtype == expected.dtype and (classes == expected).all() and (indices == places).all()
