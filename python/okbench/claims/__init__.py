"""Reads the claims of papers and judges them on traces.

A claims file (files.py) is next to the specs of its paper. It holds the numbers that the paper prints
(paper_numbers.py) and claims. `value` of a claim is an expression (measures/expressions.py) or a list of expressions,
`expect` is the comparison that must hold (comparisons.py).
"""

from ..errors import ClaimError, NotRun
from ..home import experiment_folders
from .about import address
from .files import (
    NOT_REPRODUCED,
    QUESTION,
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
from .judging import DOES_NOT_HOLD, HOLDS, NOT_RUN, OUTCOMES, Judged, judge
from .paper_numbers import Numbers
from .replacing import (
    NOT_ABOUT_BEHAVIOUR,
    REPLACED_VERDICTS,
    Generalised,
    generalise,
    replaced_results,
)
from .differences import direction
from .specs import Specs
from .output import (
    as_json,
    joined,
    paper_as_json,
    print_brief,
    print_text,
    questions,
    shown,
    shown_difference,
    shown_expect,
    shown_note,
    shown_paper,
    shown_tried,
    shown_values,
    statements,
    summed,
    tally,
)

__all__ = [
    "DOES_NOT_HOLD",
    "Generalised",
    "HOLDS",
    "NOT_ABOUT_BEHAVIOUR",
    "NOT_REPRODUCED",
    "NOT_RUN",
    "OUTCOMES",
    "REPLACED_VERDICTS",
    "QUESTION",
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
    "direction",
    "generalise",
    "joined",
    "judge",
    "judge_claims",
    "make_claim",
    "numbers",
    "paper_as_json",
    "print_brief",
    "print_text",
    "questions",
    "read",
    "read_papers",
    "replaced_results",
    "shown",
    "shown_difference",
    "shown_expect",
    "shown_note",
    "shown_paper",
    "shown_tried",
    "shown_values",
    "statements",
    "summed",
    "tally",
]


def judge_claims(results="results/default", papers=(), experiments=None):
    """Judges claims and returns a pandas data frame: one row per claim, with the keys of `okbench claims --json`.

    `results`: result folder. `papers`: short names (default: all). `experiments`: folders of papers (default:
    those of okbench and OKBENCH_EXPERIMENTS). Raises ClaimError or TraceFileError.
    """
    import pandas as pd

    from ..results import Results

    trial_results = Results(results)
    read = read_papers(experiments or experiment_folders(), papers)
    return pd.DataFrame([as_json(judge(claim, trial_results)) for _, paper in read for claim in paper.claims])
