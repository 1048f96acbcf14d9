"""okbench run with learners in rounds: cross validation, checkpoints, rows that cannot be learned."""

import json
import pathlib
import sys

import h5py
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import tuned_spec  # noqa: E402

TUNED = """format = 2
experiment = "test/tuned"
repetitions = 2
[data]
name = ["ijcnn1", "a8a"]
order = "uniform"
batch = 0.05
epochs = 2
synthetic_rows = 300
test = "test"
[kernel]
name = "rbf"
gamma = { ijcnn1 = 1, a8a = 0.05 }
[trace]
checkpoints = 4
training = true
[learners.pegasos]
learner = "pegasos"
[learners.pegasos.tune]
lambda = { powers_of_two = [-2, 0, 4], divide_by_n = true }
[learners.lasvm]
learner = "lasvm"
[learners.lasvm.tune]
lambda = { powers_of_two = [-2, 4], divide_by_n = true }
[learners.sfd]
learner = "sfd"
[learners.cuts]
learner = "sampled-cuts"
lambda = 0.01
"""


@pytest.fixture
def tuned(tmp_path):
    (tmp_path / "tuned.toml").write_text(TUNED)
    return tmp_path / "tuned.toml"


def attribute(path, name):
    with h5py.File(path) as file:
        return json.loads(file.attrs[name])


def test_cross_validation_chooses_the_value_with_the_fewest_mistakes(okbench, summary, tuned, tmp_path):
    okbench("run", tuned, "--out", tmp_path / "r", check=0)
    folder = tmp_path / "r" / "test" / "tuned"
    plan = json.loads((folder / "plan.json").read_text())["trials"]
    files = {trial["id"]: folder / trial["file"] for trial in plan}
    assert sum(trial["fold"] is not None for trial in plan) == 2 * 5 * (3 + 2)
    chosen = set()
    for trial in plan:
        if not trial["needs"]:
            continue
        outcome = attribute(files[trial["id"]], "summary")["tuned"]
        mistakes, cost = {}, {"requested": 0, "computed": 0, "evaluation": 0}
        for need in trial["needs"]:
            fold = attribute(files[need], "summary")
            value = attribute(files[need], "spec")["parameters"]["lambda"]
            with h5py.File(files[need]) as file:
                mistakes[value] = mistakes.get(value, 0) + int(file["checkpoints/test_mistakes"][-1])
            for kind in cost:
                cost[kind] += fold["kernel_evaluations"][kind]
        best = min(mistakes, key=mistakes.get)  # the first of equals
        assert outcome["chosen"] == {"lambda": best}
        assert outcome["validation_errors"] == [count / 300 for count in mistakes.values()]
        assert outcome["kernel_evaluations"] == cost and outcome["trials"] == len(trial["needs"])
        chosen.add(best)
    assert len(chosen) > 1  # else the test could not tell
    rows = summary(tmp_path / "r")
    assert len(rows) == 2 * 2 * 4
    assert {row["parameters"]["lambda"] for row in rows if row["learner"] in ("pegasos", "lasvm")} == chosen
    folds = json.loads(okbench("summary", tmp_path / "r", "--folds", "--json", check=0).stdout)["trials"]
    assert len(folds) == len(rows) + 50


def test_rounds_are_equal_for_any_jobs_target_and_lookahead(okbench, tuned, tmp_path):
    okbench("run", tuned, "--jobs", 1, "--out", tmp_path / "a", check=0)
    okbench("run", tuned, "--jobs", 3, "--isa", "avx2", "--lookahead", 5, "--out", tmp_path / "b", check=0)
    assert "66 traces agree bit for bit" in okbench("compare", tmp_path / "a", tmp_path / "b", check=0).stdout


def test_the_summary_distinguishes_batch_sizes_and_folds(okbench, tmp_path):
    text = tuned_spec("test/batches", '[learners.stream]\nlearner = "norma"\nloss = "hinge"\n')
    (tmp_path / "s.toml").write_text(text.replace("batch = 0.1", "batch = [0.1, 50]").replace("uniform", "permutation"))
    arguments = ["run", "s.toml", "--out", "r"]
    axes = ("experiment", "key", "parameters", "batch", "seed", "fold", "data_set")
    for status, more in ((0, ()), (1, ("--force", "--timeout", "1e-9"))):
        okbench(*arguments, *more, check=status)
        done = okbench("summary", "r", "--folds", "--json", check=status)
        rows = json.loads(done.stdout)["trials"]
        assert {row["batch"] for row in rows if row["key"] == "plain"} == {30, 50}
        assert {row["batch"] for row in rows if row["key"] == "tuned" and row["fold"] is None} == {30, 50}
        assert {row["batch"] for row in rows if row["key"] == "stream"} == {None}
        assert {row["fold"] for row in rows} == {None, 0, 1}
        output = {json.dumps([row[axis] for axis in axes]) for row in rows}
        assert len(output) == len({row["id"] for row in rows}) == len(rows) == 2 + 2 * 2 + 2 * (2 + 4)
        # Without what cross validation would have chosen.
        assert all(
            ("lambda" in row["parameters"]) == (status == 0)
            for row in rows
            if row["key"] == "tuned" and row["fold"] is None
        )
    text = okbench("summary", "r", check=1).stdout
    assert "batch=30" in text and "batch=50" in text


