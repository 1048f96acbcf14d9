"""Formats the results of bench/bench_external.py in Markdown, and inserts them into a document."""

import math
import sys
import textwrap

from external.claim_text import claim_lines
from external.words import KIND_NAMES, count_text, parameter_text, ratio_text, seconds_text, table

BEGIN, END = "<!-- external tools: begin -->", "<!-- external tools: end -->"
HEAD = (
    *("library", "method", "kernel", ":test error, %", ":fit, s", ":times okbench's", ":times okbench's, same kernel"),
    *(":predict, µs", ":requested", ":computed", ":vectors", "parameters"),
)


def numbers_of(row, limit):
    """The numeric cells of a row, between the learner's names and its parameters."""
    if row["status"] != "ok":
        return ["", f"over {limit:g} s" if row["status"] == "over" else "failed", *[""] * 6]
    ratios = ["", ""]
    if row["library"] != "okbench":
        ratios = [
            ratio_text(one) + (f" ({one['learner']})" if one else "")
            for one in (row["beside_fastest"], row["beside_fastest_of_kind"])
        ]
    return [
        f"{row['test_error']:.2f}",
        seconds_text(row["fit_seconds"]),
        *ratios,
        f"{1e6 * row['predict_seconds_per_row']:.1f}",
        count_text(row["requested"]),
        count_text(row["computed"]),
        count_text(row["vectors"]) + ("" if row["vectors_are"] == "vectors" else f" {row['vectors_are']}"),
    ]


def tool_table(rows, limit):
    notes, cells = [], []
    for row in rows:
        note, mark = f"failed: {row['message']}" if row["status"] == "failed" else row["note"], ""
        if note:
            note = f"{row['library']} {row['method']}: {note}."
            if note not in notes:
                notes.append(note)
            mark = f" ({notes.index(note) + 1})"
        names = row["library"], row["method"] + mark, KIND_NAMES[row["kind"]]
        cells.append([*names, *numbers_of(row, limit), parameter_text(row["parameters"])])
    lines = table(HEAD, cells)
    for number, note in enumerate(notes, 1):
        lines += ["", f"({number}) {note}"]
    return lines


def set_lines(one, limit):
    """The table of a data set, and its claim, as lines of Markdown."""
    data, count, rows = one["data"], one["data"]["train"], one["tools"]
    what = f"Generated rows of the shape of {data['name']}" if data["synthetic"] else f"Data: {data['name']}"
    lines = [
        f"{what}, {count} training and {data['test']} test rows, {data['features']} features"
        f"{' of 0 and 1' if data['zero_one'] else ''}. C = {data['c']:g} is lambda = {1 / (data['c'] * count):g}."
    ]
    errors = [row["test_error"] / 100 for row in rows if row["status"] == "ok"]
    if errors:
        error = 100 * math.sqrt(min(errors) * (1 - min(errors)) / data["test"])
        lines[0] += f" The lowest error, {100 * min(errors):.2f} %, has a standard error of {error:.2f} points."
    lines += ["", *tool_table(rows, limit)]
    if one["claim"]:
        lines += ["", *claim_lines(one["claim"])]
    return lines


def wrapped(line):
    """Prose in lines of at most 100 characters; rows of tables stay."""
    if line.startswith("|") or not line:
        return [line]
    return textwrap.wrap(line, 100, subsequent_indent="  " if line.startswith("- ") else "", break_long_words=False)


def markdown(results):
    """All tables, with machine, versions and explanations, as Markdown."""
    limit, long = results["limit_seconds"], results["long_seconds"]
    runs = "one run" if results["runs"] == 1 else f"median of {results['runs']} alternating runs"
    once = f" (one run if it takes more than {long:g} s)" if long and results["runs"] > 1 else ""
    stopped = f" A fit is stopped after {limit:g} s." if limit else ""
    lines = [
        f"Machine: {results['machine']}, one thread. Versions: {'; '.join(results['versions'])}.",
        "",
        f"Seconds are processor time of fitting, {runs}{once}, each in a separate process. "
        f"Prediction is in microseconds per row.{stopped} *Times okbench's*: ratio of a fit time to that of "
        "okbench's fastest learner in this run with at most as many test errors. Kernel values are those of "
        "fitting: requested by the method, and computed. No parameter of okbench was chosen by test error; of the "
        "other libraries only some cheaper settings were. Parameters that are not shown have their defaults.",
    ]
    for one in results["sets"]:
        lines += ["", *set_lines(one, limit)]
    if results["missing"]:
        lines += ["", f"Not built here, so left out: {', '.join(results['missing'])}."]
    return "\n".join(line for long_line in lines for line in wrapped(long_line)).rstrip()


def replace(path, text):
    """Writes a file atomically."""
    from okbench.writing import write_text

    write_text(path, text)


def update(path, block):
    """Replaces the text between the markers BEGIN and END of a file. Exits if a marker is missing."""
    text = path.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        sys.exit(f"bench_external: {path} needs '{BEGIN}', then '{END}', once each")
    before, after = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
    replace(path, f"{before}\n\n{block}\n\n{after}")
