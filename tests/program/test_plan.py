"""`okbench plan`: what a run will cost, beside what it then does cost."""

import json
import os
import subprocess
import sys

import pytest
from conftest import tuned_spec

SPEC = tuned_spec(
    "test/plan",
    """
[trace]
checkpoints = 3
[learners.stream]
learner = "norma"
loss = "hinge"
buffer = 64
[learners.active]
learner = "lasvm"
""",
)
TRIALS = 2 * 4 + 4


@pytest.fixture
def spec(tmp_path):
    (tmp_path / "s.toml").write_text(SPEC)
    return "s.toml"


@pytest.fixture
def plan(okbench, spec):
    def read(*more, check=0):
        return json.loads(okbench("plan", spec, "--out", "r", "--json", *more, check=check).stdout)

    return read


def test_the_plan_lists_the_trials_of_run(okbench, plan, spec, tmp_path):
    content = plan()
    trials = {trial["id"]: trial for trial in content["trials"]}
    assert content["format"] == 1 and content["totals"]["trials"] == len(trials) == TRIALS
    assert content["totals"]["folds"] == 4 and content["totals"]["done"] == 0
    tuned = next(trial for trial in trials.values() if "/tuned/" in trial["name"])
    assert len(tuned["needs"]) == 4 and all(trials[need]["fold"] for need in tuned["needs"])
    assert all(trial["data_set"] == "a8a" and trial["synthetic"] and trial["spec"] == spec for trial in trials.values())
    assert not (tmp_path / "r").exists()  # nothing is written

    okbench("run", spec, "--out", "r", check=0)
    done = plan()
    assert {trial["id"] for trial in done["trials"]} == set(trials)
    assert all(trial["done"] for trial in done["trials"]) and done["totals"]["left_seconds"] == 0
    assert all((tmp_path / trial["file"]).is_file() for trial in done["trials"])


def test_planned_counts_are_bounds_or_near_the_actual_ones(okbench, plan, spec, summary):
    expected = {trial["name"].split("/")[2]: trial for trial in plan()["trials"] if not trial["fold"]}
    okbench("run", spec, "--out", "r", check=0)
    for row in summary("r"):
        counts, guess = row["kernel_evaluations"], expected[row["key"]]["kernel_evaluations"]
        assert guess["requested"] >= counts["requested"] or row["key"] != "stream"
        for kind in ("computed", "evaluation"):
            assert guess[kind] / 8 < counts[kind] < guess[kind] * 8, (row["key"], kind)


def test_totals_add_up_and_name_the_longest_trial(plan):
    content = plan()
    seconds = {trial["id"]: trial["seconds"] for trial in content["trials"]}
    totals = content["totals"]
    assert totals["seconds"] == pytest.approx(sum(seconds.values()))
    assert seconds[totals["longest"]] == max(seconds.values()) > 0
    chains = [
        trial["seconds"] + max((seconds[need] for need in trial["needs"]), default=0) for trial in content["trials"]
    ]
    assert totals["critical_seconds"] == pytest.approx(max(chains))


def test_the_listing_reads_well(okbench, spec):
    text = okbench("plan", spec, "--out", "r", check=0).stdout
    assert "test/plan/tuned/r0" in text and "4 folds" in text and "a8a [SYNTHETIC DATA]" in text
    assert f"{TRIALS} trials (4 of cross validation), 0 with a result, {TRIALS} on synthetic data" in text
    assert "core-seconds" in text and "longest trial about" in text and "kernel values timed just now" in text


def test_memory_is_a_bound(okbench, plan, spec, binary, environment, tmp_path):
    if "sanitize" in binary:
        pytest.skip("sanitizers need memory of their own")
    for trial in plan("--set", "data.synthetic_rows=6000")["trials"]:
        if trial["fold"] or trial["needs"]:
            continue
        memory = trial["memory"]
        bound = memory["process"] + memory["learner"] + sum(data["bytes"] for data in memory["data"])
        used = subprocess.run(
            [
                sys.executable,
                "-c",
                PEAK,
                binary,
                "run",
                spec,
                "--set",
                "data.synthetic_rows=6000",
                "--trial",
                trial["id"],
                "--out",
                "m",
                "--jobs",
                "1",
                "--quiet",
            ],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert 1024 * int(used.stdout) <= bound, trial["name"]


# Runs a program and prints the most memory it held, in KiB.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_bad_requests_are_one_line(okbench, spec, tmp_path):
    missing = okbench("plan", "nothing.toml", check=2)
    assert "nothing.toml" in missing.stderr and missing.stderr.count("\n") == 1
    wrong = okbench("plan", spec, "--tier", "huge", check=2)
    assert "huge" in wrong.stderr
    override = okbench("plan", spec, "--set", "data.nothing=1", check=2)
    assert "nothing" in override.stderr and override.stderr.count("\n") == 1


def test_an_allotment_by_slurm_is_the_number_of_cores(okbench, spec):
    content = json.loads(okbench("plan", spec, "--json", env={"SLURM_CPUS_PER_TASK": "1"}, check=0).stdout)
    assert content["machine"]["cores"] == 1


def test_a_run_uses_no_more_cores_than_slurm_gave(okbench, spec):
    run = okbench("run", spec, "--out", "r", "--jobs", "4", env={"SLURM_CPUS_PER_TASK": "1"}, check=0)
    assert f"{TRIALS} to run, 1 in parallel" in run.stderr
    allotted = json.loads(okbench("plan", spec, "--json", check=0).stdout)["machine"]["cores"]
    if allotted < len(os.sched_getaffinity(0)):
        pytest.skip("a control group has a quota here")
    again = okbench("run", spec, "--out", "s", "--jobs", "4", check=0)
    assert f"{TRIALS} to run, 4 in parallel" in again.stderr
