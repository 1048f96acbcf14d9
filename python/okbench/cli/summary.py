"""Print errors, support vectors and evaluations of every trial.

A row per trial, or with --mean and --best a row per learner and grid point, with means over seeds and standard
deviations.
"""

import functools
import json
import pathlib
import sys

import numpy as np

from ..errors import RequestError, nearest
from ..native import module as _native
from ..results.means import SeedMeans
from ..results.table import accepts_stale, table
from ..results.trace import read_trace
from ..results.trace_text import lines_of
from ..text_tables import fitted, terminal_width
from . import number_of

EXAMPLE = "okbench summary results/default --mean --target 0.05"
MAX_LISTED = 200_000  # trials of a table
KILOBYTE = 1024
HANDED = "(handed): counts only values of the kernel passed to the learner, not those it computes itself"
KINDS = ("requested", "computed", "evaluation")


def fields():
    """Lines that describe the fields of --json."""
    known = [field for field in _native.row_fields() if field["stored"]]
    width = max(len(field["name"]) for field in known)
    return [f"  {field['name']:{width}}  {field['meaning']}" for field in known]


def add_options(parser):
    parser.description += "\nFields of a trial in --json, null if missing:\n\n" + "\n".join(fields())
    parser.add_argument("paths", nargs="+", metavar="path", help="trace files or result folders")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--folds", action="store_true", help="include the trials of cross-validation")
    parser.add_argument("--mean", action="store_true", help="print means over seeds, one row per grid point")
    parser.add_argument("--best", action="store_true", help="print means of each learner's best grid point")
    parser.add_argument("--stale", action="store_true", help="accept and mark results of an older spec, data or code")
    parser.add_argument(
        "--target",
        type=number_of(float, lambda value: 0 < value <= 1, "a share between 0 and 1; 0.05 is 5 %"),
        help="print evaluations until the average error stays below this share",
    )
    parser.add_argument(
        "--measure", action="append", default=[], metavar="NAME", help="print this measure, e.g. auc@1000"
    )
    parser.add_argument("--costs", action="store_true", help="print processor time, memory and evaluation speed")
    parser.add_argument(
        "--trace", action="store_true", help="print trace files whole: provenance, columns, first and last rows"
    )
    parser.add_argument(
        "--width",
        type=number_of(int, lambda value: 0 <= value <= 100000, "a number from 0 to 100000"),
        help="fit tables to this many characters; 0: any width (default: the terminal's)",
    )


def run(options):
    if options.trace:
        return show_traces(options.paths)
    if options.json and not (options.mean or options.best or options.measure):
        return print_json(options)
    means = options.mean or options.best
    rows = table(
        *options.paths,
        searches=options.folds,
        stale=options.stale or accepts_stale(),
        target=options.target,
        grouping=means,
    )
    print_messages(rows.messages)
    check_measures(rows, options.measure)
    return show_means(rows, options) if means else show_rows(rows, options)


def show_traces(paths):
    """Prints trace files whole."""
    for path in paths:
        if not _native.has_trace(path) and not pathlib.Path(path).exists():
            raise RequestError(f"{path}: no such trace file")
        print("\n".join(lines_of(read_trace(path))))
    return 0


def print_messages(messages):
    for line in messages:
        print(line, file=sys.stderr)


def print_json(options):
    """Prints the rows, without trials that have not run. Returns 1 if a row has no numbers."""
    try:
        complete, messages = _native.rows_json(
            options.paths, options.folds, options.stale or accepts_stale(), options.target, sys.stdout.write
        )
    except ValueError as error:
        raise RequestError(str(error)) from error
    print_messages(messages)
    return 0 if complete else 1


def check_measures(rows, names):
    """Raises RequestError for a measure that no trial has."""
    known = [name.removeprefix("measures/") for name in rows.columns if name.startswith("measures/")]
    for name in names:
        if name not in known:
            remedy = f"run the spec with --measure {name}, or use okbench measure for recorded predictions"
            raise RequestError(f"--measure: no trial has '{name}'{nearest(name, known)}; else {remedy}")


def cell(value, form="{}"):
    if value is None or value != value:
        return "-"
    return form.format(value) if isinstance(value, float) else str(value)


def count(value):
    return "-" if np.isnan(value) else f"{value:.0f}"


def data_set(rows, place):
    synthetic = " (SYNTHETIC)" if rows["synthetic"][place] else ""
    replacement = rows["replacement"][place]
    return cell(rows["data_set"][place]) + synthetic + (f" ({replacement})" if replacement else "")


