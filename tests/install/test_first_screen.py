"""A stranger's first screen: a clone in an empty folder with an empty HOME, `make build`, then every command of the
README and of the tutorials, in their order. Only the compiler's cache is shared with other builds."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402

# CI runs these two. Everything else in a block of shell commands runs here as it is written.
TESTED_BY_CI = re.compile(r"^make (experiments|test)\b.*\n", re.M)


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S)


def commands(page):
    text = "".join(blocks(page, "sh"))
    return TESTED_BY_CI.sub("", text).replace("| less", "| cat")


class Stranger:
    """A user without settings: runs commands in a clone, with an empty home."""

    def __init__(self, folder):
        self.clone, self.home = folder / "okbench", folder / "home"
        self.home.mkdir()
        subprocess.run(["git", "clone", "-q", ROOT, self.clone], check=True)
        # Changes that are not committed yet are tested, too.
        changes = subprocess.run(["git", "diff", "HEAD", "--binary"], cwd=ROOT, capture_output=True, check=True).stdout
        if changes:
            subprocess.run(["git", "apply"], cwd=self.clone, input=changes, check=True)
        cache = os.environ.get("CCACHE_DIR", pathlib.Path.home() / ".cache" / "ccache")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "CCACHE_DIR": str(cache),
            "LANG": "C.UTF-8",
            # The flags of the program's own build, so that the compiler cache serves.
            "OKBENCH_WERROR": os.environ.get("OKBENCH_WERROR", "OFF"),
        }

    def run(self, script):
        """Output of a shell script that must succeed."""
        done = subprocess.run(
            ["bash", "-euc", script], cwd=self.clone, env=self.environment, capture_output=True, text=True, timeout=1800
        )
        assert done.returncode == 0, f"{script}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    user = Stranger(tmp_path_factory.mktemp("stranger"))
    rows = "".join(f"{i % 7},{i % 11},{'good' if i % 7 < 3 else 'bad'}\n" for i in range(400))
    (user.clone / "mine.csv").write_text("a,b,kind\n" + rows)
    user.printed = user.run(f"make build PYTHON={sys.executable}")
    return user


def test_make_build_lists_its_products(stranger):
    assert re.search(r"^build +\d+ s", stranger.printed, re.M)
    assert "program:  build/release/okbench" in stranger.printed and "_native." in stranger.printed


def test_the_readme(stranger):
    stranger.run(commands("README.md"))
    assert (stranger.clone / "results" / "mine" / "index.html").is_file()

    # The picture in the README is the result of its command.
    def drawn(path):
        return re.search(rb"okbench-figure:[0-9a-f]{64}", path.read_bytes())[0]

    assert drawn(stranger.clone / "fashion.png") == drawn(ROOT / "docs" / "first-figure.png"), "copy fashion.png there"


def test_the_first_figure(stranger):
    stranger.run(commands("docs/tutorials/first-figure.md"))
    # The costs that the text states.
    listed = stranger.run("build/release/okbench summary results/default/first-figure --mean --target 0.15 --json")
    cost = {mean["key"]: mean["cost_to_reach"]["requested"]["mean"] for mean in json.loads(listed)["means"]}
    text = " ".join((ROOT / "docs/tutorials/first-figure.md").read_text().split())
    assert "PA-I, BPA-S and OGD get there with 13 000 to 15 000 evaluations" in text
    assert all(12_500 < cost[key] < 15_500 for key in ("passive-aggressive", "bpas", "ogd"))
    assert "Raker and FOGD need over 20 times as many" in text
    assert all(cost[key] > 20 * cost["ogd"] for key in ("raker", "fogd"))


def test_your_data(stranger):
    stranger.run(commands("docs/tutorials/your-data.md"))
    assert (stranger.clone / "results" / "fruit" / "index.html").is_file()


def test_the_first_learner(stranger):
    page = "docs/tutorials/first-learner.md"
    source = stranger.home / "mine" / "pa" / "learner.cpp"
    source.parent.mkdir(parents=True)
    source.write_text(blocks(page, "cpp")[0])
    (stranger.clone / "pa.toml").write_text(blocks(page, "toml")[0])
    stranger.run(commands(page))
    assert (stranger.clone / "pa-error-requested.png").is_file()


def test_a_stream_in_python(stranger):
    page = "docs/tutorials/python-stream.md"
    (stranger.clone / "stream.py").write_text("\n".join(blocks(page, "python")))
    printed = stranger.run(f"{commands(page)}\n{sys.executable} stream.py")
    assert "KernelEvaluations(requested=" in printed


def test_a_claim_and_its_causes(stranger):
    printed = stranger.run(commands("docs/tutorials/claim-to-causes.md"))
    assert "fig3-half-the-errors" in printed
