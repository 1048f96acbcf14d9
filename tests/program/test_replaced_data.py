"""Data sets that a catalogue of the user replaces: their results are kept apart, and no claim is judged on them."""

import json

import pytest

from okbench import errors
from okbench.traces import Results

SPEC = """
format = 2
experiment = "replaced/one"
title = "Wine, of which there may be two"
repetitions = 1
[data]
name = "wine"
positive = [0]
order = "permutation"
[kernel]
name = "rbf"
sigma = 100
[learners.perceptron]
learner = "perceptron"
"""
CATALOG = """
[wine]
format = "csv"
title = "not wine"
terms = ""
kind = "multiclass"
features = 2
range = [0.0, 4.0]
labels = ["0", "1"]
[wine.train]
files = [{ name = "mine.csv", urls = [], sha256 = "" }]
rows = 40
"""


def test_replaced_data_has_a_folder_of_its_own(okbench, tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC)
    (tmp_path / "own.toml").write_text(CATALOG)
    (tmp_path / "mine.csv").write_text("".join(f"{i % 2},{i / 10},{i % 3}\n" for i in range(40)))
    env = {"OKBENCH_CATALOG": str(tmp_path / "own.toml"), "OKBENCH_MIRROR": str(tmp_path)}
    okbench("run", "spec.toml", check=0)
    apart = okbench("run", "spec.toml", env=env, check=0)
    assert "results are in results/default-replaced-data\n" in apart.stderr
    folders = [tmp_path / "results" / name for name in ("default", "default-replaced-data")]
    plans = [json.loads((folder / "replaced" / "one" / "plan.json").read_text()) for folder in folders]
    assert "replaced_data" not in plans[0] and plans[1]["replaced_data"] == ["wine"]
    assert len(Results(folders[0]).find("replaced/one/perceptron")) == 1
    with pytest.raises(errors.NotRun, match="run on other data of the names wine"):
        Results(folders[1]).find("replaced/one/perceptron")


def test_a_catalogue_that_is_read_twice_replaces_nothing(okbench, tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC.replace('"wine"', '"mine"'))
    (tmp_path / "own.toml").write_text(CATALOG.replace("[wine", "[mine"))
    (tmp_path / "mine.csv").write_text("".join(f"{i % 2},{i / 10},{i % 3}\n" for i in range(40)))
    env = {"OKBENCH_CATALOG": f"{tmp_path}/own.toml:{tmp_path}/own.toml", "OKBENCH_MIRROR": str(tmp_path)}
    assert "results are in results/default\n" in okbench("run", "spec.toml", env=env, check=0).stderr
