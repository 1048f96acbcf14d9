"""The quick tier through a real Slurm on this machine: a job's process and the head are killed, and it resumes."""

import os
import pathlib
import signal
import subprocess
import time

import loopback
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JOB_MINUTES = "0.002"  # small jobs, so that there is a middle to kill things in

pytestmark = pytest.mark.skipif(bool(loopback.why_not()), reason=loopback.why_not() or "-")


def wait_for(happened, what, seconds=120):
    """Returns what `happened` gives as soon as it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = happened()
        if result:
            return result
        time.sleep(0.005)
    pytest.fail(f"{what} did not happen")


def processes_running(*words):
    """Ids of processes whose command line has all these words."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            arguments = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if all(any(word == argument for argument in arguments) for word in words):
            found.append(int(entry.name))
    return found


@pytest.fixture
def cluster(tmp_path):
    with loopback.Cluster(tmp_path / "cluster") as cluster:
        yield cluster


@pytest.fixture
def start(cluster, environment, binary, tmp_path):
    """Starts `make experiments ENGINE=slurm` in a session of its own; its output goes to a file."""

    def head(name):
        # CI's own settings of make are not for this one.
        clean = {key: value for key, value in environment.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        log = open(tmp_path / name, "w")
        return subprocess.Popen(
            ["make", "experiments", "ENGINE=slurm", "TIER=quick", f"JOB_MINUTES={JOB_MINUTES}",
             f"BUILD={pathlib.Path(binary).resolve().parent}", f"RESULTS={tmp_path}/r", f"REPORT={tmp_path}/r/index.html",
             f"PYTHON={environment['OKBENCH_PYTHON']}"],
            cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env={**clean, **cluster.environment}, start_new_session=True,
        )

    return head


def markers(results):
    return {path.stem for path in (results / "workflow").glob("????????????.json")}


def test_killed_jobs_and_a_killed_head_end_in_the_bits_of_a_local_run(start, cluster, okbench, tmp_path):
    results = tmp_path / "r"
    head = start("first.log")
    # One job loses its process,
    victim = wait_for(lambda: processes_running("run", "--trial", str(results)), "a job")[0]
    os.kill(victim, signal.SIGKILL)
    # and the head dies while some jobs are over and others are in Slurm's hands.
    wait_for(lambda: len(markers(results)) >= 2 and len(cluster.jobs()) >= 2, "the middle of the run")
    os.killpg(head.pid, signal.SIGKILL)
    head.wait()
    over = markers(results)
    before = {path: path.stat().st_ino for path in results.rglob("*.h5")}
    assert 0 < len(before) < 361

    resumed = start("second.log")
    assert resumed.wait(timeout=400) == 0, (tmp_path / "second.log").read_text()
    log = (tmp_path / "second.log").read_text()
    assert "Resuming incomplete job" in log
    assert over <= markers(results)
    assert all(path.stat().st_ino == inode for path, inode in before.items())  # none was computed again
    assert (results / "index.html").is_file() and (results / "figures" / "svmd-2006" / "fig3.png").is_file()

    assert "361 of 361 planned trials have a valid result" in okbench("merge", results, check=0).stdout
    okbench("run", *sorted(path for path in ROOT.glob("experiments/*/*.toml")), "--tier", "quick", "--out", "plain",
            "--quiet", check=0)
    assert "361 traces agree bit for bit" in okbench("compare", results, "plain", check=0).stdout
    # Each job ran with the one core that it was given.
    logs = [path.read_text() for path in (results / "workflow").glob("????????????.log")]
    assert any("1 side by side" in text for text in logs) and not any("2 side by side" in text for text in logs)


def test_slurm_is_asked_for_what_the_plan_says(start, cluster, tmp_path):
    import json

    head = start("only.log")
    try:
        job = wait_for(cluster.jobs, "a job in the queue")[0]
        text = cluster.command("scontrol", "--oneliner", "show", "job", job).stdout
    finally:
        os.killpg(head.pid, signal.SIGKILL)
        head.wait()
    planned = json.loads((tmp_path / "r" / "workflow" / "jobs.json").read_text())["jobs"].values()
    assert "CPUs/Task=1" in text
    assert any(f"MinMemoryNode={job['mebibytes_asked']}M" in text for job in planned)
    assert any(f"TimeLimit=00:{job['minutes_asked']}:00" in text for job in planned)
