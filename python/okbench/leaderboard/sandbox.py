"""Runs commands without network, with read-only files, and with limits of time and memory (bubblewrap)."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from .. import home
from ..errors import OkbenchError, RequestError

SECONDS = 1800  # of one command
GIGABYTES = 8  # of address space of one process
FILE_BYTES = 1 << 30  # of one file
DISK_BYTES = 8 << 30  # of all files below `work`; a quarter of it of those in /tmp and in /dev/shm
PROCESSES = 1024  # of the user; the kernel does not limit those of root
TAIL = 1 << 16  # bytes of the output that are read


class MissingSandbox(RequestError):
    """Bubblewrap is missing or does not work here."""


class Sandbox:
    """Runs commands that may write only below `work`, and not below `work/inputs`. `trust`: run them unprotected.

    Write inputs before the first command: other people's code may have changed everything else below `work`.
    """

    def __init__(self, work, trust=False):
        self.work, self.trust = pathlib.Path(work).resolve(), trust
        self.inputs = self.work / "inputs"
        self.inputs.mkdir(parents=True, exist_ok=True)
        if not trust:
            self.check()

    def check(self):
        """Raises MissingSandbox if bubblewrap is missing or does not work here."""
        remedy = "install the package bubblewrap, or run the code unprotected with --trust"
        if shutil.which("bwrap") is None:
            raise MissingSandbox(f"there is no bubblewrap to run other people's code in; {remedy}")
        done = subprocess.run([*self.prefix(), "true"], capture_output=True, text=True)
        if done.returncode != 0:
            cause = (done.stderr.strip().splitlines() or ["unknown cause"])[-1]
            raise MissingSandbox(f"bubblewrap does not work here ({cause}); {remedy}")

    def prefix(self):
        """The words before a command."""
        if self.trust:
            return []
        binds = [word for path in readable() for word in ("--ro-bind-try", path, path)]
        return [
            *("bwrap", "--dev", "/dev", "--proc", "/proc", *small("/tmp"), *small("/dev/shm"), *binds),
            *("--bind", str(self.work), str(self.work), "--ro-bind", str(self.inputs), str(self.inputs)),
            *("--unshare-all", "--die-with-parent", "--new-session", "--chdir", str(self.work)),
            *("prlimit", f"--as={GIGABYTES << 30}", f"--cpu={SECONDS}", f"--fsize={FILE_BYTES}", "--core=0"),
            f"--nproc={PROCESSES}",
        ]

    def run(self, words, environment=None):
        """Runs a command. Raises OkbenchError with a line of its errors."""
        kept = ("PATH", "LANG", "OKBENCH_PYTHON", "OKBENCH_ISA")
        clean = {name: os.environ[name] for name in kept if name in os.environ}
        clean |= {"OKBENCH_HOME": str(home.package_home())}  # the program looks where the clone was built
        clean |= {"HOME": str(self.work), "XDG_CACHE_HOME": str(self.work / ".cache"), **(environment or {})}
        words = [*map(str, words)]
        with tempfile.TemporaryFile() as output:  # the limit of a file's size holds for it, too
            files = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
            with subprocess.Popen([*self.prefix(), *words], cwd=self.work, env=clean, **files) as process:
                try:
                    excess = self.wait(process)
                    if excess:
                        raise OkbenchError(f"{pathlib.Path(words[0]).name}: {excess}")
                except BaseException:
                    process.kill()  # the first process of the sandbox; all others end with it
                    raise
            output.seek(max(0, output.seek(0, os.SEEK_END) - TAIL))
            said = output.read().decode("utf-8", "replace").strip().splitlines() or ["no message"]
        if process.returncode != 0:
            telling = next((line for line in said if "error" in line.lower()), said[-1])
            raise OkbenchError(f"{pathlib.Path(words[0]).name} failed: {telling}")

    def wait(self, process):
        """Waits until a process ends, or exceeds a limit. Returns the limit as text, or None."""
        end = time.monotonic() + SECONDS
        while True:
            try:
                process.wait(timeout=1)
                return None
            except subprocess.TimeoutExpired:
                if time.monotonic() > end:
                    return f"took more than {SECONDS} seconds"
                if disk_usage(self.work) > DISK_BYTES:
                    return f"wrote more than {DISK_BYTES >> 20} MiB"


def small(folder):
    """Words that give the sandbox an empty folder of limited size."""
    return "--size", str(DISK_BYTES // 4), "--tmpfs", folder


def disk_usage(folder):
    """Bytes on disk of all files below a folder. Files may vanish meanwhile."""
    total = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
    return total


def readable():
    """The files that a sandbox shows, besides those of `work`: the system's programs and libraries, and okbench."""
    own = pathlib.Path(home.package_home())
    parts = ("python", "plots", "experiments", "datasets", "learners", "build/release/okbench", "build/release/prefix")
    system = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
    interpreter = (sys.prefix, sys.base_prefix, str(home.PACKAGE))
    return [*system, *(str(own / part) for part in parts), *interpreter, str(pathlib.Path(home.program()).resolve())]
