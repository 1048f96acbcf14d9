"""Single trials by id, and joining the results of several machines."""

import json
import pathlib
import re
import shutil

import pytest
from conftest import put, reseal, tuned_spec

from okbench.errors import TraceFileError
from okbench.results import read_trace

SPEC = tuned_spec("test/merge")


@pytest.fixture
def spec(tmp_path):
    (tmp_path / "s.toml").write_text(SPEC)
    return "s.toml"


def plan(tmp_path, folder):
    return json.loads((tmp_path / folder / "test" / "merge" / "plan.json").read_text())["trials"]


def files(tmp_path, folder):
    return sorted(path.name for path in (tmp_path / folder).rglob("*.h5"))


def test_trials_run_singly_in_any_order_merge_to_the_whole(okbench, tmp_path, spec):
    okbench("run", spec, "--out", "whole", check=0)
    trials = plan(tmp_path, "whole")
    folds = [trial["id"] for trial in trials if trial["fold"] is not None]
    others = [trial["id"] for trial in trials if trial["fold"] is None]
    assert len(folds) == 4 and len(others) == 4
    # Two machines: the folds and one trial here, the rest there, where the folds have been copied to.
    okbench("run", spec, "--out", "one", *[word for id in folds + others[:1] for word in ("--trial", id)], check=0)
    assert len(files(tmp_path, "one")) == 5
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    okbench("run", spec, "--out", "two", *[word for id in others[1:] for word in ("--trial", id)], check=0)
    done = okbench("verify", "one", "two", "--out", "joined", check=0)
    assert "8 of 8 planned trials have a valid result; 8 copied, 0 missing, 0 contradicting" in done.stdout
    okbench("compare", "whole", "joined", check=0)
    assert okbench("verify", "joined", check=0).stdout == "8 of 8 trials have a valid result\n"


def test_a_trial_without_its_folds_is_refused(okbench, tmp_path, spec):
    okbench("run", spec, "--out", "whole", check=0)
    tuned = next(trial for trial in plan(tmp_path, "whole") if trial["needs"])
    done = okbench("run", spec, "--out", "new", "--trial", tuned["id"])
    assert done.returncode == 2 and tuned["needs"][0] in done.stderr and done.stderr.count("\n") == 1
    done = okbench("run", spec, "--out", "new", "--trial", "0123456789abcdef")
    assert done.returncode == 2 and "no trial of these specs" in done.stderr


def test_missing_failed_and_damaged_trials_are_named(okbench, tmp_path, spec):
    okbench("run", spec, "--out", "a", "--quiet", check=0)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    folder = tmp_path / "a" / "test" / "merge"
    lost, failed, damaged = sorted(folder.glob("tuned-f*.h5"))[:3]
    lost.unlink()
    failed.unlink()
    failed.with_suffix(".failed.json").write_text(json.dumps({"kind": "timeout"}))
    damaged.write_bytes(damaged.read_bytes()[:1000])
    done = okbench("verify", "a", "--out", "a")
    assert done.returncode == 1
    names = {trial["file"]: trial["name"] for trial in plan(tmp_path, "a")}
    assert f"{names[lost.name]} (" in done.stdout and ": missing" in done.stdout
    assert f"{names[failed.name]} (" in done.stdout and ": failed: timeout" in done.stdout
    assert "not a valid trace file" in done.stdout and "5 of 8 planned trials" in done.stdout
    counts = json.loads(okbench("verify", "b", "b", "--json", check=0).stdout)
    assert counts["valid"] == counts["trials"] == 8
    # The other folder has them all.
    okbench("verify", "a", "b", "--out", "c", check=0)
    # The same trial with another digest: made by other code.
    okbench("run", spec, "--out", "d", "--set", "kernel.gamma=0.1", "--quiet", check=0)
    done = okbench("verify", "b", "d")
    assert done.returncode == 2 and "the plans differ" in done.stderr


