"""Tables of means over seeds with intervals, as CSV and LaTeX: `okbench export`."""

import csv
import io

import numpy as np

from ..errors import RequestError
from ..escaping import cell, tex
from ..results.means import TASK, SeedMeans
from ..results.significance import not_worse
from ..results.table import PERCENT, frame_name

COLUMNS = ("experiment", "learner", "label", "grid_point", "data", "tier", "overridden", "seeds")
COLUMNS += ("measure", "mean", "low", "high", "best")
COSTS = ("support_vectors", "requested", "computed", "seconds")


def rows(table, best):
    """Rows of a table of means, with the keys COLUMNS and COSTS. `best`: only the grid point of each learner with the
    least error on a data set. The key `best`: not significantly worse than the least mean on this data set.

    Raises RequestError if a mean lacks a seed.
    """
    means = SeedMeans(table)
    for group in np.flatnonzero(~means.complete):
        raise RequestError(means.status(group))
    records, seeds = means.records(), table["seed"]
    mean_rows = []
    for group in means.best() if best else range(len(means)):
        error = means.error_name(group)
        if error is None:
            continue
        record, places = records[group], means.members[group]
        row = {name: record.get(name) for name in (*COLUMNS, *COSTS)}
        by_seed = dict(zip(seeds[places].tolist(), table.columns[error].numbers[places].tolist()))
        task = tuple(record[frame_name(name)] for name in TASK)
        mean_rows.append(row | {"mean": record[frame_name(error)], "by_seed": by_seed, "task": task})
    return marked(mean_rows)


def marked(mean_rows):
    """Sets the key `best` of every row."""
    for task in dict.fromkeys(row["task"] for row in mean_rows):
        own = {place: row["by_seed"] for place, row in enumerate(mean_rows) if row["task"] == task}
        for place, equal in not_worse(own).items():
            mean_rows[place]["best"] = equal
    return mean_rows


def as_csv(table):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *COSTS])
    for row in table:
        values = (int(row[name]) if name == "best" else row[name] for name in (*COLUMNS, *COSTS))
        writer.writerow(cell(value) if isinstance(value, str) else value for value in values)
    return text.getvalue()


def as_tex(table):
    """A LaTeX table (package booktabs), one block per experiment and data set. Rows that are not significantly worse
    than the best are bold."""
    lines = ["\\begin{tabular}{lrrrr}", "\\toprule"]
    lines.append("learner & error & support vectors & requested & seconds \\\\")
    several = len({(row["tier"], row["overridden"]) for row in table}) > 1
    for task in dict.fromkeys(row["task"] for row in table):
        own = [row for row in table if row["task"] == task]
        run = f" ({' '.join(filter(None, (own[0]['tier'], own[0]['overridden'])))})" if several else ""
        head = f"{own[0]['experiment']}, {own[0]['data']}{run}: {own[0]['measure'].replace('_', ' ')}"
        lines += ["\\midrule", f"\\multicolumn{{5}}{{l}}{{{tex(head)}}} \\\\"]
        lines += [line_of(row) for row in sorted(own, key=lambda row: row["mean"])]
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


def line_of(row):
    name = row["label"] + (f" ({row['grid_point']})" if row["grid_point"] else "")
    error = shown(row["mean"], row["measure"])
    if row["low"] is not None and row["high"] != row["low"]:
        error += f" [{shown(row['low'], row['measure'])}, {shown(row['high'], row['measure'])}]"
    error = tex(error + (" %" if row["measure"] in PERCENT else ""))
    costs = (count(row[cost]) for cost in COSTS if cost != "computed")
    return " & ".join([tex(name), f"\\textbf{{{error}}}" if row["best"] else error, *costs]) + " \\\\"


def shown(value, measure):
    return f"{100 * value:.2f}" if measure in PERCENT else f"{value:.4g}"


def count(value):
    if value is None or not np.isfinite(value):
        return "--"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
