"""Divergence and learners that never learn: what a run says, and what it counts as a failure."""

import json

import h5py

SEARCH = """
format = 2
experiment = "diverging/search"
title = "A search with a candidate that diverges"
repetitions = 1
[data]
name = "waves-gaussian"
order = "file"
max_examples = 400
[kernel]
name = "rbf"
sigma = 0.3
[learners.norma]
learner = "norma"
loss = "squared"
buffer = 50
[learners.norma.tune]
eta0 = [0.2, GRID]
"""


def test_a_diverging_candidate_loses_the_search(okbench, tmp_path):
    (tmp_path / "search.toml").write_text(SEARCH.replace("GRID", "40"))
    run = okbench("run", "search.toml", "--tier", "default", "--out", "r", check=0)
    assert "FAILED" not in run.stderr
    (trace,) = (tmp_path / "r").rglob("norma-r0*.h5")
    with h5py.File(trace) as file:
        tuned = json.loads(file.attrs["summary"])["tuned"]
    assert tuned["chosen"]["eta0"] == 0.2
    assert tuned["validation_errors"][1] is None and len(tuned["diverged"]) == 1 and "40" in tuned["diverged"][0]
    again = okbench("run", "search.toml", "--tier", "default", "--out", "r", check=0)
    assert " 0 to run" in again.stderr
    assert okbench("summary", "r", "--mean", check=0).stdout.count("norma") == 1


def test_a_search_in_which_every_candidate_diverges_fails(okbench, tmp_path):
    (tmp_path / "search.toml").write_text(SEARCH.replace("[0.2, GRID]", "[30, 40]"))
    run = okbench("run", "search.toml", "--tier", "default", "--out", "r", check=1)
    assert "every candidate of the search diverged" in run.stderr


def test_a_learner_that_never_learns_is_named(okbench, tmp_path):
    (tmp_path / "projectron.toml").write_text(
        """
format = 2
experiment = "diverging/projectron"
title = "eta above the norm of every example"
repetitions = 1
[data]
name = "breast-cancer"
[kernel]
name = "rbf"
sigma = 2
[learners.projectron]
learner = "projectron"
eta = 1.0
"""
    )
    run = okbench("run", "projectron.toml", "--tier", "default", "--out", "r", check=0)
    assert "warning: no support vectors" in run.stderr
