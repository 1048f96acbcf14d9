"""Claims: what the papers state, as data beside the specs, judged on traces.

A claims file (files.py) holds the numbers a paper prints, once each (paper_numbers.py), and claims. A claim's `value`
is an expression (results/expressions.py), or a list of them, `expect` the comparison that must hold (comparisons.py).
"""

from ..errors import ClaimError, NotRun
from .files import NOT_REPRODUCED, REPRODUCED, Claim, Paper, claims_files, make_claim, numbers, read
from .judging import NOT_RUN, Judged, judge
from .paper_numbers import Numbers
from .specs import Specs
from .output import as_json, counts, print_text, shown, shown_expect, shown_paper, shown_tried, shown_values

__all__ = [
    "NOT_REPRODUCED",
    "NOT_RUN",
    "REPRODUCED",
    "Claim",
    "ClaimError",
    "Judged",
    "NotRun",
    "Numbers",
    "Paper",
    "Specs",
    "as_json",
    "claims_files",
    "counts",
    "judge",
    "make_claim",
    "numbers",
    "print_text",
    "read",
    "shown",
    "shown_expect",
    "shown_paper",
    "shown_tried",
    "shown_values",
]
