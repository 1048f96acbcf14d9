"""Invalid rows, labels and parameters raise an error of the usual type with a one-line message."""

import re

import numpy as np
import pytest
from estimator_cases import FEATURES, RESUMABLE, partial_fit_rows, rows_for
from scipy import sparse
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import okbench
from okbench.estimators import ESTIMATORS, MIRA, NORMA, SVMD, LibLinear, Perceptron

X = np.random.default_rng(0).normal(size=(30, 4))
Y = np.arange(30) % 2
CLASSIFIERS = {
    name: estimator_class
    for name, estimator_class in ESTIMATORS.items()
    if estimator_class._kinds[0] in ("binary", "multiclass")
}


def with_value(value):
    changed = X.copy()
    changed[3, 2] = value
    return changed


def output(error, *words):
    text = str(error.value)
    assert text and "\n" not in text.strip(), text
    for word in words:
        assert word in text, text


ROWS = {
    "one dimension": (X[:, 0], "1D array"),
    "three dimensions": (X.reshape(5, 6, 4), "dim 3"),
    "NaN": (with_value(np.nan), "NaN"),
    "infinite": (with_value(np.inf), "infinity"),
    "complex": (X + 1j, "Complex data"),
    "texts": (np.full((30, 4), "x"), "could not convert"),
    "objects": (np.full((30, 4), {}, dtype=object), ""),
    "no features": (X[:, :0], "0 feature(s)"),
    "no rows": (X[:0], "0 sample(s)"),
    "sparse NaN": (sparse.csr_matrix(with_value(np.nan)), "NaN"),
}


