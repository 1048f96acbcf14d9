"""Finds the expressions that are error rates, which are shown in percent."""

from .expressions import Call

RATES = (
    *("error_rate", "error_rate_at", "error_rate_last", "test_error", "validation_error", "error_on_listed"),
    *("margin_error_rate", "margin_error_rate_last"),
)
# Functions whose value has the unit of the measure or column in their arguments.
OF_A_MEASURE = ("least", "most", "best_fixed", "deviation", "at", "after", "column_at")
COUNTS = ("mistakes", "margin_errors")  # columns whose pass_mean is a rate


def is_error_rate(tree):
    """Whether a tree is an error rate, or a max, min or median of error rates. Quotients and differences are not."""
    if not isinstance(tree, Call):
        return False
    if tree.name in ("max", "median", "min"):
        return all(map(is_error_rate, tree.arguments))
    if tree.name in OF_A_MEASURE:
        return any(name in tree.arguments for name in ("error_rate", "test_error"))
    if tree.name == "pass_mean":
        return any(name in tree.arguments for name in COUNTS)
    return tree.name in RATES
