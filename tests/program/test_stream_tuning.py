"""Streams that are tuned on how they begin: the choice is what trials of the candidates alone come to."""

import json
import re

import numpy as np
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
def test_tuning_chooses_as_separate_trials_do(case, okbench, tmp_path):
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
        candidates = [candidate for candidate in each if candidate["seed"] == row["seed"]]
        requested = sum(candidate["kernel_evaluations"]["requested"] for candidate in candidates)
        assert row["tuned"]["kernel_evaluations"]["requested"] == requested
        assert row["tuned"]["trials"] == 3
        errors = row["tuned"]["validation_errors"]
        assert row["tuned"]["candidate"] == errors.index(min(errors))
        assert row["parameters"]["eta0"] == candidates[row["tuned"]["candidate"]]["parameters"]["eta0"]
        if case == "binary":
            assert errors == [candidate["error_rate"] for candidate in candidates]
        assert row["examples"] == 1000


def test_searches_are_no_results_of_their_own(okbench, tmp_path):
    (tmp_path / "tuned.toml").write_text(SPEC.format(**CASES["binary"]) + TUNE)
    done = okbench("run", tmp_path / "tuned.toml", "--out", tmp_path / "r", check=0)
    assert len(list((tmp_path / "r").rglob("*.h5"))) == 2
    assert len(re.findall(r"/r[01]: ", done.stderr)) == 2
    assert len(json.loads(okbench("summary", tmp_path / "r", "--json", "--folds", check=0).stdout)["trials"]) == 2


WIDTHS, STEPS = [1, 4, 0.25, 0], [0.05, 0.5, 5]


def descent(outcome):
    """The search by coordinates on {(width, step): running mistakes of a complete run}: (chosen, tried, rows seen)."""
    best, least, tried, rows = None, float("inf"), [], []

    def attempt(width, step):
        nonlocal best, least
        if (width, step) in tried:
            return
        mistakes = outcome[width, step]
        reached = np.flatnonzero(mistakes >= least)
        tried.append((width, step))
        rows.append(reached[0] + 1 if len(reached) else len(mistakes))
        if mistakes[-1] < least:
            best, least = (width, step), mistakes[-1]

    for width in WIDTHS:
        attempt(width, sorted(STEPS)[1])
    for step in STEPS:
        attempt(best[0], step)
    place = sorted(WIDTHS).index(best[0])
    step = best[1]
    for near in (place - 1, place + 1):
        if 0 <= near < len(WIDTHS):
            attempt(sorted(WIDTHS)[near], step)
    return best, tried, rows


@pytest.mark.parametrize("seed", range(4))
def test_a_search_by_coordinates_is_that_of_complete_runs(okbench, tmp_path, seed):
    case = {**CASES["binary"], "repetitions": 1}
    text = SPEC.format(**case).replace("format = 2", f'format = 2\nseed = "{seed}"')
    axes = f"gamma_factor = {WIDTHS}\neta0 = {STEPS}\n"
    search = '[cross_validation]\nsearch = "coordinates"\n'
    (tmp_path / "tuned.toml").write_text(f"{text}[learners.norma.tune]\n{axes}{search}")
    every = text.replace("every = 100", "every = 1").replace("test/tuned", "test/each").replace("seed", "seed")
    (tmp_path / "each.toml").write_text(f"{every}[learners.norma.grid]\n{axes}")
    okbench("run", tmp_path / "tuned.toml", "--out", tmp_path / "r", check=0)
    okbench("run", tmp_path / "each.toml", "--set", "data.max_examples=100", "--out", tmp_path / "each", check=0)
    outcome, costs = {}, {}
    for path in (tmp_path / "each").rglob("*.h5"):
        trace = read_trace(path)
        key = trace.axes["kernel.gamma"] / case["gamma"], trace.axes["eta0"]
        outcome[key] = np.asarray(trace["mistakes"])
        costs[key] = trace.cumulative("requested")
    best, tried, rows = descent(outcome)
    trace = read_trace(next((tmp_path / "r").rglob("*.h5")))
    tuned = trace.summary["tuned"]
    assert [(point["kernel.gamma"] / case["gamma"], point["eta0"]) for point in tuned["tried"]] == tried
    assert tuned["examples"] == rows and tuned["trials"] == len(tried)
    assert tuned["chosen"] == {"kernel.gamma": best[0] * case["gamma"], "eta0": best[1]}
    requested = sum(costs[key][seen - 1] for key, seen in zip(tried, rows))
    assert tuned["kernel_evaluations"]["requested"] == requested
    errors = [outcome[key][-1] / 100 if seen == 100 else None for key, seen in zip(tried, rows)]
    assert [error for error in tuned["validation_errors"] if error is not None] == [
        error for error, seen, key in zip(errors, rows, tried) if error is not None and not stopped(outcome, tried, key)
    ]


def stopped(outcome, tried, key):
    """Whether an earlier combination makes at most as many mistakes."""
    return any(outcome[point][-1] <= outcome[key][-1] for point in tried[: tried.index(key)])


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


def test_the_limit_of_seconds_is_for_all_candidates_together(okbench, tmp_path):
    """Each needs some milliseconds on a fast machine; together they are over the limit on any."""
    case = {**CASES["binary"], "repetitions": 1}
    text = SPEC.format(**case).replace("synthetic_rows = 1000", "synthetic_rows = 30000")
    steps = ", ".join(f"{0.001 * step:g}" for step in range(1, 101))
    (tmp_path / "many.toml").write_text(text + TUNE.replace("0.001, 0.5, 30", steps))
    done = okbench("run", "many.toml", "--out", "r", "--timeout", "0.05", check=1)
    assert "FAILED (timeout): candidate eta0=" in done.stderr
