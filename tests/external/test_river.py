"""okbench.river with the real River: its checks, its pipelines, ensembles and evaluation, and its models in okbench.

`make test-external` installs River. Without it these tests are skipped.
"""

import copy
import math
import pickle

import numpy as np
import pytest

import okbench
from okbench import river as adapter
from okbench.estimators import ESTIMATORS
from digits_spec import SPEC

pytest.importorskip("river.stream", reason="River is not installed: make test-external")
from river import (  # noqa: E402
    anomaly,
    compose,
    datasets,
    drift,
    ensemble,
    evaluate,
    feature_extraction,
    feature_selection,
    linear_model,
    metrics,
    model_selection,
    multiclass,
    preprocessing,
    stream,
    tree,
    utils,
)
from river.checks import yield_checks  # noqa: E402

RESUMABLE = sorted(name for name, estimator in ESTIMATORS.items() if estimator._learner["resumable"])
# River's anomaly checks take their rows from the network.
CREDIT = [({f"V{i}": float(v) for i, v in enumerate(row)}, 0) for row in np.random.RandomState(0).normal(size=(300, 4))]
CREDIT += [({f"V{i}": 6.0 for i in range(4)}, 1)] * 3


def river_model(name):
    return adapter.wrap(ESTIMATORS[name](), **({"classes": [False, True]} if name == "MIRA" else {}))


@pytest.mark.parametrize("name", RESUMABLE)
def test_rivers_own_checks(name, monkeypatch):
    monkeypatch.setattr(datasets, "CreditCard", lambda: Rows(CREDIT))
    model, run = river_model(name), 0
    for check in yield_checks(model):
        if check.__name__ not in model._unit_test_skips():
            check(model.clone())
            run += 1
    assert run >= 20


class Rows(list):
    def take(self, count):
        return iter(self[:count])


def phishing(count=400):
    return datasets.Phishing().take(count)


def accuracy(model, rows, metric=None, **options):
    return evaluate.progressive_val_score(rows, model, metric or metrics.Accuracy(), **options).get()


def pa():
    return adapter.wrap(okbench.BPAS(gamma=0.3, budget=50))


def forest(cls, **options):
    return cls(pa(), n_models=3, seed=1, **options)


# Each use: (a model, the least accuracy on 400 rows of the phishing stream).
USES = {
    "scaler": lambda: preprocessing.StandardScaler() | pa(),
    "bagging": lambda: forest(ensemble.BaggingClassifier),
    "adwin-bagging": lambda: forest(ensemble.ADWINBaggingClassifier),
    "leveraging-bagging": lambda: forest(ensemble.LeveragingBaggingClassifier),
    "drift-retraining": lambda: drift.DriftRetrainingClassifier(pa(), drift_detector=drift.binary.DDM()),
    "union": lambda: compose.TransformerUnion(preprocessing.StandardScaler(), preprocessing.MinMaxScaler()) | pa(),
    "select": lambda: compose.Select("https", "popup_window", "is_popular", "long_url") | pa(),
    "variance-threshold": lambda: feature_selection.VarianceThreshold(0.01) | pa(),
    "successive-halving": lambda: model_selection.SuccessiveHalvingClassifier(
        utils.expand_param_grid(pa(), {"C": [0.1, 1.0], "budget": [20, 50]}), metrics.Accuracy(), budget=400, eta=2
    ),
    "clone": lambda: pa().clone(),
    "pickle": lambda: pickle.loads(pickle.dumps(pa())),
    "linear": lambda: adapter.wrap(okbench.LinearOnlineSVM()),
    "no-classes": lambda: adapter.wrap(okbench.SVMD(gamma=0.3)),
    "one-vs-rest": lambda: multiclass.OneVsRestClassifier(adapter.wrap(okbench.SVMD(gamma=0.3))),
}


@pytest.mark.parametrize("use", USES)
def test_uses_of_a_classifier(use):
    assert accuracy(USES[use](), phishing()) > 0.7


def test_delay_and_probabilities():
    assert accuracy(pa(), phishing(), metrics.F1(), delay=20) > 0.7
    assert accuracy(pa(), phishing(), metrics.ROCAUC()) > 0.75
    steps = list(evaluate.iter_progressive_val_score(phishing(), pa(), metrics.Accuracy(), step=100))
    assert [step["Step"] for step in steps] == [100, 200, 300, 400]


