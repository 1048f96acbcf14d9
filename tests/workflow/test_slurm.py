"""The quick tier through a real Slurm on this machine: a job's process and the head are killed, and it resumes."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import loopback
import pytest
from conftest import ROOT

NAMES = ("smoke/*", "svmd-2006/fig3*", "svmd-2006/fig4*")
SPECS = sorted(path for name in NAMES for path in ROOT.glob(f"experiments/{name}.toml"))
JOB_MINUTES = "0.0004"  # small jobs, so that there is a middle to kill things in, on fast machines too

WHY_NOT = loopback.why_not() or ("sanitize" in os.environ.get("OKBENCH_BINARY", "") and "make builds a release") or ""
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT or "-")


def wait_for(happened, what, seconds=600):
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
    process_ids = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            arguments = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if all(any(word == argument for argument in arguments) for word in words):
            process_ids.append(int(entry.name))
    return process_ids


def kill_one(*words):
    """Whether a process with these words was there to be killed."""
    for process in processes_running(*words):
        try:
            # The program itself, not the interpreter that started it.
            if "okbench" in pathlib.Path(os.readlink(f"/proc/{process}/exe")).name:
                os.kill(process, signal.SIGKILL)
                return True
        except OSError:  # it has just ended
            continue
    return False


@pytest.fixture
def cluster(tmp_path):
    cluster = loopback.Cluster(tmp_path / "cluster")
    try:
        cluster.start()
    except loopback.NotStarted as cause:
        cluster.stop()
        pytest.skip(f"no Slurm can be started here: {cause}")
    yield cluster
    cluster.stop()


@pytest.fixture
def start(cluster, environment, binary, tmp_path):
    """Starts `make experiments ENGINE=slurm` in its own process group; its output goes to a file."""

    def head(name):
        # CI's own settings of make are not for this one.
        clean = {key: value for key, value in environment.items() if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        log = open(tmp_path / name, "w")
        return subprocess.Popen(
            [
                "make",
                # The program is built, and other tests run it: a build with other settings would replace it.
                "--old-file=build",
                "experiments",
                "ENGINE=slurm",
                "TIER=quick",
                f"SPECS={' '.join(map(str, SPECS))}",
                f"JOB_MINUTES={JOB_MINUTES}",
                f"BUILD={pathlib.Path(binary).resolve().parent}",
                f"RESULTS={tmp_path}/r",
                f"REPORT={tmp_path}/r/index.html",
                f"PYTHON={environment['OKBENCH_PYTHON']}",
            ],
            cwd=ROOT,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**clean, **cluster.environment},
            start_new_session=True,
        )

    return head


def markers(results):
    return {path.stem for path in (results / "workflow" / "done").glob("????????????.json")}


def test_killed_jobs_and_a_killed_head_end_in_the_bits_of_a_local_run(start, cluster, okbench, tmp_path):
    results = tmp_path / "r"
    # Jobs stay pending while the partition is down.
    cluster.command("scontrol", "update", "PartitionName=all", "State=DOWN")
    head = start("first.log")
    wait_for(lambda: len(cluster.jobs("PENDING")) >= 5, "the submission")
    waiting = cluster.jobs("PENDING")
    # Delays two jobs, so that the second head process finds them pending. The kill below hits another job.
    late = sorted(waiting, key=int)[-2:]
    for job in late:
        cluster.command("scontrol", "update", f"JobId={job}", "StartTime=now+1hour")
    cluster.command("scontrol", "update", "PartitionName=all", "State=UP")
    # One job loses its process, and the head dies while some jobs are over.
    wait_for(lambda: kill_one("run", "--trial", str(results)), "a job")
    wait_for(lambda: len(markers(results)) >= 2, "the end of two jobs")
    assert len(cluster.jobs("PENDING")) >= 2
    os.killpg(head.pid, signal.SIGKILL)
    head.wait()
    over = markers(results)
    before = {path: path.stat().st_ino for path in results.rglob("*.h5")}
    planned = sum(len(json.loads(path.read_text())["trials"]) for path in results.rglob("plan.json"))
    assert 0 < len(before) < planned

    resumed = start("second.log")
    log = tmp_path / "second.log"
    wait_for(lambda: "slurm: adopted job" in log.read_text(), "the adoption of what waits")
    for job in late:
        cluster.command("scontrol", "update", f"JobId={job}", "StartTime=now")
    assert resumed.wait(timeout=400) == 0, log.read_text()
    assert over <= markers(results)
    assert all(path.stat().st_ino == inode for path, inode in before.items())  # none was computed again
    assert (results / "index.html").is_file() and (results / "figures" / "svmd-2006" / "fig3.png").is_file()

    assert f"{planned} of {planned} trials have a valid result" in okbench("verify", results, check=0).stdout
    okbench(
        "run",
        *SPECS,
        "--tier",
        "quick",
        "--out",
        "plain",
        "--quiet",
        check=0,
    )
    assert f"{planned} traces agree bit for bit" in okbench("compare", results, "plain", check=0).stdout
    # Each job ran with the one core that it was given.
    logs = [path.read_text() for path in (results / "workflow" / "logs").glob("*.log")]
    assert any("1 in parallel" in text for text in logs) and not any("2 in parallel" in text for text in logs)
    # The job whose process was killed was given again.
    killed = [text for text in logs if "status -9" in text]
    assert killed and all(text.count("Building DAG of jobs") >= 2 for text in killed)


def test_slurm_gets_the_limits_of_the_plan(start, cluster, tmp_path):
    head = start("only.log")
    try:
        job = wait_for(cluster.jobs, "a job in the queue")[0]
        text = cluster.command("scontrol", "--oneliner", "show", "job", job).stdout
    finally:
        os.killpg(head.pid, signal.SIGKILL)
        head.wait()
    planned = [json.loads(path.read_text()) for path in (tmp_path / "r" / "workflow" / "jobs").glob("*.json")]
    assert "CPUs/Task=1" in text
    assert any(f"MinMemoryNode={job['memory_limit_mib']}M" in text for job in planned)
    assert any(f"TimeLimit=00:{job['time_limit_minutes']}:00" in text for job in planned)


def slurm_py(cluster, *words, path=None):
    """The script between Snakemake and Slurm."""
    script = ROOT / "workflow" / "profiles" / "slurm" / "slurm.py"
    variables = {**os.environ, **cluster.environment, **({"PATH": path} if path else {})}
    return subprocess.run([script, *words], capture_output=True, text=True, timeout=60, check=False, env=variables)


def test_a_running_job_is_adopted_and_a_dead_one_is_not(cluster, tmp_path):
    id_file = tmp_path / "ids" / "job"
    script = tmp_path / "script.sh"
    script.write_text("#!/bin/sh\nsleep 300\n")
    submit = ["submit", str(id_file), f"--output={tmp_path}/log", "--cpus-per-task=1", str(script)]
    first = slurm_py(cluster, *submit)
    assert first.returncode == 0, first.stderr
    job = first.stdout.strip()
    wait_for(lambda: "JobState=RUNNING" in cluster.command("scontrol", "show", "job", job).stdout, "the start")
    assert slurm_py(cluster, "status", job).stdout == "running\n"
    again = slurm_py(cluster, *submit)
    assert again.stdout.strip() == job and f"adopted job {job}" in again.stderr
    cluster.command("scancel", job)
    wait_for(lambda: slurm_py(cluster, "status", job).stdout == "failed\n", "the end")
    other = slurm_py(cluster, *submit).stdout.strip()
    assert other not in ("", job) and id_file.read_text().strip() == other


def test_invalid_requests_to_slurm_are_one_line(cluster, tmp_path):
    script = tmp_path / "script.sh"
    script.write_text("#!/bin/sh\ntrue\n")
    refused = slurm_py(cluster, "submit", str(tmp_path / "id"), "--partition=nowhere", str(script))
    assert refused.returncode == 1 and "invalid partition" in refused.stderr and not (tmp_path / "id").exists()
    assert slurm_py(cluster, "status", "4711").stdout == "failed\n"  # forgotten
    # While Slurm cannot be asked, nothing is given up.
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(sys.executable)
    assert slurm_py(cluster, "status", "1", path=str(tmp_path / "bin")).stdout == "running\n"


def test_a_job_that_can_never_start_is_given_up(cluster, tmp_path):
    script = tmp_path / "script.sh"
    script.write_text("#!/bin/sh\nsleep 300\n")
    cluster.command("scontrol", "update", "PartitionName=all", "MaxTime=10")
    done = slurm_py(cluster, "submit", str(tmp_path / "id"), "--time=60", f"--output={tmp_path}/log", str(script))
    job = done.stdout.strip()
    assert done.returncode == 0, done.stderr
    wait_for(lambda: "PartitionTimeLimit" in cluster.command("scontrol", "show", "job", job).stdout, "the reason")
    status = slurm_py(cluster, "status", job)
    assert status.stdout == "failed\n" and "PartitionTimeLimit" in status.stderr
    wait_for(lambda: not cluster.jobs(), "the end of what cannot start")


def test_jobs_are_cancelled_and_strangers_not_adopted(cluster, tmp_path):
    script = tmp_path / "script.sh"
    script.write_text("#!/bin/sh\nsleep 300\n")
    id_file = tmp_path / "id"
    first = slurm_py(cluster, "submit", str(id_file), f"--output={tmp_path}/one", str(script)).stdout.strip()
    other = slurm_py(cluster, "submit", str(id_file), f"--output={tmp_path}/two", str(script)).stdout.strip()
    assert first and other and first != other  # the same id file, but it writes elsewhere
    assert slurm_py(cluster, first, other).returncode == 0
    wait_for(lambda: not cluster.jobs(), "the cancelling")
