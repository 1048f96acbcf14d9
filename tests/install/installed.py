"""What the tests of installed packages share: an environment that knows nothing of the clone, and what must hold."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PYTHON = os.environ.get("OKBENCH_PYTHON", sys.executable)
SPEC = "experiments/smoke/online-svm.toml"


def run(*command, folder, check=0, **environment):
    """Runs a command as a user with an empty environment would, in a folder of his; what it says."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8", **environment}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == check, done.stdout + done.stderr
    return done.stdout if check == 0 else done.stderr


def check_installation(program, home, modules, folder, python=PYTHON):
    """The program and the modules of an installation work together, from a folder that is no part of it; `program` is
    the words that start it."""
    path = {"PYTHONPATH": str(modules), "OKBENCH_CACHE": str(folder / "cache")}
    if len(program) == 1:
        path["OKBENCH_PYTHON"] = python
    assert f"{home}/experiments/svmd-2006/fig3.toml" in run(*program, "help", "experiments", folder=folder, **path)
    checked = run(*program, "check", home / SPEC, folder=folder, **path)
    assert "trials match the reference" in checked
    run(*program, "run", home / SPEC, "--tier", "quick", "--quiet", "--out", "r", folder=folder, **path)
    assert "all: of 0 statements judged" in run(*program, "claims", "--results", "r", folder=folder, **path)
    code = """
import okbench, okbench.report
from okbench import _native
from okbench.claims import numbers
print(okbench.__file__, okbench.report.__file__, _native.__file__)
print(_native.home())
print(len(okbench.load("r")), numbers("budget-2003").value("table1.letter")[0])
print(_native.version())
"""
    places, told_home, counts, version = run(python, "-c", code, folder=folder, **path).splitlines()
    assert all(place.startswith(f"{modules}/") for place in places.split())
    assert told_home == str(home)
    assert counts.endswith(" 16000") and int(counts.split()[0]) > 0
    assert version == run(*program, "--version", folder=folder, **path).strip()
