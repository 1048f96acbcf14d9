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
from conftest import ROOT, snakemake, tuned_spec

SPEC = tuned_spec("test/jobs")
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
    return {
        "tier": "default",
        "results": "r",
        "binary": str(pathlib.Path(binary).resolve()),
        "specs": ["s.toml"],
        "job_minutes": SMALL,
        "job_cores": 1,
    }


def order(described):
    """Ids of the jobs, each after those it needs."""
    return sorted(described, key=lambda ident: len(described[ident]["needs"]))


def trials_of(described):
    return [trial for job in described.values() for trial in job["trials"]]


def marker(ident):
    return pathlib.Path(jobs.marker("r", ident))


def run(ident):
    script = ROOT / "workflow" / "jobs.py"
    return subprocess.run([sys.executable, script, "run", "r", ident, "1"], capture_output=True, text=True, check=False)


def program(text):
    """Path of a shell script that stands in for the program."""
    path = pathlib.Path("program.sh").resolve()
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def rewrite(described, ident, **changes):
    """Changes what the head wrote about a job."""
    jobs.write_atomically(jobs.place("r", "jobs", f"{ident}.json"), {**described[ident], **changes})


def test_jobs_compute_every_trial_once_and_leave_markers(settings, okbench):
    described = jobs.prepare(settings)
    assert len(trials_of(described)) == len(set(trials_of(described))) == TRIALS
    for ident in order(described):
        done = run(ident)
        assert done.returncode == 0, done.stderr
        assert json.loads(marker(ident).read_text())["trials"] == 1
    assert f"{TRIALS} of {TRIALS} trials have a valid result" in okbench("verify", "r", check=0).stdout
    okbench("run", "s.toml", "--out", "plain", check=0)
    okbench("compare", "r", "plain", check=0)


def test_the_grouping_stays_while_trials_are_the_same(settings):
    first = jobs.prepare(settings)
    done = order(first)[0]
    assert run(done).returncode == 0
    again = jobs.prepare(settings)
    assert {ident: job["trials"] for ident, job in again.items()} == {
        ident: job["trials"] for ident, job in first.items()
    }
    assert marker(done).exists()
    larger = jobs.prepare({**settings, "job_minutes": 10})
    assert len(larger) == 1 and len(trials_of(larger)) == TRIALS - 1
    # Descriptions of the old jobs remain, because these jobs may still be queued.
    assert run(order(first)[1]).returncode == 0


def segment_of(files):
    """The one segment that a job has written: many trials, few files."""
    (segment,) = pathlib.Path(files[0]).parent.glob("*.h5")
    return segment


def test_a_marker_without_its_results_is_removed(settings):
    first = jobs.prepare(settings)
    ident = order(first)[0]
    assert run(ident).returncode == 0
    segment_of(first[ident]["files"]).unlink()
    assert jobs.prepare(settings, write=False).keys() == first.keys()
    assert marker(ident).exists()  # looking changes nothing
    assert jobs.prepare(settings).keys() == first.keys()
    assert not marker(ident).exists()


def test_jobs_with_results_from_elsewhere_get_markers(settings, okbench):
    first = jobs.prepare(settings)
    okbench("run", "s.toml", "--out", "r", check=0)
    assert not any(marker(ident).exists() for ident in first)
    jobs.prepare(settings)
    assert all(marker(ident).exists() for ident in first)


def test_results_that_went_bring_their_trials_back(settings, okbench):
    okbench("run", "s.toml", "--out", "r", check=0)
    assert jobs.prepare(settings) == {}
    shutil.rmtree("r/test")
    assert len(trials_of(jobs.prepare(settings))) == TRIALS


def test_a_repeatable_failure_ends_the_job(settings):
    pathlib.Path("s.toml").write_text(SPEC.replace('learner = "sfd"', 'learner = "norma"\naverage = true\nbuffer = 8'))
    described = jobs.prepare(settings)
    failing = [ident for ident, job in described.items() if "/plain-" in job["files"][0]]
    assert len(failing) == 2
    for ident in failing:
        done = run(ident)
        assert done.returncode == 0 and "FAILED (argument)" in done.stderr
    assert len(trials_of(jobs.prepare({**settings, "job_minutes": 10}))) == TRIALS - 2


def test_a_failed_fold_ends_its_tuned_trials(settings):
    described = jobs.prepare(settings)
    for ident in order(described):
        file = pathlib.Path(described[ident]["files"][0])
        if "tuned-f" in file.name:
            file.with_suffix(".failed.json").write_text('{"kind": "diverged"}')
    tuned = [ident for ident in described if described[ident]["needs"]]
    for ident in tuned:
        done = run(ident)
        assert done.returncode == 0 and "FAILED (cross-validation)" in done.stderr
    left = jobs.prepare(settings)
    assert not [ident for ident in tuned if not marker(ident).exists()] and len(tuned) == 2
    # Without failure records of folds the tuned trials are unfinished again, even if the folds have not run.
    for record in pathlib.Path("r").rglob("tuned-f*.failed.json"):
        assert all(marker(ident).exists() for ident in tuned)
        record.unlink()
        jobs.prepare(settings)
    assert jobs.prepare(settings).keys() == left.keys()
    assert not [ident for ident in tuned if marker(ident).exists()]


