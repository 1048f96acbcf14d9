"""Results as tables: export, and tables that fit a width."""

import csv
import importlib.util
import io
import json
import re
import sqlite3

import numpy as np
import pandas as pd
import pytest
from conftest import QUICK, ROOT

from okbench.results import read_trace

SPEC = """format = 2
experiment = "test/export"
repetitions = 3
[data]
name = "switching"
max_examples = 400
order = "permutation"
[kernel]
name = "rbf"
gamma = 5
[measures]
names = ["kappa"]
[trace]
record_all_until = 0
per_decade = 1
every = 1
[learners.forgetron]
learner = "forgetron"
label = "Forgetron_1"
grid = { budget = [4, 32] }
[learners.ogd]
learner = "ogd"
"""


@pytest.fixture
def results(okbench, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC)
    okbench("run", "s.toml", "--out", "r", check=0)
    return tmp_path / "r"


def test_the_database_has_the_values_of_the_traces(okbench, results, tmp_path):
    out = okbench("export", "r", "--to", "x.sqlite", "--points", "0", check=0).stdout
    assert out.startswith("x.sqlite: 9 trials, ") and "3600 curves, 3600 measures" in out
    database = sqlite3.connect(tmp_path / "x.sqlite")
    for ident, file in database.execute("SELECT id, file FROM trials"):
        trace = read_trace(tmp_path / file)
        curve = np.array(
            database.execute("SELECT step, requested, error FROM curves WHERE trial = ?", [ident]).fetchall()
        )
        np.testing.assert_array_equal(curve[:, 0], trace["step"])
        np.testing.assert_array_equal(curve[:, 1], trace["kernel_requested"])
        np.testing.assert_allclose(curve[:, 2], trace["mistakes"] / trace["step"])
        summary = dict(database.execute("SELECT name, value FROM summaries WHERE trial = ?", [ident]))
        assert summary["requested"] == trace.summary["kernel_evaluations"]["requested"]
        axes = dict(database.execute("SELECT name, value FROM axes WHERE trial = ?", [ident]))
        assert axes.get("budget") == trace.parameters.get("budget")
    assert okbench("export", "r", "r", "--to", "twice.sqlite", check=0).stdout.startswith("twice.sqlite: 9 trials")
    assert okbench("export", "r", "--to", "t", check=0).stdout.startswith("t: 9 trials")
    trials = list(csv.DictReader(open(tmp_path / "t/trials.csv")))
    assert len(trials) == 9 and {trial["status"] for trial in trials} == {"ok"}
    curves = list(csv.DictReader(open(tmp_path / "t/curves.csv")))
    assert 9 * 100 < len(curves) <= 9 * 200


def needs(*modules):
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{missing} not installed; `make test-newest` installs them")


@needs("pyarrow")
def test_parquet_has_the_rows_of_the_database(okbench, results, tmp_path):
    okbench("export", "r", "--to", "x.sqlite", check=0)
    out = okbench("export", "r", "--to", "parquet:p", check=0).stdout
    assert out.startswith("p: 9 trials, ")
    database = sqlite3.connect(tmp_path / "x.sqlite")
    for name in ("trials", "axes", "summaries", "curves", "measures"):
        expected = pd.read_sql(f"SELECT * FROM {name}", database)
        frame = pd.read_parquet(tmp_path / "p" / f"{name}.parquet")
        assert list(frame.columns) == list(expected.columns)
        for column in frame:
            kind = "Float64" if frame[column].dtype in ("Int64", "Float64") else "string"
            assert frame[column].astype(kind).equals(expected[column].astype(kind)), (name, column)


