"""What an estimator tells of its model is the model: scores are sums over its support vectors; and what they cost."""

import numpy as np
import pytest
from estimator_cases import FEATURES, RESUMABLE, kind, rows_for, scores
from scipy import sparse
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

from okbench.estimators import ESTIMATORS, SVMD, LaSVM, LinearOnlineSVM


def intersection(X, V):
    return np.minimum(X[:, None, :], V[None, :, :]).sum(axis=2)


KERNELS = {
    "gamma": ({"gamma": 0.2}, lambda X, V: rbf_kernel(X, V, gamma=0.2)),
    "sigma": ({"sigma": 2.0}, lambda X, V: rbf_kernel(X, V, gamma=1 / 8)),
    "linear": ({"kernel": "linear"}, linear_kernel),
    "polynomial": (
        {"kernel": "poly", "degree": 3, "gamma": 0.1, "coef0": 1.0},
        lambda X, V: polynomial_kernel(X, V, degree=3, gamma=0.1, coef0=1.0),
    ),
    "intersection": ({"kernel": "histogram-intersection"}, intersection),
    "sum": (
        {
            "kernel": {
                "name": "sum",
                "terms": [
                    {"name": "rbf", "gamma": 0.5, "features": [0, 1]},
                    {"name": "linear", "features": [2, 5], "weight": 0.25},
                ],
            }
        },
        lambda X, V: rbf_kernel(X[:, :2], V[:, :2], gamma=0.5) + 0.25 * linear_kernel(X[:, 2:], V[:, 2:]),
    ),
}
WITH_KERNELS = [
    name
    for name, estimator_class in ESTIMATORS.items()
    if not estimator_class._learner["linear"] and name not in FEATURES
]
# Step sizes with which squared features do not make a learner diverge.
SMALL = {"eta0": 0.01}


def direct(estimator, kernel, X):
    """All outputs, summed by NumPy."""
    vectors = estimator.support_vectors_
    vectors = vectors.toarray() if sparse.issparse(vectors) else vectors
    return kernel(X, vectors) @ estimator.dual_coef_.T + estimator.intercept_


def require_direct(estimator, kernel, X):
    outputs, model_scores = direct(estimator, kernel, X), scores(estimator, X)
    if model_scores.ndim == 1:
        outputs = outputs[:, 0] if outputs.shape[1] == 1 else outputs[:, 1] - outputs[:, 0]
    scale = max(1, np.abs(outputs).max())
    np.testing.assert_allclose(model_scores / scale, outputs / scale, rtol=1e-9, atol=1e-9)
    if kind(type(estimator)) == "novelty":
        assert estimator.offset_ == -estimator.intercept_[0]
        np.testing.assert_array_equal(estimator.predict(X), np.where(model_scores < 0, -1, 1))
        np.testing.assert_allclose(estimator.score_samples(X), model_scores + estimator.offset_)
    elif hasattr(estimator, "classes_"):
        best = (model_scores > 0).astype(int) if model_scores.ndim == 1 else model_scores.argmax(axis=1)
        np.testing.assert_array_equal(estimator.predict(X), estimator.classes_[best])


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", WITH_KERNELS)
def test_scores_are_sums_over_support_vectors(name, kernel):
    estimator_class, (parameters, function) = ESTIMATORS[name], KERNELS[kernel]
    X, y = rows_for(estimator_class, 90, 1)
    X = np.abs(X) / 3
    small = {key: value for key, value in SMALL.items() if key in estimator_class().get_params()}
    if name == "KT" and (largest := np.diag(function(X, X)).max()) > 1:
        with pytest.raises(ValueError, match=r"kt needs k\(x, x\) <= 1"):
            estimator_class(**parameters).fit(X[:60], y[:60])
        X = X / largest
        if np.diag(function(X, X)).max() > 1:  # an offset, or a term of an RBF kernel
            return
    estimator = estimator_class(**parameters, **small).fit(X[:60], None if y is None else y[:60])
    assert estimator.support_vectors_.shape[1] == 6 and estimator.support_vectors_.dtype == np.float64
    assert len(estimator.support_vectors_) == estimator.dual_coef_.shape[1] > 0
    assert not hasattr(estimator, "coef_")
    require_direct(estimator, function, X)


