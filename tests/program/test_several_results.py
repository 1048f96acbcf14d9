"""Folders with results of several tiers, overrides and copies; results of a spec that has changed since."""

import csv
import json
import re
import shlex
import shutil
import sqlite3

import pytest

SPEC = """format = 2
experiment = "mine/several"
repetitions = 3
[data]
name = "switching"
max_examples = 300
order = "permutation"
[kernel]
name = "rbf"
gamma = 1
[trace]
predictions = true
[tiers.quick]
repetitions = 3
"data.max_examples" = 60
[learners.pa]
learner = "passive-aggressive"
grid = { C = [0.1, 1] }
[learners.ogd]
learner = "ogd"
"""


@pytest.fixture
def runs(okbench, tmp_path):
    """Results of two tiers in r/default and r/quick, of the spec s.toml."""
    (tmp_path / "s.toml").write_text(SPEC)
    okbench("run", "s.toml", "--out", "r/default", "--quiet", check=0)
    okbench("run", "s.toml", "--tier", "quick", "--out", "r/quick", "--quiet", check=0)
    return tmp_path


def rows_of(text):
    return [re.split(r"  +", line.strip()) for line in text.splitlines()]


def test_measures_are_not_averaged_over_tiers(okbench, runs):
    table = json.loads(okbench("measure", "r", "--measure", "error", "--json", check=0).stdout)
    assert {row["seeds"] for row in table} == {3}
    for folder in ("r/default", "r/quick"):
        alone = json.loads(okbench("measure", folder, "--measure", "error", "--json", check=0).stdout)
        assert [row for row in table if row["folder"] == folder] == alone
    head, *rows = rows_of(okbench("measure", "r", "--measure", "error", check=0).stdout)
    assert head[0] == "folder" and {row[0] for row in rows} == {"r/default", "r/quick"}
    okbench("measure", "r", "--measure", "error", "--curves", "c.csv", check=0)
    assert {row["folder"] for row in csv.DictReader(open(runs / "c.csv"))} == {"r/default", "r/quick"}


def test_copies_of_a_result_count_once(okbench, runs):
    shutil.copytree(runs / "r/default", runs / "r/copy")
    table = json.loads(okbench("measure", "r", "--measure", "error", "--json", check=0).stdout)
    assert {row["seeds"] for row in table} == {3} and {row["folder"] for row in table} == {"r/copy", "r/quick"}


@pytest.mark.parametrize("place", [".", "..", "../several"])
def test_a_folder_may_be_named_from_inside(okbench, runs, place):
    inside = runs / "r/default/mine/several"
    for verb in (["measure", place, "--measure", "error", "--only", "*ogd*"], ["plot", place, "--out", runs / "q.png"]):
        okbench(*verb, cwd=inside, check=0)


def test_a_renamed_folder_is_named(okbench, runs):
    (runs / "r/default/mine/several").rename(runs / "r/default/mine/other")
    for verb in (["measure", "r/default", "--measure", "error"], ["plot", "r/default"]):
        done = okbench(*verb)
        assert done.returncode == 2 and "the plan of mine/several is not in a folder of that name" in done.stderr
        assert done.stderr.count("\n") == 1


def test_the_best_is_chosen_within_a_run(okbench, runs):
    okbench("run", "s.toml", "--out", "r/set", "--set", "kernel.gamma=100", "--quiet", check=0)
    head, *rows = rows_of(okbench("summary", "r", "--best", "--width", "0", check=0).stdout)
    assert head[4:6] == ["tier", "overrides"] and len(rows) == 6
    assert {tuple(row[4:6]) for row in rows} == {("default", "-"), ("quick", "-"), ("default", "kernel.gamma=100")}
    alone = okbench("summary", "r/default", "--best", "--width", "0", check=0).stdout
    assert "overrides" not in alone and len(rows_of(alone)) == 3
    table = list(csv.DictReader(okbench("export", "r", "--to", "-", check=0).stdout.splitlines()))
    assert {(row["tier"], row["overridden"]) for row in table} == {tuple(row[4:6]) for row in rows} - {
        ("default", "-"),
        ("quick", "-"),
    } | {("default", ""), ("quick", "")}
    for run in {(row["tier"], row["overridden"]) for row in table}:
        own = [row for row in table if (row["tier"], row["overridden"]) == run]
        assert min(own, key=lambda row: float(row["mean"]))["best"] == "1"
    assert okbench("export", "r", "--best", "--to", "t.tex", check=0) and "(quick)" in (runs / "t.tex").read_text()


