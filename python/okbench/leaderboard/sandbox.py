"""Runs commands without network, with read-only files, and with limits of time and memory (bubblewrap)."""

import os
import pathlib
import shutil
import subprocess

from ..errors import OkbenchError, RequestError

SECONDS = 1800  # of one command
GIGABYTES = 8  # of address space of one process


class Sandbox:
    """Runs commands that may write only below `work`. `trust`: run them without a sandbox."""

    def __init__(self, work, trust=False):
        self.work, self.trust = pathlib.Path(work).resolve(), trust
        if not trust:
            self.check()

    def check(self):
        """Raises RequestError if bubblewrap is missing or does not work here."""
        remedy = "install the package bubblewrap, or run the code unprotected with --trust"
        if shutil.which("bwrap") is None:
            raise RequestError(f"there is no bubblewrap to run other people's code in; {remedy}")
        done = subprocess.run([*self.prefix(), "true"], capture_output=True, text=True)
        if done.returncode != 0:
            cause = (done.stderr.strip().splitlines() or ["unknown cause"])[-1]
            raise RequestError(f"bubblewrap does not work here ({cause}); {remedy}")

    def prefix(self):
        """The words before a command."""
        if self.trust:
            return []
        user = pathlib.Path.home().resolve()
        own = (
            pathlib.Path(__file__).resolve().parents[3]
        )  # the clone or the package, which may be below the home folder
        hidden = (
            ["--tmpfs", str(user), "--ro-bind", str(own), str(own)]
            if user.is_dir() and user != pathlib.Path("/")
            else []
        )
        return [
            *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", *hidden),
            *("--bind", str(self.work), str(self.work), "--unshare-all", "--die-with-parent", "--new-session"),
            *("prlimit", f"--as={GIGABYTES << 30}", f"--cpu={SECONDS}"),
        ]

    def run(self, words, environment=None):
        """Runs a command. Returns its standard output. Raises OkbenchError with the last line of its errors."""
        kept = ("PATH", "LANG", "OKBENCH_HOME", "OKBENCH_PYTHON", "OKBENCH_ISA")
        clean = {name: os.environ[name] for name in kept if name in os.environ}
        clean |= {"HOME": str(self.work), "XDG_CACHE_HOME": str(self.work / ".cache"), **(environment or {})}
        try:
            done = subprocess.run(
                [*self.prefix(), *map(str, words)],
                cwd=self.work,
                env=clean,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise OkbenchError(f"{words[0]}: took more than {SECONDS} seconds") from None
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()
            telling = next((line for line in said if "error" in line.lower()), said[-1])
            raise OkbenchError(f"{pathlib.Path(str(words[0])).name} failed: {telling}")
        return done.stdout
