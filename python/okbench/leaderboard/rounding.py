"""Compares a rerun with a bundle. BLAS rounds differently on other processors, so last bits may differ."""

import dataclasses

import numpy as np

# Largest relative difference of real numbers, and of counts, which change by whole mistakes.
REAL, COUNT = 1e-6, 1e-3


@dataclasses.dataclass(frozen=True)
class Difference:
    """The first difference of two traces in the order of steps, and whether all differences are within the limits."""

    text: str
    tolerable: bool


def first_difference(trace, other):
    """The Difference of the tables of two traces, or None if they are equal. Columns of seconds are not compared."""
    first, tolerable = None, True
    for name in sorted(trace.tables.keys() | other.tables.keys()):
        a, b = ({} if name not in each.tables else each.tables[name] for each in (trace, other))
        columns = [column for column in a if "seconds" not in column]
        if columns != [column for column in b if "seconds" not in column]:
            return Difference(f"table {name} has other columns", False)
        for column in columns:
            left, right = np.asarray(a[column]), np.asarray(b[column])
            if left.shape != right.shape or left.dtype.kind != right.dtype.kind:
                return Difference(f"{name}/{column} has another length or type", False)
            rows = np.flatnonzero(~((left == right) | ((left != left) & (right != right))))
            if not len(rows):
                continue
            tolerable = tolerable and all(close(x, y) for x, y in zip(left[rows].tolist(), right[rows].tolist()))
            step = int(np.asarray(a["step"])[rows[0]]) if "step" in a else int(rows[0]) + 1
            if first is None or step < first[0]:
                first = (
                    step,
                    f"step {step}, {column}: {left[rows[0]]:.17g} on {cpu(trace)},"
                    f" {right[rows[0]]:.17g} on {cpu(other)}",
                )
    return None if first is None else Difference(first[1], tolerable)


def cpu(trace):
    return trace.provenance.get("cpu", "an unknown processor")


def close(a, b):
    """Whether two numbers agree within the limit of their kind."""
    if isinstance(a, int) and isinstance(b, int):
        return abs(a - b) <= max(1, COUNT * max(abs(a), abs(b)))
    return a == b or abs(a - b) <= REAL * max(abs(a), abs(b)) or (a != a and b != b)


def same(a, b):
    """Whether two JSON values agree, numbers within their limits."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (a, b))
    return close(a, b) if numbers else a == b
