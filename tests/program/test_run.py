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
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT, SMOKE  # noqa: E402

SPARSE = ROOT / "experiments" / "smoke" / "sparse.toml"

KEYS = {
    "experiment", "learner", "key", "grid_point", "parameters", "seed", "data_set", "data_digest", "stand_in", "status", "examples", "error_rate",
    "test_error", "rmse", "test_rmse", "margin_errors", "support_vectors", "kernel_evaluations", "wall_seconds", "trace_digest",
}  # fmt: skip


def traces(folder):
    return sorted(pathlib.Path(folder).rglob("*.h5"))


def digests(rows):
    return sorted(row["trace_digest"] for row in rows)


def test_summary_has_just_the_promised_keys(okbench, summary, tmp_path):
    okbench("run", SMOKE, SPARSE, "--tier", "quick", "--out", tmp_path / "r", check=0)
    rows = summary(tmp_path / "r")
    assert len(rows) == 6 + 4
    for row in rows:
        assert set(row) == KEYS
        assert set(row["kernel_evaluations"]) == {"requested", "computed", "evaluation"}
        assert row["status"] == "ok"
        assert row["stand_in"] is True
        assert 0 < row["kernel_evaluations"]["requested"] <= row["kernel_evaluations"]["computed"]
        assert row["kernel_evaluations"]["evaluation"] > 0
        assert 0 <= row["error_rate"] <= 1 and 0 <= row["test_error"] <= 1
    text = okbench("summary", tmp_path / "r", check=0).stdout
    assert "STAND-IN" in text and "requested" in text


def test_traces_are_equal_for_any_jobs_target_and_tile(okbench, summary, tmp_path):
    okbench("run", SMOKE, SPARSE, "--tier", "quick", "--jobs", 1, "--out", tmp_path / "a", check=0)
    okbench("run", SMOKE, SPARSE, "--tier", "quick", "--jobs", 2, "--target", "avx2", "--tile", 5, "--out", tmp_path / "b", check=0)
    okbench("run", SMOKE, SPARSE, "--tier", "quick", "--tile", 1, "--out", tmp_path / "c", check=0)
    assert "bit for bit" in okbench("compare", tmp_path / "a", tmp_path / "b", check=0).stdout
    assert "10 traces agree" in okbench("compare", tmp_path / "a", tmp_path / "c", check=0).stdout
    assert digests(summary(tmp_path / "a")) == digests(summary(tmp_path / "b"))
    requested = [[row["kernel_evaluations"]["requested"] for row in summary(tmp_path / x)] for x in "abc"]
    assert requested[0] == requested[1] == requested[2]
    # One row at a time computes just what is requested.
    for row in summary(tmp_path / "c"):
        assert row["kernel_evaluations"]["requested"] == row["kernel_evaluations"]["computed"]


def test_a_second_run_runs_nothing_and_fresh_runs_again(okbench, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    stamps = {path: path.stat().st_mtime_ns for path in traces(out)}
    assert "6 have a result already, 0 to run" in okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0).stderr
    assert stamps == {path: path.stat().st_mtime_ns for path in traces(out)}
    okbench("run", SMOKE, "--tier", "quick", "--out", out, "--fresh", check=0)
    assert all(path.stat().st_mtime_ns > stamps[path] for path in traces(out))


