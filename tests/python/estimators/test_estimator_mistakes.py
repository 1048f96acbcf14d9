"""Estimators: mistakes in parameters get an error or a warning that says what to do."""

import warnings

import numpy as np
import pytest

import okbench

X = np.random.default_rng(0).normal(size=(100, 2))
Y = X[:, 0] > 0


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"gamma": 0.5, "sigma": 1.0}, "gamma and sigma: set only one"),
        ({"kernel": 3}, "kernel: must be one of"),
        ({"kernel": lambda a, b: 1.0}, "the callable must return a matrix of shape"),
        ({"buffer": 10**30}, "buffer: 1000000000000000000000000000000 is out of range"),
        ({"kernel": {"name": "rbf", "sigmaa": 2}}, "rbf has no key 'sigmaa'"),
    ],
)
def test_wrong_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        okbench.NORMA(**parameters).fit(X, Y)


def test_parameters_set_in_mid_stream_need_a_new_fit():
    learner = okbench.NORMA(eta0=0.1).partial_fit(X, Y, classes=[False, True])
    learner.set_params(eta0=0.1)  # the same object
    learner.partial_fit(X, Y).set_params(eta0=5.0)
    for dtype in (np.float64, np.float32):  # without and with conversion of the rows
        with pytest.raises(ValueError, match="eta0 changed after learning started: call fit"):
            learner.partial_fit(X.astype(dtype), Y)
    assert learner.fit(X, Y).partial_fit(X, Y).kernel_evaluations_.requested > 0


def test_attributes_set_in_mid_stream_need_a_new_fit():
    learner = okbench.PassiveAggressive(C=0.1, gamma=1.0).partial_fit(X, Y, classes=[False, True])
    learner.C = 10.0
    with pytest.raises(ValueError, match="C changed after learning started: call fit"):
        learner.partial_fit(X, Y)
    learner.C = 0.1
    learner.partial_fit(X, Y)


def test_a_diverging_regressor_raises():
    y = 300 * X[:, 0]
    with pytest.raises(FloatingPointError, match="diverged at step"):
        okbench.NORMARegressor(loss="squared", eta0=10).fit(X, y)
    learner = okbench.NORMARegressor(loss="squared", eta0=10)
    with pytest.raises(FloatingPointError, match="diverged at step"):
        for _ in range(10):
            learner.partial_fit(X, y)
    # Targets far apart in scale are no divergence.
    okbench.NORMARegressor(loss="squared", eta0=0.1).fit(X, 1e-6 * y)
    okbench.NORMARegressor(loss="squared", eta0=0.1).fit(X, 1e9 * y)


def test_a_learner_that_never_learns_warns():
    with pytest.warns(UserWarning, match="Projectron has no support vectors"):
        okbench.Projectron(eta=1.0, fit_intercept=False).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        okbench.Projectron(eta=0.5, fit_intercept=False).fit(X, Y)
        okbench.FOGD().fit(X, Y)


def test_a_multiclass_hinge_loss_with_margin_zero_learns():
    labels = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    learner = okbench.NORMA(margin=0.0, eta0=0.5, c=0.001).fit(X, labels)
    assert (learner.predict(X) == labels).mean() > 0.7


def test_close_rows_with_large_norms_are_told_apart():
    """Columns such as years: single precision without cancellation gives the decision values of double precision."""
    years = np.column_stack([1950 + 100 * (X[:, 0] > 0) + X[:, 1], 101325 + 10 * X[:, 1]])
    years = years.astype(np.float32)
    options = {"sigma": 3.0, "eta0": 0.5, "c": 0.01, "order": "file"}
    single = okbench.NORMA(**options).fit(years, Y).decision_function(years)
    double = okbench.NORMA(**options).fit(years.astype(np.float64), Y).decision_function(years.astype(np.float64))
    assert np.abs(single - double).max() < 1e-4 and np.abs(double).max() > 0.1