class Cells:
    """Texts of the cells of a table of trials: a function of the row for each column."""

    def __init__(self, rows):
        self.values = {}
        self.rows = rows

    def __call__(self, name):
        """The values of a column, None for a column that no row has."""
        if name not in self.values:
            self.values[name] = self.rows[name] if name in self.rows else np.full(len(self.rows), None)
        return self.values[name]

    def number(self, name, place, form):
        value = self(name)[place]
        return "-" if value is None or np.isnan(value) else form.format(float(value))

    def settings(self):
        """{name: column} of what a spec can vary within one experiment and learner."""
        names = sorted(name for name in self.rows.columns if name.startswith("parameters/"))
        columns = {name.removeprefix("parameters/"): name for name in names} | {"batch": "batch", "fold": "fold"}
        return dict(sorted(columns.items()))

    @functools.cached_property
    def varying(self):
        """{(experiment, method): names of settings in which its trials differ}."""
        values = {}
        for name, column in self.settings().items():
            for key in zip(self("experiment"), self("learner"), map(str, self(column))):
                values.setdefault(key[:2], {}).setdefault(name, set()).add(key[2])
        return {of: [name for name, seen in names.items() if len(seen) > 1] for of, names in values.items()}

    def parameters(self, place):
        settings = []
        for name in self.varying[self("experiment")[place], self("learner")[place]]:
            value = self(self.settings()[name])[place]
            if value is not None and value == value:
                shown = str(value).lower() if isinstance(value, bool) else value
                settings.append(f"{name}={value:.6g}" if isinstance(value, float) else f"{name}={shown}")
        return " ".join(settings) or "-"

    def error(self, rate, rmse, place):
        """An error rate in percent, or the root mean squared error of regression."""
        if not np.isnan(self(rmse)[place]):
            return f"rmse {self(rmse)[place]:.4g}"
        return "-" if np.isnan(self(rate)[place]) else f"{100 * self(rate)[place]:.2f}"


def whole(value):
    """An integer of a column that may lack values."""
    return "-" if value is None or value != value else str(int(value))


def show_rows(rows, options):
    """Prints a table or JSON of the trials that have run. Returns 1 if one has no valid result."""
    if len(rows) > MAX_LISTED:
        raise RequestError(f"more than {MAX_LISTED} trials; print means with --mean or --best, or rows with --json")
    if options.json:
        return print_json(options)
    places = np.flatnonzero(rows["status"] != "missing")
    get = Cells(rows)
    handed = get("counted")
    columns = {
        "experiment": lambda i: cell(get("experiment")[i]),
        "learner": lambda i: cell(get("learner")[i]),
        "parameters": get.parameters,
        "seed": lambda i: whole(get("seed")[i]),
        "data set": lambda i: data_set(rows, i),
        "kernel": lambda i: cell(get("kernel")[i]),
        "batch": lambda i: whole(get("batch")[i]),
        "status": lambda i: get("status")[i],
        "examples": lambda i: whole(get("examples")[i]),
        "error %": lambda i: get.error("error_rate", "rmse", i),
        "test %": lambda i: get.error("test_error", "test_rmse", i),
        "margin errors": lambda i: whole(get("margin_errors")[i]),
        "SVs": lambda i: whole(get("support_vectors")[i]),
        "requested": lambda i: whole(get("kernel_evaluations/requested")[i]) + (" (handed)" if handed[i] else ""),
        "computed": lambda i: whole(get("kernel_evaluations/computed")[i]),
        "evaluation": lambda i: whole(get("kernel_evaluations/evaluation")[i]),
        "wall s": lambda i: get.number("wall_seconds", i, "{:.3f}"),
    }
    if options.target:
        columns[f"to {100 * options.target:g} %"] = lambda i: whole(get("cost_to_reach/requested")[i])
    for name in options.measure:
        columns[name] = lambda i, name=name: get.number(f"measures/{name}", i, "{:.4f}")
    if options.costs:
        columns |= {
            "cpu s": lambda i: get.number("cpu_seconds", i, "{:.3g}"),
            "peak KB": lambda i: count(get("learner_peak_bytes")[i] / KILOBYTE),
            "evaluations/s": lambda i: speed(get("kernel_evaluations/computed")[i], get("wall_seconds")[i]),
        }
    columns["digest"] = lambda i: cell(get("trace_digest")[i])[:12]
    lines = [list(columns), *([text(i) for text in columns.values()] for i in places)]
    optional = ("digest", "wall s", "evaluation", "margin errors", "kernel", "batch", "computed", "examples", "status")
    print_table(lines, options, optional, any(handed[i] for i in places))
    return 0 if rows.has_numbers[places].all() else 1


def speed(computed, seconds):
    """Kernel evaluations per second of learning."""
    return f"{computed / seconds:.3g}" if seconds > 0 and computed == computed else "-"


def print_table(lines, options, optional, handed):
    width = terminal_width() if options.width is None else options.width
    print("\n".join(fitted(lines, width, optional)))
    if handed:
        print(HANDED)


def show_means(rows, options):
    """Prints the means. Returns 1 if a mean lacks a seed, also that of a grid point not chosen."""
    means = SeedMeans(rows)
    not_run = (means.seeds == 0) & (means.failed == 0) & (means.stale == 0)
    # Trials that have not run are named in one line, not in rows.
    complete = means.complete.all() if options.best else means.complete[~not_run].all()
    points = means.best() if options.best else dict.fromkeys(range(len(means)), 1)
    groups = [group for group in points if not not_run[group]]
    if options.json:
        shown = [mean_json(means, group) | ({"points": points[group]} if options.best else {}) for group in groups]
        print(json.dumps({"format": 1, "means": shown}, indent=1, allow_nan=False))
    else:
        print_means(means, groups, points, options)
    return 0 if complete else 1


