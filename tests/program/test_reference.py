"""Committed digests: a change that moves one bit of one trace fails here until it is accepted on purpose."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402


def test_every_quick_trial_has_its_committed_digest(binary):
    done = subprocess.run([sys.executable, ROOT / "tools" / "reference.py", binary], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
