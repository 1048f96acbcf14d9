"""The comparisons of claims: which values `expect` accepts."""

import dataclasses
import json
import math
import operator
import re

from ..errors import ClaimError
from ..results.means import decimal
from .paper_numbers import is_number

FORMS = (
    "increasing, equal, or [all] <= NUMBER, < NUMBER, >= NUMBER, > NUMBER, within [LOW, HIGH], within N deviations, "
    "within X of it or within a factor of F"
)
ORDERS = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}
DERIVED = re.compile(
    r"within (?:(?P<deviations>[\d.]+) deviations|(?P<distance>\S+) of it|a factor of (?P<factor>\S+))"
)


def number(text):
    try:
        value = float(text)
    except ValueError as error:
        raise ClaimError(f"'{text}' must be a number") from error
    if not math.isfinite(value):
        raise ClaimError(f"'{text}' must be a finite number")
    return value


@dataclasses.dataclass
class Comparison:
    """A comparison with its bounds."""

    text: str  # for people, with computed bounds
    kind: str  # increasing, equal, <=, <, >=, > or within
    bound: object = None  # a number; for "equal", the paper's numbers; for "within", a (low, high) per value

    def __str__(self):
        return self.text

    def holds(self, values):
        """Whether the values satisfy the comparison. Raises ClaimError if a list is compared with numbers."""
        if self.kind != "equal" and any(isinstance(value, list) for value in values):
            raise ClaimError(f"'{self.text}' cannot compare a list: only 'equal' compares lists")
        if self.kind == "increasing":
            return all(a < b for a, b in zip(values, values[1:]))
        if self.kind == "equal":
            return values == self.bound
        if self.kind == "within":
            return all(low <= value <= high for value, (low, high) in zip(values, self.bound))
        return all(ORDERS[self.kind](value, self.bound) for value in values)


def explicit_ranges(text, count, every):
    """Parses [LOW, HIGH] for all `count` values, or a list with one [LOW, HIGH] per value. Raises ClaimError."""
    try:
        ranges = json.loads(text, parse_constant=number)
    except json.JSONDecodeError as error:
        raise ClaimError(f"'{text}' must be [LOW, HIGH] or a list of them") from error
    if isinstance(ranges, list) and ranges and all(map(is_number, ranges)):
        if count > 1 and not every:
            raise ClaimError(f"'within {text}' needs 'all' for a list of values")
        ranges = [ranges] * count
    good = isinstance(ranges, list) and all(
        isinstance(interval, list)
        and len(interval) == 2
        and all(map(is_number, interval))
        and interval[0] <= interval[1]
        for interval in ranges
    )
    if not good or len(ranges) != count:
        raise ClaimError(f"'{text}' must be [LOW, HIGH] with LOW <= HIGH, or a list with one of them per value")
    return ranges


def derived_ranges(form, count, paper, numbers):
    """Range around each of the paper's numbers: +- N standard deviations, +- X, or from value / F to value F."""
    values = [] if paper is None else numbers.resolved(paper)
    values = values if isinstance(values, list) else [values] * count
    if len(values) != count or not all(map(is_number, values)):
        raise ClaimError(f"'{form[0]}' needs 'paper': a number, or one per value")
    if form["factor"]:
        factor = number(form["factor"])
        if factor < 1 or min(values) < 0:
            raise ClaimError(f"'{form[0]}' needs a factor >= 1 and paper's numbers >= 0")
        return [(decimal(value / factor), decimal(value * factor)) for value in values]
    if form["deviations"]:
        paths = paper if isinstance(paper, list) else [paper] * count
        if not all(isinstance(path, str) for path in paths):
            raise ClaimError(f"'{form[0]}' needs 'paper' to be the path of a [value, deviation]")
        reach = [number(form["deviations"]) * numbers.deviation(path) for path in paths]
    else:
        reach = [number(form["distance"])] * count
    if min(reach) < 0:
        raise ClaimError(f"'{form[0]}' needs a distance >= 0")
    return [(decimal(value - width), decimal(value + width)) for value, width in zip(values, reach)]


def comparison(text, count, paper, numbers):
    """Parses `expect` of a claim with `count` values; `paper` is the claim's key. Raises ClaimError."""
    if text == "increasing":
        if count < 2:
            raise ClaimError("'increasing' needs at least two values")
        return Comparison(text, text)
    if text == "equal":
        if paper is None:
            raise ClaimError("'equal' needs 'paper'")
        bound = numbers.resolved(paper)
        if count == 1 and not (isinstance(paper, list) and len(paper) == 1):
            bound = [bound]
        if not isinstance(bound, list) or len(bound) != count:
            raise ClaimError("'equal' needs one paper number, or a list of them, for each value")
        return Comparison(text, text, bound)
    match = re.fullmatch(r"(all )?(<=|>=|<|>|within) (.+)", text)
    if not match:
        raise ClaimError(f"'{text}' is not a comparison; write {FORMS}")
    every, kind, rest = match.groups()
    if kind != "within":
        if count > 1 and not every:
            raise ClaimError(f"'{text}' needs 'all' for a list of values")
        return Comparison(text, kind, number(rest))
    form = DERIVED.fullmatch(f"within {rest}")
    if not form:
        return Comparison(text, kind, explicit_ranges(rest, count, every))
    ranges = derived_ranges(form, count, paper, numbers)
    shown = [f"[{low:.6g}, {high:.6g}]" for low, high in ranges]
    said = shown[0] if len(set(shown)) == 1 else "[" + ", ".join(shown) + "]"
    return Comparison(f"{every or ''}within {said}", kind, ranges)