def test_an_error_without_a_record_is_no_result(settings):
    """Status 1 may mean that the folder could not be written at all."""
    described = jobs.prepare(settings)
    ident = order(described)[0]
    rewrite(described, ident, binary=program("echo 'okbench: plan.json: cannot be created' >&2\nexit 1"))
    done = run(ident)
    assert done.returncode == 1 and "no result of 1 trial of" in done.stderr and "no record" in done.stderr
    assert not marker(ident).exists()


def test_a_damaged_trace_whose_rerun_fails_is_no_result(settings):
    described = jobs.prepare(settings)
    ident = order(described)[0]
    assert run(ident).returncode == 0
    segment = segment_of(described[ident]["files"])
    segment.write_bytes(segment.read_bytes()[:-100])
    trace = pathlib.Path(described[ident]["files"][0])
    trace.with_suffix(".failed.json").write_text('{"kind": "memory"}')
    rewrite(described, ident, binary=program("exit 1"))
    done = run(ident)
    assert done.returncode == 1 and "memory" in done.stderr


def test_a_grouping_of_another_plan_is_replaced(settings):
    first = jobs.prepare(settings)
    pathlib.Path("r/workflow/grouping.json").write_text("[1]\n")
    assert jobs.prepare(settings).keys() == first.keys()


@pytest.mark.parametrize(
    ("config", "cause"),
    [
        ({"job_cores": 0}, "job_cores"),
        ({"job_minutes": "many"}, "job_minutes"),
        ({"job_minutes": None}, "job_minutes"),
        ({"job_minutes": -1}, "job_minutes"),
        ({"job_cores": 2.7}, "integer"),
        ({"job_cores": "inf"}, "job_cores"),
        ({"results": "it's"}, "results"),
        ({"binary": "nowhere/okbench"}, "make build"),
    ],
)
def test_bad_settings_are_one_line(settings, config, cause):
    with pytest.raises(jobs.Stop, match=cause):
        jobs.read_settings({**settings, "specs": "s.toml", **config}, [])
    head = snakemake({**settings, **config})
    output, _ = head.communicate(timeout=60)
    # Snakemake 8 and later name the profile first.
    (line,) = [line for line in output.splitlines() if not line.startswith("Using profile ")]
    assert head.returncode == 2 and cause in line


def test_a_failure_of_the_node_fails_the_job(settings):
    described = jobs.prepare(settings)
    tuned = order(described)[-1]
    # Its folds have no results: not a failure of the trial.
    done = run(tuned)
    assert done.returncode != 0 and "needs the result of trial" in done.stderr
    assert not marker(tuned).exists()


def test_data_that_a_node_lacks_is_one_line(settings):
    described = jobs.prepare(settings)
    ident = order(described)[0]
    rewrite(described, ident, data_sets=["timit"])  # as if the head had its files
    done = run(ident)
    assert done.returncode == 1 and "missing data files of timit" in done.stderr.splitlines()[-1]


def test_a_node_with_other_data_does_not_change_the_plan(settings, okbench):
    """A node that cannot read one data set plans fewer trials. Its runs must not overwrite the larger plan."""
    jobs.prepare(settings)
    plan = pathlib.Path("r/test/jobs/plan.json")
    content = json.loads(plan.read_text())
    other = {"id": "0123456789abcdef", "name": "test/jobs/other/r0"}  # a trial of data that only the head has
    content["trials"].append({**content["trials"][0], **other})
    plan.write_text(json.dumps(content))
    okbench("run", "s.toml", "--out", "r", "--trial", content["trials"][0]["id"], check=0)
    assert json.loads(plan.read_text()) == content


def test_the_workflow_resumes_after_its_head_was_killed(settings, okbench):
    head = snakemake(settings)
    end = time.monotonic() + 100
    while not list(pathlib.Path("r/workflow/done").glob("????????????.json")) and time.monotonic() < end:
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
    assert not [path for path in pathlib.Path("r/test").rglob(".*tmp*")]


def test_a_lost_job_is_given_again(settings, okbench):
    """A program that is killed once: the workflow tries the job a second time."""
    once = program(
        'case "$*" in *--trial*) if mkdir killed 2>/dev/null; then kill -KILL $$; fi ;; esac\n'
        f'exec {settings["binary"]} "$@"'
    )
    head = snakemake({**settings, "binary": once})
    output, _ = head.communicate(timeout=200)
    assert head.returncode == 0, output
    assert "status -9" in output and "Trying to restart" in output
    assert f"{TRIALS} of {TRIALS}" in okbench("verify", "r", check=0).stdout
