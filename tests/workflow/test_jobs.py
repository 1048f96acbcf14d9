"""The file of jobs and the run of one job, with the real program; and the whole workflow on this machine."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import jobs
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPEC = """format = 1
experiment = "test/jobs"
repetitions = 2
[data]
name = "a8a"
rows = 300
order = "uniform"
batch = 0.1
test = "test"
[kernel]
name = "rbf"
gamma = 0.05
[cross_validation]
folds = 2
[learners.plain]
learner = "sfd"
[learners.tuned]
learner = "pegasos"
[learners.tuned.tune]
lambda = [0.001, 0.01]
"""
TRIALS = 2 + 4 + 2
SMALL = 1e-6  # minutes: every trial is a job of its own


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch, environment):
    """Each test in a folder with the spec, and without the user's data."""
    for name in [name for name in os.environ if name.startswith("OKBENCH_")]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        if name.startswith("OKBENCH_"):
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(SPEC)


@pytest.fixture
def settings(binary):
    return {"tier": "default", "results": "r", "binary": str(pathlib.Path(binary).resolve()), "specs": ["s.toml"],
            "job_minutes": SMALL, "job_cores": 1}


def order(content):
    """Ids of the jobs, each after those it needs."""
    return sorted(content["jobs"], key=lambda ident: len(content["jobs"][ident]["needs"]))


def run(settings, ident):
    script = ROOT / "workflow" / "jobs.py"
    return subprocess.run(
        [sys.executable, script, "run", "r/workflow/jobs.json", ident, jobs.marker(settings, ident), "1"],
        capture_output=True, text=True, check=False,
    )


def test_jobs_compute_every_trial_once_and_leave_markers(settings, okbench):
    content = jobs.prepare(settings)
    assert sum(len(job["trials"]) for job in content["jobs"].values()) == TRIALS
    for ident in order(content):
        done = run(settings, ident)
        assert done.returncode == 0, done.stderr
        assert json.loads(pathlib.Path(jobs.marker(settings, ident)).read_text())["trials"] == 1
    assert f"{TRIALS} of {TRIALS} planned trials have a valid result" in okbench("merge", "r", check=0).stdout
    okbench("run", "s.toml", "--out", "plain", check=0)
    okbench("compare", "r", "plain", check=0)


def test_the_grouping_stays_while_trials_are_the_same(settings):
    first = jobs.prepare(settings)
    done = order(first)[0]
    assert run(settings, done).returncode == 0
    again = jobs.prepare(settings)
    assert again["jobs"] == first["jobs"]
    assert pathlib.Path(jobs.marker(settings, done)).exists()
    larger = jobs.prepare({**settings, "job_minutes": 10})
    assert len(larger["jobs"]) == 1 and sum(len(job["trials"]) for job in larger["jobs"].values()) == TRIALS - 1


def test_a_marker_without_its_results_is_removed(settings):
    content = jobs.prepare(settings)
    ident = order(content)[0]
    assert run(settings, ident).returncode == 0
    pathlib.Path(content["jobs"][ident]["files"][0]).unlink()
    assert jobs.prepare(settings)["jobs"] == content["jobs"]
    assert not pathlib.Path(jobs.marker(settings, ident)).exists()


def test_results_that_went_bring_their_trials_back(settings, okbench):
    okbench("run", "s.toml", "--out", "r", check=0)
    assert jobs.prepare(settings)["jobs"] == {}
    shutil.rmtree("r/test")
    assert sum(len(job["trials"]) for job in jobs.prepare(settings)["jobs"].values()) == TRIALS


def test_a_failure_that_would_come_again_ends_the_job(settings):
    pathlib.Path("s.toml").write_text(SPEC.replace('learner = "sfd"', 'learner = "norma"\nloss = "multiclass-hinge"\nbuffer = 8'))
    content = jobs.prepare(settings)
    failing = [ident for ident, job in content["jobs"].items() if "/plain-" in job["files"][0]]
    assert len(failing) == 2
    for ident in failing:
        done = run(settings, ident)
        assert done.returncode == 0 and "FAILED (argument)" in done.stderr
    left = jobs.prepare({**settings, "job_minutes": 10})
    assert sum(len(job["trials"]) for job in left["jobs"].values()) == TRIALS - 2


def test_a_failure_of_the_node_fails_the_job(settings):
    content = jobs.prepare(settings)
    tuned = order(content)[-1]
    # Its folds have no results: not a failure of the trial.
    done = run(settings, tuned)
    assert done.returncode != 0 and "needs the result of trial" in done.stderr
    assert not pathlib.Path(jobs.marker(settings, tuned)).exists()


def test_data_that_a_node_lacks_is_one_line(settings, environment, monkeypatch):
    content = jobs.prepare(settings)
    ident = order(content)[0]
    path = pathlib.Path("r/workflow/jobs.json")
    content["jobs"][ident]["data_sets"] = ["timit"]  # as if the head had its files
    path.write_text(json.dumps(content))
    done = run(settings, ident)
    assert done.returncode == 1 and "has not all files of timit" in done.stderr.splitlines()[-1]


def snakemake(settings):
    """Starts a workflow here, without figures: they are of the project's own specs."""
    pytest.importorskip("snakemake")
    config = [f"{name}={settings[name]}" for name in ("tier", "results", "binary", "job_minutes", "job_cores")]
    command = [
        sys.executable, "-m", "snakemake", "results", "--snakefile", ROOT / "workflow" / "Snakefile", "--cores", "2",
        "--profile", ROOT / "workflow" / "profiles" / "local", "--config", *config, "specs=s.toml",
        f"python={sys.executable}", "report=r/index.html",
    ]
    environment = {**os.environ, "XDG_CACHE_HOME": str(pathlib.Path.cwd() / "snakemake-cache")}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
                            start_new_session=True)


def test_the_workflow_resumes_after_its_head_was_killed(settings, okbench):
    head = snakemake(settings)
    end = time.monotonic() + 100
    while not list(pathlib.Path("r/workflow").glob("????????????.json")) and time.monotonic() < end:
        time.sleep(0.02)
    os.killpg(head.pid, signal.SIGKILL)
    head.communicate()
    before = {path: path.stat().st_ino for path in pathlib.Path("r").rglob("*.h5")}
    assert 0 < len(before) < TRIALS
    resumed = snakemake(settings)
    output, _ = resumed.communicate(timeout=200)
    assert resumed.returncode == 0, output
    assert all(path.stat().st_ino == inode for path, inode in before.items())  # none was computed again
    okbench("run", "s.toml", "--out", "plain", check=0)
    okbench("compare", "r", "plain", check=0)
    assert not [path for path in pathlib.Path("r").rglob(".*tmp*")]


def test_a_lost_job_is_given_again(settings, okbench):
    """A program that is killed once: the workflow tries the job a second time."""
    once = pathlib.Path("once.sh")
    once.write_text(
        "#!/bin/sh\n"
        f'case "$*" in *--trial*) if mkdir killed 2>/dev/null; then kill -KILL $$; fi ;; esac\nexec {settings["binary"]} "$@"\n'
    )
    once.chmod(0o755)
    head = snakemake({**settings, "binary": str(once.resolve())})
    output, _ = head.communicate(timeout=200)
    assert head.returncode == 0, output
    assert "status -9" in output and "Trying to restart" in output
    assert f"{TRIALS} of {TRIALS}" in okbench("merge", "r", check=0).stdout
