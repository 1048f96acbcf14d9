"""The Markdown documents: sizes, line lengths, links, numbers from other files, and Python code that runs as written.

tests/install/test_first_screen.py runs the commands of the README and of the tutorials.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / ".github").rglob("*.md"), *(ROOT / "docs").rglob("*.md")]


BASELINE = '#include "learners/bases/baseline.h"'


def words(path):
    """Number of words; the bars of tables are none."""
    return sum(any(c.isalnum() for c in word) for word in path.read_text(encoding="utf-8").split())


def prose(path):
    """The text without blocks of code."""
    return re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)


def blocks(path, language):
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.S)


def test_the_readme_counts_the_streams_of_the_comparison():
    page = " ".join((ROOT / "docs" / "streams-compared.md").read_text().split())
    (said,) = re.findall(r"behind the first, (on \d+ of \d+ streams)", page)
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert f"{said} the best one is [first" in readme.replace("On ", "on ")


def test_documents_are_short():
    assert words(ROOT / "README.md") <= 900
    for path in (ROOT / "docs" / "howto").glob("*.md"):
        assert words(path) <= 400, path
    generated = ("results.md", "default-scores.md", "streams-compared.md", "external-tools.md")
    assert sum(words(page) for page in PAGES if page.name not in generated) <= 12450


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_prose_is_wrapped(path):
    assert not [line for line in prose(path).splitlines() if len(line) > 100 and not line.startswith("|")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files(path):
    for link in re.findall(r"\]\(([^)#\s]+)", prose(path)):
        assert re.match("https?:", link) or (path.parent / link).exists(), link


def test_numbers_of_the_readme_are_those_of_the_results():
    readme, results = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/results.md"))
    rows = re.findall(r"^\|.*\|$", readme.split("<!-- results: begin -->")[1].split("<!-- results: end -->")[0], re.M)
    assert 3 <= len(rows) <= 8 and not [row for row in rows if row not in results.splitlines()]
    text = " ".join(readme.split())
    # What public programs print is beside the papers' statements in the table.
    of_all, of_programs = (
        [*map(int, re.search(rf"^\| {name} \|" + r" (\d+) \|" * 4 + "$", results, re.M).groups())]
        for name in ("all", "baselines")
    )
    hold, fail, open_, left = (whole - part for whole, part in zip(of_all, of_programs))
    judged = f"Of {hold + fail + open_} statements judged, {hold} hold, {fail} do not, and {open_} cannot be decided"
    assert judged in text and f"The other {left} are not run" in text
    replaced = results.split("### On replacing data")[1]
    holds, fails = re.search(r"^\| all \| (\d+) \| (\d+) \| \d+ \| \d+ \|$", replaced, re.M).groups()
    assert f"{holds} statements and questions of ours about behaviour hold and {fails} do not" in text


def test_counts_of_the_readme_are_those_of_the_program(okbench, tmp_path):
    listed = json.loads(okbench("help", "learners", "--json", check=0).stdout)
    baselines = [
        path.parent.name for path in (ROOT / "learners/methods").glob("*/learner.cpp") if BASELINE in path.read_text()
    ]
    specs = [path for path in sorted((ROOT / "experiments").glob("*/*.toml")) if path.name != "claims.toml"]
    papers = [path for path in specs if path.parent.name not in ("league", "baselines")]
    listed_trials = okbench("run", *papers, "--dry-run", "--out", tmp_path / "none", check=0).stdout
    trials = int(listed_trials.splitlines()[-1].partition(" trials")[0])
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"It implements {len(listed) - len(baselines)} methods" in readme and len(baselines) == 4
    assert f"build, data, {trials} trials, " in readme
    claims = sum(path.read_text().count("\n[[claims]]") for path in (ROOT / "experiments").glob("*/claims.toml"))
    assert f"figures, {claims} verdicts" in readme


def test_statements_on_speed_are_those_of_the_comparison():
    text = (ROOT / "docs" / "external-tools.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    (ratios,) = (cells[1:] for cells in rows if cells[0] == "LIBSVM C-SVC")
    finished = [float(ratio) for ratio in ratios if ratio.replace(".", "").isdigit()]
    assert "On five data sets, the fastest reaches LIBSVM's error in less than" in " ".join(
        prose(ROOT / "README.md").split()
    )
    assert len(finished) == 5 and min(finished) > 10
    assert "| fastest on a8a and forest [" in (ROOT / "docs" / "which-learner.md").read_text(encoding="utf-8")
    fastest = {cells[0]: cells[6] for cells in rows if len(cells) == 8 and cells[6] != "LinearOnlineSVM"}
    assert [name for name, learner in fastest.items() if learner == "FOGD"] == ["a8a", "forest (generated)"]


@pytest.fixture
def clone(binary, tmp_path):
    """A folder that looks like a clone with a finished build."""
    for name in ("docs", "experiments", "datasets", "python", "plots"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "release").symlink_to(pathlib.Path(binary).resolve().parent)
    rows = "".join(f"{i % 7},{i % 11},{'good' if i % 7 < 3 else 'bad'}\n" for i in range(400))
    (tmp_path / "mine.csv").write_text("a,b,kind\n" + rows)
    return tmp_path


def run(clone, words):
    environment = {
        **os.environ,
        "PATH": f"{clone}/build/release:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "python"),
        "OKBENCH_PYTHON": sys.executable,
        "OKBENCH_DATA": str(clone / "data"),
        "HOME": str(clone),
        "MPLBACKEND": "Agg",
    }
    done = subprocess.run(words, cwd=clone, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_the_example_of_the_readme_prints_the_text_below_it(clone):
    (code,) = blocks(ROOT / "README.md", "python")
    (expected,) = re.findall(
        r"```python\n.*?```\n\n```\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S
    )
    assert run(clone, [sys.executable, "-c", code]).split() == expected.split()


@pytest.mark.parametrize("page", ["tutorials/python-stream.md", "reference/python.md"])
def test_python_blocks_run_in_order(clone, page):
    code = "\n".join(blocks(ROOT / "docs" / page, "python"))
    for command in re.findall(r"^awk .*?> \S+$", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.M | re.S):
        run(clone, ["bash", "-c", command])
    printed = run(clone, [sys.executable, "-c", code])
    assert "True" in printed or "requested" in printed
    # A comment behind a print is what it prints.
    for expected in re.findall(r"^print\(.*\)  # (.*)$", code, re.M):
        assert expected in printed.splitlines()
