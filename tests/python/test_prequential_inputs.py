"""okbench.prequential accepts what `fit` accepts, and measures other objects by what they predict."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import SGDClassifier

import okbench
from okbench import river


def rows(count=300, classes=2, seed=4):
    random = np.random.RandomState(seed)
    y = random.randint(classes, size=count)
    return random.normal(size=(count, 2)) + y[:, None], y


X, Y = rows()
FRAME = pd.DataFrame(X, columns=["a", "b"])
DICTS = FRAME.to_dict("records")
INPUTS = {
    "frame": (FRAME, Y),
    "object array": (X.astype(object), Y),
    "nullable labels": (X, pd.Series(Y, dtype="Int64")),
    "labels in a column": (X, Y[:, None]),
    "dicts": (DICTS, Y),
    "pairs": list(zip(DICTS, Y.tolist())),
    "chunks in a tuple": ((X[:150], Y[:150]), (X[150:], Y[150:])),
    "empty chunks": [(X[:0], Y[:0]), (X, Y), (X[:0], Y[:0])],
    "list of two": [X, Y],
}


@pytest.mark.parametrize("stream", INPUTS.values(), ids=INPUTS)
@pytest.mark.parametrize("make", [lambda: okbench.SVMD(gamma=0.1), lambda: SGDClassifier(random_state=0)])
def test_all_layouts_give_the_same_error(make, stream):
    dicts = isinstance(stream[0], (list, tuple)) and isinstance(stream[0][0], dict)
    if dicts and not hasattr(make(), "_learner"):
        pytest.skip("scikit-learn's estimators take no dicts")
    expected = okbench.prequential(make(), (X, Y), "error", classes=[0, 1]).frame["error"][0]
    assert okbench.prequential(
        make(), iter(stream) if dicts and len(stream) > 2 else stream, "error", classes=[0, 1]
    ).frame["error"][0] == pytest.approx(expected)


def test_two_rows_in_tuples_are_rows_and_not_chunks():
    two = ((0.0, 1.0), (1.0, 0.0)), (0, 1)
    evaluation = okbench.prequential(okbench.SVMD(gamma=0.5), two)
    assert evaluation.frame["steps"][0] == 2 and evaluation.estimator.n_features_in_ == 2
    assert evaluation.estimator.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("labels", [["a", None, "b"], [1.0, np.nan, 0.0], pd.array([1, None, 0], dtype="Int64")])
def test_a_missing_label_is_named(labels):
    with pytest.raises(ValueError, match="y: row 1 of the chunk has no label"):
        okbench.prequential(okbench.SVMD(gamma=1.0), (X[:3], labels))


def test_a_new_feature_of_a_dict_is_an_error():
    with pytest.raises(ValueError, match="unknown feature 'c'; the first row has"):
        okbench.prequential(okbench.SVMD(gamma=1.0), iter([({"a": 1.0}, 0), ({"c": 1.0}, 1)]), classes=[0, 1])


@pytest.mark.parametrize("delay", [0, 30])
def test_the_error_is_that_of_predict(delay):
    X3, y3 = rows(200, 3)
    classifier, wrong, fitted = SGDClassifier(loss="log_loss", random_state=0), 0, False
    for t in range(200):
        wrong += not fitted or classifier.predict(X3[t : t + 1])[0] != y3[t]
        if t >= delay:
            classifier.partial_fit(X3[t - delay : t - delay + 1], y3[t - delay : t - delay + 1], classes=[0, 1, 2])
            fitted = True
    other = SGDClassifier(loss="log_loss", random_state=0)
    frame = okbench.prequential(other, (X3, y3), ["error", "auc"], delay=delay).frame
    assert frame["error"][0] == pytest.approx(wrong / 200) and 0.5 < frame["auc"][0] < 1


class Prior:
    """The most frequent label so far; on a tie the first. Probabilities are the shares."""

    def __init__(self):
        self.counts = {}

    def predict_proba_one(self, x):
        return {label: count / sum(self.counts.values()) for label, count in self.counts.items()}

    def predict_one(self, x):
        return max(self.counts, key=self.counts.get) if self.counts else None

    def learn_one(self, x, y):
        self.counts[y] = self.counts.get(y, 0) + 1


def test_ties_of_probabilities_are_decided_by_predict_one():
    labels = [True, False] * 50
    assert okbench.prequential(Prior(), (np.zeros((100, 1)), labels), "accuracy").frame["accuracy"][0] == 0.49


def test_no_prediction_is_never_right():
    class Late:
        seen = 0

        def predict_one(self, x):
            return None if self.seen < 50 else 0

        def learn_one(self, x, y):
            self.seen += 1

    labels = np.arange(150) % 3
    right = np.mean((labels == 0) & (np.arange(150) >= 50))
    assert okbench.prequential(Late(), (np.zeros((150, 1)), labels), "accuracy").frame["accuracy"][0] == right


def test_trials_measure_values_of_predict(tmp_path):
    class Other:
        """Predicts 1 although its scores say -1."""

        version = "1"
        classes_ = np.array([-1, 1])

        def partial_fit(self, X, y, classes=None):
            pass

        def predict(self, X):
            return np.ones(len(X))

        def predict_proba(self, X):
            return np.tile([0.9, 0.1], (len(X), 1))

    spec = {
        "format": 2,
        "experiment": "test/predict",
        "data": {"name": "sea", "order": "file", "max_examples": 50},
        "kernel": {"name": "rbf", "gamma": 1.0},
        "learners": {},
    }
    (trial,) = okbench.run(spec, learners={"other": Other}, out=tmp_path, progress=False).to_dict("records")
    y = okbench.datasets.load("sea")[1][:50]
    assert trial["mistakes"] == np.sum(y < 0) + (y[0] > 0)  # the first row has no prediction


class Regressor:
    def learn_one(self, x, y):
        pass

    def predict_one(self, x):
        return 0.5


class Pipeline:
    def __init__(self, last):
        self.steps = {"last": last}

    def learn_one(self, x, y):
        self.steps["last"].learn_one(x, y)

    def predict_one(self, x):
        return self.steps["last"].predict_one(x)


def test_the_last_step_of_a_pipeline_decides_regression():
    targets = np.linspace(0, 1, 20)
    frame = okbench.prequential(Pipeline(Regressor()), (np.zeros((20, 1)), targets)).frame
    assert frame["mse"][0] == pytest.approx(np.mean((targets - 0.5) ** 2))


def test_fractions_are_no_classes():
    with pytest.raises(ValueError, match="y has fractions, but the estimator predicts classes; for a regressor"):
        okbench.prequential(Prior(), (np.zeros((4, 1)), [0.5, 1.5, 0.25, 1.0]))


def test_columns_of_a_frame_reach_rivers_objects_by_name():
    class Names(Prior):
        def learn_one(self, x, y):
            assert list(x) == ["a", "b"]
            super().learn_one(x, y)

    okbench.prequential(Names(), (FRAME, Y))
    wrapped = river.wrap(okbench.SVMD(gamma=0.5), classes=[0, 1])
    for row, label in zip(DICTS, Y.tolist()):
        wrapped.learn_one(row, label)
    for row in DICTS[:20]:
        assert wrapped.predict_one(pd.Series(row)[["b", "a"]]) == wrapped.predict_one(row)


def test_repeated_indices_of_sparse_rows_are_summed_before_the_width():
    dense = np.random.RandomState(1).randint(0, 3, size=(50, 6)).astype(float)
    indices = [np.repeat(np.arange(6), row.astype(int)) for row in dense]
    starts = np.cumsum([0, *map(len, indices)])
    repeated = sparse.csr_matrix((np.ones(starts[-1]), np.concatenate(indices), starts), shape=dense.shape)
    y = (dense[:, 0] > dense[:, 1]).astype(int)
    dense_model, other = okbench.SVMD().fit(dense, y), okbench.SVMD().fit(repeated, y)
    assert dense_model.gamma_ == other.gamma_ and not repeated.has_canonical_format
    np.testing.assert_array_equal(dense_model.decision_function(dense), other.decision_function(repeated))
    first = okbench.prequential(okbench.SVMD(), (repeated, y)).frame["error"][0]
    assert first == okbench.prequential(okbench.SVMD(), (dense, y)).frame["error"][0]
