"""The data of the explorer: a table of trials and of means over seeds, and the curve of every trial.

web/explorer.js shows it. The content is one JSON object:

    titles      {experiment: title} of the experiments that have one
    fields      [{name, title, kind}]: columns; kind is "text", "number", "percent" or "count"
    constant    [[title, value]]: columns with one value in all rows, which the table leaves out
    trials      rows of the trials, one value per field
    means       rows of the means over seeds, with values for `seeds` and the interval of their first error
    members     for each row of means, its trials as indices
    x, y        [{name, title}]: quantities of the axes of curves
    curves      for each trial {y: [list of each x, list of y]} as indices into `lists`
    lists       lists of numbers, each stored once
"""

import sys

import numpy as np

from ..errors import ClaimError, NotRun
from ..league import KINDS
from ..league.costs import cumulative_cost, memory, tuning
from ..plotting.curves import series
from ..results import streams
from ..results.means import SeedMeans
from ..results.table import ERRORS as RANKING
from ..results.table import table as table_of

X = {"examples": "examples", **{kind: KINDS[kind].label for kind in ("requested", "computed", "seconds")}}
BYTES_OF_TRIAL, BYTES = 1600, 6_000_000  # of the curves of a trial, and of all trials
DIGITS = 6.5  # bytes of a number of four digits, with its comma
MAX_POINTS, FEWEST_POINTS = 60, 6
TEXTS = (
    ("experiment", "experiment"),
    ("label", "learner"),
    ("method", "method"),
    ("data", "data set"),
    ("kernel", "kernel"),
    ("tier", "tier"),
    ("status", "status"),
    ("overridden", "overridden settings"),
)
ERRORS = (
    ("error_rate", "error", "percent"),
    ("test_error", "test error", "percent"),
    ("rmse", "rmse", "number"),
    ("test_rmse", "test rmse", "number"),
    ("task_loss", "task loss", "number"),
    ("test_task_loss", "test task loss", "number"),
)
COSTS = (
    ("support_vectors", "support vectors", "count"),
    ("requested", "requested", "count"),
    ("computed", "computed", "count"),
    ("feature_evaluations", "features", "count"),
    ("evaluation", "to measure errors", "count"),
    ("tuning", "tuning", "count"),
    ("memory", "coefficients", "count"),
    ("seconds", "seconds", "number"),
)


def content(experiments, primary=RANKING):
    """The JSON object above of all trials of some experiments. `primary`: names of errors; the first that a row has
    gets the interval."""
    if not experiments:
        return {"titles": {}} | {
            name: [] for name in ("fields", "constant", "trials", "means", "members", "x", "y", "curves", "lists")
        }
    table = table_of(*(experiment.folder for experiment in experiments))
    for line in table.messages:
        print(line, file=sys.stderr)
    trials = {trial.id: trial for experiment in experiments for trial in experiment.trials}
    traces = [trials[ident].trace if has else None for ident, has in zip(table["id"], table.has_numbers)]
    table.add("tuning", [np.nan if trace is None else tuning(trace) for trace in traces])
    table.add("memory", [np.nan if trace is None else peak_memory(trace) for trace in traces])
    rows, of_means = table.records(), SeedMeans(table)
    means = of_means.records(primary)
    for row in means:
        if row["low"] is not None:
            row |= {f"{row['measure']} low": row["low"], f"{row['measure']} high": row["high"]}
    members = [sorted(map(int, [*indices, *lacking])) for indices, lacking in zip(of_means.members, of_means.lacking)]
    fields = fields_of(rows)
    curves, lists, shown = curves_of(traces)
    varying = [
        field for field in fields if field["name"] == "seed" or len({str(row.get(field["name"])) for row in rows}) > 1
    ]
    constant = [[field["title"], text(rows[0].get(field["name"]))] for field in fields if field not in varying and rows]
    varying = with_interval(varying, means)
    return {
        "titles": {experiment.name: experiment.title for experiment in experiments if experiment.title},
        "fields": varying,
        "constant": [pair for pair in constant if pair[1] not in ("", "None", "nan", "False")],
        "trials": [[value(row.get(field["name"])) for field in varying] for row in rows],
        "means": [[value(row.get(field["name"])) for field in varying] for row in means],
        "members": members,
        "x": [{"name": name, "title": title} for name, title in X.items()],
        "y": [{"name": name, "title": title} for name, title in shown.items()],
        "curves": curves,
        "lists": lists,
    }


def with_interval(fields, means):
    """The fields with `seeds` after the seed, and `NAME low` and `NAME high` after each error that has intervals."""
    used = {name.removesuffix(" low") for row in means for name in row if name.endswith(" low")}
    columns = []
    for field in fields:
        columns.append(field)
        if field["name"] == "seed":
            columns.append({"name": "seeds", "title": "seeds", "kind": "count"})
        if field["name"] in used:
            bounds = ("low", "high")
            columns += [{"name": f"{field['name']} {bound}", "title": bound, "kind": field["kind"]} for bound in bounds]
    return columns