def test_a_corrupt_trace_is_no_result(okbench, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    victim = traces(out)[0]
    victim.write_bytes(victim.read_bytes()[:-2000])
    shown = okbench("show", victim, check=1)
    assert "not a valid trace file" in shown.stderr and shown.stderr.count("\n") == 1
    assert "corrupt" in okbench("summary", out, check=1).stdout
    again = okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    assert "the trial runs again" in again.stderr and "1 to run" in again.stderr
    okbench("show", victim, check=0)


def test_a_changed_value_in_a_trace_is_noticed(okbench, tmp_path):
    out = tmp_path / "r"
    okbench("run", SMOKE, "--tier", "quick", "--out", out, check=0)
    victim = traces(out)[0]
    with h5py.File(victim, "r+") as file:
        file["trace/loss"][3] += 1e-9
    assert "digest" in okbench("show", victim, check=1).stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_resumes(binary, environment, okbench, summary, tmp_path, how):
    arguments = [SMOKE, "--out", "r", "--jobs", "1", "--set", "data.rows=3000"]
    okbench("run", *[a if a != "r" else "undisturbed" for a in arguments], check=0)
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
        assert "run the same command again to go on" in error
    done = {path: path.stat().st_mtime_ns for path in traces(tmp_path / "r")}
    assert 2 <= len(done) < 12
    # A killed process may leave a temporary file; it is neither a result nor in the way.
    (tmp_path / "r" / "smoke" / "online-svm" / f"svmd-r0-0000.h5.tmp-{socket.gethostname()}-4194304").write_text("half")
    # One of another machine may be in use there.
    elsewhere = tmp_path / "r" / "smoke" / "online-svm" / "svmd-r0-0000.h5.tmp-elsewhere-4194304"
    elsewhere.write_text("half")
    resumed = okbench("run", *arguments, check=0)
    assert f"{len(done)} have a result already" in resumed.stderr
    for path, stamp in done.items():
        assert path.stat().st_mtime_ns == stamp, "a finished trial ran twice"
    assert list((tmp_path / "r").rglob("*.tmp*")) == [elsewhere]
    assert digests(summary(tmp_path / "r")) == digests(summary(tmp_path / "undisturbed"))
    okbench("compare", "r", "undisturbed", check=0)


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
    done = okbench("run", SMOKE, "--tier", "quick", "--out", "r", "--only", "*norma*", "--set", "learners.norma.eta0=1e12",
                   "--set", "learners.norma.c=1e12", check=1)
    assert "FAILED (diverged)" in done.stderr and "step" in done.stderr


@pytest.mark.parametrize("loss", ["hinge", "novelty", "logistic"])
def test_divergence_is_noticed_for_every_loss(okbench, tmp_path, loss):
    settings = ["nu=0", "eta0=1e12", "c=1e9", "mu=10", f"loss={loss}"]
    spec = ROOT / "experiments" / "svmd-2006" / "fig3.toml"
    done = okbench("run", spec, "--tier", "quick", "--only", "*/svmd/*", "--out", "r",
                   *[word for setting in settings for word in ("--set", f"learners.svmd.{setting}")], check=1)
    assert "FAILED (diverged)" in done.stderr


@pytest.mark.parametrize("learner", ["mira", "svm"])
def test_overflowing_kernels_are_noticed(okbench, learner):
    spec = ROOT / "experiments" / "budget-2003" / "fig4-usps.toml"
    done = okbench("run", spec, "--tier", "quick", "--only", f"*/{learner}/*", "--out", "r", "--set", "data.scale=[0, 1e6]",
                   "--set", "data.unit_norm=false", check=1)
    assert "FAILED (diverged)" in done.stderr or "k(x,x)" in done.stderr


def test_a_solver_that_stops_early_is_a_typed_failure(okbench):
    spec = ROOT / "experiments" / "budget-2003" / "fig4-usps.toml"
    arguments = ["run", spec, "--tier", "quick", "--only", "*/svm/*", "--out", "r"]
    assert "FAILED (not-converged)" in okbench(*arguments, "--set", "learners.svm.max_rounds=2", check=1).stderr
    assert "must be 1" in okbench(*arguments, "--set", "data.epochs=2", check=2).stderr


def test_specs_that_differ_in_the_last_digit_do_not_share_data(okbench, tmp_path):
    for name, scale in (("a", "1e-7"), ("b", "4e-7")):
        text = SMOKE.read_text().replace("smoke/online-svm", f"smoke/{name}").replace(
            "rows = 600", f"rows = 200\nscale = [0, {scale}]")
        (tmp_path / f"{name}.toml").write_text(text)
    okbench("run", "a.toml", "b.toml", "--out", "both", "--only", "*/norma/r0", check=0)
    okbench("run", "b.toml", "--out", "alone", "--only", "*/norma/r0", check=0)
    okbench("compare", "both/smoke/b", "alone/smoke/b", check=0)


def test_a_huge_buffer_takes_no_memory_before_it_is_needed(okbench, tmp_path):
    done = okbench("run", SMOKE, "--tier", "quick", "--only", "*norma*", "--out", "r", "--set", "learners.norma.buffer=100000000",
                   check=0)
    assert "error" in done.stderr


def test_a_failure_record_goes_when_the_trial_succeeds(okbench, tmp_path):
    only = ["run", SMOKE, "--tier", "quick", "--out", "r", "--only", "*norma*"]
    okbench(*only, check=0)
    trace = traces(tmp_path / "r")[0]
    failed = trace.with_suffix("").with_suffix(".failed.json")
    trace.unlink()
    failed.write_text("{}")
    okbench(*only, check=0)
    assert not failed.exists() and trace.exists()


def test_a_learner_that_does_not_fit_the_data_fails_clearly(okbench, tmp_path):
    done = okbench("run", SMOKE, "--tier", "quick", "--out", "r", "--only", "*norma*", "--set", "learners.norma.loss=hinge", check=1)
    assert "FAILED (argument)" in done.stderr and "needs binary labels" in done.stderr


def test_dry_run_lists_trials_and_expected_evaluations(okbench, summary, tmp_path):
    dry = okbench("run", SMOKE, "--tier", "quick", "--out", "r", "--dry-run", check=0).stdout.splitlines()
    assert len(dry) == 6 + 1 and "at most" in dry[0] and "STAND-IN" in dry[0]
    assert not (tmp_path / "r").exists()
    okbench("run", SMOKE, "--tier", "quick", "--out", "r", check=0)
    bounds = [int(line.split("at most ")[1].split()[0]) for line in dry[:-1]]
    for row, bound in zip(summary(tmp_path / "r"), bounds):
        assert row["kernel_evaluations"]["requested"] <= bound
    ids = [line.split()[0] for line in dry[:-1]]
    assert all(any(ident in path.name for path in traces(tmp_path / "r")) for ident in ids)


def test_only_selects_by_glob_and_id(okbench, tmp_path):
    okbench("run", SMOKE, "--tier", "quick", "--out", "r", "--only", "*[[]loss=multiclass-hinge,lambda=0,*", check=0)
    assert len(traces(tmp_path / "r")) == 1
    ident = traces(tmp_path / "r")[0].stem.split("-")[-1]
    okbench("run", SMOKE, "--tier", "quick", "--out", "s", "--only", ident, check=0)
    assert len(traces(tmp_path / "s")) == 1
    nothing = okbench("run", SMOKE, "--out", "r", "--only", "nothing*", check=2)
    assert "matches no trial" in nothing.stderr


def test_a_full_disk_is_one_clear_failure_and_leaves_nothing_half_written(okbench, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True).returncode:
        pytest.skip("mounting a small tmpfs needs root")
    try:
        done = okbench("run", SMOKE, "--tier", "quick", "--out", disk, "--jobs", 1, check=1)
        assert "No space left on device" in done.stderr and "FAILED (write)" in done.stderr
        for path in traces(disk):
            okbench("show", path, check=0)  # what is there is whole
        assert not list(disk.rglob("*.tmp*"))
    finally:
        subprocess.run(["umount", disk], check=True)


def test_an_unwritable_folder_is_refused_before_anything_runs(okbench, tmp_path):
    (tmp_path / "file").write_text("")
    done = okbench("run", SMOKE, "--tier", "quick", "--out", tmp_path / "file" / "r", check=2)
    assert "cannot make the result folder" in done.stderr and done.stderr.count("\n") == 1


def test_show_and_compare(okbench, tmp_path):
    okbench("run", SMOKE, "--tier", "quick", "--out", "r", check=0)
    first, second = sorted((tmp_path / "r").rglob("svmd-r0*.h5"))[:2]
    shown = okbench("show", first, check=0).stdout
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


TUNED = """format = 1
experiment = "test/tuned"
repetitions = 2
[data]
name = ["ijcnn1", "a8a"]
order = "uniform"
batch = 0.05
epochs = 2
rows = 300
test = "test"
[kernel]
name = "rbf"
gamma = { ijcnn1 = 1, a8a = 0.05 }
[trace]
checkpoints = 4
training = true
[learners.pegasos]
learner = "pegasos"
[learners.pegasos.tune]
lambda = { two_to = [-2, 0, 4], over_n = true }
[learners.lasvm]
learner = "lasvm"
[learners.lasvm.tune]
lambda = { two_to = [-2, 4], over_n = true }
[learners.sfd]
learner = "sfd"
[learners.cuts]
learner = "sampled-cuts"
lambda = 0.01
"""


@pytest.fixture
def tuned(tmp_path):
    (tmp_path / "tuned.toml").write_text(TUNED)
    return tmp_path / "tuned.toml"


def attribute(path, name):
    with h5py.File(path) as file:
        return json.loads(file.attrs[name])


def test_cross_validation_chooses_the_value_with_the_fewest_mistakes(okbench, summary, tuned, tmp_path):
    okbench("run", tuned, "--out", tmp_path / "r", check=0)
    folder = tmp_path / "r" / "test" / "tuned"
    plan = json.loads((folder / "plan.json").read_text())["trials"]
    files = {trial["id"]: folder / trial["file"] for trial in plan}
    assert sum(trial["fold"] is not None for trial in plan) == 2 * 5 * (3 + 2)
    chosen = set()
    for trial in plan:
        if not trial["needs"]:
            continue
        outcome = attribute(files[trial["id"]], "summary")["tuned"]
        mistakes, cost = {}, {"requested": 0, "computed": 0, "evaluation": 0}
        for need in trial["needs"]:
            fold = attribute(files[need], "summary")
            value = attribute(files[need], "spec")["parameters"]["lambda"]
            with h5py.File(files[need]) as file:
                mistakes[value] = mistakes.get(value, 0) + int(file["checkpoints/test_mistakes"][-1])
            for kind in cost:
                cost[kind] += fold["kernel_evaluations"][kind]
        best = min(mistakes, key=mistakes.get)  # the first of equals
        assert outcome["chosen"] == {"lambda": best}
        assert outcome["validation_errors"] == [count / 300 for count in mistakes.values()]
        assert outcome["kernel_evaluations"] == cost and outcome["trials"] == len(trial["needs"])
        chosen.add(best)
    assert len(chosen) > 1  # else the test could not tell
    rows = summary(tmp_path / "r")
    assert len(rows) == 2 * 2 * 4
    assert {row["parameters"]["lambda"] for row in rows if row["learner"] in ("pegasos", "lasvm")} == chosen
    folds = json.loads(okbench("summary", tmp_path / "r", "--folds", "--json", check=0).stdout)["trials"]
    assert len(folds) == len(rows) + 50


def test_rounds_are_equal_for_any_jobs_target_and_tile(okbench, tuned, tmp_path):
    okbench("run", tuned, "--jobs", 1, "--out", tmp_path / "a", check=0)
    okbench("run", tuned, "--jobs", 3, "--target", "avx2", "--tile", 5, "--out", tmp_path / "b", check=0)
    assert "66 traces agree bit for bit" in okbench("compare", tmp_path / "a", tmp_path / "b", check=0).stdout


def test_an_interrupted_search_goes_on_where_it_stopped(okbench, tuned, tmp_path):
    okbench("run", tuned, "--out", tmp_path / "whole", check=0)
    # --only takes what the trial needs along: its folds, no other's.
    only = "test/tuned/pegasos?data=a8a]/r1"
    assert "16 to run" in okbench("run", tuned, "--out", tmp_path / "part", "--only", only, check=0).stderr
    folder = tmp_path / "part" / "test" / "tuned"
    next(folder.glob("pegasos-f2-*.h5")).unlink()
    next(folder.glob("pegasos-r1-*.h5")).unlink()
    assert "14 have a result already, 2 to run" in okbench("run", tuned, "--out", tmp_path / "part", "--only", only, check=0).stderr
    assert "66 trials: 16 have a result already" in okbench("run", tuned, "--out", tmp_path / "part", check=0).stderr
    assert "66 traces agree" in okbench("compare", tmp_path / "whole", tmp_path / "part", check=0).stdout


def test_a_search_without_a_fold_fails_and_says_so(okbench, tuned, summary, tmp_path):
    # A file in the way of a fold's trace: it cannot be written.
    okbench("run", tuned, "--out", tmp_path / "r", "--only", "test/tuned/sfd*", check=0)
    folder = tmp_path / "r" / "test" / "tuned"
    plan = json.loads((folder / "plan.json").read_text())["trials"]
    fold = next(trial for trial in plan if trial["name"] == "test/tuned/lasvm[data=a8a,lambda=0.0533333]/f3")
    (folder / fold["file"]).mkdir()
    done = okbench("run", tuned, "--out", tmp_path / "r", "--only", "test/tuned/lasvm?data=a8a*", check=1)
    assert "FAILED (cross-validation): a fold has no result" in done.stderr
    assert any(row["status"] == "failed: cross-validation" for row in summary(tmp_path / "r", check=1))


def test_checkpoints_of_rounds(okbench, tuned, tmp_path):
    okbench("run", tuned, "--out", tmp_path / "r", "--only", "test/tuned/*data=a8a]/r0", check=0)
    for path in traces(tmp_path / "r"):
        if "-r0-" not in path.name:
            continue
        with h5py.File(path) as file:
            table = {name: values[:] for name, values in file["checkpoints"].items()}
            trace = {name: values[:] for name, values in file["trace"].items()}
        assert table["examples"][-1] == trace["examples"][-1]
        assert (table["training_nonzero"] <= 300).all() and (table["training_loss"] >= 0).all()
        assert table["support_vectors"][-1] == trace["support_vectors"][-1]
        assert table["kernel_requested"][-1] == trace["kernel_requested"][-1]
        assert (table["kernel_evaluation"][1:] >= table["kernel_evaluation"][:-1]).all()


BAD_ROWS = {
    "one class": ("1 1:0.5\n" * 6, "needs examples of both classes"),
    "no label": ("1 1:0.5\n-1 1:1\n2:0.5\n1 1:2\n-1 2:1\n1 1:3\n", "3:1: "),
}


@pytest.mark.parametrize("case", BAD_ROWS)
@pytest.mark.parametrize("learner", ["sfd", "pegasos", "lasvm", "sampled-cuts"])
def test_bad_training_rows_are_one_clear_line(okbench, tmp_path, case, learner):
    text, message = BAD_ROWS[case]
    (tmp_path / "bad.txt").write_text(text)
    (tmp_path / "catalog.toml").write_text(
        "[bad]\ntitle='bad'\nformat='libsvm'\nfeatures=2\nrange=[0.0,3.0]\nlabels=['-1','1']\nkind='binary'\nterms=''\n"
        "stand_in={generator='clusters'}\n[bad.train]\nrows=6\nfiles=[{name='bad.txt', sha256=''}]\n")
    (tmp_path / "bad.toml").write_text(
        "format=1\nexperiment='test/bad'\n[data]\nname='bad'\norder='permutation'\nbatch=2\n[kernel]\nname='linear'\n"
        f"[learners.x]\nlearner='{learner}'\n")
    done = okbench("run", "bad.toml", "--out", "r", env={"OKBENCH_CATALOG": str(tmp_path / "catalog.toml"), "OKBENCH_MIRROR": str(tmp_path)}, check=1)
    failures = [line for line in done.stderr.splitlines() if "FAILED" in line]
    assert len(failures) == 1 and message in failures[0]
    assert not traces(tmp_path / "r")
