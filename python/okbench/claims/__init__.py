"""Claims: what the papers state, as data beside the specs, judged on traces.

A claims file (files.py) holds the numbers a paper prints, once each (paper_numbers.py), and claims. A claim's `value`
is an expression (results/expressions.py), or a list of them, `expect` the comparison that must hold (comparisons.py).
"""

import sys
import types

from ..errors import ClaimError, NotRun
from .about import address
from .files import (
    NOT_REPRODUCED,
    REPRODUCED,
    Claim,
    Paper,
    claims_files,
    contents,
    default_folders,
    make_claim,
    numbers,
    read,
    read_papers,
)
from .judging import NOT_RUN, Judged, judge
from .paper_numbers import Numbers
from .specs import Specs
from .output import (
    as_json,
    counts,
    paper_as_json,
    print_text,
    shown,
    shown_expect,
    shown_paper,
    shown_tried,
    shown_values,
)

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
    "address",
    "as_json",
    "claims_files",
    "contents",
    "counts",
    "default_folders",
    "judge",
    "make_claim",
    "numbers",
    "paper_as_json",
    "print_text",
    "read",
    "read_papers",
    "shown",
    "shown_expect",
    "shown_paper",
    "shown_tried",
    "shown_values",
]


class _Judging(types.ModuleType):
    """So that okbench.claims(...) judges."""

    def __call__(self, results="results/default", papers=(), experiments=None):
        """The verdicts on claims as a pandas data frame, a row each, with the keys of okbench claims --json.

        `papers`: names; left out: all. `experiments`: folders of papers; left out: okbench's own and those of
        OKBENCH_EXPERIMENTS. Raises ClaimError and TraceFileError."""
        import pandas as pd

        from ..results import Results

        found = Results(results)
        read = read_papers(experiments or default_folders(), papers)
        return pd.DataFrame([as_json(judge(claim, found)) for _, paper in read for claim in paper.claims])


sys.modules[__name__].__class__ = _Judging
