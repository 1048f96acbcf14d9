"""okbench history: how counts and errors moved, made of the history file and of the commits that it does not tell."""

import json
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402
from references import FIG3, NORMA, SVMD, Reference, git  # noqa: E402

COUNT = "kernel_evaluations/requested"


def trial(requested, error, digest="a", **more):
    counts = {"requested": requested, "computed": 2 * requested, "evaluation": 0}
    summary = {"kernel_evaluations": counts, "error_rate": error, **more}
    return {"digest": digest * 64, "learner": "norma", "revisions": {"method": 1}, "summary": summary, "tables": {}}


class Repository:
    """References in a repository of their own, of made-up trials."""

    def __init__(self, okbench, folder):
        self.okbench, self.top, self.folder = okbench, folder, folder / "results" / "reference"
        self.folder.mkdir(parents=True)
        git(folder, "init", "-q")

    def write(self, trials, experiment="paper/one"):
        path = self.folder / f"{experiment}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(one)}" for name, one in trials.items())
        path.write_text(f'{{"format": 1, "trials": {{\n{lines}\n}}}}\n')

    def entry(self, name, date, why, changes):
        head = {"entry": name, "date": date, "reason": why, "commit": "c" * 40, "dirty": True}
        with open(self.folder / "history.jsonl", "a") as file:
            for line in (head, *({"entry": name, **change} for change in changes)):
                file.write(json.dumps(line) + "\n")

    def commit(self, what, date):
        git(self.top, "add", ".")
        os.environ["GIT_COMMITTER_DATE"] = date
        try:
            git(self.top, "commit", "-q", "-m", what)
        finally:
            del os.environ["GIT_COMMITTER_DATE"]

    def history(self, *options, **keywords):
        return self.okbench("history", "--reference", self.folder, *options, **keywords)

    def json(self, *options):
        done = self.history("--json", *options, check=0)
        assert done.stderr == ""
        return json.loads(done.stdout)


@pytest.fixture
def repository(okbench, tmp_path):
    made = Repository(okbench, tmp_path / "repository")
    one, two = "paper/one/norma[nu=0.1]/r0", "paper/one/svmd/r0"
    made.write({one: trial(10, 0.5), two: trial(100, 0.25)})
    made.commit("the first trials", "2026-01-01T00:00:00Z")
    made.write({one: trial(12, 0.5, "b"), two: trial(100, 0.25)})
    made.commit("norma asks for more", "2026-01-02T00:00:00Z")
    # From here on there is a history; its entries tell what the commits with them move.
    made.write({one: trial(12, 0.4, "c")})
    changes = [
        {"trial": one, "id": "0123456789abcdef", "state": "changed", "learner": "norma",
         "digest": ["b" * 16, "c" * 16], "summary": {"error_rate": [0.5, 0.4]}},
        {"trial": two, "id": "", "state": "missing", "learner": "norma", "digest": ["a" * 16, None],
         "summary": {COUNT: [100, None], "error_rate": [0.25, None]}},
    ]  # fmt: skip
    made.entry("2026-01-03T00:00:00Z-1", "2026-01-03T00:00:00Z", "a better step", changes)
    made.commit("better step", "2026-01-03T01:00:00Z")
    # A commit without an entry, as a revert is one.
    made.write({one: trial(12, 0.5, "b")})
    made.commit("Revert", "2026-01-04T00:00:00Z")
    return made


def test_steps_are_entries_and_the_commits_that_none_tells(repository):
    steps = repository.json()["steps"]
    assert [(step["from"], step["why"]) for step in steps] == [
        ("git", "the first trials"),
        ("git", "norma asks for more"),
        ("history", "a better step"),
        ("git", "Revert"),
    ]
    assert [(step["changed"], step["new"], step["missing"]) for step in steps] == [
        (0, 2, 0), (1, 0, 0), (1, 0, 1), (1, 0, 0),
    ]  # fmt: skip
    assert steps[1]["trials"] == [
        {"trial": "paper/one/norma[nu=0.1]/r0", "state": "changed", "learner": "norma",
         "digest": ["a" * 16, "b" * 16],
         "summary": {COUNT: [10, 12], "kernel_evaluations/computed": [20, 24]}},
    ]  # fmt: skip
    lines = repository.history(check=0).stdout.splitlines()
    assert lines[0].split() == ["date", "commit", "changed", "new", "missing", "counts", "errors", "why"]
    assert lines[2].split()[3:8] == ["1", "0", "0", "1", "0"] and lines[2].endswith("norma asks for more")
    assert lines[3].split()[2:8] == ["cccccccccc+", "1", "0", "1", "0", "1"]