def test_an_interrupted_search_resumes(okbench, tuned, tmp_path):
    okbench("run", tuned, "--out", tmp_path / "whole", check=0)
    # --only takes what the trial needs along: its folds, no other's.
    only = "test/tuned/pegasos?data=a8a]/r1"
    assert "16 to run" in okbench("run", tuned, "--out", tmp_path / "part", "--only", only, check=0).stderr
    folder = tmp_path / "part" / "test" / "tuned"
    next(folder.glob("pegasos-f2-*.h5")).unlink()
    next(folder.glob("pegasos-r1-*.h5")).unlink()
    assert (
        "14 already have results, 2 to run"
        in okbench("run", tuned, "--out", tmp_path / "part", "--only", only, check=0).stderr
    )
    assert "66 trials: 16 already have results" in okbench("run", tuned, "--out", tmp_path / "part", check=0).stderr
    assert "66 traces agree" in okbench("compare", tmp_path / "whole", tmp_path / "part", check=0).stdout


def test_a_search_without_a_fold_fails_with_its_reason(okbench, tuned, summary, tmp_path):
    # A file in the way of a fold's trace: it cannot be written.
    okbench("run", tuned, "--out", tmp_path / "r", "--only", "test/tuned/sfd*", check=0)
    folder = tmp_path / "r" / "test" / "tuned"
    plan = json.loads((folder / "plan.json").read_text())["trials"]
    fold = next(trial for trial in plan if trial["name"] == "test/tuned/lasvm[data=a8a,lambda=0.0533333]/f3")
    (folder / fold["file"]).mkdir()
    done = okbench("run", tuned, "--out", tmp_path / "r", "--only", "test/tuned/lasvm?data=a8a*", check=1)
    assert "FAILED (cross-validation): candidate " in done.stderr
    assert any(row["status"] == "failed: cross-validation" for row in summary(tmp_path / "r", check=1))


def test_checkpoints_of_rounds(okbench, tuned, tmp_path):
    okbench("run", tuned, "--out", tmp_path / "r", "--only", "test/tuned/*data=a8a]/r0", check=0)
    for path in sorted((tmp_path / "r").rglob("*.h5")):
        if "-r0-" not in path.name:
            continue
        with h5py.File(path) as file:
            table = {name: values[:] for name, values in file["checkpoints"].items()}
            trace = {name: values[:] for name, values in file["trace"].items()}
        assert table["examples"][-1] == trace["examples"][-1]
        assert (table["training_nonzero"] <= 300).all() and (table["training_loss"] >= 0).all()
        assert table["support_vectors"][-1] == trace["support_vectors"][-1]
        assert table["kernel_requested"][-1] == trace["kernel_requested"][-1]
        assert (table["kernel_evaluation"][1:] >= table["kernel_evaluation"][:-1]).all()


BAD_ROWS = {
    "one class": ("1 1:0.5\n" * 6, "needs examples of both classes"),
    "no label": ("1 1:0.5\n-1 1:1\n2:0.5\n1 1:2\n-1 2:1\n1 1:3\n", "3:1: "),
}


@pytest.mark.parametrize("case", BAD_ROWS)
@pytest.mark.parametrize("learner", ["sfd", "pegasos", "lasvm", "sampled-cuts"])
def test_bad_training_rows_are_one_clear_line(okbench, tmp_path, case, learner):
    text, message = BAD_ROWS[case]
    (tmp_path / "bad.txt").write_text(text)
    (tmp_path / "catalog.toml").write_text(
        "[bad]\ntitle='bad'\nformat='libsvm'\nfeatures=2\nrange=[0.0,3.0]\nlabels=['-1','1']\nkind='binary'\nterms=''\n"
        "synthetic={generator='clusters'}\n[bad.train]\nrows=6\nfiles=[{name='bad.txt', sha256=''}]\n"
    )
    (tmp_path / "bad.toml").write_text(
        "format=2\nexperiment='test/bad'\n[data]\nname='bad'\norder='permutation'\nbatch=2\n[kernel]\nname='linear'\n"
        f"[learners.x]\nlearner='{learner}'\n"
    )
    done = okbench(
        "run",
        "bad.toml",
        "--out",
        "r",
        env={"OKBENCH_CATALOG": str(tmp_path / "catalog.toml"), "OKBENCH_MIRROR": str(tmp_path)},
        check=1,
    )
    failures = [line for line in done.stderr.splitlines() if "FAILED" in line]
    assert len(failures) == 1 and message in failures[0]
    assert not sorted((tmp_path / "r").rglob("*.h5"))
