"""Regressors standardise their targets by the running mean and deviation."""

import functools
import pickle

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

import okbench
from okbench.estimators import ESTIMATORS

REGRESSORS = sorted(name for name in ESTIMATORS if name.endswith("Regressor"))


def rows(count=300):
    random = np.random.RandomState(0)
    X = random.uniform(-2, 2, (count, 2))
    return X, np.sin(2 * X[:, 0]) + 0.1 * random.normal(size=count)


@pytest.mark.parametrize("name", REGRESSORS)
def test_predictions_follow_the_units_of_the_targets(name):
    """Targets a y + b, with a power of two for a, give predictions a f + b."""
    X, y = rows()
    reference = ESTIMATORS[name](gamma=0.5, standardize=True).fit(X, y)
    other = ESTIMATORS[name](gamma=0.5, standardize=True).fit(X, 1024 * y + 5000)
    np.testing.assert_allclose(other.predict(X), 1024 * reference.predict(X) + 5000, rtol=1e-6)
    assert reference.score(X, y) > 0.5


@pytest.mark.parametrize("name", REGRESSORS)
def test_chunks_and_saved_estimators_are_the_whole(name, tmp_path):
    X, y = rows()
    y = 30 * y - 7
    factory = functools.partial(ESTIMATORS[name], gamma=0.5, order="file", epochs=1, standardize=True)
    whole, chunks = factory().fit(X, y), factory()
    for a in range(0, len(y), 37):
        chunks.partial_fit(X[a : a + 37], y[a : a + 37])
        chunks = pickle.loads(pickle.dumps(chunks))
    assert np.array_equal(chunks.predict(X), whole.predict(X))
    whole.save(tmp_path / "saved")
    assert np.array_equal(okbench.load_estimator(tmp_path / "saved").predict(X), whole.predict(X))


def test_the_targets_are_standardised_by_those_so_far():
    """The first pass of NORMA with the squared loss and a linear step, in NumPy."""
    X, y = rows(60)
    y = 5 * y + 40
    regressor = okbench.NORMARegressor(
        loss="squared", schedule="constant", eta0=0.2, c=0.0, gamma=0.5, order="file", epochs=1
    )
    regressor.fit(X, y)
    K, alpha = rbf_kernel(X, gamma=0.5), np.zeros(60)
    for t in range(60):
        seen = y[: t + 1]
        deviation = seen.std() if seen.std() > 0 else 1.0
        alpha[t] = 0.2 * ((y[t] - seen.mean()) / deviation - K[t] @ alpha)
    expected = y.std() * (K @ alpha) + y.mean()
    np.testing.assert_allclose(regressor.predict(X), expected, rtol=1e-9)
    assert regressor.intercept_[0] == pytest.approx(y.mean())
    by_hand = regressor.dual_coef_[0] @ rbf_kernel(regressor.support_vectors_, X, gamma=0.5) + regressor.intercept_[0]
    np.testing.assert_allclose(by_hand, regressor.predict(X), rtol=1e-9)


def test_equal_targets_and_the_plain_way():
    X, _ = rows(20)
    constant = okbench.NORMARegressor().fit(X, np.full(20, 3.5))
    assert constant.predict(X) == pytest.approx(np.full(20, 3.5), abs=0.2)
    X, y = rows()
    plain = okbench.KRLSRegressor(gamma=0.5, standardize=False).fit(X, y)
    assert plain.intercept_[0] == 0
    with pytest.raises(ValueError, match="standardize: must be True or False"):
        okbench.KRLSRegressor(standardize=3).fit(X, y)
    with pytest.raises(ValueError, match="a target is too large to be standardised"):
        okbench.NORMARegressor().fit(X, 1e200 * y)
