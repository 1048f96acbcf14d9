"""Measures of streams: by hand, and equal to scikit-learn's on random streams, with windows."""

import numpy as np
import pytest
from sklearn import metrics

from okbench.errors import ClaimError
from okbench.results import streams


def random_stream(classes, seed, count=300):
    generator = np.random.default_rng(seed)
    if classes == 2:
        label = generator.choice([-1, 1], size=count, p=[0.7, 0.3])
        scores = (0.8 * label + generator.normal(size=count)).round(1)[:, None]  # rounded: there are ties
        return streams.make_stream(scores, label), label, np.where(scores[:, 0] > 0, 1, -1)
    label = generator.integers(0, classes, size=count)
    scores = generator.normal(size=(count, classes)) + 1.5 * (label[:, None] == np.arange(classes))
    return streams.make_stream(scores, label), label, scores.argmax(axis=1)


def expected(name, label, predicted, scores):
    """A measure of labels by scikit-learn; `predicted` has no zeros."""
    recalls = metrics.recall_score(label, predicted, labels=np.unique(label), average=None)
    if name == "auc" and scores.shape[1] == 1:
        return metrics.roc_auc_score(label, scores[:, 0])
    if name == "auc":
        pairs = []
        for a in np.unique(label):
            for b in np.unique(label):
                if a != b:
                    both = (label == a) | (label == b)
                    pairs.append(metrics.roc_auc_score(label[both] == a, scores[both, a]))
        return np.mean(pairs)
    return {
        "error": 1 - metrics.accuracy_score(label, predicted),
        "accuracy": metrics.accuracy_score(label, predicted),
        "kappa": metrics.cohen_kappa_score(label, predicted),
        "balanced-accuracy": recalls.mean(),
        "g-mean": np.prod(recalls) ** (1 / len(recalls)),
        "macro-f1": metrics.f1_score(label, predicted, average="macro"),
    }[name]


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_the_g_mean_is_that_of_imbalanced_learn(classes):
    imblearn = pytest.importorskip("imblearn.metrics")
    for seed in range(3):
        stream, label, _ = random_stream(classes, seed)
        stream.scores[stream.scores == 0] = 0.1  # imbalanced-learn knows no prediction of no class
        stream = streams.make_stream(stream.scores, label)
        predicted = stream.classes[stream.predicted]
        value = streams.measured(stream, "g-mean", at=[300])[1][0]
        assert value == pytest.approx(imblearn.geometric_mean_score(label, predicted, average="multiclass"))


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("window", [None, 40])
@pytest.mark.parametrize("name", ["error", "accuracy", "kappa", "balanced-accuracy", "g-mean", "macro-f1", "auc"])
def test_measures_are_those_of_scikit_learn(name, window, classes):
    for seed in range(3):
        stream, label, predicted = random_stream(classes, seed)
        # A score 0 is wrong whatever the label; scikit-learn knows no such prediction.
        if classes == 2:
            stream.scores[stream.scores == 0] = 0.1
            predicted = np.where(stream.scores[:, 0] > 0, 1, -1)
            stream = streams.make_stream(stream.scores, label)
        steps, values = streams.measured(stream, name, window, [60, 61, 150, 300])
        for step, value in zip(steps, values):
            of = slice(max(0, step - window) if window else 0, step)
            assert value == pytest.approx(expected(name, label[of], predicted[of], stream.scores[of])), step


def test_kappas_by_hand():
    # Labels 1 1 -1 1, predictions 1 -1 -1 1: accuracy 3/4. The last label is right once (step 2), the majority
    # class twice (steps 2 and 4).
    stream = streams.make_stream([[1.0], [-1.0], [-1.0], [2.0]], [1, 1, -1, 1])
    of = {
        name: streams.measured(stream, name, at=[4])[1][0]
        for name in ("accuracy", "kappa-temporal", "kappa-m", "kappa")
    }
    assert of["accuracy"] == 0.75
    assert of["kappa-temporal"] == pytest.approx((0.75 - 0.25) / 0.75)
    assert of["kappa-m"] == pytest.approx((0.75 - 0.5) / 0.5)
    assert of["kappa"] == pytest.approx((0.75 - 0.5) / 0.5)  # p_e = (3/4)(2/4) + (1/4)(2/4)
    # Over the last two: labels -1 1, both right; the last label is wrong twice.
    assert streams.measured(stream, "kappa-temporal", 2, [4])[1][0] == 1


