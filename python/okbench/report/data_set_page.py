"""The page of `okbench league FILE`: the ranking on one data set, figures, and the explorer of all trials."""

import pathlib

import numpy as np

from ..league import KINDS, output, single
from ..plotting import style
from ..plotting.curves import mean_curves
from ..writing import write_text
from . import explorer
from .league_figures import shown
from .league_looks import BEST, GREY, label_ends, looks
from .web_pages import as_script, drawn_item, library, render

MAX_CURVES = 8  # learners in the figure of curves
SPREAD = 4  # ratio of the largest to the smallest error that needs a logarithmic axis
WITH_MARKS = {"linewidth": 1.1, "markersize": 3, "markevery": 0.15}


def figure(league, rows, name, kind):
    """(figure, title, caption, mark): errors along the stream, and the error of every learner against its cost.

    The best learners have colours and labels, the others are grey. Baselines are horizontal lines.
    """
    real = name in league.regression
    scale, unit = (
        (1, "root mean squared error") if real else (1, league.measure) if league.measure else (100, "error (%)")
    )
    fig, (left, right) = style.panels(2, height=3.0)
    learners = [row for row in rows if not row["baseline"]]
    ends = {left: [], right: []}
    for place, row in enumerate(learners):
        look = looks(league.learners)[row["learner"]] if place < BEST else {**GREY, "marker": "."}
        value, cost, text = scale * row["error"], max(row["cost"], 1), single.titled(row)
        low, high = row["interval"] or (row["error"], row["error"])
        bar = np.abs([[scale * (row["error"] - low)], [scale * (high - row["error"])]])
        right.errorbar([cost], [value], bar, label=text, **{"markersize": 4, "elinewidth": 0.8, **look})
        if place < BEST:
            ends[right].append((value, text, look["color"]))
        if place < MAX_CURVES:
            label, end = draw_stream(left, league, name, row, look, place < BEST)
            ends[left] += [(end, text, look["color"])] * (place < BEST)
            left.set_ylabel(label)
    for axes in (left, right):
        axes.set_xscale("log")
        axes.autoscale_view()
        log_error(axes)
        shown_to = axes.get_ylim()
        for row in (row for row in rows if row["baseline"]):
            value = scale * row["error"]
            if value <= shown_to[1]:
                axes.axhline(value, color="#555555", linewidth=0.8, linestyle=(0, (4, 2)), label=single.titled(row))
                ends[axes].append((value, single.titled(row), "#555555"))
        axes.set_ylim(shown_to)
        label_ends(axes, ends[axes])
    left.set_xlabel("examples")
    right.set_xlabel(KINDS[kind].label)
    right.set_ylabel(unit)
    caption = (
        f"Left: average error so far of the {min(len(learners), MAX_CURVES)} best learners. Right: error over the "
        f"whole stream against the cost. Colours: the {min(len(learners), BEST)} best; grey: the others. Horizontal "
        "lines: baselines, if they are in the range. Each learner at its best budget; "
        + (f"means over {rows[0]['orders']} random orders" if rows[0]["orders"] > 1 else "one order")
        + (", with 95 % bootstrap intervals. " if rows[0]["interval"] else ". ")
    )
    return fig, f"Learners on {name}", caption, league.data_mark


def draw_stream(axes, league, name, row, look, labelled):
    """Draws the error of a learner along the stream, with its interval if `labelled`. Returns (label of y, last y)."""
    entry = next(candidate for candidate in league.taken(name, row["learner"]) if candidate.budget == row["budget"])
    curves, label = mean_curves(single.titled(row), [run.trace for run in entry.runs], "examples", "error", True)
    for curve in curves:
        look = {**WITH_MARKS, **look} if labelled else {**look, "marker": ""}
        axes.plot(curve.x, curve.y, label=curve.label or None, **look)
        if curve.low is not None and labelled:
            axes.fill_between(curve.x, curve.low, curve.high, color=look["color"], alpha=0.15, linewidth=0)
    return label, curves[0].y[-1]


def log_error(axes):
    """A logarithmic axis of y if its data span more than SPREAD times."""
    values = np.concatenate([np.asarray(line.get_ydata(), dtype=float) for line in axes.lines] or [np.ones(1)])
    values = values[np.isfinite(values)]
    if values.size and values.max() > SPREAD * values.min() > 0:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("{x:g}")


def page(league, name, experiment, facts, spec, kind="tuning", code=()):
    """The HTML. `facts`: lines on the import. `spec`: path of the spec."""
    real = name in league.regression
    rows = single.rows(league, name, kind)
    formatted = output.number if real or league.measure else output.percent
    measure = "rmse" if real else league.measure or "error"
    cells = [
        {
            "label": row["label"],
            "best": row["best"],
            "baseline": row["baseline"],
            "values": [
                ("budget", "–" if row["budget"] is None else str(row["budget"]), row["budget"]),
                (measure, formatted(row["error"]), row["error"]),
                ("95 % interval", interval(row, formatted), (row["interval"] or (None,))[0]),
                *((key, shown(row[of]), row[of]) for key, of in COSTS),
            ],
        }
        for row in rows
    ]
    primary = ("rmse",) if real else ("error_rate",)
    data = explorer.content([experiment], primary)
    item = {
        "name": name,
        "id": "figure",
        "shows": "Further left is cheaper. " + ("" if league.measure else "Lower is better."),
        "claims": [],
        "counts": {},
    }
    item |= drawn_item(figure(league, rows, name, kind), name)
    return render(
        "data_set.html",
        {"figure": item["panels"]},
        ("report.js", "charts.js", "explorer.js"),
        tables=True,
        title=experiment.title,
        name=name,
        rows=cells,
        heads=[head for head, _, _ in cells[0]["values"]] if cells else [],
        conclusions=single.conclusions(rows, formatted, measure),
        figures=[item],
        code="\n".join(code),
        facts=[line.split(None, 1) for line in facts],
        spec=pathlib.Path(spec).read_text(encoding="utf-8"),
        spec_path=str(spec),
        folder=str(pathlib.Path(spec).parent),
        explorer=as_script(data),
        constant=data["constant"],
        primary=primary[0],
        cost=KINDS[kind].label,
        notes=league.notes,
    )


COSTS = (("cost", "cost"), ("coefficients", "memory"), ("seconds", "seconds"))


def interval(row, formatted):
    return "–" if row["interval"] is None else f"{formatted(row['interval'][0])} to {formatted(row['interval'][1])}"


def write(league, experiment, facts, spec, kind="tuning", code=()):
    """Writes index.html beside the spec. `code`: lines of Python that run the best learner. Returns the line to print.

    Raises WriteError.
    """
    (name,) = [*league.sets, *league.regression]
    out = pathlib.Path(spec).with_name("index.html")
    html = page(league, name, experiment, facts, spec, kind, code)
    write_text(out, html)
    missing = "" if library("tabulator-tables/dist/js/tabulator.min.js") else MISSING
    return f"{out} ({len(html) / 1e6:.1f} MB){missing}"


MISSING = "; without the explorer: its libraries are missing (run npm ci in python/okbench/report/web)"
