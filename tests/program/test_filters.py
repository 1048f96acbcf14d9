"""The kernel adaptive filters beside NumPy versions by definition, and those beside the operations of kafbox."""

import pathlib
import sys

import numpy as np
import pytest

from okbench.estimators import ESTIMATORS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import filters  # noqa: E402

GAMMA, BUDGET, ROWS = 0.5, 25, 200
NAMES = {
    "qklms": "QKLMSRegressor",
    "knlms": "KNLMSRegressor",
    "kap": "KAPRegressor",
    "sw-krls": "SWKRLSRegressor",
    "fb-krls": "FBKRLSRegressor",
    "krls-t": "KRLSTRegressor",
    "pkawv": "PKAWVRegressor",
}
# All options of a filter, with which its dictionary fills.
OPTIONS = {
    "qklms": {"eta": 0.5, "epsilon": 0.1},
    "knlms": {"mu0": 0.9, "eta": 0.5, "epsilon": 1e-6},
    "kap": {"mu0": 0.9, "eta": 0.5, "epsilon": 0.1, "memory": 8},
    "sw-krls": {"ridge": 0.01},
    "fb-krls": {"ridge": 0.01},
    "krls-t": {"forgetting": 0.999, "noise": 0.01, "jitter": 1e-6},
    "pkawv": {"nu": 0.01, "ridge": 0.1},
}


def series(seed):
    draws = np.random.default_rng(seed)
    X = draws.uniform(-2, 2, (ROWS, 2))
    return X, np.sin(2 * X[:, 0]) + 0.3 * X[:, 1] + 0.1 * draws.normal(size=ROWS)


def run(filter_class, options, X, y):
    """The filter after all rows, and the errors of its predictions."""
    learner = filter_class(GAMMA, X.shape[1], BUDGET, **options)
    return learner, np.array([row_y - learner.step(row, row_y) for row, row_y in zip(X, y)])


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_a_filter_is_that_of_numpy(name, seed):
    filter_class, _, _, names = filters.FILTERS[name]
    X, y = series(seed)
    twin, errors = run(filter_class, OPTIONS[name], X, y)
    assert len(twin.X) == BUDGET, "the dictionary must fill"
    given = {names.get(key, key): value for key, value in OPTIONS[name].items()}
    estimator = ESTIMATORS[NAMES[name]](gamma=GAMMA, budget=BUDGET, standardize=False, **given).partial_fit(X, y)
    np.testing.assert_allclose(estimator.trace_["loss"], errors**2 / 2, rtol=1e-6, atol=1e-9)
    if name != "pkawv":  # predicts other rows by the ridge regression
        k = twin.kernel(twin.X, X)
        np.testing.assert_allclose(estimator.predict(X), twin.a @ k, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_operations_of_kafbox_compute_the_same(name):
    definition, toolbox, _, _ = filters.FILTERS[name]
    X, y = series(4)
    _, errors = run(definition, OPTIONS[name], X, y)
    _, others = run(toolbox, OPTIONS[name], X, y)
    np.testing.assert_allclose(others, errors, rtol=1e-5, atol=1e-7)
