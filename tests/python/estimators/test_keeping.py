"""What an estimator keeps: rows of the caller, weights, classes, parameters and models, through every later call."""

import numpy as np
import pytest

import okbench

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
Y = (X[:, 0] > 0).astype(int)


def chunks(size, rows=len(X)):
    return [slice(start, start + size) for start in range(0, rows, size)]


def saved(model, folder):
    model.save(folder / "model")
    return okbench.load_estimator(folder / "model")


@pytest.mark.parametrize("make", [okbench.BPAS, okbench.PKAWVRegressor])
def test_a_buffer_that_is_used_again_changes_nothing(make):
    once, again = make(), make()
    targets = X[:, 1] if make is okbench.PKAWVRegressor else Y
    named = {} if make is okbench.PKAWVRegressor else {"classes": [0, 1]}
    rows, labels = np.empty((10, 3)), np.empty(10, targets.dtype)
    for part in chunks(10):
        rows[:], labels[:] = X[part], targets[part]
        again.partial_fit(rows, labels, **named)
        once.partial_fit(X[part], targets[part], **named)
    assert once.gamma_ == again.gamma_
    assert np.array_equal(once.predict(X), again.predict(X))


@pytest.mark.parametrize("wrap", [lambda model: model, okbench.Hedged])
@pytest.mark.parametrize("table", [{0: 1.0, 1: 0.25}, {1: 0.25}])
def test_class_weights_count_in_every_call(wrap, table):
    by_class = wrap(okbench.BPAS(gamma=0.3, C=0.1, class_weight=table))
    by_row = wrap(okbench.BPAS(gamma=0.3, C=0.1))
    for part in chunks(4):  # some chunks lack a class
        by_class.partial_fit(X[part], Y[part], classes=[0, 1])
        by_row.partial_fit(X[part], Y[part], classes=[0, 1], sample_weight=np.where(Y[part] == 1, 0.25, 1.0))
    assert np.array_equal(by_class.decision_function(X), by_row.decision_function(X))


def test_an_interrupted_call_keeps_its_new_class():
    centres = np.array([[0, 5], [5, 0], [-5, -5], [6, 6]])
    a_and_b, c, d = (centres[of] + RNG.normal(size=(100, 2)) for of in (np.arange(100) % 2, 2, 3))
    calls = [0, np.inf]

    def kernel(A, B):
        calls[0] += 1
        if calls[0] > calls[1]:
            raise KeyboardInterrupt
        return np.exp(-0.2 * ((A[:, None] - B[None]) ** 2).sum(2))

    model = okbench.BPAS(kernel=kernel).partial_fit(a_and_b, np.array(["a", "b"])[np.arange(100) % 2])
    calls[1] = calls[0] + 60
    with pytest.raises(KeyboardInterrupt):
        model.partial_fit(c, ["c"] * 100)
    calls[1] = np.inf
    assert 100 < model.n_samples_seen_ < 200 and list(model.classes_) == ["a", "b", "c"]
    model.partial_fit(d[:3], ["d"] * 3)
    assert (model.predict(c) == "c").all()


@pytest.mark.parametrize("make", [okbench.BCFW, okbench.LaSVM, okbench.SFD, okbench.Pegasos])
def test_support_counts_rows_of_weight_0(make):
    weights = np.ones(200)
    weights[:50] = weights[70:75] = 0
    model = make().fit(X, Y, sample_weight=weights)
    assert np.array_equal(X[model.support_], model.support_vectors_)


@pytest.mark.parametrize("make", [okbench.SFD, okbench.Pegasos])
@pytest.mark.parametrize("gamma", [0.5, "scale"])
def test_support_counts_rows_of_weight_0_in_every_call(make, gamma, tmp_path):
    model = make(gamma=gamma).partial_fit(X[:20], Y[:20], classes=[0, 1], sample_weight=np.arange(20) % 3)
    model.partial_fit(X[20:40], Y[20:40], sample_weight=np.zeros(20))
    model.partial_fit(X[40:100], Y[40:100], sample_weight=np.arange(60) % 2)
    model = saved(model, tmp_path)
    model.partial_fit(X[100:], Y[100:], sample_weight=np.arange(100) % 5)
    assert len(model.support_) and np.array_equal(X[model.support_], model.support_vectors_)


