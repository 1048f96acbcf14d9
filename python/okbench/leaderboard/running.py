"""Builds the learner of an entry and runs its trials."""

import pathlib
import sys

from .. import home
from ..errors import OkbenchError
from ..writing import write_text
from .entry import SETS

CMAKE = """cmake_minimum_required(VERSION 3.20)
project(entry CXX)
set(CMAKE_BUILD_TYPE Release)
find_package(okbench REQUIRED)
okbench_add_plugin({name} {source})
"""
TIER = "default"


def write_specs(entry, folder):
    """Writes the specs of an entry. Raises WriteError."""
    import tomli_w

    for name, spec in entry.specs().items():
        write_text(pathlib.Path(folder) / f"{name}.toml", tomli_w.dumps(spec), folders=True)


def write_inputs(entry, box):
    """Writes what the commands of a sandbox read: the source, its build file and the specs. Raises WriteError."""
    write_text(box.inputs / entry.source, (entry.folder / entry.source).read_text(encoding="utf-8"))
    write_text(box.inputs / "CMakeLists.txt", CMAKE.format(name=entry.name, source=entry.source))
    write_specs(entry, box.inputs / "specs")


def installed():
    """The folder of okbench's CMake package: that of an installation, or one installed from the build of the clone."""
    home_folder = pathlib.Path(home.package_home())
    build = home_folder / "build" / "release"
    if not (build / "CMakeCache.txt").is_file():
        return home_folder.parents[1]
    return build / "prefix"


def prepare():
    """Installs the C++ library of the clone's build where installed() expects it. Returns the prefix."""
    import subprocess

    prefix = installed()
    if prefix.name != "prefix":
        return prefix
    words = ["cmake", "--install", str(prefix.parent), "--prefix", str(prefix), "--component", "learners"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        cause = (done.stderr.strip().splitlines() or ["unknown cause"])[-1]
        raise OkbenchError(f"the library is not built; run make build ({cause})")
    return prefix


def build(entry, box):
    """Builds the learner of a C++ entry. Returns the library, or None for Python. Raises OkbenchError."""
    if entry.language != "C++":
        return None
    prefix, folder = prepare(), box.work / "build"
    box.run(["cmake", "-S", box.inputs, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}"])
    box.run(["cmake", "--build", folder])
    return folder / f"lib{entry.name}.so"


def run(entry, box, library, out, only=()):
    """Runs the trials of an entry into a result folder. `only`: names of trials; empty: all. Raises OkbenchError.

    REQUIRES: write_inputs() was called.
    """
    package = {"PYTHONPATH": str(home.PACKAGE.parent)}
    for name in SETS:
        mine = [trial_name for trial_name in only if trial_name.split("/")[1] == name]
        for trial in mine or ([] if only else [""]):
            spec = f"inputs/specs/{name}.toml"  # relative, so that plans do not name folders of this machine
            if library is not None:
                words = [home.program(), "--plugin", library, "run", spec, "--tier", TIER, "--out", out, "--quiet"]
            else:
                words = [sys.executable, "-P", "-m", "okbench.leaderboard.rerun", spec, "--out", out]
                words += ["--name", entry.name, "--source", f"inputs/{entry.source}", "--object", entry.object]
            box.run([*words, *(["--only", glob(trial)] if trial else [])], package)


def glob(name):
    """A pattern that matches this name alone."""
    return "".join(f"[{mark}]" if mark in "[*?" else mark for mark in name)