@pytest.mark.parametrize("name", [name for name in WITH_KERNELS if "multiclass" in ESTIMATORS[name]._kinds])
def test_several_classes_have_an_output_each(name):
    X, y = rows_for(ESTIMATORS[name], 150, 2, classes=5)
    estimator = ESTIMATORS[name](gamma=0.2).fit(X, y)
    assert estimator.dual_coef_.shape[0] == len(estimator.intercept_) == 5
    assert estimator.decision_function(X).shape == (150, 5)
    require_direct(estimator, KERNELS["gamma"][1], X)


@pytest.mark.parametrize("name", ("NORMA", "SVMD", "MIRA", "Perceptron"))
def test_budgets_offsets_and_compressed_rows(name):
    estimator_class = ESTIMATORS[name]
    parameters = (
        {"buffer": 15, "fit_intercept": True, "nu": 0.2}
        if "buffer" in estimator_class().get_params()
        else {"cache": "fixed", "budget": 15}
    )
    X, y = rows_for(estimator_class, 200, 3, compressed=True)
    estimator = estimator_class(gamma=0.2, **parameters).fit(X, y)
    assert sparse.issparse(estimator.support_vectors_) and 0 < estimator.support_vectors_.shape[0] <= 15
    require_direct(estimator, KERNELS["gamma"][1], X.toarray())
    np.testing.assert_array_equal(scores(estimator, X), scores(estimator, X.toarray()))
    dense = estimator_class(gamma=0.2, **parameters).fit(X.toarray(), y)
    np.testing.assert_allclose(scores(dense, X), scores(estimator, X), rtol=1e-9)


