"""Probabilities, intercepts, kernels of the user, new classes, and tags: what data scientists expect."""

import dataclasses
import pickle

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_moons
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.model_selection import cross_val_score

import okbench
from okbench.estimators import ESTIMATORS
from okbench.estimators.probabilities import fitted_scale, probabilities

X, Y = make_moons(200, noise=0.25, random_state=0)
IRIS = load_iris(return_X_y=True)
KERNEL_METHODS = [
    name
    for name, estimator_class in ESTIMATORS.items()
    if not estimator_class._learner["linear"]
    and estimator_class._learner["name"] not in ("fogd", "raker")
    and estimator_class._kinds[0] in ("binary", "multiclass")
]


def gaussian(a, b):
    return rbf_kernel(a, b, gamma=0.7)


def data_of(estimator_class):
    return IRIS if estimator_class._kinds == ("multiclass",) else (X, Y)


@pytest.mark.parametrize("name", KERNEL_METHODS)
def test_callable_and_precomputed_kernels_give_the_scores_of_the_engine(name):
    rows, labels = data_of(ESTIMATORS[name])
    own = {"maintenance": "projection"} if name == "BSGD" else {}
    own |= {"epochs": 1} if "epochs" in ESTIMATORS[name]().get_params() else {}
    engine = ESTIMATORS[name](gamma=0.7, **own).fit(rows, labels)
    handed = ESTIMATORS[name](kernel=gaussian, **own).fit(rows, labels)
    matrix = gaussian(rows, rows)
    given = ESTIMATORS[name](kernel="precomputed", **own).fit(matrix, labels)
    counts = [estimator.kernel_evaluations_.requested for estimator in (engine, handed, given)]
    # Methods that solve a problem stop at a tolerance, and kernel values differ in the last bits, which decide when.
    solves = ("LaSVM", "SVMStruct", "BCFW", "MulticlassSVM", "SampledCuts", "SFD", "StructuralSFD", "Hindsight")
    assert 0 < max(counts) < (1.25 if name in solves else 1.01) * min(counts)
    close = {"rtol": 0, "atol": 0.5 if name in solves else 1e-8}
    expected = engine.decision_function(rows)
    np.testing.assert_allclose(handed.decision_function(rows), expected, **close)
    np.testing.assert_allclose(given.decision_function(matrix), expected, **close)
    assert given.support_vectors_.shape[0] == 0 and given.dual_coef_.shape[1] == len(given.support_)
    again = pickle.loads(pickle.dumps(handed))
    np.testing.assert_array_equal(again.decision_function(rows), handed.decision_function(rows))


def test_the_poly_kernel_has_scikit_learns_meaning():
    def cubic(a, b):
        return polynomial_kernel(a, b, degree=3, gamma=0.4, coef0=1.5)

    a = okbench.KernelOGD(kernel="poly", gamma=0.4, coef0=1.5).fit(X, Y)
    b = okbench.KernelOGD(kernel=cubic).fit(X, Y)
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), rtol=1e-9)


def test_wrong_kernels_of_the_user():
    with pytest.raises(ValueError, match=r"must return a matrix of shape \(\d+, \d+\)"):
        okbench.Pegasos(kernel=lambda a, b: np.ones(3)).fit(X, Y)
    with pytest.raises(ZeroDivisionError):
        okbench.Pegasos(kernel=lambda a, b: 1 / 0).fit(X, Y)
    with pytest.raises(ValueError, match="square matrix"):
        okbench.Pegasos(kernel="precomputed").fit(X, Y)
    with pytest.raises(ValueError, match="no values for new rows"):
        okbench.BPAS(kernel="precomputed").partial_fit(gaussian(X, X), Y, classes=[0, 1])
    with pytest.raises(ValueError, match="only numbers and strings can be saved"):
        okbench.BPAS(kernel=gaussian).fit(X, Y).save("/nowhere/kernel")
    with pytest.raises(ValueError, match="use 'poly'"):
        okbench.BPAS(kernel="polynomial").fit(X, Y)


def test_a_precomputed_kernel_is_cut_by_cross_validation():
    matrix = gaussian(X, X)
    cut = cross_val_score(okbench.LaSVM(kernel="precomputed"), matrix, Y, cv=4)
    whole = cross_val_score(okbench.LaSVM(gamma=0.7), X, Y, cv=4)
    np.testing.assert_allclose(cut, whole, atol=0.03)