def test_one_hot_encoder_and_bag_of_words():
    rows = [({"town": "Bern" if i % 3 else "Basel", "size": i % 5}, i % 3 > 0) for i in range(200)]
    words = compose.SelectType(str) | preprocessing.OneHotEncoder()
    assert accuracy((words + compose.SelectType(int)) | pa(), rows) > 0.9
    texts = [f"word{i % 7} {'good' if i % 2 else 'bad'} thing{i}" for i in range(600)]
    bag = feature_extraction.BagOfWords(lowercase=True) | adapter.wrap(okbench.BPAS(gamma=0.3, budget=50))
    assert accuracy(bag, [(text, "good" in text) for text in texts]) > 0.95
    model = list(bag.steps.values())[-1].model
    assert model._layout.compressed and model.n_features_in_ >= 609 and len(model.support_vectors_.toarray())


def test_new_classes_get_a_function():
    model = adapter.wrap(okbench.BPAS(gamma=0.5))
    rows = list(datasets.ImageSegments().take(400))
    assert accuracy(preprocessing.StandardScaler() | model.clone(), rows) > 0.6
    for count, label in enumerate("abc"):
        for _ in range(20):
            model.learn_one({"x": 2.0 * count}, label)
        assert sorted(model.predict_proba_one({"x": 0.0})) == list("abc"[: count + 1])
    assert [model.predict_one({"x": 2.0 * i}) for i in range(3)] == list("abc")


def test_a_third_class_names_the_remedy():
    model = adapter.wrap(okbench.SVMD(gamma=0.5))
    for label in ("a", "b"):
        model.learn_one({"x": 1.0}, label)
    with pytest.raises(ValueError, match="learns two classes, 'a' and 'b', and 'c' is another: use river.multiclass"):
        model.learn_one({"x": 1.0}, "c")


def test_regressors_with_scaled_targets_and_detectors():
    model = preprocessing.StandardScaler() | preprocessing.TargetStandardScaler(adapter.wrap(okbench.PKAWVRegressor()))
    assert accuracy(model, datasets.TrumpApproval().take(400), metrics.MAE()) < 2
    detector = adapter.wrap(okbench.NORMANoveltyDetector(gamma=0.1))
    scores = []
    for x, _ in CREDIT:
        scores.append(detector.score_one(x))
        detector.learn_one(x)
    assert min(scores[-3:]) > np.mean(scores[100:-3])
    anomaly.QuantileFilter(detector.clone(), q=0.9).learn_one({"x": 1.0})


def test_mini_batches_learn_row_by_row():
    frame = stream.iter_pandas  # rows as River reads frames
    import pandas as pd

    rows = list(phishing(120))
    X, y = pd.DataFrame([x for x, _ in rows]), pd.Series([label for _, label in rows])
    many, row_learner = pa(), pa()
    many.learn_many(X, y)
    for x, label in frame(X, y):
        row_learner.learn_one(x, label)
    assert many.predict_many(X).tolist() == [row_learner.predict_one(x) for x, _ in rows]
    assert many.model.trace_digest_ == row_learner.model.trace_digest_