def peak_memory(trace):
    """Largest number of coefficients; NaN for a method without support vectors in its trace."""
    values = memory(trace) if len(trace.tables["trace"].get("step", ())) else []
    return float(values[-1]) if len(values) else np.nan


def fields_of(rows):
    """The columns that some row has a value for; of the parameters, those that vary within a learner."""
    parameters = varying_parameters(rows)
    measures = dict.fromkeys(name for row in rows for name in row if is_measure(name))
    fields = [
        *({"name": name, "title": title, "kind": "text"} for name, title in TEXTS),
        {"name": "seed", "title": "seed", "kind": "count"},
        *({"name": name, "title": title, "kind": kind} for name, title, kind in ERRORS),
        *({"name": name, "title": name, "kind": percent(name)} for name in measures),
        {"name": "batch", "title": "batch", "kind": "number"},
        *({"name": name, "title": name.removeprefix("param_"), "kind": "number"} for name in parameters),
        *({"name": name, "title": title, "kind": kind} for name, title, kind in COSTS),
    ]
    return [field for field in fields if any(not empty(row.get(field["name"])) for row in rows)]


def varying_parameters(rows):
    """Names of parameters with several values for some learner of an experiment, sorted."""
    values = {}
    for row in rows:
        for name, cell in row.items():
            if name.startswith("param_"):
                values.setdefault((row["experiment"], row["learner"], name), set()).add(str(cell))
    return sorted({name for (_, _, name), variants in values.items() if len(variants) > 1})


def is_measure(name):
    return name.partition("@")[0].removeprefix("test_") in streams.measures() and name not in dict(
        (error[0], None) for error in ERRORS
    )


def percent(name):
    base = name.partition("@")[0].removeprefix("test_")
    return "percent" if base in streams.measures() and streams.find(base).percent else "number"


def empty(cell):
    return cell is None or cell == "" or (isinstance(cell, float) and np.isnan(cell))


def value(cell):
    """A cell for JSON: text, a number of six digits, or null."""
    if empty(cell):
        return None
    if isinstance(cell, (bool, np.bool_)):
        return "yes" if cell else "no"
    if isinstance(cell, (int, np.integer)):
        return int(cell)
    if isinstance(cell, (float, np.floating)):
        return rounded(cell, 6) if np.isfinite(cell) else None
    return str(cell)


def text(cell):
    json_value = value(cell)
    return "" if json_value is None else str(json_value)


def rounded(number, digits):
    short = float(f"{number:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def quantities(trace):
    """Names of the quantities of y that a trace has."""
    table, checkpoints = trace.tables["trace"], trace.tables.get("checkpoints", {})
    names = ["error"] if "squared_error_sum" in table or "mistakes" in table else []
    if "test_error" in checkpoints or "test_rmse" in checkpoints:
        names.append("test_error")
    names += [name for name in table if is_measure(name) and name != "error"]
    return names + [name for name in ("support_vectors",) if name in table]


def curves_of(traces):
    """(curves, lists, {y: title}): see the top of this file."""
    lists, numbered, shown = [], {}, {}

    def place(values):
        key = tuple(values)
        if key not in numbered:
            numbered[key] = len(lists)
            lists.append(list(key))
        return numbered[key]

    count = sum(trace is not None for trace in traces)
    numbers = min(BYTES_OF_TRIAL, BYTES / max(1, count)) / DIGITS
    curves = []
    for trace in traces:
        trial_curves, names = {}, quantities(trace) if trace is not None else ()
        most = int(np.clip(numbers / (len(names) + len(X)), FEWEST_POINTS, MAX_POINTS))
        for y in names:
            try:
                steps, values, title = series(trace, y)
            except (NotRun, ClaimError):
                continue
            kept = thinned(len(values), most)
            if not len(kept):
                continue
            shown.setdefault(y, title)
            columns = [np.interp(np.asarray(steps)[kept], trace["step"], axis(trace, x)) for x in X]
            trial_curves[y] = [place(short(column)) for column in [*columns, np.asarray(values)[kept]]]
        curves.append(trial_curves)
    return curves, lists, shown


def axis(trace, name):
    """The values of x at the recorded steps."""
    return np.asarray(trace.processed, dtype=float) if name == "examples" else cumulative_cost(trace, name)


def short(values):
    return [rounded(number, 4) if np.isfinite(number) else None for number in np.asarray(values, dtype=float)]


def thinned(count, most):
    """Indices of at most `most` of `count` points: half evenly spaced, half evenly spaced in the logarithm."""
    if count <= most:
        return np.arange(count)
    even = np.linspace(0, count - 1, max(2, most - most // 2))
    logarithmic = np.geomspace(1, count, most // 2) - 1
    return np.unique(np.concatenate([even, logarithmic]).astype(int))
