"""Show the speed of okbench at each measured commit, and where it changed.

Reads results/speed/history.jsonl, to which `make speed RECORD=1` adds one line per measured commit. Times are
multiples of a reference kernel that runs on the same machine at the same time. Commits measured on other machines are
left out.
"""

import json
import pathlib

from ..errors import RequestError
from ..home import home_folder
from ..speed import history
from ..speed.series import series_of

EXAMPLE = "okbench speed --report speed.html"


def add_options(parser):
    parser.add_argument("--history", type=pathlib.Path, help="speed history (default: results/speed/history.jsonl)")
    parser.add_argument("--machine", help="processor and cores, as in the history (default: that of the last entry)")
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="write a page with a chart per benchmark")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options):
    path = options.history or pathlib.Path(home_folder(), "results", "speed", "history.jsonl")
    entries = history.read(path)
    if not entries:
        raise RequestError(f"{path}: no speed history; make speed RECORD=1 adds to it")
    machine = options.machine or entries[-1]["machine"]
    all_series = series_of(entries, machine)
    if not all_series:
        raise RequestError(f"--machine: no entry of {machine!r}; known: {'; '.join(sorted(machines(entries)))}")
    if options.json:
        print(json.dumps({"format": 1, "machine": machine, "series": [*map(as_json, all_series)]}, indent=1))
    else:
        print("\n".join(text(machine, all_series)))
    if options.report:
        from ..report import speed_page

        print(speed_page.write(machine, all_series, options.report))


def machines(entries):
    return {entry["machine"] for entry in entries}


def as_json(series):
    changes = [
        {"commit": series.entries[change.at]["commit"], "ratio": change.ratio, "p": change.p}
        for change in series.changes
    ]
    commits = [entry["commit"] for entry in series.entries]
    return {
        "kind": series.kind,
        "name": series.name,
        "unit": series.unit,
        "commits": commits,
        "values": series.values,
        "changes": changes,
    }


def text(machine, all_series):
    """Lines: one per series, with the last value and the changes."""
    rows = [("quantity", "entries", "last", "changes")]
    for series in all_series:
        changes = [
            f"{change.ratio:.2f} times at {series.entries[change.at]['commit'][:10]}" for change in series.changes
        ]
        rows.append((series.title, str(len(series.values)), f"{series.last} {series.unit}", "; ".join(changes)))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]}".rstrip() for row in rows]
    return [f"machine: {machine}", *lines, "× reference: times the processor time of the reference kernel."]