@pytest.mark.parametrize(
    "name", [name for name, estimator_class in ESTIMATORS.items() if estimator_class._learner["linear"]]
)
def test_linear_methods_have_weights(name):
    X, y = rows_for(ESTIMATORS[name], 100, 4)
    estimator = ESTIMATORS[name]().fit(X, y)
    several = len(set(y)) > 2
    assert estimator.coef_.shape == (len(set(y)) if several else 1, 6)
    assert estimator.support_vectors_.shape == (0, 6)
    outputs = X @ estimator.coef_.T + estimator.intercept_
    outputs = outputs if several else outputs[:, 0]
    np.testing.assert_allclose(estimator.decision_function(X), outputs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_predicting_costs_rows_times_support_vectors(name):
    X, y = rows_for(ESTIMATORS[name], 70, 5)
    estimator = ESTIMATORS[name]().fit(X, y)
    first = estimator.kernel_evaluations_
    vectors = len(estimator.support_vectors_)
    for rows in (70, 1, 13):
        before = estimator.kernel_evaluations_
        scores(estimator, X[:rows])
        after = estimator.kernel_evaluations_
        assert after.evaluation - before.evaluation == rows * vectors
        assert after[:2] == first[:2]
    assert first.requested > 0 or estimator._learner["linear"] or first.features > 0 == vectors
    assert estimator.fit(X, y).kernel_evaluations_ == first


@pytest.mark.parametrize("name", RESUMABLE)
def test_counts_continue_over_chunks(name):
    X, y = rows_for(ESTIMATORS[name], 60, 6)
    estimator = ESTIMATORS[name]().fit(X, y)
    scores(estimator, X)
    before = estimator.kernel_evaluations_
    estimator.partial_fit(X, y) if y is not None else estimator.partial_fit(X)
    after = estimator.kernel_evaluations_
    if name in FEATURES:
        assert after.features > before.features > 0 and after.measured_features >= before.measured_features > 0
    elif not estimator._learner["linear"]:
        assert after.evaluation >= before.evaluation and after.requested > before.requested


def test_the_trace_has_a_row_a_step():
    X, y = rows_for(SVMD, 60, 7)
    trace = SVMD(epochs=2).fit(X, y).trace_
    assert list(trace["step"]) == list(range(1, 121)) and trace["mistakes"].is_monotonic_increasing
    chunks = SVMD(gamma=0.2).partial_fit(X[:20], y[:20], classes=[0, 1]).partial_fit(X[20:], y[20:])
    assert list(chunks.trace_["example"]) == list(range(60))


def test_the_trace_has_the_first_thousand_mini_batches():
    X, y = rows_for(LinearOnlineSVM, 2100, 7)
    steps = LinearOnlineSVM(epochs=1, batch=1).fit(X, y).trace_["step"]
    assert list(steps[:1000]) == list(range(1, 1001)) and len(steps) < 1500 and steps.iloc[-1] == 2100


def test_gamma_scale_is_scikit_learn_s():
    for dtype, far in ((np.float64, 0), (np.float32, 0), (np.float64, 1e7), (np.float32, 1e3)):
        X, y = rows_for(LaSVM, 100, 8, dtype=dtype)
        X = (X + far).astype(dtype)
        assert SVMD().fit(X, y).gamma_ == pytest.approx(1 / (6 * np.var(X, dtype=np.float64)), rel=2e-6)
    compressed, y = rows_for(LaSVM, 100, 8, compressed=True)
    assert SVMD().fit(compressed, y).gamma_ == pytest.approx(1 / (6 * compressed.toarray().var()), rel=2e-6)


def test_the_memory_layout_of_rows_does_not_matter():
    X, y = rows_for(SVMD, 100, 9, compressed=True)
    estimator = SVMD(gamma=0.1, buffer=20).partial_fit(X[:50], y[:50], classes=[0, 1])
    expected = estimator.decision_function(X)
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    turned = sparse.csr_matrix(
        (X.data[::-1].copy(), X.indices[::-1].copy(), (X.nnz - X.indptr[::-1]).astype(np.int32)), shape=X.shape
    )[::-1]
    dense = X.toarray()
    layouts = [wide, X.tocoo(), X.tocsc(), dense, np.asfortranarray(dense), dense.repeat(2, axis=0)[::2]]
    # Indices that fall within each row.
    backwards = sparse.csr_matrix(X.shape)
    backwards.data, backwards.indices, backwards.indptr = turned.data, turned.indices, turned.indptr
    assert not backwards.has_sorted_indices
    for rows in (*layouts, backwards):
        np.testing.assert_array_equal(estimator.decision_function(rows), expected)
    halves = sparse.csr_matrix((X.data.repeat(2) / 2, X.indices.repeat(2), 2 * X.indptr), shape=X.shape)
    np.testing.assert_array_equal(estimator.decision_function(halves), expected)
    for rows in layouts:
        part = SVMD(gamma=0.1, buffer=20).partial_fit(X[:50], y[:50], classes=[0, 1])
        rows = rows.tocsr() if sparse.issparse(rows) else rows
        np.testing.assert_array_equal(
            part.partial_fit(rows[50:], y[50:]).decision_function(X),
            SVMD(gamma=0.1, buffer=20, order="file", epochs=1).fit(X, y).decision_function(X),
        )


@pytest.mark.parametrize("name", FEATURES)
@pytest.mark.parametrize("compressed", [False, True])
def test_scores_are_products_with_random_features(name, compressed):
    estimator_class = ESTIMATORS[name]
    X, y = rows_for(estimator_class, 90, 1)
    rows = sparse.csr_matrix(X) if compressed else X
    estimator = estimator_class(features=30, gamma=0.2, random_state=3, epochs=1).fit(rows[:60], y[:60])
    u, w = estimator.components_, estimator.coef_
    frequencies = 90 if name.startswith("Raker") else 30  # Raker: of each of three kernels
    coordinates = 2 * frequencies
    assert u.shape == (frequencies, 6) and w.shape[1] == coordinates
    assert estimator.support_vectors_.shape == (0, 6) and estimator.dual_coef_.shape == (len(w), 0)
    outputs = np.hstack([np.cos(X @ u.T), np.sin(X @ u.T)]) / np.sqrt(frequencies) @ w.T + estimator.intercept_
    before = estimator.kernel_evaluations_
    assert before == (0, 0, 0, 60 * coordinates, 0)
    model_scores = scores(estimator, rows)
    if model_scores.ndim == 1:
        outputs = outputs[:, 0]
    np.testing.assert_allclose(model_scores, outputs, rtol=1e-9, atol=1e-9)
    assert estimator.kernel_evaluations_ == (0, 0, 0, 60 * coordinates, 90 * coordinates)
    with pytest.raises(ValueError, match="rbf"):
        estimator_class(kernel="linear").fit(X, y)


def test_random_features_are_refused_by_other_learners():
    X, y = rows_for(SVMD, 30, 1)
    with pytest.raises(AttributeError, match="SVMD has no random features"):
        SVMD().fit(X, y).components_
