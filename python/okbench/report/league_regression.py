"""Figures and tables of the league on data sets with real targets."""

import math

import numpy as np

from ..errors import NotRun
from ..league import regressions, standings
from ..plotting import style
from ..plotting.registry import league_figure, league_table
from .league_figures import (
    HEADER,
    LEGEND,
    distribution,
    legend_below,
    need_sets,
    place,
    rank_diagram,
    shown,
    standing,
    windows,
)
from .league_looks import GREY, best, looks


@league_figure("league-regression-cost-to-target")
def regression_cost(league):
    title = "The league's regression: kernel evaluations to reach a target error"
    return distribution(league.on_real_targets, ("tuning", "requested"), title)


@league_figure("league-regression-ranks")
def regression_ranks(league):
    return rank_diagram(league.on_real_targets, "The league's regression: mean ranks")


LOOK = {"linewidth": 1.1, "markersize": 3.2, "markevery": 0.25}


def draw_streams(league, names, points, columns, xlabel, ylabel):
    """Draws a panel per data set with a curve per learner, at its best budget and its first order. `points(run)`: x
    and y of a curve; empty arrays for none. Returns (figure, panels)."""
    rows = math.ceil(len(names) / columns)
    fig = style.plt.figure(figsize=(style.WIDTH, 2.4 * rows + LEGEND))
    grid = fig.add_gridspec(rows + 1, columns, height_ratios=[2.4] * rows + [LEGEND])
    entries, all_looks, panels, labelled = {}, looks(league.learners), {}, best(league)
    for number, name in enumerate(names):
        axes = panels[name] = fig.add_subplot(grid[divmod(number, columns)])
        for learner, look in all_looks.items():
            entry = league.best(name, learner)
            if entry is None:
                continue
            x, y = points(entry.runs[0])
            label = league.learners[learner].label if learner in labelled else "others"
            if len(x):
                (line,) = axes.plot(x, y, label=label, **(LOOK | look if learner in labelled else GREY))
                entries.setdefault(label, line)
        axes.set_title(name)
        if number + columns >= len(names):
            axes.set_xlabel(xlabel)
        if number % columns == 0:
            axes.set_ylabel(ylabel)
    legend_below(fig, grid[rows, :], entries)
    return fig, panels


def decibels(run):
    """(recorded steps, running mean squared errors in decibel), as indices and values."""
    places, errors = run.running
    kept = errors > 0
    return places[kept], 10 * np.log10(errors[kept])


@league_figure("league-decibel")
def decibel_figure(league):
    """Data sets in the order of their file: series and other streams in time."""
    of = league.on_real_targets
    names = [name for name in of.sets if first_run(of, name).trace.spec["data"]["order"] == "file"]
    if not names:
        raise NotRun("the league has no series")

    def points(run):
        places, values = decibels(run)
        costs = run.cumulative_cost["requested"][places]
        return costs[costs > 0], values[costs > 0]

    fig, panels = draw_streams(of, names, points, min(3, len(names)), "kernel evaluations", "error (dB)")
    for axes in panels.values():
        axes.set_xscale("log")
    caption = (
        f"Mean squared error of the last {windows(of)} examples in decibel against the kernel evaluations requested so "
        "far, without those of tuning; each learner at its best budget. Learners without evaluations are left out. "
    )
    return fig, "The league's regression: error against evaluations", caption + place(of, names), of.data_mark


def first_run(league, name):
    return next(entry for learner in league.learners for entry in league.taken(name, learner)).runs[0]


@league_figure("league-tracking")
def tracking(league):
    of = league.on_real_targets
    names = [name for name in of.sets if first_run(of, name).trace.provenance.get("changes")]
    if not names:
        raise NotRun("the league has no data sets with real targets that change")
    column = {name: decibel_column(first_run(of, name).trace) for name in names}
    if not all(column.values()):
        raise NotRun("a data set that changes has no measure decibel over a window")

    def points(run):
        values = run.trace[column[run.set]]
        kept = np.isfinite(values)
        return run.trace["step"][kept], values[kept]

    fig, panels = draw_streams(of, names, points, min(2, len(names)), "examples", "error (dB)")
    for name, axes in panels.items():
        style.mark_changes(axes, [first_run(of, name).trace])
    spans = ", ".join(sorted({column_name.partition("@")[2] for column_name in column.values()}))
    caption = (
        f"Mean squared error of the last {spans} examples in decibel; the function changes at the dotted lines. Each "
        "learner at its best budget. "
    )
    return fig, "The league's regression: tracking a function that changes", caption + place(of, names), of.data_mark


def decibel_column(trace):
    """The column of the measure decibel over a window; None if the trace has none."""
    return next((name for name in trace.tables["trace"] if name.startswith("decibel@")), None)


@league_table("league-regression-standings")
def regression_standings(league):
    of = league.on_real_targets
    need_sets(of)
    title = "The league's regression, by mean squared error: best of each learner's budgets, cost with tuning"
    return HEADER, [standing(row, of) for row in standings(of)], title, of.data_mark


@league_table("league-regression")
def regression(league):
    records = regressions(league)
    if not records:
        raise NotRun("the league has no data sets with real targets")
    header = [
        "data set",
        "learner",
        "budget",
        "rmse",
        "deviation",
        "coefficients",
        "requested",
        "with tuning",
        "seconds",
    ]
    rows = [
        [
            row["set"],
            league.learners[row["learner"]].label,
            "–" if row["budget"] is None else row["budget"],
            f"{row['rmse']:.4f}",
            f"{row['deviation']:.4f}" if row["orders"] > 1 else "",
            *(shown(row[key]) for key in ("memory", "requested", "tuning", "seconds")),
        ]
        for row in records
    ]
    return header, rows, "The league: real targets", league.data_mark