def test_folders_with_several_runs_are_compared_run_by_run(okbench, runs):
    shutil.copytree(runs / "r", runs / "other")
    shutil.rmtree(runs / "other/default")
    okbench("run", "s.toml", "--out", "other/default", "--set", "kernel.gamma=500", "--quiet", check=0)
    done = okbench("compare", "r", "other", "--level", "0.05")
    assert done.returncode == 1 and "mine/several/ogd (default)" in done.stdout and "ogd (quick)" in done.stdout
    assert okbench("compare", "r/quick", "other/quick", "--level", "0.05").returncode == 0
    okbench("run", "s.toml", "--out", "other/set", "--set", "kernel.gamma=2", "--quiet", check=0)
    done = okbench("compare", "r", "other", "--level", "0.05")
    assert done.returncode == 2 and done.stderr.startswith("okbench: other: has several results of mine/several/")


def test_a_spec_with_more_trials_is_noticed(okbench, runs):
    spec = (runs / "s.toml").read_text()
    (runs / "s.toml").write_text(spec.replace("repetitions = 3\n[data]", "repetitions = 5\n[data]"))
    note = "the present spec of mine/several has 6 more trials; run it again"
    done = okbench("measure", "r/default", "--measure", "error")
    assert done.returncode == 1 and note in done.stderr
    assert note in okbench("plot", "r/default", "--out", "q.png", check=0).stderr
    (runs / "s.toml").write_text(spec + "[learners.more]\nlearner = 'norma'\n")
    assert okbench("measure", "r/default", "--measure", "error", "--only", "*ogd*", check=0).stdout
    assert "3 more trials" in okbench("measure", "r/default", "--measure", "error").stderr


def test_a_figure_of_the_best_leaves_out_incomplete_grid_points(okbench, runs):
    errors = json.loads(okbench("summary", "r/default", "--mean", "--json", check=0).stdout)["means"]
    best = min((row for row in errors if row["key"] == "pa"), key=lambda row: row["error_rate"]["mean"])["grid_point"]
    for trial in json.loads((runs / "r/default/mine/several/plan.json").read_text())["trials"]:
        if f"pa[{best}]/r0" in trial["name"]:
            (runs / "r/default/mine/several" / trial["file"]).unlink()
    kept = okbench("summary", "r/default", "--best", "--width", "0").stdout
    okbench("plot", "r/default", "--best", "--target", "0.5", "--out", "q.svg", check=0)
    other = {"C=0.1": "C=1", "C=1": "C=0.1"}[best]
    assert f"{other} " in kept and f"({other}):" in (runs / "q.svg").read_text()


def test_an_error_equal_to_the_target_has_not_reached_it(okbench, runs):
    rows = json.loads(okbench("summary", "r/default", "--json", check=0).stdout)["trials"]
    assert len({row["error_rate"] for row in rows}) > 3
    for row in rows:
        target = f"{row['error_rate']:.17g}"
        again = json.loads(okbench("summary", "r/default", "--json", "--target", target, check=0).stdout)["trials"]
        (same,) = [other for other in again if other["id"] == row["id"]]
        assert (same["cost_to_reach"] or {}).get("requested") is None


def test_learners_with_equal_settings_have_two_rows_in_a_database(okbench, tmp_path):
    (tmp_path / "s.toml").write_text(
        SPEC.partition("[learners")[0] + "[learners.a]\nlearner = 'ogd'\n[learners.b]\nlearner = 'ogd'\n"
    )
    okbench("run", "s.toml", "--out", "r", "--quiet", check=0)
    okbench("export", "r", "--to", "x.sqlite", check=0)
    trials = sqlite3.connect(tmp_path / "x.sqlite").execute(
        "SELECT trials.name, count(*) FROM trials JOIN summaries ON trial = id WHERE summaries.name = 'requested'"
        " GROUP BY id"
    )
    assert sorted(trials) == [(f"mine/several/{key}/r{seed}", 1) for key in "ab" for seed in range(3)]


@pytest.mark.parametrize(
    "line", ["eta = [0.1, 0.1000001]", "eta = { values = [0.1, 0.1000001] }"], ids=["list", "table"]
)
def test_values_that_names_cannot_tell_apart_are_refused(okbench, tmp_path, line):
    (tmp_path / "s.toml").write_text(
        SPEC.partition("[learners")[0] + f"[learners.ogd]\nlearner = 'ogd'\n[learners.ogd.grid]\n{line}\n"
    )
    done = okbench("run", "s.toml", "--out", "r")
    assert done.returncode == 2 and "two trials have the name mine/several/ogd[eta=0.1]/r" in done.stderr
    assert "six digits" in done.stderr and not (tmp_path / "r").exists()


def test_suggested_commands_are_words_of_the_shell(okbench, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC)
    out = "it's a folder"
    said = okbench("run", "s.toml", "--out", out, check=0).stderr
    assert f"results are in {out}\n" in said
    first, second = (line.split("okbench ")[1] for line in said.splitlines()[-2:])
    assert shlex.split(first) == ["summary", out, "--best"]
    assert shlex.split(second) == ["plot", f"{out}/mine/several", "--best"]
    assert okbench(*shlex.split(first), check=0).stdout
    plain = okbench("run", "s.toml", "--out", "r-1.0/a_b", check=0).stderr
    assert "okbench summary r-1.0/a_b --best" in plain