def moment(means, name, group, form, scale=1.0):
    """Mean +- standard deviation, without a deviation of 0 or of one seed."""
    mean, deviation = (scale * float(statistic[group]) for statistic in means.moments(name))
    if np.isnan(mean):
        return "-"
    return form.format(mean) + (f" +- {form.format(deviation)}" if deviation > 0 else "")


def mean_error(means, rate, rmse, group):
    if not np.isnan(means.mean(rmse)[group]):
        return "rmse " + moment(means, rmse, group, "{:.4g}")
    return moment(means, rate, group, "{:.2f}", 100)


def print_means(means, groups, points, options):
    rows = means.table
    get = Cells(rows)
    # Results of several runs of a spec.
    runs = [name for name in ("tier", "overrides") if len({get(name)[means.firsts[group]] for group in groups}) > 1]
    head = ["experiment", "learner", "grid point", "data set", *runs, "seeds", "error %", "test %", "SVs", "requested"]
    head += ["computed", "wall s"]
    head += [f"to {100 * options.target:g} %"] if options.target else []
    head += [*options.measure, *(["cpu s", "peak KB", "evaluations/s"] if options.costs else [])]
    lines = [head]
    for group in groups:
        first = means.firsts[group]
        counts = {"failed": means.failed[group], "missing": means.missing[group], "stale": means.stale[group]}
        grid = get("grid_point")[first] or "-"
        line = [
            get("experiment")[first],
            cell(get("key")[first]),
            grid + (f" (best of {points[group]})" if points[group] > 1 else ""),
            data_set(rows, first),
            *(get(name)[first] or "-" for name in runs),
            str(means.seeds[group]) + "".join(f" ({number} {what})" for what, number in counts.items() if number),
            mean_error(means, "error_rate", "rmse", group),
            mean_error(means, "test_error", "test_rmse", group),
            moment(means, "support_vectors", group, "{:.0f}"),
            moment(means, "kernel_evaluations/requested", group, "{:.4g}")
            + (" (handed)" if get("counted")[first] else ""),
            moment(means, "kernel_evaluations/computed", group, "{:.4g}"),
            moment(means, "wall_seconds", group, "{:.3g}"),
        ]
        line += [moment(means, "cost_to_reach/requested", group, "{:.0f}")] if options.target else []
        line += [moment(means, f"measures/{name}", group, "{:.4f}") for name in options.measure]
        if options.costs:
            seconds, cpu, peak, computed = (
                float(means.mean(name)[group])
                for name in ("wall_seconds", "cpu_seconds", "learner_peak_bytes", "kernel_evaluations/computed")
            )
            line += ["-" if np.isnan(cpu) else f"{cpu:.3g}", count(peak / KILOBYTE), speed(computed, seconds)]
        lines.append(line)
    print_table(lines, options, ("wall s", "computed", "SVs"), any(get("counted")[means.firsts[g]] for g in groups))


def mean_json(means, group):
    """A group as JSON: what its trials have in common, counts of trials, and {mean, deviation} of every number."""
    rows, first = means.table, means.firsts[group]

    def plain(name):
        value = rows[name][first] if name in rows else None
        value = value.item() if isinstance(value, np.generic) else value
        return None if value != value else value

    def pair(name):
        mean, deviation = (float(statistic[group]) for statistic in means.moments(name))
        return None if np.isnan(mean) else {"mean": mean, "deviation": None if np.isnan(deviation) else deviation}

    def nested(prefix, value):
        names = [name for name in rows.columns if name.startswith(prefix)]
        return {name.removeprefix(prefix): value(name) for name in names}

    identity = ("experiment", "key", "learner", "grid_point", "data_set", "batch", "kernel", "synthetic", "label")
    record = {name: plain(name) for name in (*identity, "replacement")}
    record["batch"] = None if record["batch"] is None else int(record["batch"])
    parameters = {name: value for name, value in nested("parameters/", plain).items() if value is not None}
    ran = means.seeds[group] > 0
    record |= {
        "parameters": parameters if ran else None,
        "seeds": int(means.seeds[group]),
        "counted": plain("counted"),
        "failed": int(means.failed[group]),
        "missing": int(means.missing[group]),
        "stale": int(means.stale[group]),
        "complete": bool(means.complete[group]),
    }
    known = {field["name"] for field in _native.row_fields()}
    for name in means.averaged:
        if "/" not in name and (name in known or ran and not np.isnan(rows.columns[name].numbers[first])):
            record.setdefault(name, pair(name))
    measures = {
        name.removeprefix("measures/"): pair(name)
        for name in rows.columns
        if name.startswith("measures/") and ran and not np.isnan(rows.columns[name].numbers[first])
    }
    record["measures"] = measures if ran and means.complete[group] and measures else None
    record["kernel_evaluations"] = {kind: pair(f"kernel_evaluations/{kind}") for kind in KINDS}
    target = plain("cost_to_reach/error")
    cost = {"error": target, "requested": pair("cost_to_reach/requested")}
    return record | {"cost_to_reach": None if target is None else cost}
