"""How a claim that is not reproduced differs from the paper, and which tried causes explain it."""

import math

from ..errors import ClaimError
from ..measures import Parser, is_error_rate
from ..measures.expressions import calls
from .files import NOT_REPRODUCED

LOWER_IS_BETTER = ("mistakes", "margin_errors", "support_vectors", "cost", "task_loss", "rmse")
WRAPPERS = ("least", "most", "max", "median", "min")  # functions that select one of several values
EXPLAINS, DOES_NOT, PARTLY, OTHER = "explains it", "does not explain it", "explains it in part", "another quantity"


def sides(judged):
    """For each value: 1 above what the claim accepts, -1 below, 0 accepted. Empty for comparisons without bounds."""
    expect, values = judged.claim.expect, judged.values
    if expect.kind == "within":
        return [(value > high) - (value < low) for value, (low, high) in zip(values, expect.bound)]
    sign = {"<=": 1, "<": 1, ">=": -1, ">": -1}.get(expect.kind)
    return [] if sign is None else [0 if expect.holds([value]) else sign for value in values]


def lower_is_better(expression):
    tree = Parser(expression).tree()
    return is_error_rate(tree) or getattr(tree, "name", None) in LOWER_IS_BETTER


def direction(judged):
    """How the failing values of a claim that is not reproduced differ, or "".

    "better than the paper" or "worse than the paper" if the paper prints a value, and all values are errors, mistakes
    or costs that miss a bound on the same side. Else "above the bound", "below the bound" or both.
    """
    if judged.verdict != NOT_REPRODUCED:
        return ""
    failing = [(side, text) for side, text in zip(sides(judged), judged.claim.value) if side]
    failing_sides = {side for side, _ in failing}
    if len(failing_sides) != 1:
        return "above and below the bounds" if failing_sides else ""
    (side,) = failing_sides
    if judged.claim.paper_value is not None and all(lower_is_better(text) for _, text in failing):
        return "worse than the paper" if side > 0 else "better than the paper"
    return "above the bound" if side > 0 else "below the bound"


def quantity(value):
    """What a value measures: names of functions of results, with all error rates as one. None for a plain number."""
    if not isinstance(value, str):
        return None
    tree = Parser(value).tree()
    names = {call.name for call in calls(tree) if call.name not in WRAPPERS}
    rates = {call.name for call in calls(tree) if is_error_rate(call)}
    return (names - rates) | ({"error"} if rates else set())


def explains(claim, tried, values):
    """Whether a tried cause explains the difference: EXPLAINS, DOES_NOT, PARTLY (some of its settings), or OTHER.

    It does if the claim's comparison holds for its values. A cause may have several settings, each with one value.
    Empty if a value is not finite.
    """
    if not all(isinstance(value, list) or math.isfinite(value) for value in values):
        return ""
    wanted, quantities = [quantity(expression) for expression in claim.value], [
        quantity(expression) for expression in tried.value
    ]
    try:
        if len(values) == len(claim.value):
            same = all(a is None or a == b for a, b in zip(quantities, wanted))
            return OTHER if not same else EXPLAINS if claim.expect.holds(values) else DOES_NOT
        if len(claim.value) > 1 or any(a is not None and a != wanted[0] for a in quantities):
            return OTHER
        good = [claim.expect.holds([value]) for value in values]
        return EXPLAINS if all(good) else PARTLY if any(good) else DOES_NOT
    except (ClaimError, TypeError):
        return OTHER
