"""Weights of examples and classes: worked cases, repeated rows, and scikit-learn's results."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight

import okbench
from okbench.estimators import ESTIMATORS

X, Y = make_moons(120, noise=0.25, random_state=0)
DRAWS = np.random.default_rng(0)
COUNTS = DRAWS.integers(1, 4, size=len(Y))
REPEATED = np.repeat(np.arange(len(Y)), COUNTS)
WEIGHTED = {name: learner_class for name, learner_class in ESTIMATORS.items() if learner_class._learner["weights"]}


def difference(name, parameters, X=X, y=Y, counts=COUNTS):
    """Largest difference between the scores with weights k and with every row k times."""
    rows = np.repeat(np.arange(len(y)), counts)
    weighted = getattr(okbench, name)(**parameters).fit(X, y, sample_weight=counts)
    repeated = getattr(okbench, name)(**parameters).fit(X[rows], y[rows])
    return np.abs(weighted.decision_function(X) - repeated.decision_function(X)).max()


EXACT = {
    "SVMStruct": {"lambda_": 0.01, "gamma": 1.0, "tol": 1e-7, "max_iter": 5000},
    "BCFW": {"lambda_": 0.01, "gamma": 1.0, "tol": 1e-7, "max_iter": 20000},
    "LaSVM": {"lambda_": 0.01, "gamma": 1.0, "tol": 1e-7, "epochs": 3},
    "Hindsight": {"c": 0.01, "gamma": 1.0, "tol": 1e-9},
}


@pytest.mark.parametrize("name", EXACT)
def test_a_weight_k_is_the_row_k_times(name):
    assert difference(name, EXACT[name]) < 2e-3


def test_a_weight_k_is_the_row_k_times_for_several_classes():
    rows, labels = load_iris(return_X_y=True)
    counts = np.random.default_rng(1).integers(1, 4, size=len(labels))
    parameters = {"C": 1.0, "gamma": 0.1, "tol": 1e-9}
    assert difference("MulticlassSVM", parameters, rows, labels, counts) < 2e-2


@pytest.mark.parametrize(
    "name, parameters", [("SFD", {}), ("StructuralSFD", {}), ("Pegasos", {}), ("LinearOnlineSVM", {})]
)
def test_one_round_over_all_rows_takes_weights_as_repetitions(name, parameters):
    """A round with every row: the mean loss is the same. Also over repeated rows, for relative weights only."""
    kernel = {} if name == "LinearOnlineSVM" else {"gamma": 1.0}
    parameters = {**kernel, "epochs": 1, "order": "file", "batch": int(COUNTS.sum()), **parameters}
    if "solver" in getattr(okbench, name)().get_params():
        # lambda_t = c / k, k being the number of rows of the round.
        parameters |= {"gap": 1e-12, "schedule": "c/k"}
        k, n = len(Y), int(COUNTS.sum())
        weighted = getattr(okbench, name)(**parameters, schedule_c=0.1).fit(X, Y, sample_weight=COUNTS)
        repeated = getattr(okbench, name)(**parameters, schedule_c=0.1 * n / k).fit(X[REPEATED], Y[REPEATED])
    else:
        weighted = getattr(okbench, name)(**parameters).fit(X, Y, sample_weight=COUNTS)
        repeated = getattr(okbench, name)(**parameters).fit(X[REPEATED], Y[REPEATED])
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), rtol=1e-4, atol=1e-4)


def test_lasvm_with_weights_is_svc():
    ours = okbench.LaSVM(lambda_=0.01, gamma=1.0, tol=1e-7, epochs=3).fit(X, Y, sample_weight=COUNTS)
    theirs = SVC(gamma=1.0, C=1 / (0.01 * COUNTS.sum()), tol=1e-8).fit(X, Y, sample_weight=COUNTS)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=5e-3)
    assert sorted(ours.support_) == sorted(theirs.support_)
    order = np.argsort(ours.support_)
    np.testing.assert_allclose(ours.dual_coef_[:, order], theirs.dual_coef_[:, np.argsort(theirs.support_)], atol=2e-2)


@pytest.mark.parametrize(
    "name, parameters, loss, rate", [("KernelOGD", {"eta": 0.3}, "hinge", 0.3), ("Perceptron", {}, "perceptron", 1.0)]
)
def test_steps_with_weights_are_scikit_learns(name, parameters, loss, rate):
    ours = getattr(okbench, name)(kernel="linear", order="file", epochs=1, fit_intercept=False, **parameters)
    theirs = SGDClassifier(
        loss=loss,
        penalty=None,
        learning_rate="constant",
        eta0=rate,
        max_iter=1,
        shuffle=False,
        fit_intercept=False,
        tol=None,
    )
    weights = DRAWS.uniform(0.5, 2, size=len(Y))
    ours.fit(X, Y, sample_weight=weights)
    theirs.fit(X, Y, sample_weight=weights)
    coefficients = (ours.dual_coef_ @ ours.support_vectors_).ravel()
    np.testing.assert_allclose(coefficients, theirs.coef_.ravel(), rtol=1e-12)


# Two rows x = 1 with k(x, x) = 1, labels +1 and -1, weights w_1 = 2 and w_2 = 0.5, by hand.
BY_HAND = {
    # tau = min(C w, 1 - y f): min(2, 1) = 1, then f = 1, loss 2, tau = min(0.5, 2) = 0.5.
    "PassiveAggressive": ({"C": 1.0}, 0.5),
    "BPAS": ({"C": 1.0}, 0.5),
    # f = 2 eta = 0.6; the second is violated: 0.6 - 0.5 * 0.3.
    "KernelOGD": ({"eta": 0.3}, 0.45),
    # Mistakes: f = 2, then a mistake: 2 - 0.5.
    "Perceptron": ({}, 1.5),
    "RBP": ({}, 1.5),
    # lambda = 1: f_1 = 2, f_2 = f_1 / 2 - 0.5 / 2 = 0.75.
    "BSGD": ({"lambda_": 1.0, "maintenance": "none"}, 0.75),
    # eta = 0.5, no regulariser: f = 1, then 1 - 0.25.
    "NORMA": ({"eta0": 0.5, "schedule": "constant", "c": 0.0}, 0.75),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_two_steps_by_hand(name):
    parameters, expected = BY_HAND[name]
    estimator = getattr(okbench, name)(kernel="linear", **parameters)
    if name != "NORMA":
        estimator.set_params(fit_intercept=False)
    estimator.partial_fit(np.ones((2, 1)), [1, 0], classes=[0, 1], sample_weight=[2.0, 0.5])
    assert estimator.decision_function(np.ones((1, 1)))[0] == pytest.approx(expected, abs=1e-12)


def test_weighted_least_squares_of_krls():
    """The dictionary spans the rows, so the result is weighted least squares."""
    draws = np.random.default_rng(2)
    X, y, weights = draws.normal(size=(40, 3)), draws.normal(size=40), draws.uniform(0.2, 3, size=40)
    ours = okbench.KRLSRegressor(kernel="linear", nu=1e-9, standardize=False).fit(X, y, sample_weight=weights)
    theirs, *_ = np.linalg.lstsq(np.sqrt(weights)[:, None] * X, np.sqrt(weights) * y, rcond=None)
    np.testing.assert_allclose(ours.predict(np.eye(3)), theirs, rtol=1e-8)


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_of_one_change_no_bit_and_no_count(name):
    learner_class = WEIGHTED[name]
    y = None if learner_class._kinds == ("novelty",) else X[:, 0] if learner_class._kinds == ("real",) else Y
    plain, ones = learner_class().fit(X, y), learner_class().fit(X, y, sample_weight=np.ones(len(Y)))
    assert plain.trace_digest_ == ones.trace_digest_
    assert plain.kernel_evaluations_ == ones.kernel_evaluations_


def test_class_weights_are_sample_weights():
    for table in ({0: 3.0, 1: 0.5}, "balanced"):
        few = np.r_[0:90, 115:120]
        a = okbench.LaSVM(gamma=1.0, class_weight=table).fit(X[few], Y[few])
        b = okbench.LaSVM(gamma=1.0).fit(X[few], Y[few], sample_weight=compute_sample_weight(table, Y[few]))
        np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    chunk = okbench.BPAS(class_weight={0: 3.0, 1: 0.5}).partial_fit(X, Y, classes=[0, 1])
    given = okbench.BPAS().partial_fit(X, Y, classes=[0, 1], sample_weight=np.where(Y == 0, 3.0, 0.5))
    np.testing.assert_array_equal(chunk.decision_function(X), given.decision_function(X))
    with pytest.raises(ValueError, match="balanced.*needs all rows"):
        okbench.BPAS(class_weight="balanced").partial_fit(X, Y, classes=[0, 1])


def test_rows_of_weight_zero_are_left_out():
    used = COUNTS > 1
    a = okbench.KernelOGD(order="file", gamma=1.0).fit(X, Y, sample_weight=used.astype(float))
    b = okbench.KernelOGD(order="file", gamma=1.0).fit(X[used], Y[used])
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))


@pytest.mark.parametrize(("make", "classes"), [(okbench.SVMD, [0, 1]), (okbench.KernelOGD, None)])
def test_a_chunk_of_zero_weights_changes_nothing(make, classes):
    estimator = make(gamma=0.5).partial_fit(X[:50], Y[:50], classes=classes)
    before = estimator.decision_function(X), estimator.kernel_evaluations_.requested
    estimator.partial_fit(X[50:52], Y[50:52], sample_weight=[0.0, 0.0])
    np.testing.assert_array_equal(estimator.decision_function(X), before[0])
    assert estimator.kernel_evaluations_.requested == before[1]
    first = make(gamma=0.5).partial_fit(X[:1], Y[:1], classes=classes, sample_weight=[0.0])
    first.partial_fit(X[:50], Y[:50], classes=classes)
    np.testing.assert_array_equal(first.decision_function(X), before[0])
    with pytest.raises(ValueError, match="all weights are zero"):
        make(gamma=0.5).fit(X, Y, sample_weight=np.zeros(len(Y)))
