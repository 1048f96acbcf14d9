"""[measures]: columns of the trace, values of the summary and of checkpoints, computed while the trial runs."""

import json

import numpy as np
import pytest
from okbench.errors import NotRun
from okbench.measures import Expression
from okbench.results import Results, read_trace, streams
from sklearn import metrics

import okbench as package

SPEC = """
format = 2
experiment = "measures/one"
title = "Measures of predictions"
repetitions = 2
[data]
name = "DATA"
order = "permutation"
test = "test"
MORE
[kernel]
name = "rbf"
sigma = 20
[trace]
predictions = true
record_all_until = 0
every = 7
checkpoints = 3
[measures]
names = NAMES
window = [50, 7]
"""
CLASSES = ["error", "accuracy", "kappa", "kappa-m", "kappa-temporal", "balanced-accuracy", "g-mean", "macro-f1", "auc"]
TARGETS = ["mse", "mae", "nmse", "r2", "decibel"]
KINDS = {
    "binary": ("digits", "positive = [0, 1, 2]\nmax_examples = 400", [*CLASSES, "log-loss"], 'loss = "logistic"'),
    "multiclass": ("digits", "max_examples = 400", [*CLASSES, "log-loss"], 'loss = "multiclass-logistic"'),
    "real": ("diabetes", "", TARGETS, 'loss = "huber"\nmargin = 1.0'),
}


def write(folder, kind, names=None, more=""):
    data, rows, measures, loss = KINDS[kind]
    text = SPEC.replace("DATA", data).replace("MORE", rows).replace("NAMES", json.dumps(names or measures))
    (folder / "spec.toml").write_text(f'{text}{more}[learners.norma]\nlearner = "norma"\n{loss}\n')


@pytest.mark.parametrize("kind", KINDS)
def test_columns_are_those_computed_from_recorded_predictions(okbench, tmp_path, kind):
    write(tmp_path, kind)
    okbench("run", "spec.toml", "--out", "r", "--quiet", check=0)
    for path in (tmp_path / "r").rglob("*.h5"):
        trace = read_trace(path)
        stream = streams.stream_of(trace)
        for name in KINDS[kind][2]:
            for window in (None, 50, 7):
                column = f"{name}@{window}" if window else name
                _, expected = streams.measured(stream, name, window, trace["step"])
                np.testing.assert_allclose(trace[column], expected, rtol=1e-9, atol=1e-9, err_msg=column)
                last = trace.summary["measures"][column]
                assert last == pytest.approx(trace[column][-1]) or (last is None and np.isnan(trace[column][-1]))


def test_log_loss_is_that_of_scikit_learn(okbench, tmp_path):
    write(tmp_path, "multiclass")
    okbench("run", "spec.toml", "--out", "r", "--only", "*r0", "--quiet", check=0)
    trace = read_trace(next((tmp_path / "r").rglob("*.h5")))
    stream = streams.stream_of(trace)
    odds = np.exp(stream.scores - stream.scores.max(axis=1, keepdims=True))
    expected = metrics.log_loss(stream.label, odds / odds.sum(axis=1, keepdims=True), labels=range(10))
    assert trace["log-loss"][-1] == pytest.approx(expected)
    write(tmp_path, "binary")
    okbench("run", "spec.toml", "--out", "b", "--only", "*r0", "--quiet", check=0)
    trace = read_trace(next((tmp_path / "b").rglob("*.h5")))
    stream = streams.stream_of(trace)
    expected = metrics.log_loss(stream.label, 1 / (1 + np.exp(-stream.scores[:, 0])))
    assert trace["log-loss"][-1] == pytest.approx(expected)


def test_test_sets_get_the_same_measures(okbench, tmp_path):
    """The estimator with the same parameters scores the same test rows."""
    write(tmp_path, "binary")
    okbench("run", "spec.toml", "--out", "r", "--only", "*r0", "--quiet", check=0)
    trace = read_trace(next((tmp_path / "r").rglob("*.h5")))
    checkpoints = trace.checkpoints
    assert len(checkpoints["test_auc"]) == 3
    assert not {"test_kappa-m", "test_auc@50", "test_kappa-temporal"} & set(checkpoints)
    X, y = package.load_data("digits", positive=(0, 1, 2))
    test_X, test_y = package.load_data("digits", "test", positive=(0, 1, 2))
    estimator = package.NORMA(loss="logistic", kernel="rbf", gamma=1 / 800, epochs=1, order="file")
    okbench(
        "run", "spec.toml", "--out", "o", "--only", "*r0", "--set", "trace.record_all_until=400", "--quiet", check=0
    )
    order = read_trace(next((tmp_path / "o").rglob("*.h5")))["example"]
    estimator.fit(X[order], y[order])
    scores = estimator.decision_function(test_X)
    assert checkpoints["test_auc"][-1] == pytest.approx(metrics.roc_auc_score(test_y, scores), abs=1e-6)
    assert trace.summary["measures"]["test_auc"] == checkpoints["test_auc"][-1]


