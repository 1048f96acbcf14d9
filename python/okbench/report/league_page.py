"""The league's pages: league.html, and league-LEARNER.html for every learner."""

import dataclasses

from .. import league
from ..errors import NotRun
from ..league import as_json as standings_json
from ..league import conclusions, output, standings
from ..league.standings import finite

from ..plotting import draw as drawing
from ..plotting import style
from ..plotting.registry import LEAGUE_TABLES
from . import league_learner, league_regression, provenances, web_figures  # noqa: F401  (registers figures)
from .league_figures import draw_curves, shown, windows
from .web_pages import as_script, drawn_item, render, table_item

# Columns of the table after the learner.
HEADS = (
    *("mean rank", "data sets", "targets reached", "median cost to target", "gives up", "coefficients", "seconds"),
    "error",
)
WIDTHS = "streams/widths"  # a figure, and the experiment that it shows
SHOWS = {
    "league-cost-to-target": "Kernel evaluations that learners request to reach low errors.",
    "league-memory": "Coefficients that learners need to reach these errors.",
    "league-seconds": "Seconds to reach these errors on this machine. Unlike counts, seconds differ from run to run.",
    "league-budget": "Benefit of a larger budget.",
    WIDTHS: "Which learner forgives a wrong kernel width, and what a Hedge over all widths costs or gains.",
    "league-ranks": "Ranks of the learners by error, and which differences are not significant on these data sets.",
}
# Figures and tables of the data sets with real targets.
REAL = {
    "league-regression-standings": "Learners on data sets with real targets, ranked by mean squared error.",
    "league-regression-cost-to-target": "Kernel evaluations that learners request to reach low squared errors.",
    "league-regression-ranks": "Ranks of the learners by squared error, and which differences are not significant.",
    "league-decibel": "How the error on series falls with the kernel evaluations.",
    "league-tracking": "How fast learners follow a function that changes.",
    "league-regression": "Root mean squared error of predictions made before learning from each example, against the "
    "true function if known, and costs, of every budget.",
}


@dataclasses.dataclass
class Pages:
    """Common data of all pages."""

    league: league.League
    rows: list  # rows of the table with its default settings
    specs: dict  # {experiment: path of its spec}
    results: object


def field(results):
    """The league of a result folder; None if it has no league results."""
    try:
        return league.of(results)
    except NotRun:
        return None


def pages(results, specs, index, images):
    """{file name: HTML}, league.html first; empty without a league.

    `index`: file name of the report. `images`: {path: content}, which gets the figures.
    """
    current_league = field(results)
    if current_league is None:
        return {}
    context = Pages(current_league, standings(current_league), specs, results)
    files = {"league.html": page(context, index, images)}
    methods = league_learner.methods()
    for learner in current_league.learners.values():
        files[f"league-{learner.slug}.html"] = league_learner.page(context, learner, methods, images)
    return files


def item(context, name, images):
    """The page entry of a figure or table of the league, or the reason why it is missing."""
    out = {"name": name, "id": name, "shows": (SHOWS | REAL)[name], "claims": [], "counts": {}}
    kind = "table" if name in LEAGUE_TABLES else "figure"
    try:
        content = drawing.content(kind, name, context.results)
    except NotRun as reason:
        return out | {"missing": str(reason)}
    needed = [context.results.read(WIDTHS)] if name == WIDTHS else experiments(context)
    out["provenance"] = provenances.provenance(needed, context.specs)
    return out | (drawn_item(content, name, images) if kind == "figure" else table_item(content))


def experiments(context):
    """The experiments that the league ranks."""
    candidates = [context.results.read(name) for name in league.names(context.results)]
    return [experiment for experiment in candidates if experiment.traces and league.is_ranked(experiment)]


def cells(rows, sets):
    """{learner: [(text, value)]}, one pair per column of HEADS."""
    return {
        row["learner"]: [
            (f"{row['mean_rank']:.2f}", row["mean_rank"]),
            (f"{row['sets']} of {sets}", row["sets"]),
            (f"{100 * row['share']:.0f} %", row["share"]),
            *((shown(row[key]), finite(row[key])) for key in ("median_cost", "gives_up", "memory", "seconds")),
            (f"{100 * row['error']:.2f} %", row["error"]),
        ]
        for row in rows
    }


def choices(context):
    """({KIND-BUDGET: {learner: {place, cells}}}, {curves-KIND-BUDGET: panels}) for all choices on the page."""
    field_of, tables, charts = context.league, {}, {}
    for budget in (None, *field_of.budgets()):
        choice = {} if budget is None else {"at_most": budget}
        for kind in league.KINDS:
            name = f"{kind}-{'any' if budget is None else budget}"
            rows = standings(field_of, kind, **choice)
            learner_cells = cells(rows, len(field_of.sets))
            tables[name] = {
                learner: {"place": place, "cells": [rounded(cell) for cell in of]}
                for place, (learner, of) in enumerate(learner_cells.items())
            }
            charts[f"curves-{name}"] = panels(field_of, kind, **choice)
    return tables, charts


def rounded(cell):
    text, value = cell
    return [text, None if value is None else float(f"{value:.6g}")]


def panels(of, kind, **choice):
    """The interactive panel with the curves of one kind of cost; empty if there are none."""
    fig, (axes,) = style.panels(1)
    try:
        draw_curves(axes, of, kind, **choice)
    except NotRun:
        return []
    finally:
        style.plt.close(fig)
    axes.set_ylabel("share of targets reached")
    return web_figures.panels(fig)


def page(context, index, images):
    """The HTML of league.html. See pages()."""
    of = context.league
    names = [name for name in SHOWS if name != WIDTHS or context.results.read(WIDTHS) is not None]
    figures = [item(context, name, images) for name in names]
    real = [item(context, name, images) for name in REAL] if of.regression else []
    tables, charts = choices(context) if context.rows else ({}, {})
    has_curves = any(charts.values())
    ranking = standings_json(of) if context.rows else None
    shown_charts = charts if has_curves else {}
    shown_charts |= {entry["id"]: entry["panels"] for entry in [*figures, *real] if entry.get("panels")}
    return render(
        "league.html",
        shown_charts,
        ("report.js", "charts.js", "league.js"),
        league=of,
        index=index,
        rows=context.rows,
        kinds=league.KINDS,
        budgets=of.budgets(),
        heads=HEADS,
        cells=cells(context.rows, len(of.sets)),
        data=as_script({"choices": tables}),
        has_curves=has_curves,
        tests=output.tests(ranking["tests"]) if ranking else [],
        conclusions=conclusions.over_sets(ranking) if ranking else [],
        bayes=conclusions.against(context.rows[0]["learner"], ranking["tests"]["bayes"]["pairs"]) if ranking else {},
        figures=figures if context.rows else [],
        regression=real,
        window=windows(of) if of.sets else "",
        count=league.COUNT,
    )
