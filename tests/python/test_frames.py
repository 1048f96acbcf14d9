"""Results as data frames."""

import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from conftest import tuned_spec

import okbench
from okbench.errors import ClaimError, TraceFileError
from okbench.results.means import combined
from okbench.results.table import Column

SPEC = """format = 2
experiment = "test/frames"
repetitions = 2
[data]
name = "a8a"
synthetic_rows = 300
synthetic = true
order = "permutation"
test = "test"
[kernel]
name = "rbf"
sigma = { grid = [1, 4] }
[learners.perceptron]
learner = "perceptron"
[learners.svmd]
learner = "svmd"
[learners.svmd.grid]
mu = [0.1, 1.0]
"""


@pytest.fixture(scope="module")
def results(binary, tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames")
    (folder / "s.toml").write_text(SPEC)
    (folder / "t.toml").write_text(tuned_spec("test/tuned").replace("[kernel]", "synthetic = true\n[kernel]"))
    environment = {"OKBENCH_CACHE": str(folder / "none"), "PATH": "/usr/bin:/bin"}
    for spec in ("s.toml", "t.toml"):
        subprocess.run([binary, "run", spec, "--quiet", "--out", "r"], check=True, cwd=folder, env=environment)
    summary = subprocess.run(
        [binary, "summary", "r", "--json"], check=True, cwd=folder, capture_output=True, env=environment
    )
    return folder / "r", {row["id"]: row for row in json.loads(summary.stdout)["trials"]}


def test_a_frame_has_the_columns_of_the_summary(results):
    folder, rows = results
    frame = okbench.load(folder)
    assert len(frame) == len(rows) == 16 and set(frame["id"]) == set(rows)
    assert list(frame.columns[:3]) == ["experiment", "learner", "method"] and frame.columns[-1] == "trace"
    for _, trial in frame.iterrows():
        row = rows[trial["id"]]
        assert (
            trial["experiment"] == row["experiment"] and trial["learner"] == row["key"] and trial["seed"] == row["seed"]
        )
        assert trial["digest"] == row["trace_digest"] and trial["status"] == "ok" and trial["synthetic"]
        assert trial["error_rate"] == row["error_rate"] and trial["test_error"] == row["test_error"]
        for kind, count in row["kernel_evaluations"].items():
            assert trial[kind] == count
        for name, value in row["parameters"].items():
            assert trial[f"param_{name}"] == value, name
        assert np.isnan(trial["rmse"])


def test_parameters_of_a_grid_of_the_kernel_and_tuned_ones_are_columns(results):
    frame = okbench.load(results[0])
    own = frame[frame["experiment"] == "test/frames"]
    assert sorted(own["param_kernel.sigma"].unique()) == [1, 4]
    tuned = frame[frame["learner"] == "tuned"]
    assert tuned["param_lambda"].notna().all() and (tuned["tuning_requested"] > 0).all()
    assert (own["tuning_requested"] == 0).all()
    assert frame.groupby("learner")["error_rate"].mean().between(0, 1).all()


def test_a_trace_has_its_tables_as_frames(results):
    trace = okbench.load(results[0])["trace"].iloc[0]
    table = trace.frame()
    assert list(table.columns) == list(trace.tables["trace"]) and len(table) == len(trace["step"])
    assert (table["step"] == trace["step"]).all() and isinstance(trace.frame("checkpoints"), pd.DataFrame)
    with pytest.raises(ClaimError, match="has no table 'none'"):
        trace.frame("none")
    alone = okbench.load(trace.path)
    assert len(alone) == 1 and alone["id"].iloc[0] == trace.trial_id


def test_a_grid_becomes_an_array_with_names(results):
    frame = okbench.load(results[0])
    own = frame[(frame["experiment"] == "test/frames") & (frame["learner"] == "svmd")]
    grid = okbench.to_xarray(own)
    assert dict(grid.sizes) == {"seed": 2, "param_kernel.sigma": 2, "param_mu": 2}
    point = {"seed": 1, "param_kernel.sigma": 4, "param_mu": 0.1}
    matches = own[(own["seed"] == 1) & (own["param_kernel.sigma"] == 4) & (own["param_mu"] == 0.1)]
    assert float(grid["error_rate"].sel(point)) == matches["error_rate"].iloc[0]
    with pytest.raises(ClaimError, match="two trials have the same"):
        okbench.to_xarray(pd.concat([own, own]))


def test_missing_and_damaged_trials_are_reported(results, tmp_path):
    folder = tmp_path / "r"
    shutil.copytree(results[0], folder)
    traces = sorted((folder / "test" / "frames").glob("svmd-*.h5"))
    traces[0].unlink()
    frame = okbench.load(folder)
    gone = frame[frame["status"] != "ok"]
    assert len(gone) == 1 and gone["status"].iloc[0] == "missing"
    assert gone["trace"].iloc[0] is None and np.isnan(gone["error_rate"].iloc[0])
    assert gone["param_kernel.sigma"].iloc[0] in (1, 4)
    content = bytearray(traces[1].read_bytes())
    content[len(content) // 2] ^= 1
    traces[1].write_bytes(bytes(content))
    with pytest.raises(TraceFileError):
        okbench.load(folder)
    with pytest.raises(ClaimError, match="no results here"):
        okbench.load(tmp_path / "nowhere")


def test_verdicts_are_a_frame(results):
    verdicts = okbench.judge_claims(results[0], papers=["norma-2001"])
    assert {"id", "paper", "verdict", "values"} <= set(verdicts.columns) and len(verdicts) > 20
    assert set(verdicts["verdict"]) == {"not run"}
    with pytest.raises(ClaimError, match="no claims of 'none'"):
        okbench.judge_claims(results[0], papers=["none"])
    # The same module as ever.
    assert okbench.claims.REPRODUCED == "reproduced"


def test_a_missing_value_is_a_group_of_its_own():
    """Three rows: learner a on replacing data, a on the named data, b on the named data."""
    texts = {"experiment": [0, 0, 0], "key": [0, 0, 1], "replacement": [0, -1, -1]}
    columns = [Column(None, np.array(codes), ["x", "y"]) for codes in texts.values()]
    assert len({*combined([column.keys() for column in columns]).tolist()}) == 3
    # -1 of the second row must not be the last value of the row before.
    rows = [np.array([0, 1]), np.array([4, -1])]
    assert len({*combined(rows).tolist()}) == 2


def test_the_cause_of_a_damaged_trace_is_named(results, tmp_path):
    folder = tmp_path / "r"
    shutil.copytree(results[0], folder)
    next((folder / "test" / "frames").glob("svmd-*.h5")).unlink()  # a message of another experiment
    damaged = next((folder / "test" / "tuned").glob("tuned-r*.h5"))
    damaged.write_bytes(damaged.read_bytes()[:-1])
    with pytest.raises(TraceFileError, match=f"{damaged.name}: not a valid trace file"):
        okbench.load(folder)
