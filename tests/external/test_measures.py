"""Measures of the same predictions by MOA (through CapyMOA), River and okbench: equal, or the definitions differ."""

import csv
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

from okbench.results import streams

pytest.importorskip("capymoa._prepare_jpype", reason="CapyMOA is not installed: make test-external")
metrics = pytest.importorskip("river.metrics", reason="River is not installed: make test-external")
import capymoa  # noqa: E402
from capymoa.evaluation import ClassificationEvaluator, ClassificationWindowedEvaluator  # noqa: E402
from capymoa.stream import NumpyStream  # noqa: E402

WINDOW, ROWS = 100, 500


def predictions(classes, seed):
    random = np.random.RandomState(seed)
    y = random.randint(0, classes, ROWS)
    y[random.rand(ROWS) < 0.4] = 0
    return y, np.where(random.rand(ROWS) < 0.6, y, random.randint(0, classes, ROWS))


@pytest.fixture(params=[(2, 0), (3, 0), (3, 1)], ids=str)
def case(request):
    """(labels, predictions, function of a measure's name and window, MOA's evaluators for all rows and for windows)."""
    classes, seed = request.param
    y, p = predictions(classes, seed)
    if classes == 2:
        stream = streams.make_stream((2.0 * p - 1)[:, None], 2 * y - 1, predicted=2 * p - 1)
    else:
        stream = streams.make_stream(np.eye(classes)[p], y, predicted=p)
    schema = NumpyStream(np.zeros((ROWS, 1)), y, target_type="categorical").get_schema()
    moa = [
        evaluator_class(schema=schema, window_size=WINDOW)
        for evaluator_class in (ClassificationEvaluator, ClassificationWindowedEvaluator)
    ]
    for label, predicted in zip(y.tolist(), p.tolist()):
        for evaluator in moa:
            evaluator.update(label, predicted)
    return y, p, lambda name, window=None: streams.measured(stream, name, window)[1][-1], *moa


def test_measures_of_moa(case):
    y, _, ours, whole, windows = case
    last = windows.metrics_per_window().iloc[-1]
    for name, theirs in (("accuracy", "accuracy"), ("kappa", "kappa")):
        assert 100 * ours(name) == pytest.approx(getattr(whole, theirs)(), rel=1e-9)
        assert 100 * ours(name, WINDOW) == pytest.approx(last[theirs], rel=1e-9)
    for name, theirs in (("kappa-temporal", "kappa_t"), ("kappa-m", "kappa_m")):
        assert 100 * ours(name, WINDOW) == pytest.approx(last[theirs], rel=1e-9)
    # Over all rows MOA takes class 0 as the label before the first one; here nothing predicts the first label.
    right = ours("accuracy")
    temporal = (np.sum(y[1:] == y[:-1]) + (y[0] == 0)) / ROWS
    assert whole.kappa_t() / 100 == pytest.approx((right - temporal) / (1 - temporal), rel=1e-9)
    # MOA's majority includes the label of the row itself; here it is that of the rows before, which could be predicted.
    majority = np.mean([label == np.bincount(y[: i + 1]).argmax() for i, label in enumerate(y)])
    assert whole.kappa_m() / 100 == pytest.approx((right - majority) / (1 - majority), rel=1e-9)


def test_measures_of_river(case):
    y, p, ours, *_ = case
    pairs = {
        "accuracy": metrics.Accuracy(),
        "kappa": metrics.CohenKappa(),
        "macro-f1": metrics.MacroF1(),
        "g-mean": metrics.GeometricMean(),
        "balanced-accuracy": metrics.BalancedAccuracy(),
    }
    for label, predicted in zip(y.tolist(), p.tolist()):
        for metric in pairs.values():
            metric.update(label, predicted)
    for name, metric in pairs.items():
        assert ours(name) == pytest.approx(metric.get(), rel=1e-9), name


def test_auc_of_river():
    random = np.random.RandomState(2)
    y = random.rand(ROWS) < 0.3
    scores = np.unique(random.rand(ROWS))[random.permutation(ROWS)] / 2 + y / 4  # River takes no half of tied pairs
    theirs = metrics.RollingROCAUC(window_size=ROWS)
    for label, score in zip(y.tolist(), scores.tolist()):
        theirs.update(label, {True: score, False: 1 - score})
    stream = streams.make_stream((2 * scores - 1)[:, None], np.where(y, 1, -1))
    assert streams.measured(stream, "auc")[1][-1] == pytest.approx(theirs.get(), rel=1e-9)


def test_the_file_of_predictions_that_moa_writes(tmp_path):
    """MOA runs alone and writes its predictions and measures; okbench and River measure the same predictions."""
    random = np.random.RandomState(0)
    X = random.normal(size=(ROWS, 4))
    y = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 0.8)
    rows = [",".join([*map(repr, x.tolist()), "abc"[label]]) for x, label in zip(X, y)]
    head = ["@relation r", *(f"@attribute x{i} numeric" for i in range(4)), "@attribute y {a,b,c}", "@data"]
    (tmp_path / "r.arff").write_text("\n".join([*head, *rows]) + "\n")
    jar = next(pathlib.Path(capymoa.__file__).parent.rglob("moa.jar"))
    task = (
        "EvaluatePrequential -l bayes.NaiveBayes -s (ArffFileStream -f r.arff) -d measures.csv -o predictions.txt "
        f"-e (BasicClassificationPerformanceEvaluator -o -p -r -f) -i {ROWS} -f {ROWS} -q {ROWS}"
    )
    subprocess.run(
        [shutil.which("java"), "-cp", jar, "moa.DoTask", task], cwd=tmp_path, check=True, capture_output=True
    )
    predicted, labels = np.loadtxt(tmp_path / "predictions.txt", delimiter=",", dtype=int).T
    assert labels.tolist() == y.tolist()
    theirs = list(csv.DictReader((tmp_path / "measures.csv").open()))[-1]
    stream = streams.make_stream(np.eye(3)[predicted], labels, predicted=predicted)
    river = {"kappa": metrics.CohenKappa(), "macro-f1": metrics.MacroF1(), "accuracy": metrics.Accuracy()}
    for label, prediction in zip(labels.tolist(), predicted.tolist()):
        for metric in river.values():
            metric.update(label, prediction)
    columns = {"accuracy": "classifications correct", "kappa": "Kappa Statistic", "macro-f1": "F1 Score macro"}
    for name, column in columns.items():
        ours = streams.measured(stream, name)[1][-1]
        assert 100 * ours == pytest.approx(float(theirs[f"{column} (percent)"]), rel=1e-9), name
        assert ours == pytest.approx(river[name].get(), rel=1e-9), name
    recalls = [float(theirs[f"Recall for class {label} (percent)"]) / 100 for label in range(3)]
    assert streams.measured(stream, "g-mean")[1][-1] == pytest.approx(np.prod(recalls) ** (1 / 3), rel=1e-9)
    assert streams.measured(stream, "balanced-accuracy")[1][-1] == pytest.approx(np.mean(recalls), rel=1e-9)
