"""The league: compares online kernel learners by the kernel evaluations that they need to reach target errors.

docs/explanation/league.md defines the measures. runs.py reads the experiments league/... of a result folder.
targets.py computes the target errors, costs.py, restarts.py and curves.py the cost to reach them with restarts.
ranks.py computes ranks over data sets and their tests, and standings.py the table.
"""

from .costs import KINDS
from .curves import Curve, curve
from .runs import PREFIX, Entry, League, Run, is_ranked, names, of, read
from .standings import as_json, regressions, standings
from .targets import COUNT, WINDOW

__all__ = [
    "COUNT",
    "KINDS",
    "PREFIX",
    "WINDOW",
    "Curve",
    "Entry",
    "League",
    "Run",
    "as_json",
    "curve",
    "is_ranked",
    "names",
    "of",
    "read",
    "regressions",
    "standings",
]
