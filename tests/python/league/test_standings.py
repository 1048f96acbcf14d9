"""The table of the league, and the verb that prints it."""

import itertools
import json

import numpy as np
import pytest
from league_files import experiment, run, whole_league, write

from okbench.league import League, as_json, is_ranked, of, regressions, standings
from okbench.league.output import signed_ranks
from okbench.league.standings import errors, significance
from okbench.report.provenances import provenance
from okbench.results import Results


def league_of(trials):
    groups = itertools.groupby(trials, lambda trial: trial.name.rsplit("/", 2)[0])
    return League([experiment(name, *group) for name, group in groups])


def test_ranks_over_data_sets_by_hand():
    """a is best on x, b on y and z. c has a result on z only, where it is second; it is ranked last on x and y."""
    flat, trials = 100 * np.arange(1, 13), []
    for name, rates in (("x", {"a": 10, "b": 20}), ("y", {"a": 30, "b": 20}), ("z", {"a": 40, "b": 20, "c": 30})):
        for key, rate in rates.items():
            trials.append(run(f"league/{name}", key, 0, rate * np.arange(1, 13), flat, support_vectors=rate))
    rows = standings(league_of(trials), "requested")
    assert [(row["learner"], row["mean_rank"], row["sets"]) for row in rows] == [
        ("b", pytest.approx(4 / 3), 3),
        ("a", pytest.approx(2), 3),
        ("c", pytest.approx(8 / 3), 1),
    ]
    assert rows[2]["missing"] == ["x", "y"]
    assert rows[1]["error"] == pytest.approx((0.1 + 0.3 + 0.4) / 3) and rows[2]["error"] == pytest.approx(0.3)
    assert rows[1]["memory"] == 30  # the median of 10, 30 and 40
    # Whoever begins as it ends reaches the easiest target or none.
    assert all(0 <= row["share"] <= 1 for row in rows)


def test_the_budget_that_is_ranked_is_the_best_of_the_choice():
    flat, trials = 100 * np.arange(1, 13), []
    for budget, rate in ((8, 30), (16, 10), (32, 20)):
        trials.append(run("league/x", "l", 0, rate * np.arange(1, 13), flat, {"budget": budget}))
    trials.append(run("league/x", "free", 0, 5 * np.arange(1, 13), flat))
    league = league_of(trials)
    assert league.best("x", "l").budget == 16 and league.best("x", "l", at_most=8).budget == 8
    assert league.best("x", "l", at_most=32).budget == 16 and league.best("x", "l", at=32).budget == 32
    # Who has no budget takes no part in a choice of them.
    assert errors(league)[0] == ["free", "l"] and errors(league, at_most=8)[0] == ["l"]
    assert league.best("x", "free", at_most=8) is None


def test_a_whole_league():
    league = league_of(whole_league())
    assert league.sets == ["a9a", "letter", "usps", "w8a"] and league.regression == ["channel", "waves"]
    assert league.notes == [
        "league/usps/bpa-s[budget=64]/r1 failed: diverged: bpa-s on usps with a budget of 64 is excluded",
        "league/usps/bpa-s[budget=256]/r1 failed: diverged: bpa-s on usps with a budget of 256 is excluded",
        "bpa-s has no result on usps: it is ranked last there",
        "rbp has no result on letter, usps: it is ranked last there",
    ]
    assert [row["learner"] for row in standings(league)] == ["ogd", "bpa-s", "fogd", "rbp"]
    tests = significance(league)
    assert tests["sets"] == tests["learners"] == 4
    assert tests["friedman"]["p"] < 0.2 and tests["critical_difference"] == pytest.approx(
        2.569 * (20 / 24) ** 0.5, 1e-3
    )
    assert all(pair["p"] is None for pair in tests["pairs"]) and len(tests["pairs"]) == 6
    rows = [row for row in regressions(league) if row["set"] == "waves"]
    assert [(row["learner"], row["budget"], row["rmse"]) for row in rows] == [
        ("fogd", 256, pytest.approx(0.41)),
        ("ogd", None, pytest.approx(0.51)),
    ]
    assert rows[0]["deviation"] == pytest.approx(0.01) and rows[0]["requested"] == 300 * 3000


def test_real_targets_are_ranked_by_squared_errors_by_hand():
    """Mean squared errors: 0.4 of a, whose running error falls from 4 to 0.1; 1 of b. The targets go from the median of
    the first running errors to 1.05 times the least mean."""
    trials = []
    for key, squares in (("a", [4] + 11 * [0.1]), ("b", 12 * [1])):
        more = {"squared_error_sum": 1000 * np.cumsum(squares)}
        steps = 1000 * np.arange(1, 13)
        trials.append(run("league/x", key, 0, np.zeros(12), 10 * steps, more=more, steps=steps, rmse=1.0))
    real = league_of(trials).on_real_targets
    assert real.sets == ["x"] and not real.regression
    assert list(real.learners) == ["a", "b"]
    assert real.best("x", "a").error == pytest.approx(5.1 / 12) and real.best("x", "b").error == pytest.approx(1)
    assert real.ladders["x"] == pytest.approx(np.geomspace(2.5, 1.05 * 5.1 / 12, 8))
    rows = standings(real, "requested")
    assert [(row["learner"], row["mean_rank"]) for row in rows] == [("a", 1), ("b", 2)]
    # a reaches all targets after 2000 steps of ten evaluations, b those of at least 1, after its first 1000.
    assert rows[0]["share"] == 1 and rows[0]["median_cost"] == 20000
    reached = sum(target >= 1 for target in real.ladders["x"])
    assert rows[1]["share"] == reached / 8 and 0 < reached < 8