@needs("mlflow")
def test_mlflow_opens_the_runs(okbench, results, tmp_path):
    import mlflow

    assert okbench("export", "r", "--to", "mlflow:m", check=0).stdout.startswith("m: 1 experiments, 9 runs, ")
    client = mlflow.MlflowClient(tracking_uri=f"sqlite:///{tmp_path}/m/mlflow.db")
    experiment = client.get_experiment_by_name("test/export")
    runs = client.search_runs([experiment.experiment_id], order_by=["metrics.error_rate"])
    assert [run.data.metrics["error_rate"] for run in runs] == sorted(run.data.metrics["error_rate"] for run in runs)
    assert {run.info.status for run in runs} == {"FINISHED"} and len(runs) == 9
    for run in runs:
        trace = read_trace(tmp_path / run.data.tags["file"])
        assert run.data.tags["digest"] == trace.digest and run.data.tags["label"] == trace.label
        budget = {"budget": str(trace.parameters["budget"])} if "budget" in trace.parameters else {}
        assert {name: value for name, value in run.data.params.items() if name == "budget"} == budget
        assert run.data.metrics["requested"] == trace.summary["kernel_evaluations"]["requested"]
        curve = {metric.step: metric.value for metric in client.get_metric_history(run.info.run_id, "error")}
        steps = np.asarray(trace["step"])
        errors = dict(zip(steps.tolist(), trace["mistakes"] / steps))
        assert 100 < len(curve) <= 200 and curve == pytest.approx({step: errors[step] for step in curve})
    refused = okbench("export", "r", "--to", "mlflow:m", check=2).stderr
    assert refused.count("\n") == 1 and "mlflow.db exists" in refused
    assert [path.name for path in (tmp_path / "m").iterdir()] == ["mlflow.db"]


@pytest.mark.parametrize(("scheme", "library"), [("parquet", "pyarrow"), ("mlflow", "mlflow")])
def test_a_missing_library_is_named(okbench, results, tmp_path, scheme, library):
    if importlib.util.find_spec(library):
        pytest.skip(f"{library} is installed")
    refused = okbench("export", "r", "--to", f"{scheme}:x", check=2).stderr
    assert refused.count("\n") == 1 and f"pip install {library}" in refused and not (tmp_path / "x").exists()


def test_the_queries_of_the_documents(okbench, results, tmp_path):
    okbench("export", "r", "--to", "x.sqlite", "--points", "0", check=0)
    database = sqlite3.connect(tmp_path / "x.sqlite")
    page = (ROOT / "docs/howto/query-results.md").read_text()
    best, reached = re.findall(r"```sql\n(.*?)```", page, re.S)
    traces = [read_trace(path) for path in sorted(results.rglob("*.h5"))]
    of = {}
    for trace in traces:
        of.setdefault((trace.label, trace.provenance["grid_point"]), []).append(trace)
    means = sorted(
        (np.mean([seed_trace.summary["error_rate"] for seed_trace in group]), *key) for key, group in of.items()
    )
    rows = database.execute(best).fetchall()
    assert [row[1:3] for row in rows] == [mean[1:] for mean in means]
    assert [row[3] for row in rows] == pytest.approx([100 * mean[0] for mean in means], abs=0.0051)
    for label, grid, seed, requested in database.execute(reached).fetchall():
        (trace,) = [seed_trace for seed_trace in of[label, grid] if seed_trace.spec["repetition"] == seed]
        below = (trace["mistakes"] / trace["step"] < 0.1) & (trace["step"] >= 100)
        assert requested == trace["kernel_requested"][below].min()


def test_means_as_csv_and_latex(okbench, results):
    averages = json.loads(okbench("summary", "r", "--mean", "--json", check=0).stdout)["means"]
    means = {row["grid_point"]: row for row in averages}
    rows = list(csv.DictReader(io.StringIO(okbench("export", "r", "--to", "-", check=0).stdout)))
    assert len(rows) == 3
    for row in rows:
        expected = means[row["grid_point"]]
        assert float(row["mean"]) == pytest.approx(expected["error_rate"]["mean"])
        assert float(row["low"]) <= float(row["mean"]) <= float(row["high"])
    best = okbench("export", "r", "--best", "--to", "-", "--format", "tex", check=0).stdout
    assert (
        best.startswith("\\begin{tabular}") and best.endswith("\\end{tabular}\n") and "Forgetron\\_1 (budget=" in best
    )
    least = min(rows, key=lambda row: float(row["mean"]))
    assert f"\\textbf{{{100 * float(least['mean']):.2f}" in best and best.count("\\\\\n") == 4
    okbench("export", "r", "--to", "sub/best.tex", "--best", check=0)
    assert (results.parent / "sub/best.tex").read_text() == best


