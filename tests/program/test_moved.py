"""A source folder that was moved or copied with its build reads its own files, and make says what to do."""

import json
import os
import shutil
import subprocess

from conftest import ROOT

SPEC = """
format = 2
experiment = "moved/one"
title = "A spec of the copy"
repetitions = 1
[data]
name = "breast-cancer"
[learners.perceptron]
learner = "perceptron"
"""


def test_a_copied_build_reads_the_copy(binary, environment, tmp_path):
    copy = tmp_path / "copy"
    (copy / "build" / "release").mkdir(parents=True)
    shutil.copy(binary, copy / "build" / "release" / "okbench")
    shutil.copytree(ROOT / "datasets", copy / "datasets")
    shutil.copy(ROOT / "CMakePresets.json", copy)
    (copy / "experiments" / "moved").mkdir(parents=True)
    (copy / "experiments" / "moved" / "one.toml").write_text(SPEC)
    listed = subprocess.run(
        [copy / "build" / "release" / "okbench", "help", "experiments", "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [experiment["experiment"] for experiment in json.loads(listed.stdout)] == ["moved/one"]


def test_make_build_names_the_remedy_for_a_moved_build(tmp_path):
    (tmp_path / "CMakeCache.txt").write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/nonexistent/old\n")
    process = subprocess.run(
        ["make", "-C", ROOT, "build", "-o", "setup", f"BUILD={tmp_path}"],
        capture_output=True,
        text=True,
        env={**os.environ, "MAKEFLAGS": ""},
    )
    assert process.returncode == 2
    assert f"build: {tmp_path} was made in /nonexistent/old; remove it: rm -r {tmp_path}" in process.stderr
