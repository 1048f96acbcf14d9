"""Crates on the real binary: a run with failures, what merge joins, and bad requests."""

import json
import shutil

import crates
import pytest
from conftest import ROOT, SMOKE

SPARSE = ROOT / "experiments" / "smoke" / "sparse.toml"
DIVERGES = ("--set", "learners.norma.eta0=1e12", "--set", "learners.norma.c=1e12")
RUN = ("run", SMOKE, SPARSE, "--tier", "quick", "--quiet")


@pytest.fixture
def run(okbench, tmp_path):
    """Two experiments, of which one learner diverged."""
    okbench(*RUN, "--out", "r", *DIVERGES, check=1)
    return tmp_path / "r"


def test_a_run_with_failures_becomes_a_crate(okbench, run):
    (record,) = run.glob("smoke/online-svm/*.failed.json")
    assert json.loads(record.read_text())["provenance"]["program"].startswith("okbench ")
    done = okbench("export", "crate", "r", "--agent", "Ada Lovelace", check=0)
    assert done.stderr == "" and done.stdout.startswith("r/ro-crate-metadata.json: trials: ")
    entities = crates.read(run)
    assert crates.problems(run) == []
    failed = [action for action in crates.of_type(entities, "CreateAction") if "error" in action]
    assert failed and all(
        failure["error"].startswith("diverged: ") and "/norma/" in failure["name"] for failure in failed
    )
    assert f"{len(failed)} failed, 0 not run" in done.stdout
    # One program ran all, those that failed, too.
    assert len(crates.of_type(entities, "SoftwareApplication")) == 1
    action = next(entity for entity in crates.of_type(entities, "CreateAction") if "/svmd[" in entity["name"])
    assert "--tier quick --set learners.norma.eta0=1e12 --set learners.norma.c=1e12 --trial " in action["description"]
    assert {value["name"] for value in crates.of_type(entities, "Person")} == {"Ada Lovelace"}
    assert "tier quick, run with --set learners.norma.eta0=1e12" in entities["smoke/sparse/"]["description"]
    # When results change it is to be made anew.
    record.unlink()
    assert crates.problems(run) != []
    okbench("export", "crate", "r", check=0)
    assert crates.problems(run) == []
    first = (run / crates.METADATA).read_bytes()
    okbench("export", "crate", "r/", check=0)
    assert (run / crates.METADATA).read_bytes() == first


def test_stale_results_need_a_decision(okbench, tmp_path):
    spec = tmp_path / "spec.toml"
    spec.write_text(SPARSE.read_text())
    okbench("run", spec, "--tier", "quick", "--quiet", "--out", "r", check=0)
    okbench("export", "crate", "r", check=0)
    spec.write_text(spec.read_text().replace("c = 0.001", "c = 0.002", 1))
    refused = okbench("export", "crate", "r", check=2)
    assert " results are stale (" in refused.stderr and "OKBENCH_STALE=1" in refused.stderr
    okbench("export", "crate", "r", check=0, env={"OKBENCH_STALE": "1"})


def test_links_are_left_out(okbench, tmp_path):
    okbench(*RUN, "--out", "r", check=0)
    (tmp_path / "r" / "elsewhere.txt").symlink_to("/etc/hostname")
    (tmp_path / "r" / "folder").symlink_to("/etc")
    okbench("export", "crate", "r", check=0)
    assert not {name for name in crates.read(tmp_path / "r") if "elsewhere" in name or "folder" in name}
    trace = next((tmp_path / "r").rglob("svmd*.h5"))
    trace.rename(trace.with_name("aside.bin"))
    trace.symlink_to(trace.with_name("aside.bin"))
    assert "is not a file of" in okbench("export", "crate", "r", check=1).stderr


def test_merged_results_become_a_crate(okbench, tmp_path):
    okbench(*RUN, "--out", "a", check=0)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    for path in list((tmp_path / "a").rglob("svmd*.h5")) + list((tmp_path / "b").rglob("norma*.h5")):
        path.unlink()
    okbench("export", "crate", "b", check=0)
    okbench("verify", "a", "b", "--out", "joined", check=0)
    assert "10 completed, 0 failed, 0 not run" in okbench("export", "crate", "joined", check=0).stdout
    assert crates.problems(tmp_path / "joined") == []
    assert "2 completed, 0 failed, 8 not run" in okbench("export", "crate", "a", check=0).stdout
    assert crates.problems(tmp_path / "a") == []


def test_trials_that_did_run_are_reported_without_the_rest(okbench, tmp_path):
    okbench("run", SMOKE, "--tier", "quick", "--quiet", "--out", "r", "--only", "*norma*", check=0)
    done = okbench("export", "crate", "r/smoke/online-svm", check=0)
    assert "trials: 1 completed, 0 failed, 5 not run" in done.stdout
    assert crates.problems(tmp_path / "r" / "smoke" / "online-svm") == []


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["nowhere"], 2, "nowhere: no results here; okbench run makes some"),
        (["empty"], 2, "empty: no results here; okbench run makes some"),
        ([], 2, "results/default: no results here; okbench run makes some"),
        (["r", "--license", "mine, all mine"], 2, "'mine, all mine' is not a license"),
        (["r", "--agent", "<nobody>"], 2, "is not an agent"),
        (["r", "again"], 2, "again"),
        (["damaged"], 1, "its bytes do not match its digest"),
        (["no-plan"], 1, "plan.json: not a valid plan"),
    ],
)
def test_bad_requests_are_one_clear_line(okbench, tmp_path, arguments, status, message):
    (tmp_path / "empty").mkdir()
    okbench("run", SPARSE, "--tier", "quick", "--quiet", "--out", "r", check=0)
    damaged = next(shutil.copytree(tmp_path / "r", tmp_path / "damaged").rglob("*.h5"))
    damaged.write_bytes(damaged.read_bytes()[:-1])
    next(shutil.copytree(tmp_path / "r", tmp_path / "no-plan").rglob("plan.json")).write_text("{")
    done = okbench("export", "crate", *arguments, check=status)
    assert message in done.stderr and done.stderr.count("\n") == 1 and done.stderr.startswith("okbench: ")
    assert done.stdout == "" and not list(tmp_path.rglob(crates.METADATA))


def test_help_and_completion_know_it(okbench):
    assert "ro-crate-metadata.json" in okbench("export", "crate", "--help", check=0).stdout
    for shell in ("bash", "zsh", "fish"):
        assert "crate" in okbench("completion", shell, check=0).stdout
