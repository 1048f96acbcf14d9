"""Every estimator gives the error and the counts of its learner in the league, for the same parameters and rows."""

import numpy as np
import pandas as pd
import pytest

import okbench as package
from okbench import league
from okbench.api import league_code
from okbench.results import Results

RANDOM = {"fogd", "raker", "rbp", "pros-n-kons"}  # the seeds of trials are others than random_state


def stream(path, rows=600):
    random = np.random.RandomState(1)
    X = random.normal(size=(rows, 3))
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["two"] = np.where(X[:, 0] * X[:, 1] > 0.1 * random.normal(size=rows), "yes", "no")
    frame["three"] = np.array(["x", "y", "z"])[np.digitize(X[:, 0] + np.sin(3 * X[:, 1]), [-0.5, 0.5])]
    frame["real"] = np.sin(2 * X[:, 0]) + 0.1 * random.normal(size=rows)
    frame.to_csv(path, index=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "label, measure, compared", [("two", "error", 16), ("three", "error", 16), ("real", "mse", 11)]
)
def test_estimators_repeat_the_league(okbench, tmp_path, monkeypatch, label, measure, compared):
    stream(tmp_path / "rows.csv")
    others = [column for column in ("two", "three", "real") if column != label]
    words = ["rows.csv", "--label", label, "--order", "file", "--budget", "32", "--name", "own", "--out", "out"]
    words += [word for column in others for word in ("--drop", column)]
    okbench("league", *words, env={"OKBENCH_DATA": str(tmp_path / "data")}, check=0)
    monkeypatch.setenv("OKBENCH_DATA", str(tmp_path / "data"))
    own_league = league.read(Results(tmp_path / "out"), None, "league/own")
    entries = (own_league.on_real_targets if label == "real" else own_league).entries.values()
    X, y = package.load_data("own")
    checked = set()
    for entry in entries:
        expression = league_code.of_entry(entry)
        if expression is None:
            assert entry.learner in ("majority", "last-label", "running-mean", "last-value", "knn")
            continue
        trace = entry.runs[0].trace
        if trace.spec["learner"] in RANDOM:
            continue
        ours = package.prequential(eval(expression, {"okbench": package}), (X, y), measure).frame.iloc[0]
        assert ours[measure] == pytest.approx(entry.error, rel=1e-12), expression
        assert ours["requested"] == trace.summary["kernel_evaluations"]["requested"], expression
        checked.add(entry.learner)
    assert len(checked) >= compared