def test_an_interrupted_mini_batch_keeps_the_classes_that_were_learned(monkeypatch):
    import pandas as pd

    model, calls = adapter.wrap(okbench.LinearPassiveAggressive()), []
    learn = type(model.model).partial_fit

    def interrupted(self, *words, **options):
        calls.append(words)
        if len(calls) == 2:  # the rows of the second class
            raise KeyboardInterrupt
        return learn(self, *words, **options)

    monkeypatch.setattr(type(model.model), "partial_fit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.learn_many(pd.DataFrame({"x": [1.0, 2.0, -1.0]}), pd.Series(["first", "first", "second"]))
    model.learn_one({"x": -2.0}, "third")
    assert set(model.predict_proba_one({"x": 1.0})) == {"first", "third"}
    assert model.predict_one({"x": 1.0}) == "first"


def test_weights_of_rows_and_classes():
    model = pa()
    model.learn_one({"x": 1.0}, True, w=0.0)
    assert model.predict_one({"x": 1.0}) is None
    light = adapter.wrap(okbench.PassiveAggressive(gamma=0.5, C=1.0, class_weight={True: 1.0, False: 0.01}))
    plain = adapter.wrap(okbench.PassiveAggressive(gamma=0.5, C=1.0))
    for i in range(100):
        for model in (light, plain):
            model.learn_one({"x": 0.0}, i % 2 == 0)
    assert light.predict_one({"x": 0.0}) is True and plain.predict_one({"x": 0.0}) is False


def test_class_weights_of_a_hedged_learner():
    light = adapter.wrap(okbench.Hedged(okbench.BPAS(gamma=0.5, C=0.1, class_weight={True: 1.0, False: 0.01})))
    plain = adapter.wrap(okbench.Hedged(okbench.BPAS(gamma=0.5, C=0.1)))
    for i in range(100):
        light.learn_one({"x": float(i % 7)}, i % 2 == 0)
        plain.learn_one({"x": float(i % 7)}, i % 2 == 0, w=1.0 if i % 2 == 0 else 0.01)
    assert all(light.predict_proba_one({"x": x}) == plain.predict_proba_one({"x": x}) for x in (0.0, 1.0, 2.0))


@pytest.mark.parametrize("label", [None, math.nan, np.float64("nan")])
def test_a_missing_label_is_refused(label):
    model = adapter.wrap(okbench.LinearPassiveAggressive())
    model.learn_one({"x": 1.0}, 1.0)
    with pytest.raises(ValueError, match="y: the label is missing"):
        model.learn_one({"x": 2.0}, label)
    assert list(model.predict_proba_one({"x": 1.0})) == [1.0]


def test_a_copy_learns_independently():
    model = pa()
    rows = list(phishing(100))
    for x, y in rows[:50]:
        model.learn_one(x, y)
    other = copy.deepcopy(model)
    before = model._scores(rows[60][0])
    for x, y in rows[50:]:
        other.learn_one(x, y)
    assert model._scores(rows[60][0]) == before
    assert model._raw_memory_usage > 1000


@pytest.mark.parametrize("values", [{"x": "Bern"}, {"x": None}, {"x": math.nan}])
def test_a_value_that_is_no_number_names_its_feature(values):
    model = adapter.wrap(okbench.BPAS(gamma=0.5))
    for _ in range(2):  # the first row, and a later one
        with pytest.raises(ValueError, match="feature 'x' is .*: not a finite number"):
            model.learn_one(values, True)
        model.learn_one({"x": 1.0}, True)


def test_rivers_models_give_rivers_numbers():
    rows = list(datasets.Phishing())
    X, y = [x for x, _ in rows], [label for _, label in rows]
    for model in (linear_model.LogisticRegression(), tree.HoeffdingTreeClassifier()):
        result = okbench.prequential(model.clone(), (X, y), "error", window=None).frame["error"][0]
        # River's metric leaves out rows without a prediction; here they are mistakes.
        without = 1 if model.clone().predict_one(X[0]) is None else 0
        right = accuracy(model.clone(), rows)
        assert result * len(y) - without == pytest.approx((1 - right) * (len(y) - without))
    real = preprocessing.StandardScaler() | linear_model.LinearRegression()
    rows = list(datasets.TrumpApproval())
    result = okbench.prequential(real.clone(), ([x for x, _ in rows], [t for _, t in rows]), "mse", window=None)
    assert result.frame["mse"][0] == pytest.approx(accuracy(real.clone(), rows, metrics.MSE()), rel=1e-9)


def test_rivers_models_in_the_trials_of_a_spec(tmp_path):
    logistic = linear_model.LogisticRegression
    results = okbench.run(SPEC, out=tmp_path / "out", learners={"river": logistic}, progress=False).set_index("learner")
    X, y = okbench.load_data("usps", positive=[0, 1, 2, 3, 4], synthetic=True, rows=200)
    rows = [(dict(enumerate(x.tolist())), label == 1) for x, label in zip(X, y)]
    assert results["error_rate"]["river"] == pytest.approx(1 - accuracy(logistic(), rows))
