"""Claims of the papers, as data beside the specs, judged on traces.

A claims file (files.py) holds the numbers a paper prints, once each (paper_numbers.py), and claims. A claim's `value`
is an expression (results/expressions.py), or a list of them, `expect` the comparison that must hold (comparisons.py).
"""

from ..errors import ClaimError, NotRun
from ..home import experiment_folders
from .about import address
from .files import (
    NOT_REPRODUCED,
    REPRODUCED,
    Claim,
    Paper,
    claims_files,
    contents,
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
    "judge",
    "judge_claims",
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


def judge_claims(results="results/default", papers=(), experiments=None):
    """The verdicts on claims as a pandas data frame: one row per claim, with the keys of `okbench claims --json`.

    `papers`: names (default: all). `experiments`: folders of papers (default: okbench's and those of
    OKBENCH_EXPERIMENTS). Raises ClaimError and TraceFileError.
    """
    import pandas as pd

    from ..traces import Results

    found = Results(results)
    read = read_papers(experiments or experiment_folders(), papers)
    return pd.DataFrame([as_json(judge(claim, found)) for _, paper in read for claim in paper.claims])
