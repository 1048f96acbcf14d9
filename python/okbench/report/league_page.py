"""The league's pages beside the report: league.html, and league-LEARNER.html of every learner."""

import dataclasses

from .. import league
from ..errors import NotRun
from ..league import output, standings
from ..league.standings import finite, significance

from ..plotting import draw as drawing
from ..plotting import style
from ..plotting.registry import LEAGUE_FIGURES
from . import league_learner, provenances, web_figures
from .league_figures import draw_curves, shown
from .web_pages import as_script, drawn_item, render, table_item

# Columns of the table beside the learner.
HEADS = (
    *("mean rank", "data sets", "targets reached", "median cost to target", "gives up", "numbers held", "seconds"),
    "error",
)
SHOWS = {
    "league-cost-to-target": "How many kernel evaluations learners ask for until their errors are low.",
    "league-memory": "How many numbers they hold for it.",
    "league-seconds": "How long they take for it on this machine; unlike counts, seconds differ from run to run.",
    "league-budget": "What a larger budget is worth.",
    "league-ranks": "Who has the least errors, and which learners do not differ as far as these data sets tell.",
    "league-standings": "The table above as it stands by default.",
    "league-regression": "Learners on generated functions: the root of the mean squared error before learning from "
    "each example, against the truth where it is known, beside what it cost.",
}


@dataclasses.dataclass
class Pages:
    """What the pages are made of."""

    league: league.League
    rows: list  # of the table, as it stands by default
    specs: dict  # where each experiment's spec lies
    results: object


def field(results):
    """The league of a result folder; None where there is none."""
    try:
        return league.of(results)
    except NotRun:
        return None


def pages(results, specs, index):
    """{name of the file: HTML}, league.html first; none where there is no league. `index`: the report's page."""
    found = field(results)
    if found is None:
        return {}
    made = Pages(found, standings(found), specs, results)
    files = {"league.html": page(made, index)}
    methods = league_learner.methods()
    for learner in found.learners.values():
        files[f"league-{learner.slug}.html"] = league_learner.page(made, learner, methods)
    return files


def item(made, name):
    """A figure or table of the league, or why it is not there."""
    out = {"name": name, "id": name, "shows": SHOWS[name], "claims": [], "counts": {}}
    kind = "figure" if name in LEAGUE_FIGURES else "table"
    try:
        content = drawing.content(kind, name, made.results)
    except NotRun as reason:
        return out | {"missing": str(reason)}
    out["provenance"] = provenances.provenance(experiments(made), made.specs)
    return out | (drawn_item if kind == "figure" else table_item)(content)


def experiments(made):
    """The experiments of the league that have traces."""
    found = [made.results.read(name) for name in league.names(made.results)]
    return [one for one in found if one.traces and not one.overridden]


def cells(rows, sets):
    """{learner: [(text, value)]} of the columns HEADS."""
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


def choices(made):
    """({KIND-BUDGET: {learner: {place, cells}}}, {curves-KIND-BUDGET: panels}) of all that can be chosen."""
    field_of, tables, charts = made.league, {}, {}
    for budget in (None, *field_of.budgets()):
        choice = {} if budget is None else {"at_most": budget}
        for kind in league.KINDS:
            name = f"{kind}-{'any' if budget is None else budget}"
            rows = standings(field_of, kind, **choice)
            found = cells(rows, len(field_of.sets))
            tables[name] = {
                learner: {"place": place, "cells": [rounded(cell) for cell in of]}
                for place, (learner, of) in enumerate(found.items())
            }
            charts[f"curves-{name}"] = panels(field_of, kind, **choice)
    return tables, charts


def rounded(cell):
    text, value = cell
    return [text, None if value is None else float(f"{value:.6g}")]


def panels(of, kind, **choice):
    """The panel of the curves of one kind of cost, to be inspected."""
    fig, (axes,) = style.panels(1)
    try:
        draw_curves(axes, of, kind, **choice)
    except NotRun:
        return []
    finally:
        style.plt.close(fig)
    axes.set_ylabel("share of targets reached")
    return web_figures.panels(fig)


def page(made, index):
    """league.html."""
    of = made.league
    figures = [item(made, name) for name in LEAGUE_FIGURES]
    tables, charts = choices(made) if made.rows else ({}, {})
    has_curves = any(charts.values())
    shown_charts = charts if has_curves else {}
    shown_charts |= {one["id"]: one["panels"] for one in figures if one.get("panels")}
    return render(
        "league.html",
        shown_charts,
        ("report.js", "charts.js", "league.js"),
        league=of,
        index=index,
        rows=made.rows,
        kinds=league.KINDS,
        budgets=of.budgets(),
        heads=HEADS,
        cells=cells(made.rows, len(of.sets)),
        data=as_script({"choices": tables}),
        has_curves=has_curves,
        tests=output.tests(significance(of)) if made.rows else [],
        figures=figures if made.rows else [],
        regression=item(made, "league-regression") if of.regression else None,
        window=league.WINDOW,
        count=league.COUNT,
    )
