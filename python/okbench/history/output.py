"""The history as text and as JSON."""

from .trials import COUNTS, ERRORS

STATES = ("changed", "new", "missing")


def moved(change, keys):
    """Whether one of these numbers moved."""
    return change["state"] == "changed" and any(key in change["summary"] for key in keys)


def commit_of(step):
    return step.commit[:10] + ("+" if step.dirty else "")


def table(rows, head):
    """Columns of text, aligned; the last one as long as it is."""
    lines = [head, *rows]
    widths = [max(len(line[c]) for line in lines) for c in range(len(head))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def overview(steps):
    """A line a step: how many trials changed, how many of them in their counts and in their errors."""
    head = ["date", "commit", *STATES, "counts", "errors", "why"]
    rows = [
        [
            step.date[:16].replace("T", " "),
            commit_of(step),
            *(str(step.count(state)) for state in STATES),
            *(str(sum(moved(change, keys) for change in step.changes)) for keys in (COUNTS.values(), ERRORS)),
            step.why,
        ]
        for step in steps
    ]
    return table(rows, head)


def number(value, rate):
    if value is None:
        return "-"
    return f"{100 * value:.4g} %" if rate else f"{value:.6g}" if isinstance(value, float) else str(value)


def cell(row, key):
    """ "12 -> 13", or "12" where it did not move; values that look alike are told exactly."""
    rate = key in ("error_rate", "test_error")
    after = number(row["values"].get(key), rate)
    pair = row["change"]["summary"].get(key)
    if pair is None or pair[0] is None:
        return after
    before = number(pair[0], rate)
    return f"{pair[0]!r} -> {pair[1]!r}" if before == after else f"{before} -> {after}"


def story(name, rows):
    """One trial: its numbers after each step."""
    errors = [key for key in ERRORS if any(row["values"].get(key) is not None for row in rows)]
    if any(key.endswith("rmse") for key in errors):
        errors = [key for key in errors if key not in ("error_rate", "test_error")]  # zeros, of regression
    keys = [*COUNTS.values(), *errors]
    lines = [
        [
            row["step"].date[:16].replace("T", " "),
            commit_of(row["step"]),
            row["change"]["state"],
            *(cell(row, key) for key in keys),
            row["step"].why,
        ]
        for row in rows
    ]
    head = ["date", "commit", "state", *COUNTS, *(key.replace("_", " ") for key in errors), "why"]
    return f"{name}\n" + "\n".join("  " + line for line in table(lines, head).splitlines())


def as_json(steps):
    return [
        {
            "date": step.date,
            "commit": step.commit,
            "dirty": step.dirty,
            "from": step.source,
            "why": step.why,
            **{state: step.count(state) for state in STATES},
            "trials": step.changes,
        }
        for step in steps
    ]


def story_json(rows):
    return [
        {
            "date": row["step"].date,
            "commit": row["step"].commit,
            "dirty": row["step"].dirty,
            "from": row["step"].source,
            "why": row["step"].why,
            "state": row["change"]["state"],
            "digest": row["change"].get("digest"),
            "counts": {kind: row["values"].get(key) for kind, key in COUNTS.items()},
            "errors": {key: row["values"][key] for key in ERRORS if row["values"].get(key) is not None},
            "moved": row["change"]["summary"],
        }
        for row in rows
    ]
