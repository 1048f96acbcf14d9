"""okbench.river without River: rows as dicts, features that appear late, and predictions of single rows."""

import pickle

import numpy as np
import pytest
from scipy import sparse

import okbench
from okbench import river
from okbench.estimators import ESTIMATORS, load_estimator

RESUMABLE = sorted(name for name, learner_class in ESTIMATORS.items() if learner_class._learner["resumable"])
MAPPED = ("FOGD", "FOGDRegressor", "Raker", "RakerRegressor")  # their draws depend on the first features


def rows(count=250, seed=0):
    """(dicts with the features a, b and c, targets or classes)."""
    X = np.random.RandomState(seed).normal(size=(count, 3))
    return [dict(zip("abc", row)) for row in X.tolist()], X


def wrapped(name):
    model = ESTIMATORS[name](**({} if ESTIMATORS[name]._learner["linear"] else {"gamma": 0.5}))
    return river.wrap(model, **({"classes": [False, True]} if name == "MIRA" else {}))


def learn(model, x, a, b):
    target = () if isinstance(model, river.AnomalyDetector) else (bool(a * b > 0),)
    model.learn_one(x, *target)


def test_a_new_feature_by_hand():
    """Two rows, one new feature: f(x) = k(x_1, x) - k(x_2, x) with k the RBF kernel of gamma 1 and the step C = 1."""
    model = river.wrap(okbench.PassiveAggressive(gamma=1.0, C=1.0))
    model.learn_one({"a": 0.0}, True)
    model.learn_one({"a": 0.0, "b": 1.0}, False)
    k = np.exp(-1)
    second = min(1, 1 + k)  # the loss of the second row is 1 + k, its squared norm 1, and C = 1 the limit
    assert model._scores({"a": 0.0, "b": 0.0})[0] == pytest.approx(1 - second * k)
    assert model._scores({"b": 1.0})[0] == pytest.approx(k - second)
    assert model._scores({"a": 0.0, "other": 5.0}) == model._scores({})  # no row had it


@pytest.mark.parametrize("name", [name for name in RESUMABLE if name not in MAPPED])
def test_a_late_feature_is_zero_in_the_rows_before(name):
    """A learner that sees a feature late has the scores of one whose rows had it as 0 from the start."""
    late, whole = wrapped(name), wrapped(name)
    dicts, X = rows()
    for i, (x, row) in enumerate(zip(dicts, X)):
        if i < 100:
            del x["c"]
        learn(late, x, row[0], row[1])
        learn(whole, {"c": 0.0, **x}, row[0], row[1])
    for x in dicts[:5]:
        np.testing.assert_allclose(late._scores(x), whole._scores(x), rtol=1e-9, atol=1e-12)
    assert late.model.kernel_evaluations_ == whole.model.kernel_evaluations_


@pytest.mark.parametrize("name", MAPPED)
def test_a_late_feature_leaves_the_scores_of_random_features(name):
    model = wrapped(name)
    dicts, X = rows()
    for x, row in zip(dicts[:100], X):
        del x["c"]
        learn(model, x, row[0], row[1])
    before = [model._scores(x) for x in dicts[:20]]
    first = model.model.components_.copy()
    learn(model, {"c": 0.0, **dicts[0]}, X[0, 0], X[0, 1])
    after = pickle.loads(pickle.dumps(model))
    assert after.model.components_.shape[1] == 3 and np.array_equal(after.model.components_[:, :2], first)
    assert np.abs(after.model.components_[:, 2]).mean() > 0.1
    # One step lies between, so the scores may differ by what it changed.
    np.testing.assert_allclose([after._scores(x) for x in dicts[:20]], before, atol=1.5)


@pytest.mark.parametrize("name", ["BPAS", "FOGD", "LinearOnlineSVM", "NORMA", "PKAWVRegressor"])
def test_many_features_become_sparse_rows(name):
    words = [{f"w{i}": 1.0, f"w{(7 * i) % 50}": 1.0, "good" if i % 2 else "bad": 2.0} for i in range(400)]
    model = wrapped(name)
    for i, x in enumerate(words):
        model.learn_one(x, float(i % 2) if name.endswith("Regressor") else i % 2 == 1)
    assert model.model._layout.compressed and model.model.n_features_in_ >= 402
    scores = [model._scores(x)[0] for x in words[-40:]]
    assert np.mean(scores[1::2]) > np.mean(scores[::2])
    again = pickle.loads(pickle.dumps(model))
    assert again._scores(words[0]) == model._scores(words[0])
    again.learn_one({"new": 1.0, "good": 1.0}, 1.0)


@pytest.mark.parametrize("name", RESUMABLE)
def test_one_row_has_the_score_of_many(name, tmp_path):
    """The learner itself scores a single row; its scores are those of the model up to rounding, and nothing changes."""
    model = wrapped(name)
    dicts, X = rows()
    for x, row in zip(dicts, X):
        learn(model, x, row[0], row[1])
    estimator = model.model
    digest, before = estimator.trace_digest_, estimator.kernel_evaluations_
    many = estimator._scores(X)
    between = estimator.kernel_evaluations_
    single_scores = np.vstack([estimator._scores(X[i : i + 1]) for i in range(len(X))])
    after = estimator.kernel_evaluations_
    np.testing.assert_allclose(single_scores, many, rtol=1e-9, atol=1e-12)
    assert estimator.trace_digest_ == digest and after.requested == before.requested
    assert after.evaluation - between.evaluation == between.evaluation - before.evaluation
    estimator.save(tmp_path / "model")
    np.testing.assert_array_equal(load_estimator(tmp_path / "model")._scores(X[:1]), single_scores[:1])


