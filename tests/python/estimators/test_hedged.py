"""Hedged: several widths of one estimator vote."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_friedman1, make_moons
from sklearn.model_selection import GridSearchCV
from sklearn.utils._testing import SkipTest
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import check_estimator

import okbench
from hedge_by_hand import HedgeByHand
from okbench.estimators.checks import expected_failures

WIDTHS = (0.25, 1, 16)
X, Y = make_moons(200, noise=0.25, random_state=0)


def by_hand(estimators, X, y, labels, **options):
    """Predictions of a Hedge over estimators that learn alone, one row after the other; None: nobody votes."""
    hedge, predictions = HedgeByHand(len(estimators), **options), []

    def winner(votes):
        return None if len(labels) == 2 and votes[0] == votes[1] else labels[int(np.argmax(votes))]

    for row, label in zip(X, y):
        scores = []
        for estimator in estimators:
            started = hasattr(estimator, "classes_")
            scores.append(estimator.decision_function([row])[0] if started else np.zeros(max(1, len(labels) - 2 + 1)))
        votes = np.zeros((len(estimators), len(labels)))
        for vote, f in zip(votes, scores):
            if len(labels) > 2 or np.ravel(f)[0] != 0:
                vote[int(np.argmax(f)) if len(labels) > 2 else int(np.ravel(f)[0] > 0)] = 1
        predictions.append(winner(hedge.weights @ votes))
        wrong = [float(winner(vote) != label) for vote in votes]
        hedge.update(wrong, lambda mean, votes=votes, label=label: float(winner(mean @ votes) != label))
        for estimator in estimators:
            estimator.partial_fit([row], [label], classes=labels)
    return predictions, hedge.weights


@pytest.mark.parametrize("options", [{}, {"beta": 0.5, "discounts": [0.05]}, {"discounts": [0.2, 0]}])
@pytest.mark.parametrize("estimator_class", [okbench.BPAS, okbench.PassiveAggressive, okbench.FOGD])
def test_a_hedge_equals_its_recomputation_from_estimators(estimator_class, options):
    """The weights that rows give are those of Hedge by hand, and so is the error."""
    gammas = [0.5 * width for width in WIDTHS]
    alone = [estimator_class(gamma=gamma) for gamma in gammas]
    predictions, weights = by_hand(alone, X, Y, np.array([0, 1]), **options)
    model = okbench.Hedged(estimator_class(gamma=0.5), widths=WIDTHS, **options)
    mistakes = 0
    for row, label, expected in zip(X, Y, predictions):
        if hasattr(model, "classes_") and expected is not None:
            assert model.predict([row])[0] == expected
        mistakes += expected != label
        model.partial_fit([row], [label], classes=[0, 1])
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-9)
    table = okbench.prequential(clone(model), (X, Y), "error").frame
    assert table["error"][0] == pytest.approx(mistakes / len(Y))


def test_evaluations_are_those_of_all_learners():
    alone = [okbench.BPAS(gamma=0.5 * width).fit(X, Y) for width in WIDTHS]
    hedged = okbench.Hedged(okbench.BPAS(gamma=0.5), widths=WIDTHS).fit(X, Y)
    assert hedged.kernel_evaluations_.requested == sum(estimator.kernel_evaluations_.requested for estimator in alone)


def test_parameters_may_be_arrays():
    arrays = {"widths": np.array(WIDTHS), "discounts": np.array([0.1, 0.01])}
    model = okbench.Hedged(okbench.BPAS(gamma=1.0), param_grid={"C": np.array([0.5, 1])}, **arrays)
    lists = okbench.Hedged(okbench.BPAS(gamma=1.0), widths=WIDTHS, discounts=[0.1, 0.01], param_grid={"C": [0.5, 1]})
    for rows in (slice(0, 100), slice(100, 200)):
        model.partial_fit(X[rows], Y[rows], classes=[0, 1])
        lists.partial_fit(X[rows], Y[rows], classes=[0, 1])
    np.testing.assert_array_equal(model.weights_, lists.weights_)
    with pytest.raises(ValueError, match="widths changed after learning started"):
        model.set_params(widths=np.array([2.0])).partial_fit(X, Y)


def test_combinations_of_parameters_learn_and_vote():
    model = okbench.Hedged(okbench.BPAS(), widths=[1, 4], param_grid={"C": [0.1, 1, 10]}).fit(X, Y)
    assert model.weights_.shape == (6,) and model.weights_.max() == 1 and model.score(X, Y) > 0.9


def test_classes_and_probabilities():
    rows, labels = load_iris(return_X_y=True)
    model = okbench.Hedged(okbench.BPAS()).fit(rows, labels)
    assert model.score(rows, labels) > 0.9
    shares = model.predict_proba(rows)
    assert shares.shape == (150, 3) and np.allclose(shares.sum(axis=1), 1)
    assert (shares.argmax(axis=1) == model.predict(rows)).mean() > 0.95


def test_real_targets():
    rows, targets = make_friedman1(400, random_state=0)
    model = okbench.Hedged(okbench.NORMARegressor(loss="squared")).fit(rows, targets)
    assert model.score(rows, targets) > 0.8
    assert np.abs(model.predict(rows)).max() < 3 * np.abs(targets).max()


@pytest.mark.parametrize("estimator_class", [okbench.BPAS, okbench.NORMARegressor])
def test_it_keeps_the_conventions_of_scikit_learn(estimator_class):
    """All checks that the method's own estimator passes, but for the one of a constructor without arguments."""
    model = okbench.Hedged(estimator_class())
    left = {"check_parameters_default_constructible", *expected_failures(estimator_class()._learner)}
    generator = getattr(estimator_checks, "estimator_checks_generator", None)  # from scikit-learn 1.6
    for model, check in generator(model) if generator else check_estimator(model, generate_only=True):
        if getattr(check, "func", check).__name__ not in left:
            try:
                check(model)
            except SkipTest:
                pass


