"""The width of the kernel in partial_fit: it comes from the first 30 rows, whatever the chunks are."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

import okbench
from okbench.estimators import ESTIMATORS
from okbench.estimators.kernels import width

pytestmark = pytest.mark.filterwarnings("ignore:.*has learned nothing yet")


def rows(count=400, features=3, seed=0):
    draws = np.random.default_rng(seed)
    X = draws.normal(size=(count, features))
    return X, ((X**2).sum(1) < features).astype(int)


def learned(estimator, X, y, size):
    for begin in range(0, X.shape[0], size):
        estimator.partial_fit(X[begin : begin + size], y[begin : begin + size], classes=[0, 1])
    return estimator


@pytest.mark.parametrize("gamma", ["scale", "median"])
def test_the_chunk_size_does_not_change_a_bit(gamma):
    X, y = rows()
    digests = {learned(okbench.SVMD(gamma=gamma), X, y, size).trace_digest_ for size in (1, 7, 29, 30, 31, 400)}
    number = learned(okbench.SVMD(gamma=width(okbench.SVMD(gamma=gamma), X[:30])), X, y, 400)
    assert digests == {number.trace_digest_}
    frames = [okbench.prequential(okbench.SVMD(gamma=gamma), (X, y)).curves]
    chunks = [(X[begin : begin + 11], y[begin : begin + 11]) for begin in range(0, 400, 11)]
    frames.append(okbench.prequential(okbench.SVMD(gamma=gamma), chunks, classes=[0, 1]).curves)
    columns = ["step", "mistakes", "support_vectors", "error", "error@1000"]
    assert frames[0][columns].equals(frames[1][columns])


def test_a_useless_first_row_does_not_decide():
    X, y = rows(2000, 2, 3)
    X[0] = [0.5, 0.5005]
    wrapped = okbench.river.wrap(okbench.SVMD(), classes=[0, 1])
    hits = 0
    for (a, b), label in zip(X, y):
        hits += wrapped.predict_one({"a": a, "b": b}) == label
        wrapped.learn_one({"a": a, "b": b}, label)
    assert 0.1 < wrapped.model.gamma_ < 2 and hits > 1800


def test_the_model_is_untrained_until_the_width_is_known():
    X, y = rows()
    model = okbench.SVMD().partial_fit(X[:20], y[:20], classes=[0, 1])
    with pytest.warns(UserWarning, match="gamma='scale' needs 30 rows in partial_fit, and 20 have come"):
        assert model.predict(X[:2]).tolist() == [0, 0]
    assert model.decision_function(X[:2]).tolist() == [0, 0] and model.predict_proba(X[:1]).tolist() == [[0.5, 0.5]]
    with pytest.raises(NotFittedError, match="20 have come; a number as gamma learns at once"):
        model.trace_
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(np.ones((2, 5)), [0, 1])
    again = pickle.loads(pickle.dumps(model))
    assert learned(again, X[20:], y[20:], 50).trace_digest_ == learned(model, X[20:], y[20:], 7).trace_digest_
    fresh = okbench.SVMD().partial_fit(X[:20], y[:20], classes=[0, 1]).fit(X[:50], y[:50])
    assert fresh.trace_digest_ == okbench.SVMD().fit(X[:50], y[:50]).trace_digest_


def test_several_classes_and_targets_wait_too():
    X, _ = rows()
    y = np.arange(400) % 5
    for model in (okbench.SVMD(), okbench.MIRA()):
        classes = {} if model._grows() else {"classes": range(5)}
        model.partial_fit(X[:10], np.minimum(y[:10], 1), **classes)  # classes may appear later
        model.partial_fit(X[10:20], y[10:20])
        assert model.predict(X[:2]).tolist() == [0, 0] and model.decision_function(X[:2]).shape == (2, 5)
        assert list(model.partial_fit(X[20:], y[20:]).classes_) == [0, 1, 2, 3, 4] and model.gamma_
    values = 1000 + X[:, 0]
    regressor = okbench.NORMARegressor().partial_fit(X[:20], values[:20])
    assert regressor.predict(X[:1]) == pytest.approx(values[:20].mean())
    assert abs(regressor.partial_fit(X[20:], values[20:]).predict(X[:5]) - 1000).max() < 3
    sparse_rows = sparse.csr_matrix(X)
    model = okbench.SVMD().partial_fit(sparse_rows[:20], y[:20] % 2, classes=[0, 1])
    assert sparse.issparse(model.partial_fit(sparse_rows[20:], y[20:] % 2).support_vectors_)


def test_a_number_learns_at_once_and_wrong_parameters_fail_at_once():
    X, y = rows()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        okbench.SVMD(gamma=0.3).partial_fit(X[:1], y[:1], classes=[0, 1]).predict(X[:1])
        okbench.SVMD(sigma=1.0).partial_fit(X[:1], y[:1], classes=[0, 1]).predict(X[:1])
    with pytest.raises(ValueError, match="eta0"):
        okbench.SVMD(eta0=-1).partial_fit(X[:1], y[:1], classes=[0, 1])
    with pytest.raises(ValueError, match="too few rows"):
        okbench.prequential(okbench.SVMD(), [(X[:20], y[:20])], classes=[0, 1])


@pytest.mark.parametrize("gamma", ["scale", "median"])
def test_values_whose_squares_overflow_are_an_error(gamma):
    X, y = rows(120)
    with pytest.raises(ValueError, match="the values of X are too large; standardise them, or pass a number"):
        okbench.SVMD(gamma=gamma).fit(X * 1e170, y)


def test_kernel_methods_have_no_intercept_by_default_and_linear_methods_have_one():
    for name, estimator_class in ESTIMATORS.items():
        if "fit_intercept" in estimator_class().get_params():
            assert estimator_class().fit_intercept is estimator_class._learner["linear"], name


def test_the_rows_learned_are_counted(tmp_path):
    X, y = rows()
    model = okbench.PassiveAggressive(gamma=0.2).partial_fit(X[:100], y[:100], classes=[0, 1])
    assert model.n_samples_seen_ == 100
    assert pickle.loads(pickle.dumps(model)).partial_fit(X[100:], y[100:]).n_samples_seen_ == 400
    assert okbench.SVMD(epochs=3).fit(X[:50], y[:50]).n_samples_seen_ == 150
    model.save(tmp_path / "model")
    loaded = okbench.load_estimator(tmp_path / "model")
    assert loaded.n_samples_seen_ == 100
    assert loaded.partial_fit(X[100:], y[100:]).n_samples_seen_ == 400
    okbench.LaSVM(gamma=0.2).fit(X[:50], y[:50]).save(tmp_path / "solver")
    assert not hasattr(okbench.load_estimator(tmp_path / "solver"), "n_samples_seen_")
