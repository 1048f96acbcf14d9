"""Tables of text with aligned columns."""

import os
import sys

SHORTEST = 12  # characters that a shortened column keeps


def aligned(cells):
    """The lines of a table. `cells`: rows of texts of the same length, the header first."""
    widths = [max(map(len, column)) for column in zip(*cells)]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in cells]


def terminal_width():
    """Width of the terminal on standard output in characters; 0 if it is not a terminal."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    except (OSError, ValueError):
        return 0


def fitted(cells, width, expendable):
    """The lines of a table that fits into `width` characters; 0: any width.

    First leaves out columns with one value, then the columns of `expendable` in this order, then shortens the widest
    column. A last line names what is not shown.
    """
    columns, same, hidden = [list(column) for column in zip(*cells)], [], []

    def excess():
        return sum(max(map(len, column)) + 2 for column in columns) - 2 - width if width else 0

    for column in [*reversed(columns)] if len(cells) > 2 else ():
        if excess() > 0 and len(set(column[1:])) == 1:
            same.insert(0, f"{column[0]} {column[1]}")
            columns.remove(column)
    for name in expendable:
        matches = [column for column in columns if column[0] == name]
        if excess() > 0 and matches:
            hidden.append(name)
            columns.remove(matches[0])
    while (too_wide := excess()) > 0:
        widest = max(columns, key=lambda column: max(map(len, column)))
        now = max(map(len, widest))
        if now <= SHORTEST:
            break
        kept = max(SHORTEST, now - too_wide)
        widest[:] = [text if len(text) <= kept else text[: kept - 3] + "..." for text in widest]
    lines = aligned([*zip(*columns)])
    lines += [f"in all rows: {', '.join(same)}"] if same else []
    return lines + ([f"not shown: {', '.join(hidden)}; --width 0 shows all"] if hidden else [])
