"""A trace file as text: provenance, columns, and the first and last rows."""

import json

import numpy as np

ENDS = 3  # rows at either end of a table


def lines_of(trace):
    """Lines of text."""
    lines = [str(trace.path), "", f"trial {trace.trial_id}", f"digest {trace.digest}"]
    for part in ("spec", "summary", "provenance"):
        lines += ["", part, json.dumps(getattr(trace, part), indent=2)]
    for name, columns in trace.tables.items():
        rows = max(map(len, columns.values()), default=0)
        lines += ["", f"{name}: {rows} rows", *(column_line(name, *column, trace) for column in columns.items())]
    return lines


def column_line(table, name, values, trace):
    kind = "float64" if np.issubdtype(np.asarray(values).dtype, np.floating) else "int64"
    texts = [str(value) for value in np.asarray(values).tolist()]
    shown = texts if len(texts) <= 2 * ENDS else [*texts[:ENDS], "...", *texts[-ENDS:]]
    note = "  (not in the digest)" if name in trace.undigested.get(table, ()) else ""
    return f"  {name:<18}{kind:<9}  {'  '.join(shown)}{note}"
