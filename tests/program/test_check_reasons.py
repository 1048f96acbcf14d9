"""okbench check --update --reason: a history of why the references moved, that goes with them whatever happens."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402
from references import NORMA, SVMD, Reference, git  # noqa: E402


@pytest.fixture
def reference(okbench, tmp_path):
    return Reference(okbench, tmp_path)


def test_an_entry_has_date_version_changes_and_reason(reference):
    before = json.loads(reference.file.read_text())["trials"][SVMD]
    had = reference.history.read_bytes()
    reference.set(0.9)
    done = reference.update("--reason", "  the schedule\n forgets faster ", check=0)
    assert "reference updated: 1 change" in done.stdout
    assert reference.history.read_bytes().startswith(had), "it is only added to"
    entry, change = reference.lines()[-2:]
    assert entry["reason"] == "the schedule forgets faster"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry["date"])
    assert re.fullmatch(rf"{entry['date']}-[0-9a-f]{{8}}", entry["entry"]) and change["entry"] == entry["entry"]
    assert isinstance(entry["dirty"], bool) and entry["commit"] and entry["program"].startswith("okbench ")
    assert (entry["changed"], entry["new"], entry["missing"]) == (1, 0, 0)
    assert entry["revisions"]["svmd"] == 1 and "engine" in entry["revisions"] and entry["raised"] == {}
    after = json.loads(reference.file.read_text())["trials"][SVMD]
    assert change["trial"] == SVMD and change["state"] == "changed" and change["learner"] == "svmd"
    assert change["digest"] == [before["digest"][:16], after["digest"][:16]]
    assert change["summary"]["mean_loss"] == [record["summary"]["mean_loss"] for record in (before, after)]
    same = [key for key, value in before["summary"].items() if after["summary"][key] == value]
    assert same and not any(key in change["summary"] for key in same), "what did not move is left out"
    assert reference.check().returncode == 0


def test_a_reference_without_its_entry_is_an_error(reference):
    """A file of references that was copied from another history."""
    history = reference.history.read_bytes()
    reference.set(0.9)
    reference.update("--reason", "the schedule forgets faster", check=0)
    reference.history.write_bytes(history)
    done = reference.check(check=1)
    assert f"{SVMD}: its reference is not that of its last entry in history.jsonl" in done.stderr
    assert NORMA not in done.stderr and done.stderr.count("\n") == 1
    assert "add --reason TEXT" in reference.update(check=2).stderr
    reference.update("--reason", "checked by hand", check=0)
    assert reference.lines()[-1]["trial"] == SVMD and reference.lines()[-1]["state"] == "same"
    reference.check(check=0)


def test_raised_revisions_and_new_and_missing_trials(reference):
    content = json.loads(reference.file.read_text())
    content["trials"][SVMD]["revisions"]["method"] = 0
    content["trials"]["svmd-2006/fig3/gone/r0"] = content["trials"].pop(NORMA)
    reference.file.write_text(json.dumps(content))
    # As if the trial had never been there: an update that adds what the history has added is one that is finished.
    kept = [line for line in reference.history.read_text().splitlines(True) if NORMA not in line]
    reference.history.write_text("".join(kept))
    reference.update("--reason", "other trials", check=0)
    entry, *changes = reference.lines()[-4:]
    assert (entry["changed"], entry["new"], entry["missing"]) == (1, 1, 1) and entry["raised"] == {"svmd": [0, 1]}
    states = {change["trial"]: change for change in changes}
    assert states[NORMA]["digest"][0] is None and states[NORMA]["summary"]["kernel_evaluations/requested"][0] is None
    assert states["svmd-2006/fig3/gone/r0"]["digest"][1] is None
    assert states[SVMD]["revisions"][0]["method"] == 0


@pytest.mark.parametrize("reason", [[], ["--reason", ""], ["--reason", " \n "]])
def test_a_change_without_a_reason_is_refused(reference, reason):
    reference.set(0.9)
    had = reference.bytes()
    done = reference.update(*reason)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    empty = reason[1:] == [""]
    cause = "--reason: must not be empty" if empty else "1 change to the reference: add --reason TEXT"
    assert done.stderr.startswith(f"okbench: {cause}")
    assert reference.bytes() == had


def test_no_change_needs_no_reason_and_writes_nothing(reference):
    had = reference.bytes()
    reference.update(check=0)
    reference.update("--reason", "nothing", check=0)
    assert reference.bytes() == had


def test_a_reason_is_of_an_update(reference):
    done = reference.check("--reason", "why")
    assert done.returncode == 2 and done.stderr == "okbench: --reason requires --update\n"


def test_an_interrupted_update_is_reported_and_finished_without_another_reason(reference):
    old = reference.file.read_bytes()
    reference.set(0.9)
    reference.update("--reason", "forgets faster", check=0)
    whole = reference.bytes()
    # As it is after a power cut between the history, which is written first, and the references.
    reference.file.write_bytes(old)
    done = reference.check()
    assert done.returncode == 1
    assert re.search(r"okbench check --update finishes the interrupted update of \S+Z \(forgets faster\)", done.stdout)
    done = reference.update(check=0)
    assert "finished the interrupted update of" in done.stdout
    assert reference.bytes() == whole
    # What goes beyond it wants a reason, and has an entry of its own.
    reference.file.write_bytes(old)
    content = json.loads(reference.file.read_text())
    content["trials"][NORMA]["digest"] = "0" * 64
    reference.file.write_text(json.dumps(content))
    assert reference.update().returncode == 2
    reference.update("--reason", "more", check=0)
    entry, change = reference.lines()[-2:]
    assert entry["reason"] == "more" and entry["changed"] == 1 and change["trial"] == NORMA


def test_there_and_back_again_are_three_entries(reference):
    for value, reason in ((0.9, "there"), (0.95, "back"), (0.9, "again")):
        reference.set(value)
        assert reference.update().returncode == 2
        reference.update("--reason", reason, check=0)
    assert [line["reason"] for line in reference.lines() if "reason" in line] == ["first", "there", "back", "again"]


def test_an_unwritable_history_changes_no_reference(reference):
    reference.set(0.9)
    old = reference.file.read_bytes()
    text = reference.history.read_text()
    reference.history.unlink()
    reference.history.mkdir()
    done = reference.update("--reason", "why")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert reference.file.read_bytes() == old
    reference.history.rmdir()
    # A last line without its end, as editors leave it, is no obstacle.
    reference.history.write_text(text.rstrip("\n"))
    reference.update("--reason", "why", check=0)
    assert reference.lines()[-2]["reason"] == "why"


@pytest.mark.parametrize(
    "line", ["<<<<<<< HEAD", "{}", '{"entry": 1}', '{"entry": "a"}', '["entry"]', '{"entry": "a", "trial": 1}']
)
def test_a_damaged_history_is_one_line_and_not_changed(reference, line):
    with open(reference.history, "a") as file:
        file.write(line + "\n")
    number = len(reference.history.read_text().splitlines())
    reference.set(0.9)
    had = reference.bytes()
    for options in ((), ("--update", "--reason", "why")):
        done = reference.check(*options)
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert f"history.jsonl:{number}: invalid line; restore the file from Git" in done.stderr
    assert reference.bytes() == had


def test_make_hands_on_a_reason_whatever_is_in_it(tmp_path):
    program = tmp_path / "okbench"
    program.write_text('#!/bin/sh\nfor word; do echo "[$word]"; done\n')
    program.chmod(0o755)
    reason = 'it\'s "x" `id`; and more'
    done = subprocess.run(
        ["make", "-s", "-o", "build", "reference", f"OKBENCH={program}", f"REASON={reason}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split("\n")[-4:] == ["[--update]", "[--reason]", f"[{reason}]", ""]


def test_entries_of_two_branches_merge(reference, tmp_path):
    """By git itself, with the attributes of this repository, although both are added at the same place."""
    folder = tmp_path / "repository"
    target = folder / "results" / "reference" / "history.jsonl"
    target.parent.mkdir(parents=True)
    (folder / ".gitattributes").write_text((ROOT / ".gitattributes").read_text())
    first = reference.history.read_text()

    def commit(text, what):
        target.write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", what)

    git(folder, "init", "-q")
    commit(first, "first")
    reference.set(0.9)
    reference.update("--reason", "mine", check=0)
    mine = reference.history.read_text()
    reference.history.write_text(first)
    reference.set(0.8)
    reference.update("--reason", "theirs", check=0)
    git(folder, "checkout", "-q", "-b", "mine")
    commit(mine, "mine")
    git(folder, "checkout", "-q", "-b", "theirs", "HEAD~")
    commit(reference.history.read_text(), "theirs")
    git(folder, "merge", "-q", "-m", "merged", "mine")
    lines = target.read_text().splitlines()
    assert sorted(lines) == sorted({*mine.splitlines(), *reference.history.read_text().splitlines()})
    reference.history.write_text(target.read_text())
    assert reference.check().returncode == 0