def test_a_score_of_zero_is_wrong():
    stream = streams.make_stream([[0.0], [0.0]], [1, -1])
    assert streams.measured(stream, "accuracy", at=[2])[1][0] == 0
    assert streams.measured(stream, "auc", at=[2])[1][0] == 0.5


def test_measures_of_real_targets():
    generator = np.random.default_rng(0)
    target = 1e6 + generator.normal(size=200)
    prediction = target + 0.3 * generator.normal(size=200)
    stream = streams.make_stream(prediction[:, None], target=target)
    for window in (None, 50):
        of = slice(150 if window else 0, 200)
        value = {
            name: streams.measured(stream, name, window, [200])[1][0]
            for name in ("mse", "mae", "r2", "nmse", "decibel")
        }
        mse = metrics.mean_squared_error(target[of], prediction[of])
        assert value["mse"] == pytest.approx(mse) and value["decibel"] == pytest.approx(10 * np.log10(mse))
        assert value["mae"] == pytest.approx(metrics.mean_absolute_error(target[of], prediction[of]))
        assert value["r2"] == pytest.approx(metrics.r2_score(target[of], prediction[of]))
        assert value["nmse"] == pytest.approx(1 - value["r2"])


def test_an_outlier_does_not_stay_in_a_window():
    """Errors of the last 1000 rows do not depend on a value of 1e9 before them."""
    generator = np.random.default_rng(1)
    target = generator.normal(size=3000)
    prediction = generator.normal(size=3000)
    prediction[100] = 1e9
    stream, last = streams.make_stream(prediction[:, None], target=target), slice(2000, 3000)
    for name, of in (
        ("r2", metrics.r2_score),
        ("mse", metrics.mean_squared_error),
        ("mae", metrics.mean_absolute_error),
        ("decibel", lambda *both: 10 * np.log10(metrics.mean_squared_error(*both))),
    ):
        value = streams.measured(stream, name, 1000, [3000])[1][0]
        assert value == pytest.approx(of(target[last], prediction[last]), rel=1e-9), name


def test_equal_targets_have_no_r2():
    stream = streams.make_stream(np.arange(30.0)[:, None], target=np.repeat([1.0, 2.0, 3.0], 10) * 0.1)
    for name in ("r2", "nmse"):
        assert np.isnan(streams.measured(stream, name, 10, [10, 20, 30])[1]).all()
        assert not np.isnan(streams.measured(stream, name, 11, [12, 25])[1]).any()


def test_baselines_predict_without_learning():
    stream = streams.make_stream(np.zeros((4, 3)), [2, 2, 0, 2])
    baselines = streams.baselines(stream)
    assert streams.measured(baselines["last label"], "accuracy", at=[4])[1][0] == 0.25
    assert streams.measured(baselines["majority class"], "accuracy", at=[4])[1][0] == 0.5
    assert streams.measured(baselines["last label"], "kappa-temporal", at=[4])[1][0] == 0
    assert streams.measured(baselines["majority class"], "kappa-m", at=[4])[1][0] == 0
    real = streams.baselines(streams.make_stream([[0.0]] * 3, target=[1.0, 3.0, 5.0]))
    assert real["running mean"].scores[:, 0].tolist() == [0, 1, 2]
    assert real["last value"].scores[:, 0].tolist() == [0, 1, 3]


@pytest.mark.parametrize(
    "text, cause",
    [
        ("kapa", "unknown measure 'kapa'; did you mean kappa?"),
        ("auc@", "the window must be a number of steps >= 1, as in auc@1000"),
        ("auc@0", "the window must be"),
        ("auc@-5", "the window must be"),
    ],
)
def test_unknown_measures_are_refused(text, cause):
    with pytest.raises(ClaimError) as raised:
        streams.parse(text)
    assert cause in str(raised.value)


def test_measures_fit_the_targets_and_the_steps():
    stream = random_stream(2, 0)[0]
    with pytest.raises(ClaimError, match="mse needs real targets"):
        streams.measured(stream, "mse")
    with pytest.raises(ClaimError, match="steps must be between 1 and 300"):
        streams.measured(stream, "auc", at=[301])
