"""The league page of one learner: method, settings, tuned values, and results by data set."""

import collections
import json

import numpy as np

from ..league import COUNT, KINDS, curve
from ..league.costs import tuning
from ..league.curves import reaching
from ..league.ranks import ranked
from ..league.standings import errors
from ..league.tuned import is_end

from ..native import module as _native
from ..plotting import style
from .league_figures import shown
from .league_regression import regression
from .web_pages import drawn_item, render, table_item

KIND = "tuning"  # kind of cost on these pages: kernel evaluations including tuning


def methods():
    """{name: entry in the registry of learners}."""
    return {method["name"]: method for method in json.loads(_native.learners())}


def runs_of(league, learner):
    return [run for run in league.runs() if run.learner == learner.id]


def value_text(value):
    """A value as in a spec; floats with four digits."""
    return f"{value:.4g}" if isinstance(value, float) else json.dumps(value).strip('"')


def values_text(values):
    """The distinct values of a parameter, at most six of them."""
    texts = list(dict.fromkeys(map(value_text, values)))
    return ", ".join(texts[:6]) + (f" and {len(texts) - 6} more" if len(texts) > 6 else "")


def parameters(league, learner, method):
    """One row per parameter: its documentation in the registry and its values in the league."""
    runs = runs_of(league, learner)
    used = {}
    for run in runs:
        for name, value in run.trace.spec["parameters"].items():
            used.setdefault(name, []).append(value)
    tuned = {name for run in runs for name in run.trace.summary.get("tuned", {}).get("chosen", {})}
    listed = {parameter["name"]: parameter for parameter in method["parameters"]} if method else {}
    rows = []
    for name in dict.fromkeys([*listed, *used, *sorted(tuned)]):
        about = listed.get(name, {})
        values = sorted(used.get(name, []), key=lambda value: (str(type(value)), value))
        rows.append(
            {
                "name": name,
                "used": "tuned" if name in tuned else values_text(values) or "–",
                "default": value_text(about["default"]) if about else "–",
                "allowed": about.get("allowed", "–"),
                "description": about.get("description", "–"),
            }
        )
    return rows


def tuned_rows(league, learner):
    """One row per data set, at the best budget: tuned values, how many orders chose each, and the tuning cost."""
    rows = []
    for name in league.sets + league.regression:
        entries = league.taken(name, learner.id)
        entry = league.best(name, learner.id) if name in league.sets else entries[0] if entries else None
        if entry is None:
            continue
        chosen = [run.trace.summary.get("tuned", {}).get("chosen", {}) for run in entry.runs]
        if not any(chosen):
            continue
        texts = []
        for parameter in sorted({key for configuration in chosen for key in configuration}):
            counts = collections.Counter(configuration.get(parameter) for configuration in chosen)
            frequencies = sorted(counts.items(), key=lambda pair: str(pair[0]) if isinstance(pair[0], str) else pair[0])
            trace = entry.runs[0].trace
            texts.append(
                f"{parameter} = "
                + ", ".join(
                    f"{value_text(value)} ({many}{', end of the range' * is_end(trace, parameter, value)})"
                    for value, many in frequencies
                )
            )
        cost = float(np.mean([tuning(run.trace) for run in entry.runs]))
        budget = "" if entry.budget is None else f" at {entry.budget}"
        rows.append({"set": name + budget, "chosen": "; ".join(texts), "cost": shown(cost)})
    return rows


def cheapest(league, name, index):
    """The smallest expected cost of any learner for a target; infinite if none reaches it."""
    costs = [optimum[1] for learner in league.learners if (optimum := reaching(league, name, index, learner, KIND))]
    return min(costs, default=float("inf"))


def target_cell(league, name, index, learner):
    """The expected cost of a target and its ratio to the cheapest learner's, e.g. "1.2e+05 (1.5×)"."""
    if index >= len(league.ladders[name]):
        return ""
    optimum = reaching(league, name, index, learner.id, KIND)
    if optimum is None or not np.isfinite(optimum[1]):
        return "–"
    least = cheapest(league, name, index)
    return f"{shown(optimum[1])} ({optimum[1] / least:.3g}×)" if least > 0 else shown(optimum[1])


def error_text(error, deviation, orders):
    """Mean and standard deviation over orders, as text."""
    return f"{error:.2f} ± {deviation:.2f} %" if orders > 1 else f"{error:.2f} %, one order"


