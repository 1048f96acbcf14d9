"""Builds the learner of an entry and runs its trials."""

import pathlib
import sys

from .. import home
from ..errors import OkbenchError
from ..writing import write_text

CMAKE = """cmake_minimum_required(VERSION 3.20)
project(entry CXX)
set(CMAKE_BUILD_TYPE Release)
find_package(okbench REQUIRED)
okbench_add_plugin({name} {source})
"""
TIER = "default"


def spec_files(entry, folder):
    """Writes the specs of an entry below `folder`. Returns {data set: path}."""
    import tomli_w

    files = {}
    for name, spec in entry.specs().items():
        files[name] = pathlib.Path(folder) / f"{name}.toml"
        write_text(files[name], tomli_w.dumps(spec), folders=True)
    return files


def installed():
    """The folder of okbench's CMake package: that of an installation, or one installed from the build of the clone."""
    home_folder = pathlib.Path(home.beside())
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
    prefix, folder, source = prepare(), box.work / "build", source_in(entry, box)
    write_text(folder / "CMakeLists.txt", CMAKE.format(name=entry.name, source=source), folders=True)
    box.run(["cmake", "-S", folder, "-B", folder / "out", f"-DCMAKE_PREFIX_PATH={prefix}"])
    box.run(["cmake", "--build", folder / "out"])
    return folder / "out" / f"lib{entry.name}.so"


def source_in(entry, box):
    """The path of a copy of the source where a sandbox sees it."""
    path = box.work / "source" / entry.source
    write_text(path, (entry.folder / entry.source).read_text(encoding="utf-8"), folders=True)
    return path


def run(entry, box, library, specs, out, only=()):
    """Runs the trials of specs into a result folder. `only`: names of trials; empty: all. Raises OkbenchError."""
    for name, spec in specs.items():
        mine = [one for one in only if one.split("/")[1] == name]
        if only and not mine:
            continue
        for trial in mine or [""]:
            selected = ["--only", glob(trial)] if trial else []
            if library is not None:
                words = [home.program(), "--plugin", library, "run", spec, "--tier", TIER, "--out", out, "--quiet"]
            else:
                source = source_in(entry, box)
                words = [
                    sys.executable,
                    "-P",
                    "-m",
                    "okbench.leaderboard.rerun",
                    spec,
                    "--out",
                    out,
                    "--name",
                    entry.name,
                ]
                words += ["--source", source, "--object", entry.object]
            path = str(pathlib.Path(__file__).resolve().parents[2])
            box.run([*words, *selected], {"PYTHONPATH": path})


def glob(name):
    """A pattern that matches this name alone."""
    return "".join(f"[{mark}]" if mark in "[*?" else mark for mark in name)