def test_one_frame_of_all_runs():
    frame = league_of(whole_league()).frame()
    assert len(frame) == len(whole_league()) - 2 * 3  # of bpa-s on usps
    bpa = frame[(frame.learner == "bpa-s") & (frame.set == "a9a") & (frame.budget == 64)]
    assert list(bpa.order) == [0, 1, 2] and list(bpa.tuning - bpa.requested) == [64000] * 3
    assert frame[frame.set == "waves"].error.isna().all()


def test_results_without_a_league_are_reported(okbench, tmp_path):
    (tmp_path / "r").mkdir()
    done = okbench("league", "r", check=1)
    why = "create them with okbench run experiments/league/*.toml"
    assert done.stderr == f"okbench: no results of the league in r: {why}\n"
    assert "no such file or result folder" in okbench("league", "none", check=2).stderr


def test_the_verb_prints_the_values_of_the_package(okbench, tmp_path):
    write(tmp_path / "r", whole_league())
    shown = json.loads(okbench("league", "r", "--json", check=0).stdout)
    league = of(Results(tmp_path / "r"))
    assert shown == json.loads(json.dumps(as_json(league)))
    assert shown["format"] == 1 and shown["cost"] == "tuning" and shown["learners"][0]["learner"] == "ogd"
    text = okbench("league", "r", "--cost", "memory", "--budget", "256", check=0).stdout
    lines = text.splitlines()
    assert lines[0] == "The league (default tier; budgets of at most 256)"
    assert [line.split()[0] for line in lines[3:7]] == ["learner", "bpa-s", "fogd", "rbp"]
    assert "Wilcoxon: no two learners differ on 6 data sets or more" in text
    assert "note: rbp has no result on letter, usps: it is ranked last there" in text and "waves" in text
    done = okbench("league", "r", "--budget", "8", check=1)
    assert done.stderr == "okbench: no learner has a budget of 8 or less; budgets are 64, 256, 1024\n"


def test_a_broken_trace_is_one_line(okbench, tmp_path):
    write(tmp_path / "r", whole_league(1, 12))
    file = next((tmp_path / "r" / "league" / "a9a").glob("*.h5"))
    file.write_bytes(file.read_bytes()[:-1])
    done = okbench("league", "r", check=1)
    assert done.stderr.count("\n") == 1 and file.name in done.stderr


def test_the_power_of_signed_ranks_is_reported():
    """Seven data sets, on all of which a is better: 2 / 2^7, of a single pair."""
    flat, trials = 100 * np.arange(1, 13), []
    for number in range(7):
        for key, rate in (("a", 10), ("b", 20 + number)):
            trials.append(run(f"league/s{number}", key, 0, rate * np.arange(1, 13), flat))
    shown = as_json(league_of(trials))
    assert shown["tests"]["pairs"] == [{"learners": ["a", "b"], "sets": 7, "p": 2 / 128, "adjusted": 2 / 128}]
    assert signed_ranks(shown["tests"]["pairs"]) == (
        "Wilcoxon with Holm's correction, 1 pair: a and b (p = 0.0156); the smallest possible p is 0.0156, or 0.0156 "
        "corrected"
    )
    assert shown["tests"]["friedman"] is None  # two learners


def test_an_undefined_value_is_in_no_mean_and_no_order():
    """auc is not defined in one order of b on x: b has no result there, and the note names learner and order."""
    flat, trials = 100 * np.arange(1, 13), []
    for name in ("x", "y"):
        for order in (0, 1):
            for key, value in (("a", 0.7), ("b", None if (name, order) == ("x", 1) else 0.9)):
                trial = run(f"league/{name}", key, order, 20 * np.arange(1, 13), flat)
                trial.trace.summary["measures"] = {"auc": value}
                trials.append(trial)
    groups = itertools.groupby(trials, lambda trial: trial.name.rsplit("/", 2)[0])
    league = League([experiment(name, *group) for name, group in groups], "auc")
    assert "auc is not defined in order 1: b on x is excluded" in league.notes
    assert league.best("x", "b") is None and league.best("y", "b").value == 0.9
    rows = {row["learner"]: row for row in standings(league)}
    assert rows["b"]["missing"] == ["x"] and rows["b"]["value"] == 0.9 and rows["a"]["value"] == 0.7


def test_a_ranked_experiment_has_a_provenance_with_its_overrides():
    flat, measures = 100 * np.arange(1, 13), 'measures.names=["kappa"]'
    trial = run("league/x", "a", 0, 10 * np.arange(1, 13), flat)
    ranked = experiment("league/x", trial, overrides=(measures,))
    assert is_ranked(ranked) and not is_ranked(experiment("league/x", trial, overrides=(measures, "repetitions=2")))
    command = provenance([ranked], {"league/x": "experiments/league/x.toml"})["command"]
    assert command == f"okbench run experiments/league/x.toml --tier default --set '{measures}'"
