"""okbench run: results, resuming, interruption, parallelism, failures."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import QUICK, ROOT, SMOKE, reseal  # noqa: E402

from okbench.writing import namespace  # noqa: E402

SPARSE = ROOT / "experiments" / "smoke" / "sparse.toml"

KEYS = {
    "id", "experiment", "learner", "key", "grid_point", "parameters", "batch", "seed", "fold",
    "data_set", "data_digest", "setting", "synthetic", "status",
    "examples", "error_rate", "test_error", "rmse", "test_rmse",
    "margin_errors", "support_vectors",
    "kernel_evaluations", "wall_seconds", "trace_digest", "kernel", "cost_to_reach", "counted",
    "measures", "cpu_seconds", "learner_peak_bytes",
}  # fmt: skip


def traces(folder):
    return sorted(pathlib.Path(folder).rglob("*.h5"))


def digests(rows):
    return sorted(row["trace_digest"] for row in rows)


def test_summary_has_the_promised_keys(okbench, summary, tmp_path):
    okbench("run", SMOKE, SPARSE, "--tier", "quick", "--out", tmp_path / "r", check=0)
    rows = summary(tmp_path / "r")
    assert len(rows) == 6 + 4
    for row in rows:
        assert KEYS <= set(row)
        assert set(row["kernel_evaluations"]) == {"requested", "computed", "evaluation"}
        assert row["status"] == "ok"
        assert row["synthetic"] is True
        assert 0 < row["kernel_evaluations"]["requested"] <= row["kernel_evaluations"]["computed"]
        assert row["kernel_evaluations"]["evaluation"] > 0
        assert 0 <= row["error_rate"] <= 1 and 0 <= row["test_error"] <= 1
    text = okbench("summary", tmp_path / "r", check=0).stdout
    assert "SYNTHETIC" in text and "requested" in text


@pytest.mark.parametrize(
    "learner, costs",
    [
        ("majority", set()),
        ("fogd", {"feature evaluations"}),
        ("perceptron", {"support vectors", "kernel evaluations"}),
    ],
)
def test_a_result_line_shows_the_costs_of_the_learner(okbench, tmp_path, learner, costs):
    spec = ROOT / "experiments" / "league" / "sea.toml"
    words = ("--tier", "quick", "--verbose", "--only", f"*/{learner}*/r0", "--out", tmp_path / "r")
    done = okbench("run", spec, *words, check=0)
    line = next(line for line in done.stderr.splitlines() if f"/{learner}" in line)
    assert {cost for cost in ("support vectors", "kernel evaluations", "feature evaluations") if cost in line} == costs


def test_traces_are_equal_for_any_jobs_target_and_lookahead(okbench, summary, tmp_path):
    okbench("run", SMOKE, SPARSE, "--tier", "quick", "--jobs", 1, "--out", tmp_path / "a", check=0)
    okbench(
        "run",
        SMOKE,
        SPARSE,
        "--tier",
        "quick",
        "--jobs",
        2,
        "--isa",
        "avx2",
        "--lookahead",
        5,
        "--out",
        tmp_path / "b",
        check=0,
    )
    okbench("run", SMOKE, SPARSE, "--tier", "quick", "--lookahead", 1, "--out", tmp_path / "c", check=0)
    assert "bit for bit" in okbench("compare", tmp_path / "a", tmp_path / "b", check=0).stdout
    assert "10 traces agree" in okbench("compare", tmp_path / "a", tmp_path / "c", check=0).stdout
    assert digests(summary(tmp_path / "a")) == digests(summary(tmp_path / "b"))
    requested = [[row["kernel_evaluations"]["requested"] for row in summary(tmp_path / x)] for x in "abc"]
    assert requested[0] == requested[1] == requested[2]
    # One row at a time computes just what is requested.
    for row in summary(tmp_path / "c"):
        assert row["kernel_evaluations"]["requested"] == row["kernel_evaluations"]["computed"]


def test_a_second_run_runs_nothing_and_force_reruns_all(okbench, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    stamps = {path: path.stat().st_mtime_ns for path in traces(out)}
    assert "6 already have results, 0 to run" in okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0).stderr
    assert stamps == {path: path.stat().st_mtime_ns for path in traces(out)}
    okbench("run", SMOKE, "--tier", "quick", "--out", out, "--force", check=0)
    assert all(path.stat().st_mtime_ns > stamps[path] for path in traces(out))


def test_a_corrupt_trace_is_no_result(okbench, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    victim = traces(out)[0]
    victim.write_bytes(victim.read_bytes()[:-2000])
    shown = okbench("summary", "--trace", victim, check=1)
    assert "not a valid trace file" in shown.stderr and shown.stderr.count("\n") == 1
    assert "corrupt" in okbench("summary", out, check=1).stdout
    again = okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    assert "the trial runs again" in again.stderr and "1 to run" in again.stderr
    okbench("summary", "--trace", victim, check=0)


def test_a_changed_value_in_a_trace_is_noticed(okbench, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    victim = traces(out)[0]
    with h5py.File(victim, "r+") as file:
        file["trace/loss"][3] += 1e-9
    assert "its bytes do not match its digest" in okbench("summary", "--trace", victim, check=1).stderr
    # Even by somebody who knows where the digest of the bytes stands.
    reseal(victim, lambda file: None)
    assert "its digest does not match its columns" in okbench("summary", "--trace", victim, check=1).stderr


def test_a_changed_summary_or_spec_is_noticed(okbench, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    victim = traces(out)[0]
    with h5py.File(victim, "r+") as file:
        text = file.attrs["summary"].decode()
        file.attrs.modify("summary", np.bytes_(text.replace("error_rate", "error_rat3")))
    for verb in ("summary", "compare", "verify"):
        done = okbench(verb, *([out, out] if verb == "compare" else [out]))
        assert done.returncode != 0 and "its bytes do not match its digest" in done.stdout + done.stderr
    done = okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    assert "the trial runs again" in done.stderr


def test_a_failed_rerun_takes_the_old_result_away(okbench, summary, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    count = len(summary(out))
    okbench("run", SMOKE, "--tier", "quick", "--out", out, "--force", "--timeout", "1e-9", check=1)
    rows = summary(out, check=1)
    assert len(rows) == count and all(row["status"] == "failed: timeout" for row in rows)
    done = okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    assert "0 already have results" in done.stderr
    assert all(row["status"] == "ok" for row in summary(out))


def test_a_trace_decides_over_a_failure_record(okbench, summary, tmp_path):
    arguments = ["run", SMOKE, *QUICK, "--only", "*norma/r0"]
    okbench(*arguments, check=0)
    trace = traces(tmp_path / "r")[0]
    content = trace.read_bytes()
    okbench(*arguments, "--force", "--timeout", "1e-9", check=1)
    trace.write_bytes(content)
    for path in (trace, tmp_path / "r"):
        (row,) = summary(path, check=1)
        assert row["status"] == "failed: timeout" and row["error_rate"] is None


def test_results_outside_the_plan_are_named(okbench, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    stranger = traces(out)[0]
    stranger.with_name("other-r0-0123456789abcdef.h5").write_bytes(stranger.read_bytes())
    for verb in (("summary", out), ("run", SMOKE, "--tier", "quick", "--out", out)):
        assert "1 result is of earlier settings" in okbench(*verb, check=0).stderr


def test_overrides_are_in_the_plan(okbench, tmp_path):
    okbench("run", SMOKE, "--tier", "quick", "--out", "r", "--set", "data.sample=50", check=0)
    plan = json.loads(next((tmp_path / "r").rglob("plan.json")).read_text())
    assert plan["format"] == 2 and plan["overrides"] == ["data.sample=50"]
    assert plan["trials"][0]["axes"]["data"] and plan["trials"][0]["axes"]["repetition"] == 0


LONG = [SMOKE, "--set", "data.synthetic_rows=3000", "--jobs"]


@pytest.fixture(scope="module")
def undisturbed(binary, tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    environment = {"OKBENCH_CACHE": str(folder / "none"), "PATH": "/usr/bin:/bin"}
    subprocess.run([binary, "run", *LONG, "2", "--out", folder / "r"], check=True, env=environment, capture_output=True)
    return folder / "r"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_resumes(binary, environment, okbench, summary, undisturbed, tmp_path, how):
    arguments = [*LONG, "1", "--out", "r"]
    command = [binary, "run", *map(str, arguments)]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    while len(traces(tmp_path / "r")) < 2:
        assert process.poll() is None, "over before it could be interrupted"
        time.sleep(0.001)
    process.send_signal(how)
    error = process.communicate()[1]
    if how == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
    else:
        assert process.returncode == 130
        assert "rerun the same command to continue" in error
    done = {path: path.stat().st_mtime_ns for path in traces(tmp_path / "r")}
    assert 2 <= len(done) < 12
    left = f".tmp-{socket.gethostname()}-{namespace()}-"
    # A killed process may leave a temporary file; it is neither a result nor in the way.
    (tmp_path / "r" / "smoke" / "online-svm" / f"svmd-r0-0000.h5{left}4194304-7").write_text("half")
    # One of another machine may be in use there.
    elsewhere = tmp_path / "r" / "smoke" / "online-svm" / "svmd-r0-0000.h5.tmp-elsewhere-4194304-7"
    elsewhere.write_text("half")
    # A container may have the same host name and other process ids.
    inside = tmp_path / "r" / "smoke" / "online-svm" / f"svmd-r0-0000.h5.tmp-{socket.gethostname()}-1-4194304-7"
    inside.write_text("half")
    resumed = okbench("run", *arguments, check=0)
    assert f"{len(done)} already have results" in resumed.stderr
    for path, stamp in done.items():
        assert path.stat().st_mtime_ns == stamp, "a finished trial ran twice"
    assert sorted((tmp_path / "r").rglob("*.tmp*")) == sorted([elsewhere, inside])
    assert digests(summary(tmp_path / "r")) == digests(summary(undisturbed))
    okbench("compare", "r", undisturbed, check=0)


def test_a_timeout_is_a_typed_failure_and_not_a_result(okbench, summary, tmp_path):
    # 1.8 million steps, so that no machine is fast enough.
    arguments = ["run", SMOKE, "--out", "r", "--only", "*norma/r0", "--set", "data.epochs=3000", "--timeout", "0.05"]
    done = okbench(*arguments, check=1)
    assert "FAILED (timeout)" in done.stderr
    record = json.loads(next((tmp_path / "r").rglob("*.failed.json")).read_text())
    assert record["kind"] == "timeout" and "0.05" in record["message"]
    assert summary(tmp_path / "r", check=1)[0]["status"] == "failed: timeout"
    assert "FAILED (timeout)" in okbench(*arguments, "--quiet", check=1).stderr


def test_a_diverging_learner_is_a_typed_failure(okbench, tmp_path):
    done = okbench(
        "run",
        SMOKE,
        *QUICK,
        "--only",
        "*norma*",
        "--set",
        "learners.norma.eta0=1e12",
        "--set",
        "learners.norma.c=1e12",
        check=1,
    )
    assert "FAILED (diverged)" in done.stderr and "step" in done.stderr


@pytest.mark.parametrize("loss", ["hinge", "novelty", "logistic"])
def test_divergence_is_noticed_for_every_loss(okbench, tmp_path, loss):
    settings = ["nu=0", "eta0=1e12", "c=1e9", "mu=10", f"loss={loss}"]
    spec = ROOT / "experiments" / "svmd-2006" / "fig3.toml"
    done = okbench(
        "run",
        spec,
        "--tier",
        "quick",
        "--only",
        "*/svmd/*",
        "--out",
        "r",
        *[word for setting in settings for word in ("--set", f"learners.svmd.{setting}")],
        check=1,
    )
    assert "FAILED (diverged)" in done.stderr


@pytest.mark.parametrize("learner", ["mira", "svm"])
def test_overflowing_kernels_are_noticed(okbench, learner):
    spec = ROOT / "experiments" / "budget-2003" / "fig4-usps.toml"
    done = okbench(
        "run",
        spec,
        "--tier",
        "quick",
        "--only",
        f"*/{learner}/*",
        "--out",
        "r",
        "--set",
        "data.scale=[0, 1e6]",
        "--set",
        "data.unit_norm=false",
        check=1,
    )
    assert "FAILED (diverged)" in done.stderr or "k(x,x)" in done.stderr


def test_a_solver_that_stops_early_is_a_typed_failure(okbench):
    spec = ROOT / "experiments" / "budget-2003" / "fig4-usps.toml"
    arguments = ["run", spec, "--tier", "quick", "--only", "*/svm/*", "--out", "r"]
    assert "FAILED (not-converged)" in okbench(*arguments, "--set", "learners.svm.max_rounds=2", check=1).stderr
    assert "data.epochs = 1" in okbench(*arguments, "--set", "data.epochs=2", check=2).stderr


def test_specs_that_differ_in_the_last_digit_do_not_share_data(okbench, tmp_path):
    for name, scale in (("a", "1e-7"), ("b", "4e-7")):
        text = (
            SMOKE.read_text()
            .replace("smoke/online-svm", f"smoke/{name}")
            .replace("synthetic_rows = 600", f"synthetic_rows = 200\nscale = [0, {scale}]")
        )
        (tmp_path / f"{name}.toml").write_text(text)
    okbench("run", "a.toml", "b.toml", "--out", "both", "--only", "*/norma/r0", check=0)
    okbench("run", "b.toml", "--out", "alone", "--only", "*/norma/r0", check=0)
    okbench("compare", "both/smoke/b", "alone/smoke/b", check=0)


def test_a_huge_buffer_takes_no_memory_before_it_is_needed(okbench, tmp_path):
    done = okbench(
        "run",
        SMOKE,
        "--tier",
        "quick",
        "--only",
        "*norma*",
        "--out",
        "r",
        "--set",
        "learners.norma.buffer=100000000",
        check=0,
    )
    assert "error" in done.stderr


def test_success_removes_the_failure_record(okbench, tmp_path):
    only = ["run", SMOKE, "--tier", "quick", "--out", "r", "--only", "*norma*"]
    okbench(*only, check=0)
    trace = traces(tmp_path / "r")[0]
    failed = trace.with_suffix("").with_suffix(".failed.json")
    trace.unlink()
    failed.write_text("{}")
    okbench(*only, check=0)
    assert not failed.exists() and trace.exists()


def test_a_learner_that_does_not_fit_the_data_fails_clearly(okbench, tmp_path):
    done = okbench("run", SMOKE, *QUICK, "--only", "*norma*", "--set", "learners.norma.loss=hinge", check=2)
    assert "learner 'norma': the loss 'hinge' needs binary labels" in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_dry_run_lists_trials_and_expected_evaluations(okbench, summary, tmp_path):
    dry = okbench("run", SMOKE, "--tier", "quick", "--out", "r", "--dry-run", check=0).stdout.splitlines()
    assert len(dry) == 6 + 1 and "at most" in dry[0] and "SYNTHETIC" in dry[0]
    assert not (tmp_path / "r").exists()
    okbench("run", SMOKE, "--tier", "quick", "--out", "r", check=0)
    bounds = [int(line.split("at most ")[1].split()[0]) for line in dry[:-1]]
    for row, bound in zip(summary(tmp_path / "r"), bounds):
        assert row["kernel_evaluations"]["requested"] <= bound
    ids = [line.split()[0] for line in dry[:-1]]
    assert all(any(ident in path.name for path in traces(tmp_path / "r")) for ident in ids)


def test_only_selects_by_glob_and_id(okbench, tmp_path):
    okbench(
        "run", SMOKE, "--tier", "quick", "--out", "r", "--only", "*[[]loss=multiclass-hinge,trace_decay=0,*", check=0
    )
    assert len(traces(tmp_path / "r")) == 1
    ident = traces(tmp_path / "r")[0].stem.split("-")[-1]
    okbench("run", SMOKE, "--tier", "quick", "--out", "s", "--only", ident, check=0)
    assert len(traces(tmp_path / "s")) == 1
    nothing = okbench("run", SMOKE, "--out", "r", "--only", "nothing*", check=2)
    assert "matches no trial" in nothing.stderr


def test_a_full_disk_is_one_failure_and_leaves_no_partial_file(okbench, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True).returncode
    ):
        pytest.skip("mounting a small tmpfs needs root")
    try:
        done = okbench("run", SMOKE, "--tier", "quick", "--out", disk, "--jobs", 1, check=1)
        assert "No space left on device" in done.stderr and "FAILED (write)" in done.stderr
        for path in traces(disk):
            okbench("summary", "--trace", path, check=0)  # what is there is whole
        assert not list(disk.rglob("*.tmp*"))
    finally:
        subprocess.run(["umount", disk], check=True)


def test_an_unwritable_folder_is_refused_before_anything_runs(okbench, tmp_path):
    (tmp_path / "file").write_text("")
    done = okbench("run", SMOKE, "--tier", "quick", "--out", tmp_path / "file" / "r", check=2)
    assert "cannot create the result folder" in done.stderr and done.stderr.count("\n") == 1


def test_show_and_compare(okbench, tmp_path):
    okbench("run", SMOKE, "--tier", "quick", "--out", "r", check=0)
    first, second = sorted((tmp_path / "r").rglob("svmd-r0*.h5"))[:2]
    shown = okbench("summary", "--trace", first, check=0).stdout
    for word in ("git_commit", "compiler", "cpu", "step_size", "kernel_computed", "(not in the digest)", "digest"):
        assert word in shown
    assert okbench("compare", first, first, check=0).stdout == "1 trace agrees bit for bit\n"
    line = okbench("compare", first, second, check=1).stdout
    assert ": trace/" in line and ", row " in line and " against " in line
    difference = json.loads(okbench("compare", first, second, "--json", check=1).stdout)
    assert difference["equal"] is False
    assert set(difference["differences"][0]) == {"trial", "table", "column", "row", "a", "b"}
    second.unlink()
    okbench("run", SMOKE, "--tier", "quick", "--out", "s", check=0)
    assert "missing" in okbench("compare", "r", "s", check=1).stdout
