"""Estimators among scikit-learn's: its searches and pipelines, and its own solvers of the same problems."""

import numpy as np
import pytest
from estimator_cases import rows_for
from sklearn import linear_model
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from okbench.estimators import (
    MIRA,
    NORMA,
    SVMD,
    BCFW,
    Hindsight,
    LaSVM,
    LibLinear,
    LinearPassiveAggressive,
    MulticlassSVM,
    NORMANoveltyDetector,
    NORMARegressor,
    Pegasos,
    SampledCuts,
    SVMDRegressor,
)

GAMMA, LAMBDA = 0.2, 0.01
X, Y = rows_for(LaSVM, 200, 11)
SIGNS = 2 * Y - 1


def objective(f, squared_norm):
    """lambda/2 ||f||^2 + mean hinge loss."""
    return LAMBDA / 2 * squared_norm + np.maximum(0, 1 - SIGNS * f).mean()


def objective_of(estimator):
    """The estimator's, in one output: methods over outputs have two opposite ones."""
    a = estimator.dual_coef_
    kernel = rbf_kernel(estimator.support_vectors_, gamma=GAMMA)
    return objective(estimator.decision_function(X), a @ kernel @ a.T)


def without_offset():
    """The optimum of the SVM without an offset: scikit-learn has it only for linear kernels, so on the root of the
    kernel matrix."""
    values, vectors = np.linalg.eigh(rbf_kernel(X, gamma=GAMMA))
    root = vectors * np.sqrt(np.maximum(values, 0))
    peer = LinearSVC(loss="hinge", C=1 / (LAMBDA * len(Y)), fit_intercept=False, tol=1e-8, max_iter=10**6).fit(
        root, Y
    )
    return peer.decision_function(root), float(np.sum(peer.coef_**2))


def test_lasvm_is_svc():
    """Both have an offset."""
    ours = LaSVM(lambda_=LAMBDA, gamma=GAMMA, epochs=10, tol=1e-5).fit(X, Y)
    theirs = SVC(C=1 / (LAMBDA * len(Y)), gamma=GAMMA, tol=1e-6).fit(X, Y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-2)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99


def test_solvers_without_an_offset_have_one_optimum():
    f, squared_norm = without_offset()
    best = objective(f, squared_norm)
    hindsight = Hindsight(c=LAMBDA, gamma=GAMMA, fit_intercept=False).fit(X, Y)
    np.testing.assert_allclose(hindsight.decision_function(X), f, atol=1e-2)
    assert objective_of(hindsight).item() == pytest.approx(best, rel=1e-4)
    cuts = SampledCuts(lambda_=LAMBDA, gamma=GAMMA, tol=1e-4, max_iter=10_000, fit_intercept=False).fit(X, Y)
    assert best * (1 - 1e-6) <= objective_of(cuts).item() < best + 2e-3
    pegasos = Pegasos(lambda_=LAMBDA, gamma=GAMMA, epochs=200, fit_intercept=False).fit(X, Y)
    assert best * (1 - 1e-6) <= objective_of(pegasos).item() < best * 1.05


def test_several_outputs_agree_with_one_on_two_classes():
    """Two opposite outputs, f/2 and -f/2: with the same constant another norm, but nearly the same predictions."""
    theirs = without_offset()[0] > 0
    for estimator in (
        MulticlassSVM(C=1 / (LAMBDA * len(Y)), gamma=GAMMA, tol=1e-6, fit_intercept=False),
        BCFW(lambda_=LAMBDA, gamma=GAMMA, tol=1e-4, max_iter=10_000, fit_intercept=False),
    ):
        assert (estimator.fit(X, Y).predict(X) == theirs).mean() > 0.97


def test_liblinear_is_linear_svc():
    ours = LibLinear(lambda_=LAMBDA, tol=1e-6, fit_intercept=False).fit(X, Y)
    theirs = LinearSVC(loss="hinge", C=1 / (LAMBDA * len(Y)), fit_intercept=False, tol=1e-6, max_iter=10**6).fit(X, Y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)


@pytest.mark.parametrize("classes", (2, 4))
def test_linear_passive_aggressive_is_that_of_scikit_learn(classes):
    rows, labels = rows_for(LaSVM, 200, 12, classes=classes)
    ours = LinearPassiveAggressive(C=0.1, order="file", epochs=2, fit_intercept=False).fit(rows, labels)
    passes = {"max_iter": 2, "tol": None, "shuffle": False, "fit_intercept": False}
    if hasattr(linear_model, "PassiveAggressiveClassifier"):
        theirs = linear_model.PassiveAggressiveClassifier(C=0.1, **passes).fit(rows, labels)
    else:  # from scikit-learn 1.10
        theirs = linear_model.SGDClassifier(penalty=None, learning_rate="pa1", eta0=0.1, **passes).fit(rows, labels)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("estimator_class", (SVMD, NORMA, MIRA, Pegasos, LaSVM, MulticlassSVM))
def test_cross_validation(estimator_class):
    scores = cross_val_score(estimator_class(), X, Y, cv=4)
    theirs = cross_val_score(SVC(), X, Y, cv=4)
    assert len(scores) == 4 and scores.mean() > theirs.mean() - 0.12


def test_a_search_over_kernel_width_and_a_parameter():
    search = GridSearchCV(SVMD(epochs=3), {"gamma": [1e-6, 0.1, 100.0], "mu": np.array([0.01, 0.1])}, cv=3, n_jobs=2)
    search.fit(X, Y)
    assert len(search.cv_results_["params"]) == 6 and search.best_params_["gamma"] == 0.1
    assert search.score(X, Y) > 0.8 and search.best_estimator_.gamma_ == 0.1


def test_a_pipeline():
    rows = X * [1, 10, 100, 1, 0.1, 1] + 50
    chain = make_pipeline(StandardScaler(), LaSVM(lambda_=LAMBDA))
    assert cross_val_score(chain, rows, Y, cv=3).mean() > 0.8
    search = GridSearchCV(chain, {"lasvm__lambda_": [1e-3, 1e-1], "lasvm__gamma": ["scale", 0.1]}, cv=3).fit(rows, Y)
    assert search.best_score_ > 0.8


def test_several_classes_of_methods_for_two():
    rows, labels = rows_for(LaSVM, 200, 12, classes=4)
    assert OneVsRestClassifier(Pegasos(lambda_=0.01)).fit(rows, labels).score(rows, labels) > 0.7


def test_regression_and_novelty():
    draws = np.random.default_rng(0)
    x = draws.uniform(-3, 3, size=(600, 1))
    y = np.sin(x[:, 0]) + 0.1 * draws.normal(size=600)
    for estimator_class in (NORMARegressor, SVMDRegressor):
        scores = cross_val_score(estimator_class(gamma=2.0, epochs=20, eta0=0.3, margin=0.05), x, y, cv=3)
        assert scores.mean() > 0.8, (estimator_class, scores)
    inside = draws.normal(size=(300, 2))
    outside = draws.normal(size=(50, 2)) + 8
    detector = NORMANoveltyDetector().fit(inside)
    assert (detector.predict(inside) == 1).mean() > 0.8 and (detector.predict(outside) == -1).all()