def test_tables_fit_the_width(okbench, results):
    for width in (60, 80, 120):
        for more in ([], ["--mean"], ["--best"]):
            lines = okbench("summary", "r", *more, "--width", width, check=0).stdout.splitlines()
            assert max(map(len, [line for line in lines if not line.startswith(("in all rows", "not shown"))])) <= width
    wide = okbench("summary", "r", check=0).stdout
    assert max(map(len, wide.splitlines())) > 120 and "not shown" not in wide
    narrow = okbench("summary", "r", "--width", "80", check=0).stdout
    assert "in all rows: experiment test/export" in narrow and "not shown: " in narrow


def test_a_plan_in_brief_and_the_best_curves(okbench, results, tmp_path):
    whole, brief = (okbench("plan", "s.toml", *more, check=0).stdout for more in ([], ["--brief"]))
    assert "test/export/ogd/r0" in whole.splitlines()[-9] or "r0" in whole
    assert brief.splitlines()[0].startswith("experiment") and len(brief.splitlines()) < len(whole.splitlines()) - 8
    okbench("plot", "r/test/export", "--best", "--out", "best.svg", check=0)
    picture = (tmp_path / "best.svg").read_text()
    assert picture.count("Forgetron_1 (budget=") == 1 and "95 % bootstrap" in picture


def test_the_commands_after_a_run_work(okbench, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC)
    said = okbench("run", "s.toml", "--out", "r", check=0).stderr
    commands = re.findall(r"okbench (\S.*)", said[said.index("next:") :])
    assert len(commands) == 2
    for command in commands:
        okbench(*command.split(), check=0)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["export", "none", "--to", "x"], "none: no such result folder"),
        (["export", "r", "--to", "s.toml"], "--to: s.toml: expected NAME.sqlite"),
        (["export", "r", "--to", "x.sqlite", "--points", "-1"], "--points: expected a number >= 0"),
        (["export", "r", "--to", "x.json"], "--to: x.json: expected NAME.sqlite"),
        (["summary", "r", "--width", "-5"], "--width"),
    ],
)
def test_a_mistake_is_one_line(okbench, results, arguments, message):
    done = okbench(*arguments, check=2)
    assert len(done.stderr.splitlines()) == 1 and message in done.stderr


def test_means_need_every_seed(okbench, results, tmp_path):
    next(results.rglob("ogd-r1-*.h5")).unlink()
    done = okbench("export", "r", "--best", "--to", "-", check=2)
    assert "no mean: test/export/ogd/r1: missing" in done.stderr
    out = okbench("export", "r", "--to", "x.sqlite", check=0).stdout
    assert "9 trials" in out
    status = sqlite3.connect(tmp_path / "x.sqlite").execute("SELECT status FROM trials WHERE status <> 'ok'").fetchall()
    assert status == [("missing",)]


def test_a_failed_export_leaves_no_file(okbench, results, tmp_path):
    (tmp_path / "place").mkdir()
    (tmp_path / "place/x.sqlite").mkdir()
    done = okbench("export", "r", "--to", "place/x.sqlite", check=1)
    assert "place/x.sqlite: cannot be written" in done.stderr
    assert [path.name for path in (tmp_path / "place").iterdir()] == ["x.sqlite"]


def test_quick_results_have_their_tier(okbench, tmp_path):
    okbench("run", ROOT / "experiments/smoke/online-svm.toml", *QUICK, check=0)
    okbench("export", "r", "--to", "x.sqlite", check=0)
    tiers = sqlite3.connect(tmp_path / "x.sqlite").execute("SELECT DISTINCT tier, synthetic FROM trials").fetchall()
    assert tiers == [("quick", 1)]
