"""Regression, generated sets and what they refuse, on the real binary."""

import json
import pathlib

import h5py
import numpy as np
import pytest

SPEC = """format = 2
experiment = "test/regression"
[data]
name = "{data}"
max_examples = 200
{more}
[kernel]
{kernel}
[learners.good]
learner = "norma"
loss = "{good}"
[learners.other]
{other}
"""


@pytest.fixture
def run(okbench, tmp_path):
    def start(
        data="waves-student",
        more="",
        kernel='name = "rbf"\nsigma = 0.1',
        other='learner = "norma"\nloss = "huber"',
        good="squared",
        env=None,
    ):
        (tmp_path / "s.toml").write_text(SPEC.format(data=data, more=more, kernel=kernel, other=other, good=good))
        return okbench("run", "s.toml", "--out", "r", env=env)

    return start


def test_a_trace_of_regression_adds_up(run, okbench, tmp_path):
    done = run(more='test = "test"')
    assert done.returncode == 0, done.stderr
    assert "good/r0: root mean squared error" in done.stderr
    with h5py.File(next(tmp_path.rglob("good-*.h5"))) as file:
        trace = {name: values[:] for name, values in file["trace"].items()}
        summary = json.loads(file.attrs["summary"])
        points = {name: values[:] for name, values in file["checkpoints"].items()}
    error = trace["prediction"] - trace["truth"]
    assert trace["squared_error_sum"] == pytest.approx(np.cumsum(error**2))
    assert summary["rmse"] == pytest.approx(np.sqrt(np.mean(error**2)))
    assert trace["loss"] == pytest.approx((trace["target"] - trace["prediction"]) ** 2 / 2)
    assert summary["error_rate"] is None and summary["test_error"] is None
    assert summary["test_rmse"] == points["test_rmse"][-1] and "test_mistakes" not in points
    assert np.all((trace["input"] >= 0) & (trace["input"] <= 1)) and not np.array_equal(trace["target"], trace["truth"])
    row = json.loads(okbench("summary", "r", "--json", check=0).stdout)["trials"][0]
    assert row["rmse"] == summary["rmse"] and row["error_rate"] is None and not row["synthetic"]
    assert f"rmse {summary['rmse']:.4g}" in okbench("summary", "r", check=0).stdout


@pytest.mark.parametrize(
    "other, cause",
    [
        ('learner = "norma"\nloss = "huber"\nnu = 0.5', "the nu-trick needs margin_update"),
        ('learner = "norma"\nloss = "huber"\nmargin = 0', "must be > 0"),
    ],
)
def test_a_learner_that_cannot_be_made_fails_its_trials_only(run, tmp_path, other, cause):
    done = run(other=other)
    assert done.returncode == 1
    assert cause in done.stdout + done.stderr
    assert list(tmp_path.rglob("good-*.h5"))
    assert json.loads(next(tmp_path.rglob("*.failed.json")).read_text())["kind"] == "argument"


@pytest.mark.parametrize(
    "change, cause",
    [
        ({"more": "positive = [1]"}, "has real targets"),
        ({"data": "drifting-student", "more": 'test = "test"'}, "has no part 'test'"),
        ({"other": 'learner = "norma"\nloss = "squared"\nc = 0.1\ntruncation_error = 0.1'}, "bounded derivative"),
        ({"other": 'learner = "norma"\nloss = "squared"\naverage = true\noffset = true'}, "without an offset"),
        ({"other": 'learner = "liblinear"', "more": 'order = "uniform"'}, "an order other than"),
        ({"other": 'learner = "mira"'}, "mira needs multiclass labels, but the data has real ones"),
        ({"other": 'learner = "multiclass-svm"'}, "multiclass-svm needs multiclass labels, but the data has real"),
        ({"other": 'learner = "perceptron"'}, "perceptron needs binary labels, but the data has real ones"),
        ({"other": 'learner = "hindsight"'}, "hindsight needs binary labels, but the data has real ones"),
        ({"other": 'learner = "norma"\nloss = "novelty"'}, "the loss 'novelty' needs binary or multiclass labels"),
    ],
)
def test_invalid_regression_specs_are_one_line(run, change, cause):
    done = run(**change)
    assert done.returncode == 2
    assert cause in done.stderr and "s.toml" in done.stderr and done.stderr.count("\n") == 1


def test_a_model_whose_test_scores_overflow_has_diverged(run, tmp_path):
    (tmp_path / "train.csv").write_text("1,1\n-1,-1\n" * 100)
    (tmp_path / "test.csv").write_text("1,1e9\n-1,-1e9\n")
    (tmp_path / "catalog.toml").write_text(
        "[steep]\ntitle='steep'\nformat='csv'\nfeatures=1\nrange=[-1.0,1.0]\nlabels=['-1','1']\nkind='binary'\n"
        "terms=''\n"
        "synthetic={generator='clusters'}\n[steep.train]\nrows=200\nfiles=[{name='train.csv', sha256=''}]\n"
        "[steep.test]\nrows=2\nfiles=[{name='test.csv', sha256=''}]\n"
    )
    env = {"OKBENCH_CATALOG": str(tmp_path / "catalog.toml"), "OKBENCH_MIRROR": str(tmp_path)}
    for learner in ("perceptron", "hindsight", 'norma"\nloss = "hinge', "sfd"):
        more = 'test = "test"' + ("\nbatch = 10" if learner == "sfd" else "")
        done = run(
            data="steep",
            more=more,
            kernel='name = "polynomial"\ndegree = 9',
            other=f'learner = "{learner}"',
            good="novelty",
            env=env,
        )
        assert done.returncode == 1
        records = [json.loads(path.read_text()) for path in pathlib.Path(tmp_path, "r").rglob("other-*.failed.json")]
        assert records and all(record["kind"] == "diverged" for record in records), learner
