"""[trace] predictions: label and scores of every step, and measures that are computed from them without another run."""

import json

import pytest
from okbench.errors import ClaimError
from okbench.measures import Expression
from okbench.results import Results, read_trace

SPEC = """
format = 2
experiment = "predictions/one"
title = "Recorded predictions"
repetitions = 2
[data]
name = "DATA"
order = "permutation"
max_examples = 120
MORE
[kernel]
name = "rbf"
sigma = 20
[trace]
predictions = true
record_all_until = 10
per_decade = 1
"""
DATA = {
    "binary": ("digits", "positive = [0, 1, 2, 3, 4]"),
    "multiclass": ("digits", ""),
    "real": ("diabetes", ""),
}
EXTRA = {
    ("norma", "multiclass"): 'loss = "multiclass-hinge"\n',
    ("svmd", "multiclass"): 'loss = "multiclass-hinge"\n',
    ("norma", "real"): 'loss = "squared"\nschedule = "constant"\neta0 = 0.1\n',
    ("svmd", "real"): 'loss = "huber"\neta0 = 0.01\n',
}


def write(okbench, folder, kind):
    """Writes a spec with every learner that learns example by example from these labels; returns their names."""
    data, more = DATA[kind]
    learners = json.loads(okbench("help", "learners", "--json", check=0).stdout)
    names = [
        learner["name"]
        for learner in learners
        if learner["protocol"] == "stream"
        and kind in learner["labels"]
        and not learner["linear"]
        and learner["name"] != "hindsight"
    ]
    text = SPEC.replace("DATA", data).replace("MORE", more)
    for name in names:
        text += f'[learners.{name}]\nlearner = "{name}"\n' + EXTRA.get((name, kind), "")
    (folder / "spec.toml").write_text(text)
    return names


@pytest.mark.parametrize("kind", DATA)
def test_recorded_predictions_give_the_measures_of_the_run(okbench, tmp_path, kind):
    known = write(okbench, tmp_path, kind)
    okbench("run", "spec.toml", "--out", "r", "--quiet", check=0)
    name = "mse" if kind == "real" else "error"
    for path in (tmp_path / "r").rglob("*.h5"):
        trace = read_trace(path)
        steps, values = trace.measure(name, at=[trace["step"][-1]])
        if kind == "real":
            assert values[-1] == pytest.approx(trace.summary["rmse"] ** 2, rel=1e-5), path
        else:
            assert values[-1] == pytest.approx(trace.summary["error_rate"], abs=1e-12), path
        assert len(trace.tables["predictions"]["score_0"]) == 120
        assert trace.spec["trace"]["predictions"] is True
    table = json.loads(okbench("measure", "r", "--measure", name, "--measure", f"{name}@50", "--json", check=0).stdout)
    baselines = ["running mean", "last value"] if kind == "real" else ["majority class", "last label"]
    assert [row["learner"] for row in table] == [*baselines, *known]
    assert all(row["seeds"] == 2 and row[name] is not None and row[f"{name}@50"] is not None for row in table)


def test_predictions_change_no_other_column(okbench, tmp_path):
    write(okbench, tmp_path, "binary")
    okbench("run", "spec.toml", "--out", "with", "--only", "*/norma/r0", "--quiet", check=0)
    okbench(
        "run",
        "spec.toml",
        "--set",
        "trace.predictions=false",
        "--out",
        "without",
        "--only",
        "*/norma/r0",
        "--quiet",
        check=0,
    )
    trace, other = (read_trace(next((tmp_path / name).rglob("*.h5"))) for name in ("with", "without"))
    assert trace.trial_id != other.trial_id and "predictions" not in other.tables
    for column, values in other.tables["trace"].items():
        if column != "seconds":
            assert trace.tables["trace"][column].tolist() == values.tolist(), column
    refused = okbench("measure", "without", "--measure", "auc", "--only", "*norma/r0", check=1)
    assert "has no recorded predictions; run it with [trace] predictions = true" in refused.stderr


def test_measures_are_drawn_and_written(okbench, tmp_path):
    write(okbench, tmp_path, "binary")
    okbench("run", "spec.toml", "--out", "r", "--only", "*/norma/*", "--quiet", check=0)
    okbench("plot", "r", "--y", "kappa-temporal@50", "--x", "steps", "--only", "norma", "--out", "p.png", check=0)
    assert (tmp_path / "p.png").stat().st_size > 1000
    okbench("measure", "r", "--measure", "auc@50", "--only", "*norma*", "--curves", "c.csv", check=0)
    lines = (tmp_path / "c.csv").read_text().splitlines()
    assert lines[0] == "experiment,data,learner,seed,step,auc@50" and len(lines) == 1 + 2 * 3 * 120
    refused = okbench("measure", "r", "--measure", "kapa", check=2)
    assert "did you mean kappa?" in refused.stderr


def test_claims_use_measures_of_streams(okbench, tmp_path):
    write(okbench, tmp_path, "binary")
    okbench("run", "spec.toml", "--out", "r", "--only", "*/norma/*", "--quiet", check=0)
    results = Results(tmp_path / "r")
    table = json.loads(
        okbench(
            "measure", "r", "--measure", "kappa", "--measure", "auc@50", "--only", "*norma*", "--json", check=0
        ).stdout
    )
    (norma,) = [row for row in table if row["learner"] == "norma"]
    for text, name in (("kappa, predictions/one/norma", "kappa"), ("auc, predictions/one/norma, 50", "auc@50")):
        assert Expression(f"stream({text})", results).value() == pytest.approx(norma[name])
    with pytest.raises(ClaimError, match="'kapa' is not a measure of streams; did you mean kappa?"):
        Expression("stream(kapa, predictions/one/norma)", results)
    with pytest.raises(ClaimError, match="the window must be one number of steps"):
        Expression("stream(kappa, predictions/one/norma, 0)", results).value()


def test_a_novelty_detector_decides_by_its_margin(okbench, tmp_path):
    """The sign of the score alone is not its prediction."""
    text = SPEC.replace("DATA", "breast-cancer").replace("MORE", "").replace("sigma = 20", "sigma = 200")
    (tmp_path / "spec.toml").write_text(text + '[learners.norma]\nlearner = "norma"\nloss = "novelty"\nnu = 0.1\n')
    okbench("run", "spec.toml", "--out", "r", "--quiet", check=0)
    for path in (tmp_path / "r").rglob("*.h5"):
        trace = read_trace(path)
        assert trace.measure("share-flagged")[1][-1] == pytest.approx(trace.summary["error_rate"], abs=1e-12)
        assert 0 < trace.summary["error_rate"] < 1
        # Novel is -1, whatever the label.
        flagged = trace.tables["predictions"]["predicted"] == -1
        assert flagged.mean() == trace.summary["error_rate"] and trace.summary["scores"] == "one-class"


def test_synthetic_data_is_marked(okbench, tmp_path):
    write(okbench, tmp_path, "binary")
    okbench("run", "spec.toml", "--set", "data.synthetic=true", "--only", "*/norma/*", "--out", "r", "--quiet", check=0)
    shown = okbench("measure", "r", "--measure", "error", "--only", "*norma*", check=0).stdout
    assert shown.count("digits [SYNTHETIC DATA]") == 3
