"""okbench.prequential: predict, then learn, for okbench's estimators and objects with other conventions."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import SGDRegressor
from sklearn.naive_bayes import GaussianNB

import okbench
from okbench.errors import ClaimError
from okbench import river


def rows(count=400, seed=0, classes=2):
    random = np.random.RandomState(seed)
    X = random.normal(size=(count, 3)).astype(np.float32)
    if classes == 2:
        return X, np.where(X[:, 0] + 0.3 * random.normal(size=count) > 0, "yes", "no")
    return X, X[:, :classes].argmax(axis=1)


def test_an_estimator_is_tested_before_it_learns():
    X, y = rows()
    evaluation = okbench.prequential(okbench.NORMA(buffer=50, gamma=0.5), (X, y), ["error", "auc"], window=100)
    estimator = okbench.NORMA(buffer=50, gamma=0.5)
    wrong = []
    for t in range(len(y)):
        wrong.append(t == 0 or estimator.predict(X[t : t + 1])[0] != y[t])
        estimator.partial_fit(X[t : t + 1], y[t : t + 1], classes=["no", "yes"])
    assert evaluation.frame["error"][0] == pytest.approx(np.mean(wrong))
    assert evaluation.frame["error@100"][0] == pytest.approx(np.mean(wrong[-100:]))
    assert evaluation.curves["error"].to_list() == pytest.approx(np.cumsum(wrong) / np.arange(1, 401))
    # No evaluations for predictions: the learner's own scores are used.
    counts = evaluation.estimator.kernel_evaluations_
    assert counts.evaluation == 0 and counts.requested == estimator.kernel_evaluations_.requested
    assert evaluation.frame["steps"][0] == 400 and evaluation.frame["requested"][0] == counts.requested


def test_chunks_are_the_whole_stream():
    X, y = rows()
    whole = okbench.prequential(okbench.PassiveAggressive(gamma=0.5), (X, y))
    parts = ((X[a : a + 37], y[a : a + 37]) for a in range(0, 400, 37))
    chunks = okbench.prequential(okbench.PassiveAggressive(gamma=0.5), parts, classes=["no", "yes"])
    assert chunks.curves.drop(columns=["seconds", "kernel_computed"]).equals(
        whole.curves.drop(columns=["seconds", "kernel_computed"])
    )
    with pytest.raises(ValueError, match="pass all classes"):
        okbench.prequential(okbench.PassiveAggressive(gamma=0.5), iter([(X, y)]))


@pytest.mark.parametrize("delay", [1, 30])
def test_late_labels(delay):
    X, y = rows()
    evaluation = okbench.prequential(okbench.BPAS(budget=20, gamma=0.5), (X, y), delay=delay)
    estimator, wrong = okbench.BPAS(budget=20, gamma=0.5), []
    for t in range(len(y)):
        wrong.append(t < delay or not hasattr(estimator, "classes_") or estimator.predict(X[t : t + 1])[0] != y[t])
        if t >= delay:
            estimator.partial_fit(X[t - delay : t - delay + 1], y[t - delay : t - delay + 1], classes=["no", "yes"])
    assert evaluation.frame["error"][0] == pytest.approx(np.mean(wrong))


def test_other_objects():
    """scikit-learn's and River's methods give the errors of a plain loop."""
    X, y = rows()
    evaluation = okbench.prequential(GaussianNB(), (X, y), ["error", "auc"], classes=["no", "yes"], delay=5)
    estimator, wrong = GaussianNB(), []
    for t in range(len(y)):
        wrong.append(t <= 5 or estimator.predict(X[t : t + 1])[0] != y[t])
        if t >= 5:
            estimator.partial_fit(X[t - 5 : t - 4], y[t - 5 : t - 4], classes=["no", "yes"])
    assert evaluation.frame["error"][0] == pytest.approx(np.mean(wrong))
    assert 0.8 < evaluation.frame["auc@1000"][0] <= 1
    real = okbench.prequential(SGDRegressor(random_state=0), (X, X[:, 0]), ["mse", "r2"])
    assert 0.5 < real.frame["r2"][0] <= 1


class Counting:
    """River's conventions: predicts the most frequent label."""

    def __init__(self):
        self.counts = {}

    def learn_one(self, x, y):
        assert isinstance(x, dict)
        self.counts[y] = self.counts.get(y, 0) + 1

    def predict_one(self, x):
        return max(self.counts, key=self.counts.get) if self.counts else None


