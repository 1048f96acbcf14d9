"""The tables of docs/streams-compared.md."""

import statistics
import textwrap

from external.words import table
from streams.rows import AFTER, CLASSES, TARGETS

LARGEST = 100  # deviations; a larger error is that of a diverging learner
WITHIN = 0.002  # "first or close to it": within .2 points, or .002 of a deviation
FOREST = "MOA adaptive random forest, 10"


def own(title):
    return title.startswith("okbench ")


def value(numbers, real, key="error"):
    if numbers is None:
        return ""
    if key not in numbers:
        return "over" if "over" in numbers else "failed"
    if real and numbers[key] > LARGEST:
        return f"over {LARGEST}"
    return f"{numbers[key]:.3f}" if real else f"{100 * numbers[key]:.2f}"


def cell(programs, title, real, key="error"):
    """The number of a program, in bold if it is the lowest of a stream."""
    numbers = programs.get(title)
    text = value(numbers, real, key)
    if not numbers or key not in numbers:
        return text
    lowest_of_all = min(each[key] for each in programs.values() if key in each)
    return f"**{text}**" if numbers[key] == lowest_of_all else text


def titles_of(results, names):
    return list(dict.fromkeys(title for name in names for title in results["streams"][name]["programs"]))


def error_table(results, names, real):
    """A line per program, a column per stream: errors, the lowest in bold, and the speed and memory of the program."""
    names = [name for name in names if name in results["streams"]]
    lines = []
    for title in titles_of(results, names):
        cells, speeds, sizes = [], [], []
        for name in names:
            programs = results["streams"][name]["programs"]
            cells.append(cell(programs, title, real))
            numbers = programs.get(title, {})
            if "error" in numbers:
                speeds.append(results["streams"][name]["rows"] / max(numbers["seconds"], 1e-9))
                sizes.append(numbers["megabytes"])
        speed = f"{float(f'{statistics.median(speeds):.2g}'):,.0f}" if speeds and not title.startswith("the ") else ""
        size = f"{max(sizes):,.1f}" if sizes and not title.startswith("the ") else ""
        lines.append([title, *cells, speed, size])
    head = ("program", *(f":{name}" for name in names), ":rows a second", ":MB")
    return table(head, lines) if names else []


def changed(stream):
    """Whether the changes of a stream are known."""
    return any(numbers.get("after") is not None for numbers in stream["programs"].values())


def change_table(results):
    """A line per program, a column per stream with known changes: errors after the changes, the lowest in bold.

    Empty without such a stream.
    """
    streams = {name: stream["programs"] for name, stream in results["streams"].items() if changed(stream)}
    lines = [
        [title, *(cell(programs, title, False, "after") for programs in streams.values())]
        for title in titles_of(results, streams)
    ]
    if not streams:
        return []
    said = f"Errors in % in the {AFTER} rows after each change, of streams whose changes are at known rows:"
    return [said, "", *table(("program", *(f":{name}" for name in streams)), lines), ""]


def lowest(programs, ours):
    """(title, numbers) of the lowest error among okbench's learners, or among those of the other programs."""
    chosen = {
        title: numbers
        for title, numbers in programs.items()
        if "error" in numbers and own(title) == ours and not title.startswith("the ")
    }
    title = min(chosen, key=lambda title: chosen[title]["error"])
    return title, chosen[title]


def kappa_temporal(programs, title):
    """1 - error / error of the last label, as text; empty without a last label."""
    last = programs.get("the last label")
    return f"{1 - programs[title]['error'] / last['error']:.2f}" if last and last["error"] else ""


def rounded(ratio):
    return f"{ratio:.0f}" if ratio >= 2 else f"{ratio:.1f}"


def verdict_lines(results):
    """Who wins on each stream, and by how much."""
    lines, close, lost = [], [], []
    for name, stream in results["streams"].items():
        real = name in TARGETS
        (mine, ours), (theirs, other) = lowest(stream["programs"], True), lowest(stream["programs"], False)
        behind = ours["error"] - other["error"]
        if behind <= WITHIN:
            close.append(name)
        else:
            lost.append(f"{name} ({theirs})")
        ratio = other["seconds"] / max(ours["seconds"], 1e-9)
        lines.append(
            [
                name,
                mine.removeprefix("okbench "),
                value(ours, real),
                kappa_temporal(stream["programs"], mine),
                theirs,
                value(other, real),
                kappa_temporal(stream["programs"], theirs),
                f"{behind:+.3f}" if real else f"{100 * behind:+.2f}",
                rounded(ratio),
            ]
        )
    of_each = (":error", ":kappa-temporal")
    head = ("stream", "okbench's best", *of_each, "the best other", *of_each, ":difference", ":its seconds / ours")
    said = (
        f"okbench is first, or at most .2 points (.002 deviations) behind the first, on {len(close)} of "
        f"{len(lines)} streams: {', '.join(close)}. Other programs are ahead on {', '.join(lost) or 'none'}."
    )
    return [*textwrap.wrap(said, 100), "", *table(head, lines)]


def forest_table(results):
    """A line per learner of okbench: how often it errs less than a forest of ten trees, and how much faster it is.

    Empty without the forest.
    """
    lines = []
    programs = [stream["programs"] for stream in results["streams"].values()]
    for title in filter(own, titles_of(results, results["streams"])):
        pairs = [(each.get(title, {}), each.get(FOREST, {})) for each in programs]
        pairs = [(ours, forest) for ours, forest in pairs if "error" in ours and "error" in forest]
        if not pairs:
            continue
        better = sum(ours["error"] < forest["error"] for ours, forest in pairs)
        ratios = [forest["seconds"] / max(ours["seconds"], 1e-9) for ours, forest in pairs]
        lines.append(
            [
                title.removeprefix("okbench "),
                f"{better} of {len(pairs)}",
                *map(rounded, (statistics.median(ratios), min(ratios), max(ratios))),
            ]
        )
    if not lines:
        return []
    head = ("okbench's learner", ":lower error", ":forest's seconds / its own", ":least", ":most")
    said = (
        "Each learner against MOA's adaptive random forest of ten trees: the streams on which it has the lower error, "
        "and the forest's seconds over its own (median, least and most of the streams)."
    )
    return [*textwrap.wrap(said, 100), "", *table(head, lines), ""]


def markdown(results):
    about = results["about"]
    ran = (
        f"Machine: {about['machine']}, one thread. Versions: {'; '.join(about['versions'])}. The first "
        f"{about['rows']:,} rows of each stream."
    )
    lines = [*textwrap.wrap(ran, 100), ""]
    if len(results["streams"]) > 1:
        lines += [*verdict_lines(results), "", *forest_table(results)]
    classes, targets = error_table(results, CLASSES, False), error_table(results, TARGETS, True)
    if classes:
        lines += ["Errors in %, test then train:", "", *classes, "", *change_table(results)]
    if targets:
        lines += ["Root mean squared errors, in deviations of the targets:", "", *targets]
    return "\n".join(lines).rstrip()
