"""Figures and tables of the league: cost to target, error against budget, ranks.

docs/explanation/league.md defines the measures.
"""

import math

import numpy as np

from ..errors import NotRun
from ..league import COUNT, KINDS, curve, standings
from ..league.ranks import critical_difference, groups
from ..league.restarts import DRAWS
from ..results.significance import ALPHA

from ..plotting import style
from . import web_figures
from .league_looks import GREY, best, label_ends, looks
from ..plotting.registry import league_figure, league_table

COLUMNS = 5  # columns of a legend
LEGEND = 0.48  # height in inches of a legend with the best learners and "others"


def place(league, names=None):
    """Data sets (default: all that are ranked), orders and tiers, for captions."""
    names = league.sets if names is None else names
    orders = sorted({len(entry.runs) for entry in league.entries.values() if entry.set in names})
    many = f"{orders[0]} to {orders[-1]} orders" if len(orders) > 1 else f"{orders[0]} order{'s'[: orders[0] > 1]}"
    return f"Data sets: {', '.join(names)}; {many} of each; {', '.join(league.tiers)} tier."


def error_of(league):
    """The error that is ranked."""
    return "mean squared error" if league.labels == "real targets" else "error"


def windows(league):
    """The windows of the running errors, as text: "1000" or "60 to 1000"."""
    sizes = sorted({league.window(name) for name in league.sets})
    return f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else f"{sizes[0]}"


def need_sets(league, least=1):
    if len(league.sets) < least:
        raise NotRun(f"the league has {len(league.sets)} data sets with {league.labels}; {least} needed")


def legend_below(fig, grid, entries, columns=COLUMNS):
    """Draws a separate legend in a cell of a grid. `entries`: {label: handle}."""
    axes = fig.add_subplot(grid)
    axes.axis("off")
    entries = dict(sorted(entries.items()))
    axes.legend(entries.values(), entries.keys(), ncol=columns, loc="center", fontsize=7, handlelength=3.2)


def draw_curves(axes, league, kind, labelled=None, **choice):
    """Draws the cost curves of all learners, extended horizontally, with a cross where a learner gives up.

    `labelled`: learners with colours and labels at the ends of their curves; the others are grey. Default: all have
    colours. Raises NotRun if no learner has a curve.
    """
    curves = {key: candidate for key in league.learners if (candidate := curve(league, key, kind, **choice))}
    if not curves:
        raise NotRun("no learner has a running error on any data set")
    end = max(max(cost_curve.gives_up, *cost_curve.costs[-1:], 0) for cost_curve in curves.values())
    ends, all_looks = [], looks(league.learners)
    for learner, cost_curve in curves.items():
        label, look = league.learners[learner].label, all_looks[learner]
        grey = labelled is not None and learner not in labelled
        x, y = cost_curve.points()
        if len(x) and x[-1] < end:
            x, y = np.append(x, end), np.append(y, y[-1])
        if grey:
            axes.plot(x, y, label=label, drawstyle="steps-post", **GREY)
            continue
        every = {"markersize": 3.2, "markevery": 0.2, "linewidth": 1.2}
        axes.plot(x, y, label=label, drawstyle="steps-post", **every, **look)
        if len(y):
            ends.append((y[-1], label, look["color"]))
        (cross,) = axes.plot(
            [cost_curve.gives_up], [cost_curve.at(cost_curve.gives_up)], "x", color=look["color"], markersize=6
        )
        cross.set_markeredgewidth(1.6)
        style.named(cross, label)
        cross.series_mark = web_figures.CROSS
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel(KINDS[kind].label)
    if labelled is not None:
        label_ends(axes, ends)


def distribution(league, kinds, title):
    need_sets(league)
    if not any(league.ladders.values()):
        raise NotRun("no data set of the league has a running error")
    fig, panels = style.panels(len(kinds), height=3.1)
    labelled = best(league)
    for axes, kind in zip(panels, kinds):
        draw_curves(axes, league, kind, labelled)
    panels[0].set_ylabel("share of targets reached")
    caption = (
        f"Colours: the {len(labelled)} learners with the best mean ranks; grey: the others. "
        f"Share of all pairs (data set, target error) that a learner has reached at a given cost. Each data set has "
        f"at most {COUNT} targets; a target is reached when the {error_of(league)} over the last "
        f"{windows(league)} examples stays at "
        f"or below it to the end. For each pair, the budget with the smallest expected cost. Failed runs restart on "
        f"another order ({DRAWS} simulated runs per pair). Cross: median cost of complete runs. "
    )
    return fig, title, caption + place(league), league.data_mark


@league_figure("league-cost-to-target")
def cost_to_target(league):
    return distribution(league, ("tuning", "requested"), "The league: kernel evaluations to reach a target error")


@league_figure("league-memory")
def memory(league):
    return distribution(league, ("memory",), "The league: coefficients to reach a target error")


@league_figure("league-seconds")
def seconds(league):
    return distribution(league, ("seconds",), "The league: seconds to reach a target error")


@league_figure("league-budget")
def budget(league):
    need_sets(league)
    columns = min(3, len(league.sets))
    rows = math.ceil(len(league.sets) / columns)
    fig = style.plt.figure(figsize=(style.WIDTH, 2.1 * rows + LEGEND))
    grid = fig.add_gridspec(rows + 1, columns, height_ratios=[2.1] * rows + [LEGEND])
    entries, labelled = {}, best(league)
    for number, name in enumerate(league.sets):
        axes = fig.add_subplot(grid[divmod(number, columns)])
        draw_budgets(axes, league, name, labelled, entries)
        axes.set_title(name)
        axes.set_xscale("log", base=2)
        budgets = sorted({entry.budget for _, entry in of_set(league, name) if entry.budget is not None})
        axes.set_xticks(budgets, budgets, minor=False)
        axes.tick_params(axis="x", labelsize=6.5)
        if number + columns >= len(league.sets):
            axes.set_xlabel("budget")
        if number % columns == 0:
            axes.set_ylabel("error (%)")
    legend_below(fig, grid[rows, :], entries)
    caption = (
        "Error over the whole stream against the budget (support vectors; for FOGD, random features): means over "
        "orders, with error bars of one standard deviation. Horizontal lines: learners without a budget. Colours: the "
        f"{len(labelled)} learners with the best mean ranks; grey: the others. "
    )
    return fig, "The league: error against budget", caption + place(league), league.data_mark


