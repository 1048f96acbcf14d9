"""okbench check --json and --markdown: every trial with its state, what it was and is; a comment for a change."""

import json
import pathlib
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from references import FIG3, NORMA, SVMD  # noqa: E402


@pytest.fixture
def altered(okbench, tmp_path):
    """Checks figure 3 against its reference after `change` was done to the trials in it."""

    def check(change, *options):
        folder = tmp_path / "ref"
        if not folder.exists():
            okbench("check", FIG3, "--reference", folder, "--update", "--reason", "first", check=0)
        path = folder / "svmd-2006" / "fig3.json"
        content = json.loads(path.read_text())
        change(content["trials"])
        path.write_text(json.dumps(content))
        return okbench("check", FIG3, "--reference", folder, *options)

    return check


def move(trials):
    """One trial moves in its first step and its counts, one has another name."""
    svmd = trials[SVMD]
    svmd["digest"] = "0" * 64
    svmd["summary"]["kernel_evaluations"]["requested"] += 1
    svmd["summary"]["error_rate"] = 0.5
    svmd["tables"]["trace"]["hashes"] = "x" * 4 + svmd["tables"]["trace"]["hashes"][4:]
    svmd["tables"]["trace"]["values"]["loss"][0] = 17.0
    trials["svmd-2006/fig3/gone/r0"] = trials.pop(NORMA)


def test_json_without_a_change(altered):
    done = altered(lambda trials: None, "--json")
    output = json.loads(done.stdout)
    assert done.returncode == 0 and output["same"] and not output["updated"]
    assert output["totals"] == {
        "trials": 3, "same": 3, "changed": 0, "missing": 0, "new": 0, "failed": 0, "library": 0, "unraised": 0,
    }  # fmt: skip
    for trial in output["trials"]:
        assert trial["state"] == "same" and len(trial["id"]) == 16 and trial["experiment"] == "svmd-2006/fig3"
        assert trial["digest"][0] == trial["digest"][1] and trial["differences"] == [] and trial["moved"] == {}
        assert trial["counts"]["requested"][0] == trial["counts"]["requested"][1] > 0


def test_json_has_the_difference_of_each_trial(altered):
    done = altered(move, "--json")
    output = json.loads(done.stdout)
    assert done.returncode == 1 and not output["same"]
    # Nobody has recorded why the references are other ones.
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [SVMD, "svmd-2006/fig3/gone/r0"]
    assert output["totals"] == {
        "trials": 4, "same": 1, "changed": 1, "missing": 1, "new": 1, "failed": 0, "library": 0, "unraised": 1,
    }  # fmt: skip
    trials = {trial["name"]: trial for trial in output["trials"]}
    svmd = trials[SVMD]
    assert svmd["state"] == "changed" and svmd["digest"][0] == "0" * 64
    before, after = svmd["counts"]["requested"]
    assert before == after + 1 and svmd["errors"]["error_rate"][0] == 0.5
    assert set(svmd["moved"]) == {"kernel_evaluations/requested", "error_rate"}
    first = svmd["first_row"]
    assert first["table"] == "trace" and first["step"] == 1
    assert first["value"]["column"] == "loss" and first["value"]["before"] == 17
    assert svmd["differences"][0].startswith("trace: differs first at step 1: column loss has ")
    assert trials[NORMA]["state"] == "new" and trials[NORMA]["digest"][0] is None
    gone = trials["svmd-2006/fig3/gone/r0"]
    assert gone["state"] == "missing" and gone["id"] is None and gone["counts"]["requested"][1] is None


def test_markdown_has_a_verdict_and_a_table_with_counts_and_errors(altered):
    same = altered(lambda trials: None, "--markdown")
    assert same.returncode == 0
    assert same.stdout.splitlines()[0] == "**okbench check**: all 3 trials match the reference."
    assert "|" not in same.stdout
    done = altered(move, "--markdown")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "**okbench check**: 1 of 4 trials match the reference: 1 changed, 1 new, 1 missing."
    assert lines[2] == "Traces changed in 1 trial although no revision was raised."
    rows = [line.split("|") for line in lines if line.startswith("| `")]
    assert [(row[1].strip(), row[2].strip()) for row in rows] == [
        (f"`{SVMD}`", "changed"),
        (f"`{NORMA}`", "new"),
        ("`svmd-2006/fig3/gone/r0`", "missing"),
    ]
    before, after = map(int, rows[0][3].split(" → "))
    assert before == after + 1 and "50 % → " in rows[0][6] and rows[1][3].strip().startswith("- → ")
    assert all(len(row) == len(rows[0]) for row in rows)
    assert done.stdout.count("<details>") == done.stdout.count("</details>") == 1
    assert "differs first at step 1" in done.stdout


def test_markdown_of_many_changes_is_folded_and_no_longer_than_a_comment(okbench, tmp_path):
    (tmp_path / "ref").mkdir()
    text = FIG3.read_text()
    many = tmp_path / "many.toml"
    text = text.replace('order = "file"', 'order = "permutation"')
    text = re.sub(r'("data.(?:rows|limit)") = 1000', r"\1 = 20", text)
    many.write_text(re.sub(r"(?m)^(experiment = .*)$", r"\1\nrepetitions = 300", text))
    done = okbench("check", many, "--reference", tmp_path / "ref", "--markdown")
    assert done.returncode == 1 and len(done.stdout) < 65536
    assert "<summary>" in done.stdout and "more: `okbench check --json` lists all." in done.stdout


def test_a_failed_trial_is_reported(okbench, tmp_path):
    spec = tmp_path / "fig3.toml"
    text = FIG3.read_text()
    assert text.count('c = 1\neta0 = 1\nbuffer = 512\nschedule = "sqrt-decay"') == 1
    # Steps grow beyond every number.
    spec.write_text(
        text.replace(
            'c = 1\neta0 = 1\nbuffer = 512\nschedule = "sqrt-decay"',
            'c = 1e12\neta0 = 1e12\nbuffer = 512\nschedule = "constant"',
        )
    )
    folder = tmp_path / "ref"
    okbench("check", FIG3, "--reference", folder, "--update", "--reason", "first", check=0)
    kept = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    plain = okbench("check", spec, "--reference", folder)
    assert plain.returncode == 1 and plain.stdout == ""
    output = json.loads(okbench("check", spec, "--reference", folder, "--json", check=1).stdout)
    failed = [trial for trial in output["trials"] if trial["state"] == "failed"]
    assert output["totals"]["failed"] == len(failed) == 1 and failed[0]["name"] == NORMA
    assert failed[0]["digest"][1] is None and ": " in failed[0]["differences"][0]
    done = okbench("check", spec, "--reference", folder, "--markdown", check=1)
    assert "1 failed" in done.stdout.splitlines()[0] and f"| `{NORMA}` | failed |" in done.stdout
    # A reference is not renewed with trials that it would lack.
    okbench("check", spec, "--reference", folder, "--update", "--reason", "why", "--json", check=1)
    assert kept == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_output_formats_are_refused(okbench):
    done = okbench("check", FIG3, "--json", "--markdown")
    assert done.returncode == 2 and done.stderr == "okbench: --json and --markdown exclude each other\n"
