"""The league's figures: drawn from trace files alone, in three formats, the same twice, and not without results."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "python"), str(ROOT / "tests" / "python" / "league")]
from league_files import run, whole_league, write  # noqa: E402

from okbench import league  # noqa: E402
from okbench.results import Results  # noqa: E402
from okbench.plotting import draw as drawing  # noqa: E402
from okbench.plotting import style  # noqa: E402
from okbench.report import web_figures  # noqa: E402
from okbench.report import league_figures as figures  # noqa: E402
from okbench.report import league_regression  # noqa: E402, F401  (registers figures)
from okbench.plotting.registry import LEAGUE_FIGURES, LEAGUE_TABLES  # noqa: E402

CLASSES = ("league-budget", "league-cost-to-target", "league-memory", "league-ranks", "league-seconds")
REAL = ("league-decibel", "league-regression-cost-to-target", "league-regression-ranks", "league-tracking")
NAMES = CLASSES + REAL
TABLES = ["league-regression", "league-regression-standings", "league-standings"]


def draw(folder, only="league-*"):
    return subprocess.run(
        [sys.executable, "-m", "okbench", "report", "figures", "--results", str(folder), "--only", only],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}/python", "HOME": "/tmp", "PATH": "/usr/bin:/bin"},
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return write(tmp_path_factory.mktemp("league") / "r", whole_league())


@pytest.fixture(scope="module")
def field(results):
    return league.of(Results(results))


def test_all_are_drawn_and_the_same_twice(results):
    assert sorted(LEAGUE_FIGURES) == sorted(NAMES) and sorted(LEAGUE_TABLES) == TABLES
    done = draw(results)
    assert done.returncode == 0 and "not made" not in done.stdout, done.stdout + done.stderr
    home = results / "figures"
    images = {name: (home / f"{name}.svg").read_bytes() for name in NAMES}
    for name in NAMES:
        assert all((home / f"{name}{kind}").stat().st_size > 4000 for kind in (".png", ".pdf", ".svg"))
        text, caption = images[name].decode(), (home / f"{name}.txt").read_text()
        if name in CLASSES:
            assert all(key in text for key in ("bpa-s", "fogd", "ogd", "rbp"))
            assert caption.startswith("The league: ")
            assert "a9a, letter, usps, w8a; 3 orders of each; default tier." in caption
        else:
            assert all(key in text for key in ("fogd", "ogd")) and "bpa-s" not in text
            assert caption.startswith("The league's regression: ")
    assert "Data sets: channel, waves; 1 to 3 orders of each" in (home / "league-regression-ranks.txt").read_text()
    assert "of the last 100 examples" in (home / "league-tracking.txt").read_text()
    assert "Data sets: channel; 1 order of each" in (home / "league-decibel.txt").read_text()
    standings = (home / "league-regression-standings.md").read_text().splitlines()
    assert [line.split(" | ")[0] for line in standings[4:]] == ["| fogd", "| ogd"]
    text = images["league-cost-to-target"].decode()
    assert "kernel values and features requested, with tuning" in text and "share of targets reached" in text
    assert "seconds of learning" in images["league-seconds"].decode()
    assert "critical difference 2.35" in images["league-ranks"].decode()
    table = (home / "league-standings.md").read_text().splitlines()
    assert [line.split(" | ")[0] for line in table[4:]] == ["| ogd", "| bpa-s", "| fogd", "| rbp"]
    assert "| waves | fogd | 256 | 0.4100 | 0.0100 | 256 |" in (home / "league-regression.md").read_text()
    assert draw(results).returncode == 0
    assert images == {name: (home / f"{name}.svg").read_bytes() for name in NAMES}


def test_without_results_the_reason_is_reported(tmp_path):
    (tmp_path / "r").mkdir()
    done = draw(tmp_path / "r")
    assert done.returncode == 2
    for name in NAMES:
        reason = f"no results of the league in {tmp_path}/r: create them with okbench run"
        assert f"figure {name}: not made, {reason}" in done.stdout


def test_too_little_for_a_figure_is_reported(tmp_path):
    short = [run("league/a9a", key, 0, [10, 20], [100, 200], {"budget": 8}) for key in ("a", "b")]
    done = draw(write(tmp_path / "r", short))
    assert "league-cost-to-target: not made, no data set of the league has a running error" in done.stdout
    assert "league-ranks: not made, the league has 1 data sets with classes; 2 needed" in done.stdout
    assert "league-regression: not made, the league has no data sets with real targets" in done.stdout
    assert "league-regression-ranks: not made, the league has 0 data sets with real targets; 2 needed" in done.stdout
    assert "league-decibel: not made, the league has no series" in done.stdout
    assert "figure league-budget: " in done.stdout and "league-budget.png" in done.stdout


def test_synthetic_data_is_reported(tmp_path):
    flat = 10 * np.arange(1, 13), 100 * np.arange(1, 13)
    trials = [run("league/a9a", key, 0, *flat, {"budget": 8}, synthetic=key == "b") for key in ("a", "b")]
    assert draw(write(tmp_path / "r", trials), "league-memory").stdout.endswith("[SYNTHETIC DATA]\n")


def test_curves_have_the_values_of_the_package(field):
    fig, *_ = figures.cost_to_target(field)
    panels = web_figures.panels(fig)
    style.plt.close(fig)
    assert [panel["x"] for panel in panels] == [league.KINDS[kind].label for kind in ("tuning", "requested")]
    for panel, kind in zip(panels, ("tuning", "requested")):
        assert not panel["path"] and panel["xlog"]
        for series in panel["series"]:
            curve = league.curve(field, series["label"], kind)
            if series["kind"] == "points":
                assert series["mark"] == web_figures.CROSS
                assert series["x"] == pytest.approx([curve.gives_up], rel=1e-5)
            else:
                assert series["steps"] and series["y"][-1] == pytest.approx(curve.share, rel=1e-5)
                assert series["x"][0] == pytest.approx(curve.costs[0], rel=1e-5)


def test_fifteen_learners_look_different(monkeypatch, field):
    monkeypatch.setattr(field, "learners", {f"l{number:02}": None for number in range(15)})
    looks = figures.looks(field.learners)
    assert len({(look["color"], str(look["linestyle"]), look["marker"]) for look in looks.values()}) == 15
    assert len({(look["color"], str(look["linestyle"])) for look in looks.values()}) == 15
    assert len({look["marker"] for look in looks.values()}) == 15


def test_budgets_and_those_without_one(field):
    fig, *_ = figures.budget(field)
    panels = {panel["title"]: panel for panel in web_figures.panels(fig)}
    style.plt.close(fig)
    assert list(panels) == ["a9a", "letter", "usps", "w8a"]
    series = {curve["label"]: curve for curve in panels["a9a"]["series"]}
    assert series["bpa-s"]["x"] == [64, 256] and series["ogd"]["span"]
    errors = [100 * entry.error for entry in field.taken("a9a", "bpa-s")]
    assert series["bpa-s"]["y"] == pytest.approx(errors, rel=1e-5)
    assert "rbp" not in {curve["label"] for curve in panels["usps"]["series"]}


def test_a_registered_name_is_found(results):
    content = drawing.content("table", "league-standings", Results(results))
    assert content[0][0] == "learner" and len(content[1]) == 4