@pytest.mark.parametrize("name", KERNEL_METHODS)
def test_scores_are_sums_over_support_vectors_and_the_intercept(name):
    rows, labels = data_of(ESTIMATORS[name])
    estimator = ESTIMATORS[name](gamma=0.7).fit(rows, labels)
    values = gaussian(rows, estimator.support_vectors_) @ estimator.dual_coef_.T + estimator.intercept_
    scores = estimator.decision_function(rows)
    np.testing.assert_allclose(scores, values[:, 0] if scores.ndim == 1 else values, rtol=1e-6, atol=1e-6)
    assert estimator.dual_coef_.shape[0] == (1 if len(set(labels)) == 2 else 3)
    # scikit-learn's sign: support vectors of the second class push the scores up.
    if len(set(labels)) == 2 and hasattr(estimator, "support_"):
        weights = estimator.dual_coef_[0] * (2 * labels[estimator.support_] - 1)
        assert (weights >= 0).all()


def test_support_numbers_rows_over_calls():
    estimator = okbench.Pegasos(batch=10, gamma=1.0, order="file", epochs=1).fit(X[:100], Y[:100])
    estimator.partial_fit(X[100:], Y[100:])
    np.testing.assert_array_equal(X[estimator.support_], estimator.support_vectors_)
    assert estimator.support_.max() >= 100
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.support_, estimator.support_)
    with pytest.raises(AttributeError, match="support_vectors_"):
        okbench.BPAS().fit(X, Y).support_


@pytest.mark.parametrize("name", ("LibLinear", "LinearOnlineSVM"))
def test_linear_methods_have_an_intercept(name):
    draws = np.random.default_rng(0)
    labels = draws.integers(2, size=400)
    rows = np.column_stack([draws.normal(size=400) + 4 * labels + 3, draws.normal(size=400)])
    estimator = ESTIMATORS[name]().fit(rows, labels)
    assert (
        estimator.score(rows, labels)
        > (0.95 if name == "LibLinear" else 0.8)
        > ESTIMATORS[name](fit_intercept=False).fit(rows, labels).score(rows, labels)
    )
    scores = rows @ estimator.coef_.T + estimator.intercept_
    np.testing.assert_allclose(estimator.decision_function(rows), scores[:, 0], rtol=1e-9)


def test_gamma_median():
    rows = np.array([[0.0], [1.0], [3.0]])  # distances 1, 2, 3
    assert okbench.BPAS(gamma="median").fit(rows, [0, 1, 1]).gamma_ == pytest.approx(1 / 8)
    assert okbench.BPAS(gamma="median").fit(np.zeros((3, 1)), [0, 1, 1]).gamma_ == 1.0


# Probabilities ---------------------------------------------------------------------------------------------------


def test_the_scale_by_hand():
    """Scores +1 and -1, three right and one wrong of four each: targets 5/6 and 1/6, one of four turned."""
    labels, scores = np.array([1] * 4 + [-1] * 4), np.array([1.0, 1, 1, -1, -1, -1, -1, 1])[:, None]
    # Mean target of the score's side: (3 * 5/6 + 1/6) / 4 = 2/3, so 1 / (1 + exp(-a)) = 2/3.
    assert fitted_scale(labels, scores) == pytest.approx(np.log(2), rel=1e-3)
    assert fitted_scale(np.array([], dtype=int), np.empty((0, 1))) == 1.0
    assert fitted_scale(labels, 0 * scores) == 1.0


@pytest.mark.parametrize(
    "name", [name for name, estimator_class in ESTIMATORS.items() if hasattr(estimator_class(), "predict_proba")]
)
def test_probabilities(name):
    rows, labels = data_of(ESTIMATORS[name])
    estimator = ESTIMATORS[name]().fit(rows, labels)
    estimates = estimator.predict_proba(rows)
    assert estimates.shape == (len(rows), len(set(labels)))
    np.testing.assert_allclose(estimates.sum(axis=1), 1)
    np.testing.assert_array_equal(estimator.classes_[estimates.argmax(axis=1)], estimator.predict(rows))
    np.testing.assert_allclose(np.exp(estimator.predict_log_proba(rows)), estimates)
    # Better than the shares of the classes alone.
    shares = np.bincount(labels) / len(labels)
    assert log_loss(labels, estimates) < -(shares * np.log(shares)).sum()


def test_probabilities_of_a_stream_are_calibrated():
    draws = np.random.default_rng(0)
    rows = draws.normal(size=(6000, 2))
    truth = 1 / (1 + np.exp(-2 * rows[:, 0]))
    labels = (draws.random(6000) < truth).astype(int)
    estimator = okbench.BPAS(budget=50, gamma=0.1, C=0.02).partial_fit(rows[:4000], labels[:4000], classes=[0, 1])
    estimates = estimator.predict_proba(rows[4000:])[:, 1]
    best = log_loss(labels[4000:], truth[4000:])
    raw = log_loss(labels[4000:], probabilities(50 * estimator.decision_function(rows[4000:])[:, None]))
    assert log_loss(labels[4000:], estimates) < best + 0.06 < raw
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.predict_proba(rows[4000:])[:, 1], estimates)


