"""okbench check: the committed reference holds, and a change is named with learner, column, step and values."""

import json
import pathlib
import platform
import shutil
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402

FIG3 = ROOT / "experiments" / "svmd-2006" / "fig3.toml"


def test_every_quick_trial_is_as_in_the_committed_reference(okbench):
    done = okbench("check")
    assert done.returncode == 0, done.stdout + done.stderr
    if platform.machine() == "x86_64":  # the processor of the committed reference
        assert "is not compared" not in done.stdout


def changed(tmp_path, old, new):
    """A copy of figure 3's spec with one value changed: what changing that constant in the learner would do."""
    text = FIG3.read_text()
    assert text.count(old) == 1
    (tmp_path / "fig3.toml").write_text(text.replace(old, new))
    return tmp_path / "fig3.toml"


def test_a_changed_constant_names_learner_column_step_and_values(okbench, tmp_path):
    spec = changed(tmp_path, "mu = 1\ntrace_decay = 0.95", "mu = 1\ntrace_decay = 0.950001")
    done = okbench("check", spec)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "svmd-2006/fig3/svmd/r0 (svmd):"
    # v_2 does not depend on lambda. Step 2 records <f, v> after its update, so only trace_product may differ there.
    assert lines[1].startswith("  trace: differs first at step 2: column trace_product has ") or lines[1].startswith(
        "  trace: differs first at step 3: column "
    )
    assert "in the reference" in lines[1]
    assert "no revision was raised" in lines[2]
    assert not any("norma/r0" in line for line in lines)
    assert "2 of 3 trials match the reference" in done.stdout
    assert f"okbench check {spec} --update --reason TEXT" in done.stdout
    refused = okbench("check", spec, "--update", "--reason", "mine", check=2)
    assert f"{spec}: is not a spec of okbench" in refused.stderr and "--reference FOLDER" in refused.stderr


def reference_of(okbench, tmp_path, spec=FIG3):
    okbench("check", spec, "--reference", tmp_path / "ref", "--update", "--reason", "first", check=0)
    return tmp_path / "ref" / "svmd-2006" / "fig3.json"


def test_one_value_of_one_row_is_found_wherever_it_is(okbench, tmp_path):
    path = reference_of(okbench, tmp_path)
    for row in (0, 7, 100, 299):
        content = json.loads(path.read_text())
        trial = content["trials"]["svmd-2006/fig3/norma/r0"]
        trial["digest"] = "0" * 64
        table = trial["tables"]["trace"]
        step = row + 1
        table["hashes"] = (
            table["hashes"][: 4 * row]
            + ("0000" if table["hashes"][4 * row : 4 * row + 4] != "0000" else "ffff")
            + table["hashes"][4 * row + 4 :]
        )
        altered = tmp_path / "altered" / "svmd-2006" / "fig3.json"
        altered.parent.mkdir(parents=True, exist_ok=True)
        altered.write_text(json.dumps(content))
        done = okbench("check", FIG3, "--reference", tmp_path / "altered")
        assert done.returncode == 1
        assert f"trace: differs first at step {step}" in done.stdout


def test_kernel_evaluations_are_compared_exactly(okbench, tmp_path):
    path = reference_of(okbench, tmp_path)
    for kind in ("requested", "computed", "evaluation"):
        content = json.loads(path.read_text())
        counts = content["trials"]["svmd-2006/fig3/svmd/r0"]["summary"]["kernel_evaluations"]
        counts[kind] += 1
        altered = tmp_path / kind / "svmd-2006" / "fig3.json"
        altered.parent.mkdir(parents=True)
        altered.write_text(json.dumps(content))
        done = okbench("check", FIG3, "--reference", tmp_path / kind)
        assert done.returncode == 1
        assert f"summary/kernel_evaluations/{kind}: {counts[kind] - 1}, {counts[kind]} in the reference" in done.stdout


def test_update_prints_its_changes_and_then_matches(okbench, tmp_path):
    reference_of(okbench, tmp_path)
    spec = changed(tmp_path, "mu = 1\ntrace_decay = 0.95", "mu = 1\ntrace_decay = 0.9")
    done = okbench("check", spec, "--reference", tmp_path / "ref", "--update", "--reason", "why", check=0)
    assert "svmd-2006/fig3/svmd/r0 (svmd):" in done.stdout and "reference updated: 1 change" in done.stdout
    okbench("check", spec, "--reference", tmp_path / "ref", check=0)
    assert okbench("check", FIG3, "--reference", tmp_path / "ref").returncode == 1


