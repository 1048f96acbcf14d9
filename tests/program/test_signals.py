"""A signal to the first process ends the whole tree of processes. Results stay, and the same command continues."""

import os
import pathlib
import random
import signal
import subprocess
import time

import pytest


def tree(folder):
    """{process: command line} of processes whose command line names the folder."""
    processes = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace") if entry.name.isdigit() else ""
            if str(folder) in words and (entry / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                processes[int(entry.name)] = words
        except OSError:  # it has just ended
            continue
    return processes


def wait_until(happened, what):
    for _ in range(2000):
        if happened():
            return
        time.sleep(0.01)
    pytest.fail(f"{what} did not happen")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_ends_all_processes_of_a_league(binary, environment, tmp_path, number):
    draw = random.Random(1)
    with open(tmp_path / "big.csv", "w", encoding="utf-8") as file:
        print("a,b,kind", file=file)
        for _ in range(20000):
            kind = draw.random() < 0.5
            print(f"{kind + draw.gauss(0, 1):.4f},{draw.gauss(0, 1):.4f},{'x' if kind else 'y'}", file=file)
    out = tmp_path / "out"
    environment = {**environment, "OKBENCH_DATA": str(tmp_path / "data")}
    words = [binary, "league", tmp_path / "big.csv", "--label", "kind", "--out", out]
    with open(tmp_path / "log", "w", encoding="utf-8") as log:
        head = subprocess.Popen([*map(str, words)], env=environment, cwd=tmp_path, stdout=log, stderr=log)
    try:
        wait_until(lambda: len(list(out.rglob("*.h5"))) > 3, "a result")
        assert len(tree(tmp_path)) > 1
        os.kill(head.pid, number)
        head.wait()
        wait_until(lambda: not tree(tmp_path), "the end of all processes")
    finally:
        for process in tree(tmp_path):
            os.kill(process, signal.SIGKILL)
    assert not list(out.rglob(".*tmp*"))