@pytest.mark.parametrize(
    "make", [okbench.BPAS, okbench.LinearPassiveAggressive, lambda: okbench.Hedged(okbench.BPAS())]
)
def test_a_loaded_estimator_takes_new_classes(make, tmp_path):
    model = make()
    for part in chunks(10, 60):
        model.partial_fit(X[part], Y[part])
    loaded = saved(model, tmp_path)
    for one in (model, loaded):
        one.partial_fit(X[60:70], Y[60:70]).partial_fit(X[70:], Y[70:] + 1)
    assert np.array_equal(loaded.decision_function(X), model.decision_function(X))
    assert list(loaded.classes_) == [0, 1, 2]


def test_a_loaded_estimator_refuses_other_parameters(tmp_path):
    loaded = saved(okbench.BPAS(gamma=0.5).fit(X, Y), tmp_path)
    with pytest.raises(ValueError, match="C, gamma changed after learning started: call fit"):
        loaded.set_params(C=100.0, gamma=9.0).partial_fit(X, Y)


def test_the_parameters_that_were_learned_with_are_saved(tmp_path):
    model = okbench.LinearPassiveAggressive().fit(X, Y).set_params(fit_intercept=False)
    loaded = saved(model, tmp_path)
    assert loaded.fit_intercept is True
    assert np.array_equal(loaded.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("make", [okbench.BPAS, okbench.LinearPassiveAggressive])
def test_a_fit_that_fails_keeps_the_model(make):
    model = make().fit(X, Y)
    before = model.decision_function(X)
    with pytest.raises(ValueError, match="needs two classes"):
        model.fit(np.hstack([X, 9 * X]), np.zeros(200))
    assert model.n_features_in_ == 3 and np.array_equal(model.decision_function(X), before)


def test_a_fit_that_is_interrupted_keeps_the_model():
    stop = []

    def kernel(A, B):
        if stop:
            raise KeyboardInterrupt
        return A @ B.T

    model = okbench.BPAS(kernel=kernel).fit(X, Y)
    before = model.decision_function(X)
    stop.append(1)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[:, :2], Y)
    stop.clear()
    assert np.array_equal(model.decision_function(X), before)


@pytest.mark.parametrize("seed", [3, np.random.RandomState(3)])
def test_a_random_state_is_no_change(seed):
    model = okbench.FOGD(gamma=0.5, random_state=seed).partial_fit(X[:100], Y[:100], classes=[0, 1])
    model.partial_fit(X[100:].astype(np.float32), Y[100:])  # not the fast path
    assert model.n_samples_seen_ == 200


DAYS = np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[ns]")


@pytest.mark.parametrize("names", [DAYS, np.array([0, 1], np.uint8), np.array(["a", "b"], object)])
def test_classes_keep_their_type(names):
    model = okbench.LinearPassiveAggressive()
    for part in chunks(50):
        model.partial_fit(X[part], names[Y[part]])
    assert model.classes_.dtype == names.dtype and np.array_equal(model.classes_, names)
    assert set(model.predict(X)) == set(names)


def test_a_longer_name_of_a_new_class_is_whole():
    model = okbench.LinearPassiveAggressive().partial_fit(X, np.array(["a", "b"])[Y])
    assert list(model.partial_fit(X, np.array(["a", "longer"])[Y]).classes_) == ["a", "b", "longer"]


def test_a_precomputed_kernel_has_no_new_rows():
    model = okbench.BPAS(kernel="precomputed").fit(X @ X.T, Y)
    with pytest.raises(ValueError, match="a precomputed kernel has no values for new rows: call fit"):
        model.partial_fit(X @ X.T, Y)
