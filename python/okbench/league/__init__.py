"""The league: online kernel learners on one field, judged by what they ask of the kernel.

It reads the experiments league/... of a result folder (field.py), and measures by docs/league.md: errors, ladders of
targets (targets.py), what it costs to reach them with restarts (costs.py, restarts.py, curves.py), ranks over data
sets and tests of them (ranks.py), and all of it as one table (standings.py).
"""

from .costs import KINDS
from .curves import Curve, curve
from .field import PREFIX, Entry, League, Run, names, of, read
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
    "names",
    "of",
    "read",
    "regressions",
    "standings",
]