def set_rows(league, learner):
    """One row per data set: rank, error and costs of the targets."""
    learners, table = errors(league)
    if learner.id not in learners:
        return []
    ranks = ranked(table)
    place = learners.index(learner.id)
    rows = []
    for number, name in enumerate(league.sets):
        best = league.best(name, learner.id)
        least = float(np.nanmin(table[number]))
        who = ", ".join(league.learners[key].label for key, error in zip(learners, table[number]) if error == least)
        targets = [target_cell(league, name, index, learner) for index in range(COUNT)]
        rank = float(ranks[number, place])
        error, deviation = best.spread(lambda run: 100 * run.error) if best else (None, None)
        rows.append(
            {
                "set": name,
                "rank": rank,
                "shown_rank": f"{rank:g} of {len(learners)}",
                "error": error,
                "shown_error": "no result" if best is None else error_text(error, deviation, len(best.runs)),
                "budget": "–" if best is None or best.budget is None else str(best.budget),
                "least": 100 * least,
                "shown_least": f"{100 * least:.2f} % ({who})",
                "reached": f"{sum(cell not in ('', '–') for cell in targets)} of {len(league.ladders[name])}",
                "targets": targets,
            }
        )
    return rows


def summary(rows):
    """One line on the data sets where the learner is best and worst."""
    best = [row["set"] for row in rows if row["rank"] == 1]
    last = [row["set"] for row in rows if row["error"] is None]
    worst = max((row["rank"] for row in rows if row["error"] is not None), default=0)
    bad = [row["set"] for row in rows if row["error"] is not None and row["rank"] == worst and worst > 1]
    cells = [cell for row in rows for cell in row["targets"] if cell]
    first = sum(cell.endswith("(1×)") for cell in cells)
    parts = [
        f"Lowest error on {', '.join(best)}." if best else "Lowest error on no data set.",
        f"Worst rank {worst:g}, on {', '.join(bad)}." if bad else "",
        f"Cheapest for {first} of {len(cells)} targets." if cells else "",
        f"No result on {', '.join(last)}." if last else "",
    ]
    return " ".join(part for part in parts if part)


def own_curves(league, learner):
    """The figure of a learner's cost curves: one per budget, and the best of its budgets."""
    fig, (axes,) = style.panels(1, height=2.9)
    budgets = list(dict.fromkeys(entry.budget for name in league.sets for entry in league.taken(name, learner.id)))
    budgets = sorted(budget for budget in budgets if budget is not None)
    several = [(f"budget {budget}", {"at": budget}) for budget in budgets] if len(budgets) > 1 else []
    name = "best of its budgets" if several else league.learners[learner.id].label
    for (label, choice), look in zip([(name, {}), *several], style.looks()):
        cost_curve = curve(league, learner.id, KIND, **choice)
        if cost_curve is not None:
            x, y = cost_curve.points()
            axes.plot(x, y, label=label, drawstyle="steps-post", linewidth=1.8 if not choice else 1.1, **look)
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel(KINDS[KIND].label)
    axes.set_ylabel("share of targets reached")
    axes.legend()
    caption = (
        "Share of all pairs (data set, target error) that the learner has reached at a given cost, at each budget and "
        "at the best budget for each pair. Failed runs restart on another order."
    )
    return fig, f"{learner.label}: kernel evaluations to reach a target error", caption, league.data_mark


def own_regression(league, learner):
    """The learner's rows of the regression table."""
    header, rows, title, mark = regression(league)
    mine = [row for row in rows if row[1] == learner.label]
    return header, mine, title, mark


def item(name, shows, content):
    return {"name": name, "id": name, "shows": shows, "claims": [], "counts": {}, **content}


def page(context, learner, known, images):
    """The HTML of a learner's page.

    `known`: the result of methods(). `images`: {path: content}, which gets the figure.
    """
    league, method = context.league, known.get(learner.method)
    rows = set_rows(league, learner)
    shows = "Benefit and cost of a larger budget."
    figure = (
        item("league-own", shows, drawn_item(own_curves(league, learner), f"league-{learner.slug}", images))
        if any(league.ladders.values()) and rows
        else None
    )
    real = any(league.taken(name, learner.id) for name in league.regression)
    table = (
        item("league-own-regression", "Results on regression data.", table_item(own_regression(league, learner)))
        if real
        else None
    )
    return render(
        "league_learner.html",
        {figure["id"]: figure["panels"]} if figure else {},
        league=league,
        learner=learner,
        method=method,
        parameters=parameters(league, learner, method),
        tuned=tuned_rows(league, learner),
        sets=rows,
        summary=summary(rows),
        figure=figure,
        regression=table,
        count=COUNT,
    )
