"""Data sets that a catalog of the user replaces: their results are kept apart, and no claim is judged on them."""

import json

import pytest

from okbench import errors, load
from okbench.results import Results

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


def test_a_catalog_that_is_read_twice_replaces_nothing(okbench, tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC.replace('"wine"', '"mine"'))
    (tmp_path / "own.toml").write_text(CATALOG.replace("[wine", "[mine"))
    (tmp_path / "mine.csv").write_text("".join(f"{i % 2},{i / 10},{i % 3}\n" for i in range(40)))
    env = {"OKBENCH_CATALOG": f"{tmp_path}/own.toml:{tmp_path}/own.toml", "OKBENCH_MIRROR": str(tmp_path)}
    assert "results are in results/default\n" in okbench("run", "spec.toml", env=env, check=0).stderr


PENDIGITS = SPEC.replace('"wine"', '["pendigits", "digits"]')


def test_real_data_in_place_of_missing_files(okbench, tmp_path):
    """scikit-learn's digits in place of pen-based digits: marked everywhere, verified, and not mixed with others."""
    (tmp_path / "spec.toml").write_text(PENDIGITS)
    env = {"OKBENCH_CACHE": str(tmp_path / "cache")}
    run = okbench("run", "spec.toml", "--replace", "-v", env=env, check=0)
    title = "Optical digits in place of pen digits"
    assert run.stderr.count(f"[{title}]") == 1 and "results/default-replaced-data" in run.stderr
    folder = "results/default-replaced-data"
    rows = json.loads(okbench("summary", folder, "--json", env=env, check=0).stdout)["trials"]
    assert {row["data_set"]: row["replacement"] for row in rows} == {"pendigits": title, "digits": None}
    assert all(row["synthetic"] is False for row in rows)
    # The same rows, in an order of their own: the seed has the name of the data set.
    assert rows[0]["examples"] == rows[1]["examples"] == 1297
    assert f"pendigits ({title})" in okbench("summary", folder, env=env, check=0).stdout
    assert "2 of 2 trials have a valid result" in okbench("verify", folder, env=env, check=0).stdout
    frame = load(tmp_path / folder)
    assert dict(zip(frame["data"], frame["replacement"])) == {"pendigits": title, "digits": ""}
    # Without --replace the same trial is synthetic, with another id; --no-synthetic leaves it out.
    okbench("run", "spec.toml", env=env, check=0)
    plain = json.loads(okbench("summary", "results/default", "--json", env=env, check=0).stdout)["trials"]
    assert {row["data_set"]: row["synthetic"] for row in plain} == {"pendigits": True, "digits": False}
    ids = [{row["data_set"]: row["id"] for row in some} for some in (rows, plain)]
    assert ids[0]["pendigits"] != ids[1]["pendigits"] and ids[0]["digits"] == ids[1]["digits"]
    okbench("run", "spec.toml", "--no-synthetic", "--out", "real", env=env, check=0)
    plan = json.loads((tmp_path / "real/replaced/one/plan.json").read_text())
    assert [trial["data"] for trial in plan["trials"]] == ["digits"]
    assert okbench("summary", "real", env=env, check=0)
    words = ("run", "spec.toml", "--no-synthetic", "--set", "data.name=pendigits", "--out", "none")
    assert "leaves out every trial" in okbench(*words, env=env, check=2).stderr
    said = okbench("run", "spec.toml", "--force", env=env, check=0).stderr
    assert (
        "trials are on SYNTHETIC DATA: there are no files of pendigits" in said
        or "1 trial is on SYNTHETIC DATA" in said
    )


def test_a_replacement_without_its_files_is_refused(okbench, tmp_path):
    (tmp_path / "spec.toml").write_text(SPEC.replace('"wine"', '"usps"'))
    env = {"OKBENCH_CACHE": str(tmp_path / "cache")}
    error = okbench("run", "spec.toml", "--replace", env=env, check=2).stderr
    assert "fashion-16-train.csv not found" in error and error.count("\n") == 1