def test_logistic_losses_give_probabilities_directly():
    estimator = okbench.NORMA(loss="logistic", gamma=1.0).fit(X, Y)
    expected = 1 / (1 + np.exp(-estimator.decision_function(X)))
    np.testing.assert_allclose(estimator.predict_proba(X)[:, 1], expected)
    theirs = LogisticRegression().fit(X, Y)
    assert log_loss(Y, estimator.predict_proba(X)) < log_loss(Y, theirs.predict_proba(X))


def test_solvers_point_to_calibration():
    assert not hasattr(okbench.LaSVM(), "predict_proba")
    assert CalibratedClassifierCV(okbench.LaSVM(), cv=3).fit(X, Y).predict_proba(X).shape == (200, 2)


# New classes -----------------------------------------------------------------------------------------------------

GROWING = [
    name
    for name, estimator_class in ESTIMATORS.items()
    if estimator_class._learner["grows_classes"] and "multiclass" in estimator_class._kinds
]


def in_order():
    """Rows of iris with texts as labels: the classes one after the other, twice."""
    rows, labels = IRIS
    order = np.r_[0:150:2, 1:150:2]
    return rows[order], np.array(["virginica", "setosa", "versicolor"])[labels[order]]


JOINT = {"multiclass": "joint", "budget": 40}
SETTINGS = {name: {} if ESTIMATORS[name]._learner["linear"] else {"gamma": 0.5} for name in GROWING}
SETTINGS["ProsNKons"]["budget"] = 20  # no restart near the last row


@pytest.mark.parametrize(
    "name, own", [*((name, {}) for name in SETTINGS), ("BPAS", JOINT), ("NOGD", JOINT), ("FOGD", {"average": True})]
)
def test_new_classes_in_partial_fit(name, own):
    rows, labels = in_order()
    estimator = ESTIMATORS[name](random_state=0, **SETTINGS[name], **own)
    seen = []
    for begin in range(0, 150, 10):
        estimator.partial_fit(rows[begin : begin + 10], labels[begin : begin + 10])
        seen.append(list(estimator.classes_))
    assert seen[0] == ["virginica"] and len(seen[-1]) == 3 and seen[-1] == sorted(seen[-1])
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.predict_proba(rows), estimator.predict_proba(rows))
    if name == "LinearPassiveAggressive":
        values = rows @ estimator.coef_.T
        np.testing.assert_allclose(estimator.decision_function(rows), values + estimator.intercept_, atol=1e-8)
        return  # each class comes in a block, and linear functions follow the last block
    assert estimator.score(rows, labels) > 0.6
    if name not in ("FOGD", "Raker"):
        values = rbf_kernel(rows, estimator.support_vectors_, gamma=0.5) @ estimator.dual_coef_.T
        np.testing.assert_allclose(estimator.decision_function(rows), values + estimator.intercept_, atol=1e-8)


def test_a_function_starts_when_its_class_appears():
    """BPAS: the functions of the first two classes are those of classes named at once; the third starts at 0."""
    rows, labels = in_order()
    first = labels != "versicolor"
    parts = [(rows[first], labels[first]), (rows[~first], labels[~first])]
    grown, named = okbench.BPAS(gamma=0.5), okbench.BPAS(gamma=0.5)
    for X, y in parts:
        grown.partial_fit(X, y)
        named.partial_fit(X, y, classes=["setosa", "versicolor", "virginica"])
    both = [0, 2]
    np.testing.assert_allclose(
        grown.decision_function(rows)[:, both], named.decision_function(rows)[:, both], rtol=1e-12
    )
    alone = okbench.BPAS(gamma=0.5)
    alone.partial_fit(parts[1][0], np.ones((~first).sum()), classes=[0, 1])
    np.testing.assert_allclose(grown.decision_function(rows)[:, 1], alone.decision_function(rows), rtol=1e-12)


def test_named_classes_stay_fixed():
    with pytest.raises(ValueError, match="label 2 is not one of the classes"):
        okbench.BPAS().partial_fit(X, Y, classes=[0, 1]).partial_fit(X[:1], [2])
    with pytest.raises(ValueError, match="classes must be passed"):
        okbench.NORMA().partial_fit(X, Y)
    with pytest.raises(ValueError, match="another type"):
        okbench.BPAS().partial_fit(X, Y).partial_fit(X[:1], ["a"])


def test_river_needs_no_classes():
    model = okbench.river.wrap(okbench.BPAS())
    assert model.predict_one({"a": 1.0, "b": 2.0}) is None and model.predict_proba_one({"a": 1.0}) == {}
    rows, labels = in_order()
    for x, y in zip(rows, labels):
        model.learn_one(dict(enumerate(x.tolist())), y)
    assert set(model.predict_proba_one(dict(enumerate(rows[0].tolist())))) == set(labels)
    with pytest.raises(ValueError, match="classes: pass all classes; MIRA learns them together"):
        okbench.river.wrap(okbench.MIRA())