def test_new_and_missing_trials_are_differences(okbench, tmp_path):
    path = reference_of(okbench, tmp_path)
    content = json.loads(path.read_text())
    content["trials"]["svmd-2006/fig3/gone/r0"] = content["trials"].pop("svmd-2006/fig3/norma/r0")
    path.write_text(json.dumps(content))
    done = okbench("check", FIG3, "--reference", tmp_path / "ref")
    assert done.returncode == 1
    assert "norma/r0 (norma):\n  is not in the reference" in done.stdout
    assert "gone/r0:\n  is in the reference, but not in the plan" in done.stdout


def test_update_removes_stale_references_only(okbench, tmp_path):
    home = tmp_path / "home"
    (home / "experiments" / "svmd-2006").mkdir(parents=True)
    shutil.copy(FIG3, home / "experiments" / "svmd-2006")
    (home / "datasets").symlink_to(ROOT / "datasets")
    env = {"OKBENCH_HOME": str(home)}
    okbench("check", "--reference", tmp_path / "ref", "--update", "--reason", "first", env=env, check=0)
    stale = tmp_path / "ref" / "old" / "gone.json"
    stale.parent.mkdir()
    stale.write_text('{"format": 1, "trials": {}}')
    mine = tmp_path / "ref" / "package.json"
    mine.write_text('{"name": "not a reference"}')
    done = okbench("check", "--reference", tmp_path / "ref", env=env)
    assert done.returncode == 1 and "old/gone:\n  is in the reference, but the experiment does not exist" in done.stdout
    assert "3 of 3 trials match the reference" in done.stdout
    okbench("check", "--reference", tmp_path / "ref", "--update", "--reason", "gone", env=env, check=0)
    assert mine.exists() and not stale.exists()


@pytest.mark.parametrize("content", ["{", "{}", '{"format": 1, "trials": {"svmd-2006/fig3/norma/r0": {"digest": 1}}}'])
def test_a_damaged_reference_is_one_clear_line(okbench, tmp_path, content):
    path = tmp_path / "ref" / "svmd-2006" / "fig3.json"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    done = okbench("check", FIG3, "--reference", tmp_path / "ref")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and ("reference" in done.stderr or "JSON" in done.stderr)


def test_a_missing_reference_is_named_with_the_remedy(okbench, tmp_path):
    done = okbench("check", FIG3, "--reference", tmp_path / "none")
    command = f"okbench check {FIG3} --reference {tmp_path / 'none'} --update --reason TEXT"
    assert done.returncode == 2 and command in done.stderr
    shutil.rmtree(tmp_path / "none", ignore_errors=True)


def test_a_librarys_bits_are_those_of_its_package(okbench, tmp_path):
    text = (ROOT / "experiments" / "linear-2010" / "optimum.toml").read_text()
    spec = tmp_path / "optimum.toml"
    ours = '[learners.online]\nlearner = "norma"\nloss = "hinge"\n'
    spec.write_text(text.replace("[tiers.quick]", ours + "[tiers.quick]"))
    reference = ("--reference", tmp_path / "ref")
    okbench("check", spec, *reference, "--update", "--reason", "first", check=0)
    path = tmp_path / "ref" / "linear-2010" / "optimum.json"
    content = json.loads(path.read_text())
    history = (tmp_path / "ref" / "history.jsonl").read_text()
    for trial in content["trials"].values():
        assert ("processor" in trial) == (trial["learner"] == "liblinear")
    name, other = "linear-2010/optimum/liblinear[data=a9a]/r0", "linear-2010/optimum/online[data=a9a]/r0"

    def alter(trial, processor, **raised):
        altered = json.loads(json.dumps(content))
        altered["trials"][trial]["revisions"] |= raised
        altered["trials"][trial]["digest"] = "0" * 64
        altered["trials"][trial]["processor"] = processor
        path.write_text(json.dumps(altered))
        digest = content["trials"][trial]["digest"][:16]
        (tmp_path / "ref" / "history.jsonl").write_text(history.replace(digest, "0" * 16))

    alter(name, content["trials"][name]["processor"])
    assert "its digest differs" in okbench("check", spec, *reference, check=1).stdout
    alter(name, "another")
    done = okbench("check", spec, *reference, check=0).stdout
    assert f"{name} (liblinear):\n  is not compared: LIBLINEAR computes it" in done and 'made on "another"' in done
    assert "\n1 is not compared: computed by a system library" in done
    output = json.loads(okbench("check", spec, *reference, "--json", check=0).stdout)
    assert output["same"] and output["totals"]["library"] == 1 and output["totals"]["unraised"] == 0
    assert "; 1 is not compared" in okbench("check", spec, *reference, "--markdown", check=0).stdout
    before = path.read_text()
    okbench("check", spec, *reference, "--update", check=0)
    assert path.read_text() == before
    alter(name, "another", method=9)  # other code, and not its rounding
    assert "is not compared" not in okbench("check", spec, *reference, check=1).stdout
    alter(other, "another")  # a method of our own has the same bits everywhere
    assert okbench("check", spec, *reference).returncode == 1
