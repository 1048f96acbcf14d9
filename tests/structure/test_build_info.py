"""What the build writes down of its sources: cmake/build_info.cmake on small repositories of its own."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = ("learners/a/a.cpp", "harness/b.cpp", "datasets/c.toml", "cmake/d.cmake", "experiments/e.toml", "README.md")


@pytest.fixture
def repository(tmp_path):
    """A clean repository with a file in each folder, and the template of the header."""
    template = "harness/system/build_info.h.in"
    for name in (*FILES, template):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("as committed\n")
    (tmp_path / template).write_text((ROOT / template).read_text())
    (tmp_path / ".gitignore").write_text("/build/\n__pycache__/\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "m")
    return tmp_path


def git(folder, *words):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(["git", "-C", folder, *words], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def header(folder):
    """(commit, dirty) of the header that a build there would have."""
    output = folder / "build" / "build_info.h"
    script = ROOT / "cmake" / "build_info.cmake"
    subprocess.run(["cmake", f"-DSOURCE_FOLDER={folder}", f"-DOUTPUT={output}", "-P", script], check=True)
    text = output.read_text()
    assert ("kGitDirty = true" in text) != ("kGitDirty = false" in text)
    return text.split('kGitCommit = "')[1].split('"')[0], "kGitDirty = true" in text


def test_a_clean_repository_is_clean(repository):
    assert header(repository) == (git(repository, "rev-parse", "HEAD"), False)
    git(repository, "config", "status.showUntrackedFiles", "no")
    (repository / "learners" / "own.cpp").write_text("x\n")
    assert header(repository)[1]


@pytest.mark.parametrize("name", FILES)
def test_a_tracked_change_is_dirty(repository, name):
    (repository / name).write_text("changed\n")
    assert header(repository)[1]
    git(repository, "add", "-A")
    assert header(repository)[1]
    git(repository, "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "m")
    assert not header(repository)[1]
    (repository / name).unlink()
    assert header(repository)[1]


@pytest.mark.parametrize(
    ("name", "dirty"),
    [
        ("learners/own/learner.cpp", True),
        ("learners/a/b.h", True),
        ("harness/run/own.cpp", True),
        ("datasets/formats/own.cpp", True),
        ("cmake/own.cmake", True),
        ("results/default/x/y/l-r0-0.h5", False),
        ("experiments/own/own.toml", False),
        ("notes.md", False),
        ("tests/learners/own_test.cpp", False),
        ("build/x.cpp", False),
        ("datasets/__pycache__/fetch.pyc", False),
    ],
)
def test_an_untracked_file_is_dirty_where_sources_are(repository, name, dirty):
    (repository / name).parent.mkdir(parents=True, exist_ok=True)
    (repository / name).write_text("x\n")
    assert header(repository)[1] == dirty


def test_without_git_the_commit_is_unknown(tmp_path):
    (tmp_path / "harness" / "system").mkdir(parents=True)
    template = "harness/system/build_info.h.in"
    (tmp_path / template).write_text((ROOT / template).read_text())
    assert header(tmp_path) == ("unknown", False)