def test_rows_of_dicts_are_those_of_arrays():
    """wrap, partial_fit row by row and partial_fit of all rows learn the same bits."""
    dicts, X = rows()
    y = X[:, 0] * X[:, 1] > 0
    by_dict, by_row = wrapped("BPAS"), okbench.BPAS(gamma=0.5)
    for i, x in enumerate(dicts):
        by_dict.learn_one(dict(reversed(x.items())), bool(y[i]))
        by_row.partial_fit(X[i : i + 1], y[i : i + 1].astype(int), classes=[0, 1])
        assert by_row.predict(X[i : i + 1])[0] == by_dict.predict_one(x)
    whole = okbench.BPAS(gamma=0.5).partial_fit(X, y.astype(int), classes=[0, 1])
    assert by_dict.model.trace_digest_ == by_row.trace_digest_ == whole.trace_digest_


def test_growing_classes_row_by_row():
    """Integer classes in single rows: those of classes that are known take no conversion."""
    X = np.random.RandomState(0).normal(size=(300, 2))
    y = np.array([7, 3, 5])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]
    estimator, listed = okbench.BPAS(gamma=0.5), okbench.BPAS(gamma=0.5)
    for i in range(300):
        estimator.partial_fit(X[i : i + 1], y[i : i + 1])
        listed.partial_fit(X[i : i + 1].tolist(), [y[i]])  # with all checks of scikit-learn
    assert (
        estimator.trace_digest_ == listed.trace_digest_ and estimator.predict(X).tolist() == listed.predict(X).tolist()
    )
    with pytest.raises(ValueError, match="NaN"):
        estimator.partial_fit(np.array([[np.nan, 0.0]]), np.array([7]))
    with pytest.raises(ValueError, match="NaN"):
        estimator.predict(np.array([[np.nan, 0.0]]))


def test_new_features_need_a_learner_with_partial_fit():
    batch = okbench.LaSVM(gamma=0.5).fit(np.arange(40.0).reshape(-1, 1), np.arange(40) > 20)
    with pytest.raises(ValueError, match="lasvm takes no new features: fit it with all of them"):
        batch._add_features(1, False)


def test_a_row_that_is_refused_leaves_its_class_unknown():
    model = river.wrap(okbench.BPAS(gamma=0.5))
    for label in "ab":
        model.learn_one({"x": 1.0 if label == "a" else -1.0}, label)
    for bad in ({"x": np.nan}, {"x": "?"}, {"y": np.inf, "x": 1.0}):
        with pytest.raises(ValueError, match="not a finite number"):
            model.learn_one(bad, "c")
    model.learn_one({"x": 0.0}, "nothing", w=0.0)  # weight 0: not seen
    with pytest.raises(ValueError, match="w: -1.0 is negative"):
        model.learn_one({"x": 0.0}, "c", w=-1.0)
    assert sorted(model.predict_proba_one({"x": 0.0})) == ["a", "b"]
    for _ in range(3):
        model.learn_one({"x": 9.0}, "d")
        model.learn_one({"x": 5.0, "z": 1.0}, "c")
    assert model.predict_one({"x": 9.0}) == "d" and model.predict_one({"x": 5.0, "z": 1.0}) == "c"


def test_weights_of_rows_are_sample_weights():
    dicts, X = rows(60)
    weights = np.random.RandomState(1).choice([0.0, 0.5, 1.0, 2.0], size=60)
    model, plain = river.wrap(okbench.BPAS(gamma=0.5)), okbench.BPAS(gamma=0.5)
    y = X[:, 0] > 0
    for x, label, weight in zip(dicts, y, weights):
        model.learn_one(x, bool(label), w=weight)
    plain.partial_fit(X, y.astype(int), classes=[0, 1], sample_weight=weights)
    assert model.model.trace_digest_ == plain.trace_digest_


@pytest.mark.parametrize("name", ["BPAS", "NORMA", "Projectron", "FOGD", "MIRA", "PKAWVRegressor"])
@pytest.mark.parametrize("learned_sparse", [False, True])
def test_one_row_of_the_other_layout(name, learned_sparse):
    """Dense and sparse rows have one score, whatever layout was learned; learning goes on afterwards."""
    _, X = rows(80)
    y = X[:, 0] * X[:, 1] if name.endswith("Regressor") else (X[:, 0] * X[:, 1] > 0).astype(int)
    learned = sparse.csr_matrix(X) if learned_sparse else X
    first = {} if name.endswith("Regressor") else {"classes": [0, 1]}
    model = ESTIMATORS[name](gamma=0.5).partial_fit(learned[:60], y[:60], **first)
    for i in range(5):
        dense, compressed = model._scores(X[i : i + 1]), model._scores(sparse.csr_matrix(X[i : i + 1]))
        np.testing.assert_allclose(dense, compressed, rtol=1e-9, atol=1e-12)
    whole = ESTIMATORS[name](gamma=0.5).partial_fit(learned, y, **first)
    assert model.partial_fit(learned[60:], y[60:]).trace_digest_ == whole.trace_digest_


def test_other_estimators_are_not_wrapped():
    from sklearn.svm import SVC

    with pytest.raises(ValueError, match="wrap: SVC is not an okbench estimator"):
        okbench.river.wrap(SVC())
