"""Formats the results of bench/bench_external.py in Markdown, and inserts them into a document."""

import pathlib
import sys
import textwrap

from external.claim import CLAIMS, judged, summary
from external.words import KIND_NAMES, count_text, parameter_text, ratio_text, seconds_text, table

BEGIN, END = "<!-- external tools: begin -->", "<!-- external tools: end -->"
HEAD = (
    *("library", "method", "kernel", ":test error, %", ":fit, s", ":predict, µs", ":requested", ":computed"),
    *(":vectors", "parameters"),
)


def numbers_of(row):
    """The numeric cells of a row, between the learner's names and its parameters."""
    if row["status"] != "ok":
        return ["", "stopped" if row["status"] == "over" else "failed", *[""] * 4]
    return [
        f"{row['test_error']:.2f}",
        seconds_text(row["fit_seconds"]),
        f"{1e6 * row['predict_seconds_per_row']:.1f}",
        count_text(row["requested"]),
        count_text(row["computed"]),
        count_text(row["vectors"]) + ("" if row["vectors_are"] == "vectors" else f" {row['vectors_are']}"),
    ]


def tool_table(rows):
    """All rows of a data set as lines of Markdown."""
    notes, cells = [], []
    for row in rows:
        note, mark = f"failed: {row['message']}" if row["status"] == "failed" else row["note"], ""
        if note:
            note = f"{row['library']} {row['method']}: {note}."
            if note not in notes:
                notes.append(note)
            mark = f" ({notes.index(note) + 1})"
        names = row["library"], row["method"] + mark, KIND_NAMES[row["kind"]]
        cells.append([*names, *numbers_of(row), parameter_text(row["parameters"])])
    lines = table(HEAD, cells)
    for number, note in enumerate(notes, 1):
        lines += ["", f"({number}) {note}"]
    return lines


def set_name(entry):
    data = entry["data"]
    return data["name"] + (" (generated)" if data["synthetic"] else "")


def target_table(sets, kind):
    """One line per data set: its target, and okbench's fastest learner that reaches it."""
    cells = []
    for entry, set_summary in sets:
        data, mine = entry["data"], set_summary[kind]
        shape = [set_name(entry), f"{data['train']:,}", f"{data['test']:,}", str(data["features"])]
        own = mine["own"] if mine else None
        reached = ["", "stopped" if mine and mine["own_stopped"] else "none", ""]
        if own:
            reached = [f"{own['test_error']:.2f}", own["method"], seconds_text(own["fit_seconds"])]
        mark = "" if not mine or mine["source"] == "LIBSVM" else "*"
        cells.append([*shape, f"{mine['target']:.2f}{mark}" if mine else "", *reached])
    head = ("data", ":rows", ":test rows", ":features", ":target, %", ":error, %", "okbench's fastest", ":fit, s")
    return table(head, cells)


def cell(comparison):
    """The ratio of a method to okbench's fastest; "over" marks a lower bound, "–" a method above the target."""
    if comparison is None or comparison["state"] == "missed" or comparison["ratio"] is None:
        return "–"
    return ("over " if comparison["state"] == "stopped" else "") + ratio_text(comparison["ratio"])


def ratio_table(sets, kind):
    """One line per method, one column per data set: its fit time over that of okbench's fastest."""
    names = dict.fromkeys(name for _, set_summary in sets if set_summary[kind] for name in set_summary[kind]["others"])
    head = ("times okbench's fit", *(f":{set_name(entry)}" for entry, _ in sets))
    cells = [
        [name, *(cell((set_summary[kind] or {"others": {}})["others"].get(name)) for _, set_summary in sets)]
        for name in names
    ]
    return table(head, cells)


def claim_lines(sets):
    """A paragraph per claim, with the data sets on which it holds."""
    lines = []
    for claim in CLAIMS:
        verdicts = [(set_name(entry), judged(claim, one_summary)) for entry, one_summary in sets]
        met = [name for name, verdict in verdicts if verdict["met"]]
        missed = [
            f"{name} ({ratio_text(verdict['least']['ratio'])}, {verdict['least']['name']})"
            if verdict["least"]
            else f"{name} (no learner of okbench reaches the target)"
            for name, verdict in verdicts
            if verdict["met"] is False
        ]
        undecided = [name for name, verdict in verdicts if verdict["met"] is None and verdict["open"]]
        unmatched = [name for name, verdict in verdicts if verdict["met"] is None and not verdict["open"]]
        parts = [
            f"met on {', '.join(met)}" if met else "",
            f"not met on {', '.join(missed)}" if missed else "",
            f"undecided on {', '.join(undecided)}, where fits were stopped" if undecided else "",
            f"on {', '.join(unmatched)} none of these methods reaches the target" if unmatched else "",
        ]
        lines.append(f"- **{claim.text[0].upper()}{claim.text[1:]}**: {'; '.join(filter(None, parts))}.")
    return lines


def wrapped(line):
    """Prose in lines of at most 100 characters; rows of tables stay."""
    if line.startswith("|") or not line:
        return [line]
    return textwrap.wrap(line, 100, subsequent_indent="  " if line.startswith("- ") else "", break_long_words=False)


def joined(lines):
    return "\n".join(line for long_line in lines for line in wrapped(long_line)).rstrip()


def markdown(results):
    """The summary over all data sets, as Markdown."""
    limit, long = results["limit_seconds"], results["long_seconds"]
    sets = [(entry, summary(entry["tools"], entry["data"]["test"], limit)) for entry in results["sets"]]
    runs = "one run" if results["runs"] == 1 else f"median of {results['runs']} alternating runs"
    once = f" (one run above {long:g} s)" if long and results["runs"] > 1 else ""
    limits = (("other libraries", limit), ("okbench", results["own_limit_seconds"]))
    stopped = ", ".join(f"those of {who} after {most:g} s" for who, most in limits if most)
    stopped = f" Longer fits are stopped: {stopped}; *over* marks a lower bound." if stopped else ""
    lines = [
        f"Machine: {results['machine']}, one thread. Versions: {'; '.join(results['versions'])}.",
        "",
        f"Seconds are processor time of fitting, {runs}{once}, each in a separate process.{stopped} A method counts "
        "with its fastest variant that reaches the target; – marks methods that do not reach it.",
        "",
        "With the RBF kernel, exact or approximated:",
        "",
        *target_table(sets, "rbf"),
        "",
        *ratio_table(sets, "rbf"),
        "",
        "Linear methods, against okbench's fastest linear learner:",
        "",
        *target_table(sets, "linear"),
        "",
        *ratio_table(sets, "linear"),
        "",
        "\\* lowest error plus two standard errors.",
        "",
        *claim_lines(sets),
    ]
    if results["missing"]:
        lines += ["", f"Not built here, so left out: {', '.join(results['missing'])}."]
    return joined(lines)


def details(results):
    """Every measured row, one table per data set, as Markdown."""
    lines = []
    for entry in results["sets"]:
        data = entry["data"]
        lines += [
            f"{set_name(entry)}: C = {data['c']:g} is lambda = {1 / (data['c'] * data['train']):g}.",
            "",
            *tool_table(entry["tools"]),
            "",
        ]
    return joined(lines)


def replace(path, text):
    """Writes a file atomically."""
    from okbench.writing import write_text

    write_text(path, text)


def update(path, block, name="external tools"):
    """Replaces the text between the markers of a file, "name: begin" and "name: end". Exits if one is missing."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = path.read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {path} needs '{begin}', then '{end}', once each")
    before, after = text[: text.index(begin) + len(begin)], text[text.index(end) :]
    replace(path, f"{before}\n\n{block}\n\n{after}")
