"""The steps of the Dockerfile, run in root file systems of Debian: no container engine is needed."""

import os
import pathlib
import shlex
import shutil
import subprocess

import pytest
from installed import ROOT

pytestmark = pytest.mark.skipif("OKBENCH_CONTAINER" not in os.environ, reason="takes six minutes: make test-container")
RELEASES = {"debian:12": "bookworm", "debian:13": "trixie"}


class Stage:
    """One stage of a Dockerfile: a root file system, its folder and its user."""

    def __init__(self, image, folder):
        self.root = folder
        self.directory, self.user = "/", "root"
        process = subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", RELEASES[image], folder], capture_output=True, text=True
        )
        if process.returncode and "apt-get update" in process.stderr:
            pytest.skip("Debian's packages cannot be reached")
        assert process.returncode == 0, process.stderr

    def run(self, *command):
        """Runs a command as the stage's user; returns its output."""
        cache = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True).stdout.strip()
        words = ["bwrap", "--bind", self.root, "/", "--proc", "/proc", "--dev", "/dev", "--clearenv"]
        words += ["--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf", "--bind", cache, "/ccache"]
        words += ["--setenv", "PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "--setenv", "CCACHE_DIR", "/ccache"]
        words += ["--setenv", "DEBIAN_FRONTEND", "noninteractive", "--chdir", self.directory]
        if self.user != "root":
            words += ["--setenv", "HOME", f"/home/{self.user}"]
            words += ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]
        done = subprocess.run([*map(str, words), *command], capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout

    def path(self, name):
        return self.root / str(pathlib.PurePosixPath(self.directory, name)).lstrip("/")


def instructions(path):
    """The (instruction, argument) pairs of a Dockerfile."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [line.split(" ", 1) for line in lines]


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """(last stage, entry point) of the Dockerfile, whose every instruction was carried out."""
    folder = tmp_path_factory.mktemp("container")
    stages, entry = {}, None
    for instruction, argument in instructions(ROOT / "Dockerfile"):
        if instruction == "FROM":
            name, _, alias = argument.partition(" AS ")
            stage = stages[alias] = Stage(name, folder / (alias or "last"))
        elif instruction == "RUN":
            stage.run("sh", "-c", argument)
        elif instruction == "WORKDIR":
            stage.directory = argument
            stage.path(".").mkdir(parents=True, exist_ok=True)
        elif instruction == "USER":
            stage.user = argument
        elif instruction == "ENTRYPOINT":
            entry = shlex.split(argument.strip("[]").replace(",", " "))
        elif instruction == "COPY" and argument.startswith("--from="):
            source, place, target = argument.split()
            shutil.copytree(stages[source.removeprefix("--from=")].path(place), stage.path(target))
        elif instruction == "COPY":
            place, target = argument.split()
            assert place == "."
            # A clone has what a clean checkout has; .dockerignore leaves out what is built.
            subprocess.run(["git", "clone", "--quiet", ROOT, stage.path(target)], check=True)
        else:
            pytest.fail(f"this test cannot carry out {instruction}")
    return stage, entry


def test_the_container_runs_as_a_user_without_rights(image):
    stage, entry = image
    assert stage.user != "root"
    assert "okbench 0" in stage.run(*entry, "--version")
    (stage.root / "work").chmod(0o777)
    rows = "".join(f"{i % 7},{i % 5},{'even' if (i % 7 + i % 5) % 2 else 'odd'}\n" for i in range(300))
    (stage.root / "work" / "mine.csv").write_text("a,b,kind\n" + rows)
    stage.run(*entry, "league", "mine.csv", "--label", "kind")
    assert (stage.root / "work" / "results" / "mine" / "index.html").is_file()


def test_the_development_container_has_the_base_and_the_packages_of_the_dockerfile():
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    steps = dict(instructions(ROOT / "Dockerfile")[::-1])
    first = next(argument for instruction, argument in instructions(ROOT / "Dockerfile") if instruction == "RUN")
    assert f'"image": "{steps["FROM"].split(" AS ")[0]}"' in text and first in text