@pytest.mark.parametrize("name", ["paper/one/norma[nu=0.1]/r0", "*/norma*", "*/norma[nu=0.?]/r0", "0123456789abcdef"])
def test_one_trial_over_time(repository, name):
    (rows,) = repository.json("--trial", name)["trials"].values()
    assert [(row["counts"]["requested"], row["errors"]["error_rate"]) for row in rows] == [
        (10, 0.5), (12, 0.5), (12, 0.4), (12, 0.5),
    ]  # fmt: skip
    assert [row["state"] for row in rows] == ["new", "changed", "changed", "changed"]
    lines = repository.history("--trial", name, check=0).stdout.splitlines()
    assert lines[0] == "paper/one/norma[nu=0.1]/r0" and len(lines) == 6
    assert "10 -> 12" in lines[3] and "50 % -> 40 %" in lines[4]


def test_an_experiment_has_all_of_its_trials(repository):
    assert len(repository.json("--trial", "paper/one")["trials"]) == 2
    assert len(repository.json("--trial", "paper/*")["trials"]) == 2
    done = repository.history("--trial", "paper/on")
    assert done.returncode == 2 and done.stderr == "okbench: no trial of the references is called 'paper/on'\n"


def test_without_a_repository_or_git_the_entries_are_told(repository, tmp_path):
    (repository.top / ".git").rename(tmp_path / "away")
    done = repository.history("--json", check=0)
    assert [step["why"] for step in json.loads(done.stdout)["steps"]] == ["a better step"]
    assert done.stderr.count("\n") == 1 and "not a git repository" in done.stderr
    # What did not move at a step is what it is today.
    told = json.loads(repository.history("--json", "--trial", "*/norma*", check=0).stdout)["trials"]
    assert [row["counts"]["requested"] for row in told["paper/one/norma[nu=0.1]/r0"]] == [12]
    done = repository.history(env={"PATH": str(tmp_path)}, check=0)
    assert "a better step" in done.stdout
    assert done.stderr == "okbench: git cannot be run (No such file or directory): commits are not told\n"


def test_bad_requests_are_one_line(repository, okbench, tmp_path):
    done = okbench("history", "--reference", tmp_path / "none")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    with open(repository.folder / "history.jsonl", "a") as file:
        file.write("=======\n")
    done = repository.history()
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "history.jsonl:4: not a line of a history of references" in done.stderr


def test_entries_of_the_program_are_read_and_ids_of_today_found(okbench, tmp_path):
    reference = Reference(okbench, tmp_path)
    reference.set(0.9)
    reference.update("--reason", "forgets faster", check=0)
    steps = json.loads(okbench("history", "--reference", reference.folder, "--json", check=0).stdout)["steps"]
    assert [(step["why"], step["new"], step["changed"]) for step in steps] == [
        ("first", 3, 0),
        ("forgets faster", 0, 1),
    ]
    checked = json.loads(okbench("check", "--reference", reference.folder, "--json", FIG3).stdout)
    (today,) = (one["id"] for one in checked["trials"] if one["name"] == NORMA)
    told = okbench("history", "--reference", reference.folder, "--trial", today, check=0).stdout
    assert told.splitlines()[0] == NORMA and len(told.splitlines()) == 3
    rows = json.loads(okbench("history", "--reference", reference.folder, "--trial", SVMD, "--json").stdout)["trials"][
        SVMD
    ]
    present = json.loads(reference.file.read_text())["trials"][SVMD]["summary"]
    assert rows[-1]["counts"] == present["kernel_evaluations"]
    assert rows[-1]["errors"]["error_rate"] == present["error_rate"]


def test_the_repository_has_a_history_that_leads_to_the_references(okbench):
    """Of this project itself: every step applied gives what lies there."""
    done = okbench("history", "--json", env={"OKBENCH_HOME": str(ROOT)}, check=0)
    if done.stderr:
        pytest.skip("no repository")
    present = set()
    for path in (ROOT / "results" / "reference").rglob("*.json"):
        present |= set(json.loads(path.read_text())["trials"])
    trials = set()
    for step in json.loads(done.stdout)["steps"]:
        for change in step["trials"]:
            (trials.discard if change["state"] == "missing" else trials.add)(change["trial"])
    assert trials == present