def test_river_learns_with_it():
    river = pytest.importorskip("river")
    assert river
    from okbench.river import wrap

    model, wrong = wrap(okbench.Hedged(okbench.BPAS(gamma=1.0))), 0
    for (a, b), label in zip(X, Y):
        row = {"a": a, "b": b}
        wrong += model.predict_one(row) != label
        model.learn_one(row, label)
    assert wrong < 50


def test_scikit_learn_knows_its_parameters():
    model = okbench.Hedged(okbench.BPAS(budget=32), widths=[1, 4])
    assert model.get_params()["estimator__budget"] == 32
    copy = clone(model).set_params(estimator__budget=64, beta=0.5)
    assert copy.estimator.budget == 64 and model.estimator.budget == 32
    search = GridSearchCV(model, {"discounts": [(0,), (0.1, 0.01)], "estimator__C": [0.1, 1]}, cv=2).fit(X, Y)
    assert search.best_score_ > 0.8
    assert "budget=32" in repr(model)


@pytest.mark.parametrize("labels", ["classes", "targets"])
def test_a_loaded_hedge_continues_identically(tmp_path, labels):
    if labels == "classes":
        model, y = okbench.Hedged(okbench.BPAS(gamma=1.0), widths=WIDTHS), Y
    else:
        model, y = okbench.Hedged(okbench.NORMARegressor(gamma=1.0, loss="squared"), widths=WIDTHS), X[:, 0] * 3 + 7
    words = {"classes": [0, 1]} if labels == "classes" else {}
    model.partial_fit(X[:100], y[:100], **words)
    model.save(tmp_path / "model.okbench")
    loaded, pickled = okbench.load_estimator(tmp_path / "model.okbench"), pickle.loads(pickle.dumps(model))
    assert loaded.get_params()["widths"] == list(WIDTHS) and loaded.estimator.gamma == 1
    for estimator in (model, loaded, pickled):
        estimator.partial_fit(X[100:], y[100:], **words)
    for estimator in (loaded, pickled):
        np.testing.assert_array_equal(estimator.predict(X), model.predict(X))
        np.testing.assert_array_equal(estimator.weights_, model.weights_)


def test_the_width_comes_from_the_first_rows():
    model = okbench.Hedged(okbench.BPAS(gamma="median"))
    with pytest.warns(UserWarning, match="needs 30 rows"):
        model.partial_fit(X[:10], Y[:10], classes=[0, 1]).predict(X)
    model.partial_fit(X[10:40], Y[10:40])
    alone = okbench.BPAS(gamma="median").partial_fit(X[:40], Y[:40], classes=[0, 1])
    assert model.gamma_ == alone.gamma_


@pytest.mark.parametrize(
    "model, message",
    [
        (lambda: okbench.Hedged(okbench.LinearOnlineSVM()), "LinearOnlineSVM has no kernel"),
        (lambda: okbench.Hedged(okbench.SFD()), "does not learn row by row"),
        (lambda: okbench.Hedged(okbench.BPAS(kernel="linear")), "kernel: must be 'rbf'"),
        (lambda: okbench.Hedged(okbench.BPAS(), widths=[]), "widths: must hold a number"),
        (lambda: okbench.Hedged(okbench.BPAS(), widths=[-1]), "gamma"),
        (lambda: okbench.Hedged(okbench.BPAS(), beta=1), "beta: must be > 0 and < 1"),
        (lambda: okbench.Hedged(okbench.BPAS(), discounts=[0.1, 1]), "discounts: must be numbers >= 0 and < 1"),
        (lambda: okbench.Hedged(okbench.BPAS(), discounts=[]), "discounts: must be numbers >= 0 and < 1"),
        (lambda: okbench.Hedged(okbench.BPAS(), discounts=0.1), "discounts: must be a list of numbers, not 0.1"),
        (lambda: okbench.Hedged(okbench.BPAS(), widths=[np.nan]), "widths: must be a list of numbers"),
        (lambda: okbench.Hedged(okbench.BPAS(), param_grid={"D": [1]}), "'D'"),
        (lambda: okbench.Hedged(okbench.BPAS(), param_grid={"gamma": [1]}), "'gamma' is no parameter of the method"),
    ],
)
def test_invalid_hedges_are_refused(model, message):
    with pytest.raises(ValueError, match=message):
        model().fit(X, Y)


def test_a_change_after_learning_has_started_is_refused():
    model = okbench.Hedged(okbench.BPAS(gamma=1.0)).partial_fit(X, Y, classes=[0, 1])
    model.partial_fit(X, Y)
    model.estimator.C = 7
    with pytest.raises(ValueError, match="estimator__C changed after learning started"):
        model.partial_fit(X, Y)


def test_it_has_no_coefficients():
    model = okbench.Hedged(okbench.BPAS()).fit(X, Y)
    for name in ("support_vectors_", "dual_coef_", "coef_", "intercept_"):
        assert not hasattr(model, name)
    assert {"leader", "leader_weight"} <= set(model.trace_.columns)