@pytest.mark.parametrize("what", ROWS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_rows(name, what):
    rows, word = ROWS[what]
    with pytest.raises((ValueError, TypeError)) as error:
        ESTIMATORS[name]().fit(rows, Y[: len(rows)] if what != "sparse NaN" else Y)
    # scikit-learn's own messages about rows may have advice below.
    assert word in str(error.value).splitlines()[0] or word in str(error.value)
    assert error.type is ValueError or what == "objects"


LABELS = {
    "fewer": (Y[:-1], "inconsistent numbers of samples"),
    "two columns": (np.stack([Y, Y], axis=1), ""),
    "NaN": (np.where(Y > 0, np.nan, 0.0), "NaN"),
    "one class": (np.zeros(30, dtype=int), "one class"),
    "real": (X[:, 0], "Unknown label type"),
}


@pytest.mark.parametrize("what", LABELS)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_labels(name, what):
    labels, word = LABELS[what]
    with pytest.raises(ValueError) as error:
        CLASSIFIERS[name]().fit(X, labels)
    output(error, word)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_sample_weight(name):
    with pytest.raises(TypeError) as error:
        ESTIMATORS[name]().fit(X, Y, wrong=1)
    output(error, "wrong")
    if ESTIMATORS[name]._learner["weights"]:
        for weights in (np.ones(29), -np.ones(30), np.zeros(30), np.full(30, np.nan), np.ones((30, 2))):
            with pytest.raises(ValueError) as error:
                ESTIMATORS[name]().fit(X, Y, sample_weight=weights)
            output(error)
        return
    with pytest.raises(TypeError) as error:
        ESTIMATORS[name]().fit(X, Y, sample_weight=np.ones(30))
    output(error, name, "sample_weight")
    if name in RESUMABLE:
        with pytest.raises(TypeError) as error:
            ESTIMATORS[name]().partial_fit(X, Y, classes=[0, 1], sample_weight=np.ones(30))
        output(error, "sample_weight")


@pytest.mark.parametrize("name", ESTIMATORS)
def test_other_features_than_before(name):
    estimator_class = ESTIMATORS[name]
    with pytest.raises(NotFittedError) as error:
        estimator_class().predict(X)
    output(error, "not fitted")
    estimator = estimator_class().fit(X, Y)
    for rows in (X[:, :3], np.hstack([X, X]), sparse.csr_matrix(X[:, :2])):
        with pytest.raises(ValueError) as error:
            estimator.predict(rows)
        output(error, "features", "4")
    if name in RESUMABLE:
        with pytest.raises(ValueError) as error:
            estimator.partial_fit(X[:, :3], Y)
        output(error, "features", "4")
    assert len(estimator.predict(X)) == 30


def test_methods_that_solve_have_no_partial_fit():
    for name, estimator_class in ESTIMATORS.items():
        assert hasattr(estimator_class(), "partial_fit") == (name in RESUMABLE)
    with pytest.raises(AttributeError) as error:
        LibLinear().partial_fit(X, Y)
    output(error, "partial_fit")


@pytest.mark.parametrize("name", sorted(set(CLASSIFIERS) & set(RESUMABLE)))
def test_classes_of_chunks(name):
    estimator_class = CLASSIFIERS[name]
    if not estimator_class._learner["grows_classes"]:
        with pytest.raises(ValueError) as error:
            estimator_class().partial_fit(X, Y)
        output(error, "classes must be passed on the first call")
    with pytest.raises(ValueError) as error:
        estimator_class().partial_fit(X, Y, classes=[0])
    output(error)
    with pytest.raises(ValueError) as error:
        estimator_class().partial_fit(X, np.zeros(30, dtype=int), classes=[0])
    output(error, "one class")
    estimator = estimator_class().partial_fit(X, Y, classes=[1, 0])
    assert list(estimator.classes_) == [0, 1]
    with pytest.raises(ValueError) as error:
        estimator.partial_fit(X, Y + 1)
    output(error, "2")
    with pytest.raises(ValueError) as error:
        estimator.partial_fit(X, Y, classes=[0, 1, 2])
    output(error, "classes")
    texts = np.array(["a", "b"])[Y]
    with pytest.raises(ValueError) as error:
        estimator.partial_fit(X, texts)
    output(error, "a")
    # A chunk may have one class alone.
    estimator.partial_fit(X[:5], np.ones(5, dtype=int)).partial_fit(X, Y, classes=[0, 1])


def test_many_classes_are_reported_in_one_line():
    rows, labels = rows_for(MIRA, 200, classes=60)
    estimator = partial_fit_rows(MIRA(), rows, np.arange(200) % 60, 0, 100)
    with pytest.raises(ValueError) as error:
        estimator.partial_fit(rows[:5], [77] * 5)
    output(error, "77")
    with pytest.raises(ValueError) as error:
        estimator.partial_fit(rows, labels, classes=np.arange(70))
    output(error, "classes")


def test_methods_for_two_classes():
    for estimator_class in (Perceptron, LibLinear):
        with pytest.raises(ValueError) as error:
            estimator_class().fit(X, np.arange(30) % 3)
        output(error, "Only binary classification is supported")
    with pytest.raises(ValueError) as error:
        NORMA(loss="hinge").fit(X, np.arange(30) % 3)
    output(error, "with this loss", "3 classes")


def test_losses_that_do_not_fit():
    for loss in ("squared", "novelty", "wrong"):
        with pytest.raises(ValueError) as error:
            SVMD(loss=loss).fit(X, Y)
        output(error, "loss")
    with pytest.raises(ValueError) as error:
        ESTIMATORS["SVMDRegressor"](loss="hinge").fit(X, X[:, 0])
    output(error, "loss")


@pytest.mark.parametrize("name", ("NORMARegressor", "SVMDRegressor"))
def test_targets(name):
    for targets in (np.where(Y > 0, np.nan, 0.0), np.where(Y > 0, np.inf, 0.0), np.full(30, "x")):
        with pytest.raises(ValueError) as error:
            ESTIMATORS[name]().fit(X, targets)
        output(error)


@pytest.mark.parametrize(
    "name", [name for name, estimator_class in ESTIMATORS.items() if not estimator_class._learner["linear"]]
)
def test_kernels(name):
    estimator_class = ESTIMATORS[name]
    for parameters, words in (
        ({"kernel": "rbff"}, ("kernel", "rbff", "histogram-intersection")),
        ({"gamma": 0.0}, ("gamma", "> 0")),
        ({"gamma": -1.0}, ("gamma", "> 0")),
        ({"sigma": 0.0}, ("sigma", "> 0")),
        ({"kernel": "histogram-intersection"}, ("histogram", ">= 0")),
        ({"kernel": {"name": "sum", "terms": [{"name": "linear", "features": [0, 9]}]}}, ("features",)),
    ):
        if name in FEATURES and isinstance(parameters.get("kernel"), dict | str) and "rbff" not in parameters.values():
            words = ("random Fourier features", "rbf")
        with pytest.raises(ValueError) as error:
            estimator_class(**parameters).fit(X, Y)
        output(error, *words)


def test_negative_features_are_refused_everywhere():
    positive = np.abs(X)
    estimator = SVMD(kernel="histogram-intersection").fit(positive, Y)
    for call in (lambda: estimator.predict(X), lambda: estimator.partial_fit(X, Y)):
        with pytest.raises(ValueError) as error:
            call()
        output(error, ">= 0")
    assert len(estimator.predict(positive)) == 30


def test_divergence_is_an_error():
    with pytest.raises(FloatingPointError) as error:
        NORMA(kernel="poly", degree=64, gamma=1e6, schedule="constant", eta0=1e6).fit(100 * X, Y)
    output(error)
    with pytest.raises((FloatingPointError, ValueError)) as error:
        ESTIMATORS["NORMARegressor"](loss="squared", kernel="linear", eta0=1e6, epochs=100).fit(100 * X, X[:, 0])
    output(error)


@pytest.mark.parametrize(
    ("name", "parameters", "remedy"),
    [
        ("BCFW", {"max_iter": 1}, "stopped at max_iter=1 before it reached tol=0.001: raise max_iter, or raise tol"),
        ("SVMStruct", {"max_iter": 1}, "before it reached tol=0.001: raise max_iter, or raise tol"),
        ("SampledCuts", {"max_iter": 1}, "before it reached tol=0.001: raise max_iter, or raise tol"),
        ("MulticlassSVM", {"max_iter": 2}, "before it reached tol=0.001: raise max_iter, or raise tol"),
        ("LibLinear", {"lambda_": 1e-9}, "before it reached tol=0.001: scale the features, or raise tol"),
        ("LaSVM", {"finishing": False}, "after its online passes: finishing=True continues until tol=0.001"),
    ],
)
def test_a_solver_that_stops_early_names_the_remedy(name, parameters, remedy):
    X, y = make_moons(300, noise=0.4, random_state=0)
    with pytest.warns(ConvergenceWarning, match=re.escape(remedy)):
        getattr(okbench, name)(**parameters).fit(100 * X, y)
