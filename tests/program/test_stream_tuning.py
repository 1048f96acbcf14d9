"""Streams that are tuned on how they begin: the choice is what trials of the candidates alone come to."""

import json
import re

import pytest

from okbench.results import read_trace

SPEC = """format = 2
experiment = "test/tuned"
repetitions = {repetitions}
[data]
name = "{data}"
order = "{order}"
synthetic = true
synthetic_rows = 1000
[kernel]
name = "rbf"
gamma = {gamma}
[trace]
record_all_until = 0
per_decade = 1
every = 100
[learners.norma]
learner = "norma"
loss = "{loss}"
buffer = 64
"""
TUNE = "[learners.norma.tune]\neta0 = [0.001, 0.5, 30]\n"
CASES = {
    "binary": {"repetitions": 2, "data": "a9a", "order": "permutation", "gamma": 0.05, "loss": "hinge"},
    "regression": {"repetitions": 1, "data": "waves-gaussian", "order": "file", "gamma": 100, "loss": "squared"},
}


def rows_of(okbench, folder):
    return json.loads(okbench("summary", folder, "--json", check=0).stdout)["trials"]


@pytest.mark.parametrize("case", CASES)
def test_the_choice_is_that_of_trials_alone(case, okbench, tmp_path):
    text = SPEC.format(**CASES[case])
    values = "[0.001, 0.5, 30]" if case == "binary" else "[0.001, 0.2, 0.5]"
    (tmp_path / "tuned.toml").write_text(text + TUNE.replace("[0.001, 0.5, 30]", values))
    (tmp_path / "each.toml").write_text(text + TUNE.replace("tune", "grid").replace("[0.001, 0.5, 30]", values))
    okbench("run", tmp_path / "tuned.toml", "--out", tmp_path / "r", check=0)
    okbench("run", tmp_path / "each.toml", "--set", "data.max_examples=100", "--out", tmp_path / "each", check=0)
    tuned, each = rows_of(okbench, tmp_path / "r"), rows_of(okbench, tmp_path / "each")
    repetitions = CASES[case]["repetitions"]
    assert len(tuned) == repetitions and len(each) == 3 * repetitions
    chosen = {row["seed"]: row for row in tuned}
    for path in (tmp_path / "r").rglob("norma-r*.h5"):
        trace = read_trace(path)
        row = {**chosen[trace.spec["repetition"]], "tuned": trace.summary["tuned"]}
        candidates = [one for one in each if one["seed"] == row["seed"]]
        requested = sum(one["kernel_evaluations"]["requested"] for one in candidates)
        assert row["tuned"]["kernel_evaluations"]["requested"] == requested
        assert row["tuned"]["trials"] == 3
        errors = row["tuned"]["validation_errors"]
        assert row["tuned"]["candidate"] == errors.index(min(errors))
        assert row["parameters"]["eta0"] == candidates[row["tuned"]["candidate"]]["parameters"]["eta0"]
        if case == "binary":
            assert errors == [one["error_rate"] for one in candidates]
        assert row["examples"] == 1000


def test_searches_are_no_results_of_their_own(okbench, tmp_path):
    (tmp_path / "tuned.toml").write_text(SPEC.format(**CASES["binary"]) + TUNE)
    done = okbench("run", tmp_path / "tuned.toml", "--out", tmp_path / "r", check=0)
    assert len(list((tmp_path / "r").rglob("*.h5"))) == 8
    assert len(re.findall(r"/p[01]: ", done.stderr)) == 6
    assert len(json.loads(okbench("summary", tmp_path / "r", "--json", "--folds", check=0).stdout)["trials"]) == 8
    # One that is missing runs again, with what needs it.
    next((tmp_path / "r").rglob("norma-p0-*.h5")).unlink()
    done = okbench("run", tmp_path / "tuned.toml", "--out", tmp_path / "r", check=0)
    assert "7 already have results, 1 to run" in done.stderr


def test_a_step_that_every_divides_is_recorded(okbench, tmp_path):
    (tmp_path / "tuned.toml").write_text(SPEC.format(**CASES["binary"]))
    okbench("run", tmp_path / "tuned.toml", "--out", tmp_path / "r", check=0)
    for path in (tmp_path / "r").rglob("*.h5"):
        steps = list(read_trace(path).tables["trace"]["step"])
        assert [step for step in steps if step % 100 == 0] == list(range(100, 1001, 100))


def test_rows_that_stand_class_by_class_are_no_beginning(okbench, tmp_path):
    case = {"repetitions": 1, "data": "imageclef07", "gamma": 0.00625, "loss": "multiclass-hinge"}
    for order, status in (("file", 2), ("permutation", 0)):
        (tmp_path / "tuned.toml").write_text(SPEC.format(order=order, **case) + TUNE)
        done = okbench("plan", tmp_path / "tuned.toml", check=status)
        assert ("are grouped by class" in done.stderr) == (status == 2), done.stderr