# Tags ------------------------------------------------------------------------------------------------------------


class InputTags:
    sparse = pairwise = False


class ClassifierTags:
    multi_class = True


@dataclasses.dataclass
class Tags:
    """What scikit-learn 1.6 returns from BaseEstimator.__sklearn_tags__, as far as it is changed here."""

    input_tags: InputTags = dataclasses.field(default_factory=InputTags)
    classifier_tags: ClassifierTags = dataclasses.field(default_factory=ClassifierTags)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_tags_of_scikit_learn_from_1_6(name, monkeypatch):
    from sklearn.base import BaseEstimator

    if not hasattr(BaseEstimator, "__sklearn_tags__"):
        monkeypatch.setattr(BaseEstimator, "__sklearn_tags__", lambda self: Tags(), raising=False)
    estimator_class = ESTIMATORS[name]
    tags = estimator_class().__sklearn_tags__()
    assert tags.input_tags.sparse and not tags.input_tags.pairwise
    if estimator_class._kinds[0] in ("binary", "multiclass"):
        assert tags.classifier_tags.multi_class == ("multiclass" in estimator_class._kinds)
    if not estimator_class._learner["linear"]:
        assert estimator_class(kernel="precomputed").__sklearn_tags__().input_tags.pairwise


# States -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factory", "changed"),
    [
        (lambda: okbench.LibLinear(), {"fit_intercept": False}),
        (lambda: okbench.Pegasos(gamma=0.7), {"fit_intercept": False}),
        (lambda: okbench.Pegasos(kernel=gaussian), {"kernel": "precomputed"}),
    ],
)
def test_parameters_that_are_set_later_do_not_change_a_fitted_model(factory, changed):
    model = factory().fit(X, Y)
    before = model.decision_function(X), model.intercept_
    model.set_params(**changed)
    np.testing.assert_array_equal(model.decision_function(X), before[0])
    np.testing.assert_array_equal(model.intercept_, before[1])
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(X), before[0])


def test_a_fit_that_fails_keeps_the_classes_of_a_growing_model():
    rows, labels = in_order()
    model = okbench.BPAS(gamma=0.5).partial_fit(rows[:100], labels[:100]).partial_fit(rows[100:], labels[100:])
    before = model.decision_function(rows)
    with pytest.raises(ValueError, match="C"):
        model.set_params(C=-1.0).fit(rows, labels)
    np.testing.assert_array_equal(model.decision_function(rows), before)


def test_iterations_are_known_after_fitting_only(tmp_path):
    assert not hasattr(okbench.BPAS(), "n_iter_") and not hasattr(okbench.BCFW(), "n_iter_")
    model = okbench.SVMStruct(max_iter=500).fit(X, Y)
    assert 1 <= model.n_iter_ <= 500 and okbench.BPAS(epochs=3).fit(X, Y).n_iter_ == 3
    model.save(tmp_path / "model")
    assert not hasattr(okbench.load_estimator(tmp_path / "model"), "n_iter_")


def test_gamma_median_far_from_the_origin():
    rows = np.array([[0.0], [1.0], [3.0]]) + 1e8
    assert okbench.BPAS(gamma="median").fit(rows, [0, 1, 1]).gamma_ == pytest.approx(1 / 8)


def test_krls_t_gives_the_standard_deviations_of_a_gaussian_process():
    draws = np.random.default_rng(0)
    rows = draws.uniform(-3, 3, (60, 1))
    targets = 5 * np.sin(rows[:, 0]) + 0.5 * draws.normal(size=60)
    new = np.linspace(-6, 6, 13)[:, None]
    ours = okbench.KRLSTRegressor(gamma=0.5, lambda_=1.0, noise=0.01, jitter=1e-8, budget=100, standardize=False)
    theirs = GaussianProcessRegressor(RBF(1.0), alpha=0.01, optimizer=None).fit(rows, targets)
    expected, deviation = theirs.predict(new, return_std=True)
    predictions, ours_deviation = ours.fit(rows, targets).predict(new, return_std=True)
    assert np.allclose(predictions, expected, atol=1e-5)
    assert np.allclose(ours_deviation**2, deviation**2 + 0.01, atol=1e-6)  # of y, with the noise
    assert np.array_equal(ours.predict(new), predictions)
    # Standardised targets: the units of y, and larger where no row is near.
    scaled = okbench.KRLSTRegressor(gamma=0.5, lambda_=1.0, noise=0.01, budget=100).fit(rows, targets)
    near, far = scaled.predict([[0.0], [20.0]], return_std=True)[1]
    assert 0.3 < near < 1 and far > 3
    with pytest.raises(TypeError):
        okbench.SWKRLSRegressor().fit(rows, targets).predict(new, return_std=True)