def test_objects_with_rivers_methods():
    stream = [([{"a": 1.0}, {"a": 2.0}], ["x", "x"]), ([{"a": 0.0}], ["y"])]
    evaluation = okbench.prequential(Counting(), stream, window=None)
    assert evaluation.curves["error"].to_list() == [1, 0.5, pytest.approx(2 / 3)]
    X, y = rows(classes=3)
    evaluation = okbench.prequential(Counting(), (X, y), {"mine": lambda labels, scores: float(len(labels))}, window=10)
    assert evaluation.frame["mine"][0] == 400 and evaluation.frame["mine@10"][0] == 10
    with pytest.raises(ValueError, match="neither partial_fit and predict, nor learn_one"):
        okbench.prequential(object(), (X, y))


def test_estimators_with_rivers_methods():
    X, y = rows()
    wrapped = river.wrap(okbench.NORMA(loss="logistic", gamma=0.5), classes=["no", "yes"])
    assert wrapped.predict_one({"a": 1.0}) is None and wrapped.predict_proba_one({"a": 1.0}) == {"no": 0.5, "yes": 0.5}
    plain = okbench.NORMA(loss="logistic", gamma=0.5)
    for x, label in zip(X[:50].tolist(), y[:50]):
        wrapped.learn_one(dict(zip("abc", x)), label)
        plain.partial_fit(np.array([x]), [label], classes=["no", "yes"])
    x = dict(zip("abc", X[60].tolist()))
    assert wrapped.predict_one(x) == plain.predict(X[60:61].astype(float))[0]
    probabilities = wrapped.predict_proba_one(x)
    assert sum(probabilities.values()) == pytest.approx(1) and set(probabilities) == {"no", "yes"}
    assert wrapped.predict_one({"a": 1.0}) == wrapped.predict_one({"a": 1.0, "b": 0.0, "c": 0.0})
    assert wrapped.predict_one({"d": 1.0}) == wrapped.predict_one({})  # no row had the feature d
    real = river.wrap(okbench.KRLSRegressor(gamma=0.5))
    assert real.predict_one({"a": 1.0}) == 0.0
    real.learn_one({"a": 1.0}, 2.0)
    assert real.predict_one({"a": 1.0}) == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize("factory", [GaussianNB, Counting])
def test_such_objects_run_in_trials(factory, tmp_path):
    spec = {
        "format": 2,
        "experiment": "mine/objects",
        "data": {"name": "sea", "max_examples": 300, "order": "file"},
        "kernel": {"name": "rbf", "gamma": 1.0},
        "learners": {"majority": {"learner": "majority"}},
    }
    frame = okbench.run(spec, learners={"own": factory}, out=tmp_path / "r", progress=False).set_index("learner")
    assert frame.loc["own", "status"] == "ok"
    if factory is Counting:
        assert abs(frame.loc["own", "mistakes"] - frame.loc["majority", "mistakes"]) <= 3  # ties
    else:
        assert frame.loc["own", "error_rate"] < frame.loc["majority", "error_rate"]


def test_probabilities_are_those_of_the_loss():
    X, y = rows()
    classifier = okbench.NORMA(loss="logistic").fit(X, y)
    expected = 1 / (1 + np.exp(-classifier.decision_function(X)))
    assert classifier.predict_proba(X)[:, 1] == pytest.approx(expected)
    assert np.array_equal(classifier.classes_[classifier.predict_proba(X).argmax(axis=1)], classifier.predict(X))
    X, y = rows(classes=3)
    three = okbench.SVMD(loss="multiclass-logistic").fit(X, y)
    probabilities = three.predict_proba(X)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(400)) and probabilities.shape == (400, 3)
    assert np.array_equal(probabilities.argmax(axis=1), three.decision_function(X).argmax(axis=1))
    assert not hasattr(okbench.Pegasos(), "predict_proba")


class MeanRegressor:
    """River's conventions for real targets."""

    def __init__(self):
        self.total, self.count = 0.0, 0

    def learn_one(self, x, y):
        self.total, self.count = self.total + y, self.count + 1

    def predict_one(self, x):
        return self.total / self.count if self.count else 0.0


