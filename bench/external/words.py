"""Formats numbers, parameters and tables in Markdown."""

KIND_NAMES = {"linear": "linear", "rbf": "RBF"}


def count_text(number):
    """A count with commas between thousands; "not counted" if `number` is None."""
    return "not counted" if number is None else f"{number:,}"


def parameter_text(values):
    return ", ".join(
        f"{key}={value if value is None or isinstance(value, (str, bool)) else f'{value:g}'}"
        for key, value in values.items()
    )


def seconds_text(seconds):
    return f"{seconds:.2f}" if seconds >= 1 else f"{seconds:.3f}"


def ratio_text(ratio):
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}"


def table(head, rows):
    """A table as lines of Markdown. A colon at the start of a column name marks a column of numbers."""
    lines = [f"| {' | '.join(name.lstrip(':') for name in head)} |"]
    lines.append("|" + "|".join("---:" if name.startswith(":") else "---" for name in head) + "|")
    return lines + [f"| {' | '.join(cells)} |" for cells in rows]
