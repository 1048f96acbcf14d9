"""okbench check history: the updates of the references, with reasons."""

import json

import pytest


@pytest.fixture
def references(tmp_path):
    """A reference folder with two updates, of one and of two trials."""
    lines = [{"format": 1, "about": "Changes of the references."}]
    for entry, date, reason, trials in (
        ("1", "2026-01-02T03:04:05Z", "faster", ["paper/one/a/r0"]),
        ("2", "2026-02-03T04:05:06Z", "another loss", ["paper/two/a/r0", "paper/two/a/r1"]),
    ):
        lines.append({"entry": entry, "date": date, "reason": reason})
        lines += [{"entry": entry, "trial": trial, "change": "digest"} for trial in trials]
    (tmp_path / "history.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def test_updates_are_printed_with_their_reasons(okbench, references):
    text = okbench("check", "history", "--reference", references, check=0).stdout
    assert text.splitlines() == [
        "2026-01-02  faster",
        "            paper/one: 1 trials",
        "2026-02-03  another loss",
        "            paper/two: 2 trials",
    ]


def test_one_experiment(okbench, references):
    done = okbench("check", "history", "--reference", references, "--experiment", "paper/t*", "--json", check=0)
    updates = json.loads(done.stdout)["updates"]
    assert [update["reason"] for update in updates] == ["another loss"]


def test_bad_input_is_one_line(okbench, references, tmp_path):
    (references / "history.jsonl").write_text('{"format": 1}\n{"entry": \n')
    done = okbench("check", "history", "--reference", references, check=1)
    assert done.stderr == f"okbench: {references}/history.jsonl:2: not valid JSON\n"
    done = okbench("check", "history", "--reference", tmp_path / "none", check=2)
    assert done.stderr == f"okbench: {tmp_path}/none: no such folder of references\n"


def test_a_folder_without_updates(okbench, tmp_path):
    assert okbench("check", "history", "--reference", tmp_path, check=0).stdout == "no update of the references\n"