def test_measures_change_no_other_column(okbench, tmp_path):
    write(tmp_path, "binary")
    okbench("run", "spec.toml", "--out", "with", "--only", "*r0", "--quiet", check=0)
    plain = (tmp_path / "spec.toml").read_text().replace("[measures]\n", "").replace("window = [50, 7]\n", "")
    plain = "\n".join(line for line in plain.splitlines() if not line.startswith("names ="))
    (tmp_path / "spec.toml").write_text(plain)
    okbench("run", "spec.toml", "--out", "without", "--only", "*r0", "--quiet", check=0)
    trace, other = (read_trace(next((tmp_path / name).rglob("*.h5"))) for name in ("with", "without"))
    for table in ("trace", "checkpoints"):
        for column, values in other.tables[table].items():
            if column != "seconds":
                assert trace.tables[table][column].tolist() == values.tolist(), column
    assert list(trace.tables["trace"])[: len(other.tables["trace"])] == list(other.tables["trace"])
    assert "measures" not in other.summary and trace.trial_id != other.trial_id


def test_summary_plot_and_command_line(okbench, tmp_path):
    write(tmp_path, "binary")
    okbench("run", "spec.toml", "--measure", "auc@50", "--measure", "kappa", "--out", "r", "--quiet", check=0)
    shown = okbench("summary", "r", "--mean", "--measure", "auc@50", "--measure", "test_kappa", check=0).stdout
    assert "auc@50" in shown.splitlines()[0] and "test_kappa" in shown.splitlines()[0]
    rows = json.loads(okbench("summary", "r", "--json", check=0).stdout)["trials"]
    assert set(rows[0]["measures"]) == {"auc@50", "kappa", "kappa@50", "kappa@7", "test_kappa"}
    (mean,) = json.loads(okbench("summary", "r", "--mean", "--json", check=0).stdout)["means"]
    assert mean["measures"]["kappa"]["mean"] == pytest.approx(np.mean([row["measures"]["kappa"] for row in rows]))
    refused = okbench("summary", "r", "--measure", "auc", check=2)
    assert "run the spec with --measure auc" in refused.stderr
    okbench("plot", "r", "--y", "auc@50", "--x", "steps", "--out", "p.png", check=0)
    frame = package.load(tmp_path / "r")
    assert frame["kappa@50"].between(0, 1).all()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["kapa"], "unknown measure 'kapa'; did you mean kappa?"),
        (["auc@0"], "the window must be a number of examples from 1"),
        (["mse"], "mse needs real targets"),
        (["share-flagged"], "share-flagged needs a novelty detector"),
    ],
)
def test_measures_that_do_not_fit(okbench, tmp_path, names, message):
    write(tmp_path, "binary", names)
    refused = okbench("run", "spec.toml", "--out", "r", check=2)
    assert message in refused.stderr and refused.stderr.count("\n") == 1


def test_a_measure_that_fits_some_learners_is_left_out_of_the_others(okbench, tmp_path):
    write(tmp_path, "binary", ["log-loss"], '[learners.pa]\nlearner = "passive-aggressive"\n')
    okbench("run", "spec.toml", "--out", "r", "--quiet", check=0)
    rows = json.loads(okbench("summary", "r", "--mean", "--json", check=0).stdout)["means"]
    assert {row["key"]: row["measures"] is not None for row in rows} == {"norma": True, "pa": False}
    shown = okbench("summary", "r", "--mean", "--measure", "log-loss", check=0).stdout
    assert len(shown.splitlines()) == 3


def test_functions_of_users_are_measures(okbench, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "shares.py").write_text(
        "import numpy as np\n\n\ndef positive_share(labels, scores):\n    return np.mean(scores > 0)\n"
    )
    write(tmp_path, "binary")
    okbench("run", "spec.toml", "--out", "r", "--quiet", check=0)
    own = {"OKBENCH_MEASURES": str(tmp_path / "mine")}
    monkeypatch.setenv("OKBENCH_MEASURES", own["OKBENCH_MEASURES"])
    table = json.loads(okbench("measure", "r", "--measure", "positive-share@50", "--json", env=own, check=0).stdout)
    trace = read_trace(sorted((tmp_path / "r").rglob("*.h5"))[0])
    scores = trace.tables["predictions"]["score_0"]
    assert trace.measure("positive-share", 50, [400])[1][0] == np.mean(scores[-50:] > 0)
    assert table[-1]["learner"] == "norma" and 0 <= table[-1]["positive-share@50"] <= 1
    frame = package.load(tmp_path / "r", {"mine": lambda labels, scores: float(np.mean(labels == np.sign(scores)))})
    assert frame["mine"].to_list() == pytest.approx((1 - frame["error_rate"]).to_list())
    (tmp_path / "mine" / "bad.py").write_text("def kappa(labels, scores):\n    return 0\n")
    refused = okbench("measure", "r", "--measure", "kappa", env=own, check=2)
    assert "bad.py: a measure 'kappa' exists; choose another name" in refused.stderr


def test_claims_read_measures_of_the_run(okbench, tmp_path):
    write(tmp_path, "binary", ["auc", "kappa"])
    text = (tmp_path / "spec.toml").read_text().replace("predictions = true\n", "")
    (tmp_path / "spec.toml").write_text(text)
    okbench("run", "spec.toml", "--out", "r", "--quiet", check=0)
    frame = package.load(tmp_path / "r")
    results = Results(tmp_path / "r")
    assert Expression("stream(auc, measures/one/norma)", results).value() == pytest.approx(frame["auc"].mean())
    assert Expression("stream(kappa, measures/one/norma, 50)", results).value() == pytest.approx(
        frame["kappa@50"].mean()
    )
    with pytest.raises(NotRun, match="no recorded predictions"):
        Expression("stream(accuracy, measures/one/norma)", results).value()
