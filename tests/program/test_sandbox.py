"""The sandbox of other people's code: total limits of processes, disk and temporary files."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

from okbench.errors import OkbenchError
from okbench.leaderboard import sandbox

needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
FORKS = """
import os, time
count = 0
try:
    for _ in range(300):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        count += 1
except OSError:
    pass
print(count)
"""


@needs_bubblewrap
@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_temporary_files_have_a_total_limit(tmp_path, monkeypatch, place):
    monkeypatch.setattr(sandbox, "DISK_BYTES", 4 << 20)  # 1 MiB of temporary files
    box = sandbox.Sandbox(tmp_path)
    write = f"import sys\nfor n in range(int(sys.argv[1])): open(f'{place}/{{n}}', 'wb').write(bytes(100_000))"
    box.run([sys.executable, "-c", write, 5])
    with pytest.raises(OkbenchError, match="No space left on device"):
        box.run([sys.executable, "-c", write, 20])


@needs_bubblewrap
def test_the_files_of_a_command_have_a_total_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "DISK_BYTES", 4 << 20)
    box = sandbox.Sandbox(tmp_path)
    write = "import time\nfor n in range(90): open(f'{n}', 'wb').write(bytes(100_000))\ntime.sleep(60)"
    with pytest.raises(OkbenchError, match="wrote more than 4 MiB"):
        box.run([sys.executable, "-c", write])
    assert sandbox.disk_usage(tmp_path) > 4 << 20


@needs_bubblewrap
def test_processes_have_a_total_limit(monkeypatch):
    """As an ordinary user, because the kernel does not limit root."""
    monkeypatch.setattr(sandbox, "PROCESSES", 40)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        pathlib.Path(folder).chmod(0o777)
        words = [*sandbox.Sandbox(folder).prefix(), "/usr/bin/python3", "-c", FORKS]
        if os.geteuid() == 0:
            words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *words]
        done = subprocess.run(words, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stderr
    assert 20 < int(done.stdout) < 40


def test_a_command_that_takes_too_long_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0)
    with pytest.raises(OkbenchError, match="sleep: took more than 0 seconds"):
        sandbox.Sandbox(tmp_path, trust=True).run(["sleep", "60"])
