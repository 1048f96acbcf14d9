"""Which expressions are error rates: papers print them, and people read them, in percent."""

from .expressions import Call

RATES = (
    *("error_rate", "error_rate_at", "error_rate_last", "test_error", "validation_error", "error_on_listed"),
    *("margin_error_rate", "margin_error_rate_last"),
)
# Functions that are in the unit of a measure or column that they name, and counts whose mean over a pass is a rate.
OF_A_MEASURE = ("least", "most", "best_fixed", "deviation", "at", "after", "column_at")
COUNTS = ("mistakes", "margin_errors")


def is_error_rate(tree):
    """Whether a tree is such a measure itself; a quotient or a difference of two is none."""
    if not isinstance(tree, Call):
        return False
    if tree.name in ("max", "min"):
        return all(map(is_error_rate, tree.arguments))
    if tree.name in OF_A_MEASURE:
        return any(name in tree.arguments for name in ("error_rate", "test_error"))
    if tree.name == "pass_mean":
        return any(name in tree.arguments for name in COUNTS)
    return tree.name in RATES