def test_other_digests_of_one_trial_contradict(okbench, tmp_path, spec):
    okbench("run", spec, "--out", "a", "--quiet", check=0)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    altered = next((tmp_path / "b").rglob("plain-r0-*.h5"))

    def change_summary(file):
        summary = json.loads(file.attrs["summary"])
        put(file, "summary", json.dumps({**summary, "mean_loss": 99}))

    reseal(altered, change_summary)
    done = okbench("verify", "a", "b", "--out", "c")
    assert done.returncode == 1
    assert "digests differ for trial test/merge/plain/r0" in done.stdout and "1 contradicting" in done.stdout
    assert not list((tmp_path / "c").rglob("plain-r0-*.h5"))


@pytest.mark.parametrize(
    "attribute, keys, value, message",
    [
        ("spec", ("repetition",), 1, "its id is not the hash of its spec"),
        ("summary", ("mistakes",), 0, "its summary (mistakes) does not match its column mistakes"),
        ("summary", ("kernel_evaluations", "requested"), 1, "its summary (kernel_evaluations/requested)"),
        ("summary", ("test_error",), 0.0, "its summary (test_error) does not match its column test_error"),
    ],
)
def test_an_inconsistent_trace_is_refused(okbench, tmp_path, spec, attribute, keys, value, message):
    okbench("run", spec, "--out", "a", "--quiet", check=0)
    altered = next((tmp_path / "a").rglob("plain-r0-*.h5"))

    def change(file):
        content = json.loads(file.attrs[attribute])
        inner = content
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = value
        put(file, attribute, json.dumps(content, separators=(",", ":")))

    reseal(altered, change)
    for verb in ("summary", "verify"):
        done = okbench(verb, "a")
        assert done.returncode == 1 and message in done.stdout + done.stderr
    with pytest.raises(TraceFileError, match=re.escape(message)):
        read_trace(altered)


def test_bad_folders_are_one_clear_line(okbench, tmp_path):
    (tmp_path / "empty").mkdir()
    for arguments, cause in ((["empty"], "no results here"), (["nowhere"], "no such")):
        done = okbench("verify", *arguments)
        assert done.returncode == 2 and cause in done.stderr and done.stderr.count("\n") == 1
    (tmp_path / "bad" / "x").mkdir(parents=True)
    (tmp_path / "bad" / "x" / "plan.json").write_text("{")
    done = okbench("verify", "bad")
    assert done.returncode == 1 and "not a valid plan" in done.stderr
    assert pathlib.Path(tmp_path, "bad", "x", "plan.json").read_text() == "{"


@pytest.mark.parametrize(
    "key, name", [("experiment", "../../outside"), ("file", "../../../outside.h5"), ("file", "/x.h5")]
)
def test_a_plan_names_nothing_outside_its_folder(okbench, tmp_path, spec, key, name):
    okbench("run", spec, "--out", "a", "--quiet", check=0)
    plan_file = tmp_path / "a" / "test" / "merge" / "plan.json"
    content = json.loads(plan_file.read_text())
    (content if key == "experiment" else content["trials"][0])[key] = name
    plan_file.write_text(json.dumps(content))
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    done = okbench("verify", "a", "--out", "c/d/e")
    assert done.returncode != 0 and name in done.stderr and done.stderr.count("\n") == 1
    after = sorted(str(path) for path in tmp_path.rglob("*"))
    assert [path for path in after if path not in before and "/c" not in path] == []
    if key == "file":
        assert okbench("summary", "a").returncode != 0


def test_a_result_replaces_a_failure_of_another_folder(okbench, tmp_path, spec):
    okbench("run", spec, "--out", "a", "--quiet", "--only", "*plain*", check=0)
    okbench("run", spec, "--out", "b", "--quiet", "--only", "*plain*", "--timeout", "1e-9", check=1)
    assert list((tmp_path / "b").rglob("*.failed.json")) and not list((tmp_path / "b").rglob("plain*.h5"))
    done = okbench("verify", "a", "b", "--out", "b")
    assert "2 of 8 planned trials have a valid result; 2 copied" in done.stdout
    assert len(list((tmp_path / "b").rglob("plain*.h5"))) == 2
    assert not list((tmp_path / "b").rglob("plain*.failed.json"))
    assert "2 of 8 trials have a valid result" in okbench("verify", "b").stdout
