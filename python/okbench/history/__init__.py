"""How the references moved: entries of their history file, and commits of the repository that they lie in.

A change of one trial is a table as history.jsonl has it: trial, state (changed, new, missing), learner, digest,
revisions where they moved, and summary, the numbers that moved; each pair is [before, after].
"""

import dataclasses


@dataclasses.dataclass
class Step:
    """Changes that came together, by an update with its reason, or by a commit."""

    date: str  # UTC, 2026-01-31T12:34:56Z
    commit: str  # of an entry the one that the program was built from
    dirty: bool
    source: str  # "history" or "git"
    why: str
    changes: list

    def count(self, state):
        return sum(change["state"] == state for change in self.changes)


class HistoryError(Exception):
    """A history that cannot be read; one line."""


class NoRepository(Exception):
    """There is no git history, and why; one line."""