def test_regressors_are_not_classifiers():
    X, _ = rows()
    y = 50 * X[:, 0] + 3
    means = np.concatenate([[0.0], np.cumsum(y)[:-1] / np.arange(1, 400)])
    evaluation = okbench.prequential(MeanRegressor(), (X, y))
    assert evaluation.frame["mse"][0] == pytest.approx(np.mean((means - y) ** 2))
    wrapped = okbench.prequential(river.wrap(okbench.KRLSRegressor(gamma=0.5)), (X, y))
    plain = okbench.prequential(okbench.KRLSRegressor(gamma=0.5), (X, y))
    assert wrapped.frame["mse"][0] == pytest.approx(plain.frame["mse"][0], rel=1e-3)
    own = okbench.NORMARegressor(gamma=0.5)
    standardised = okbench.prequential(own, (X, y), ["mse", "r2"])
    assert not hasattr(own, "n_features_in_") and 0.2 < standardised.frame["r2"][0] < 1
    assert standardised.frame["requested"][0] > 0


def test_novelty_detectors_are_measured_by_their_alarms():
    X, _ = rows()
    evaluation = okbench.prequential(okbench.NORMANoveltyDetector(gamma=0.5), (X, np.ones(400, dtype=int)))
    assert 0 < evaluation.frame["share-flagged"][0] < 1
    with pytest.raises(ValueError, match="functions of novelty detectors"):
        okbench.prequential(okbench.NORMANoveltyDetector(), (X, np.ones(400)), {"m": lambda labels, scores: 0.0})


def test_probabilities_are_optional():
    X, y = rows()
    wrapped = okbench.prequential(river.wrap(okbench.NORMA(gamma=0.5), classes=["no", "yes"]), (X, y))
    plain = okbench.prequential(okbench.NORMA(gamma=0.5), (X, y))
    assert abs(wrapped.frame["error"][0] - plain.frame["error"][0]) < 0.01  # the first row has no prediction
    with pytest.raises(NotImplementedError, match="Pegasos has no probabilities"):  # as River's classifiers
        river.wrap(okbench.Pegasos(), classes=[0, 1]).predict_proba_one({"a": 1.0})


def test_sparse_rows_become_dicts():
    seen = []

    class Remembers(Counting):
        def learn_one(self, x, y):
            seen.append(x)

    X = sparse.csr_matrix([[0.0, 2.0], [3.0, 0.0]])
    okbench.prequential(Remembers(), (X, ["a", "b"]))
    assert seen == [{1: 2.0}, {0: 3.0}]


@pytest.mark.parametrize(
    ("estimator", "stream", "options", "message"),
    [
        (okbench.SFD(), None, {}, "SFD does not learn row by row: its protocol is mini-batches"),
        (okbench.LaSVM(), None, {}, "LaSVM does not learn row by row"),
        (okbench.NORMA(), (np.zeros((0, 2)), []), {}, "the stream is empty"),
        (okbench.NORMA(), iter([]), {"classes": [0, 1]}, "the stream is empty"),
        (okbench.NORMA(), None, {"window": 2.5}, "window: must be an integer >= 1"),
        (okbench.NORMA(), None, {"delay": -1}, "delay: must be an integer >= 0"),
        (okbench.NORMA(), None, {"delay": 2, "classes": ["no", "yes", "maybe"]}, "every class must occur in y"),
        (okbench.NORMA(), None, {"measures": ["mse"]}, "mse needs real targets"),
        (okbench.NORMA(), None, {"measures": {"bad": lambda labels: 0}}, "measure <lambda>: TypeError"),
    ],
)
def test_mistakes_are_one_line(estimator, stream, options, message):
    with pytest.raises((ValueError, ClaimError)) as stopped:
        okbench.prequential(estimator, rows() if stream is None else stream, **options)
    assert message in str(stopped.value) and "\n" not in str(stopped.value)


def test_a_long_stream_needs_memory_for_one_chunk(tmp_path):
    code = """
import resource, numpy as np, okbench
draws = np.random.default_rng(0)
X = draws.normal(size=(5000, 10)); y = (X[:, 0] > 0).astype(int)
def evaluate(chunks):
    model = okbench.BPAS(budget=5, gamma=0.1)
    return okbench.prequential(model, ((X.copy(), y) for _ in range(chunks)), ["error"], classes=[0, 1]).frame
evaluate(4)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(evaluate(100)["steps"][0], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    steps, kibibytes = map(int, done.stdout.split())
    assert steps == 500_000 and kibibytes < 10_000  # the rows take 40 MB
