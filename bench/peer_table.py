"""The table of bench/python_peers.py in Markdown, and its place in a document."""

import math
import sys

BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"


def spaced(number):
    return "not counted" if number is None else f"{number:,}".replace(",", " ")


def parameter_text(values):
    return ", ".join(
        f"{key}={value if isinstance(value, (str, bool)) else f'{value:g}'}" for key, value in values.items()
    )


def markdown(told):
    """The table with what it was measured on."""
    data, count = told["data"], told["data"]["train"]
    what = f"Generated rows of the shape of {data['name']}" if data["stand_in"] else f"Data: {data['name']}"
    error = 100 * math.sqrt(0.15 * 0.85 / data["test"])
    lines = [
        f"{what}, {count} training and {data['test']} test rows, {data['features']} features of 0 and 1. "
        f"Machine: {told['machine']}, one thread. Versions: {'; '.join(told['versions'])}.",
        "",
        f"Seconds are processor time of fitting, the median of {told['runs']} runs in turns; prediction is in "
        "microseconds a row. Kernel values are those of fitting: requested by the method, and computed. No parameter "
        "was chosen by its test error; those that are not named have their defaults. "
        f"C = 4 is lambda = {0.25 / count:g}. An error near 15 % has a standard error of {error:.2f} points.",
        "",
        "| library | method | test error, % | fit, s | predict, µs | requested | computed | vectors | parameters |",
        "|---|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    notes = []
    for row in told["peers"]:
        mark = ""
        if row["note"]:
            notes.append(f"{row['library']} {row['method']}: {row['note']}.")
            mark = f" ({len(notes)})"
        size = spaced(row["vectors"]) + ("" if row["vectors_are"] == "vectors" else f" {row['vectors_are']}")
        cells = (
            row["library"],
            row["method"] + mark,
            f"{row['test_error']:.2f}",
            f"{row['fit_seconds']:.2f}",
            f"{1e6 * row['predict_seconds_per_row']:.1f}",
            spaced(row["requested"]),
            spaced(row["computed"]),
            size,
            parameter_text(row["parameters"]),
        )
        lines.append(f"| {' | '.join(cells)} |")
    for number, note in enumerate(notes, 1):
        lines += ["", f"({number}) {note}"]
    if told["missing"]:
        lines += ["", f"Not built here, and so left out: {', '.join(told['missing'])}."]
    return "\n".join(lines).rstrip()


def update(path, block):
    """Puts a text between the two markers of a file."""
    text = path.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        sys.exit(f"python_peers: {path} needs '{BEGIN}' and, after it, '{END}', once each")
    before, after = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
    path.write_text(f"{before}\n\n{block}\n\n{after}", encoding="utf-8")