def of_set(league, name):
    """[(learner, entry)] of all results on a data set."""
    return [(learner, entry) for learner in league.learners for entry in league.taken(name, learner)]


def draw_budgets(axes, league, name, labelled, entries):
    """Draws the panel of one data set, the learners `labelled` in colour. Adds to the legend's `entries`."""
    for learner, look in looks(league.learners).items():
        label = league.learners[learner].label if learner in labelled else "others"
        look = look if learner in labelled else {**GREY, "marker": ""}
        taken = league.taken(name, learner)
        budget_entries = [entry for entry in taken if entry.budget is not None]
        if budget_entries:
            means, deviations = np.array([entry.spread(lambda run: 100 * run.error) for entry in budget_entries]).T
            bars = axes.errorbar(
                [entry.budget for entry in budget_entries],
                means,
                deviations if len(budget_entries[0].runs) > 1 else None,
                label=label,
                **{"markersize": 3.2, "linewidth": 1.1, "elinewidth": 0.7, **look},
            )
            entries.setdefault(label, bars)
        for entry in taken:
            if entry.budget is None:
                line = axes.axhline(100 * entry.error, label=label, **{"linewidth": 1.1, **look, "marker": None})
                entries.setdefault(label, line)


@league_figure("league-ranks")
def class_ranks(league):
    return rank_diagram(league, "The league: mean ranks")


def rank_diagram(league, title):
    need_sets(league, 2)
    rows = standings(league, "requested")
    if len(rows) < 2:
        raise NotRun("ranks need two learners")
    difference = critical_difference(len(rows), len(league.sets))
    labels = [row["label"] for row in rows]
    ranks = [row["mean_rank"] for row in rows]
    bars = groups(ranks, difference)
    half = math.ceil(len(rows) / 2)
    # From top to bottom: critical difference, axis, bars, names; the best and the worst rank are lowest, at the edges.
    names_from = 0.35 + 0.16 * len(bars)
    depth = names_from + 0.24 * half
    fig, (axes,) = style.panels(1, height=0.9 + depth)
    axes.axis("off")
    axes.set_xlim(0.1 - 0.22 * len(rows), 0.9 + 1.22 * len(rows))
    axes.set_ylim(-depth, 0.7)
    axes.hlines(0, 1, len(rows), color="black", linewidth=1)
    for rank in range(1, len(rows) + 1):
        axes.vlines(rank, 0, 0.08, color="black", linewidth=1)
        axes.text(rank, 0.12, str(rank), ha="center", va="bottom", fontsize=7.5)
    axes.hlines(0.5, 1, min(1 + difference, len(rows)), color="black", linewidth=1.6)
    wide = "" if difference <= len(rows) - 1 else ", wider than the axis"
    axes.text(1, 0.55, f"critical difference {difference:.2f}{wide}", ha="left", va="bottom", fontsize=7.5)
    for number, (first, last) in enumerate(bars):
        low, high = ranks[first] - 0.06, ranks[last] + 0.06
        axes.hlines(-0.2 - 0.16 * number, low, high, color=style.VERMILION, linewidth=3)
    for number, (label, rank) in enumerate(zip(labels, ranks)):
        left = number < half
        level = -names_from - 0.24 * (number if left else len(rows) - 1 - number)
        edge = 0.7 if left else len(rows) + 0.3
        axes.vlines(rank, level, 0, color="#444444", linewidth=0.7)
        axes.hlines(level, min(edge, rank), max(edge, rank), color="#444444", linewidth=0.7)
        text = f"{label} ({rank:.2f})" if left else f"({rank:.2f}) {label}"
        axes.text(
            edge + (-0.1 if left else 0.1), level, text, ha="right" if left else "left", va="center", fontsize=7.5
        )
    caption = (
        f"Mean ranks over {len(league.sets)} data sets by the {error_of(league)} over the whole stream, each learner "
        "at its best budget. A learner without a result on a data set is ranked last there. Bars join learners whose "
        f"mean ranks differ by at most Nemenyi's critical difference at {ALPHA:g} (Demsar 2006). "
    )
    return fig, title, caption + place(league), league.data_mark


def shown(value):
    """A number as short text; a dash for None and infinity."""
    if value is None or not np.isfinite(value):
        return "–"
    return f"{value:.0f}" if 100 <= value < 1e5 else f"{value:.3g}"


HEADER = ["learner", "mean rank", "data sets", "targets reached (%)", "median cost to target"]
HEADER += ["coefficients", "seconds"]


def standing(row, league):
    return [
        row["label"],
        f"{row['mean_rank']:.2f}",
        f"{row['sets']} of {len(league.sets)}",
        f"{100 * row['share']:.0f}",
        *(shown(row[key]) for key in ("median_cost", "memory", "seconds")),
    ]


@league_table("league-standings")
def table(league):
    need_sets(league)
    rows = [[*standing(row, league), f"{100 * row['error']:.2f}"] for row in standings(league)]
    title = "The league: best of each learner's budgets, cost with tuning"
    return [*HEADER, "error (%)"], rows, title, league.data_mark
