"""The numbers that a paper prints: the tables [numbers.*] of its claims file, with each number once.

An entry is a number, a pair [value, standard deviation], or a longer list of numbers. Its path is the names of its
tables and of the entry, separated by dots, as in table5-3.sfd1.ijcnn1.
"""

import re
import sys

from ..errors import ClaimError


def is_number(value):
    """Whether a value is a finite number within the range of doubles."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def check(table, path="numbers"):
    """Raises ClaimError unless a table contains only tables and entries whose names are valid in paths."""
    if not isinstance(table, dict):
        raise ClaimError(f"{path} must be a table")
    for name, entry in table.items():
        place = f"{path}.{name}"
        if not re.fullmatch(r"[A-Za-z][\w-]*", name):
            raise ClaimError(f"{place}: invalid name; use a letter, then letters, digits, - or _")
        if isinstance(entry, dict):
            check(entry, place)
        elif not is_number(entry) and not (isinstance(entry, list) and entry and all(map(is_number, entry))):
            raise ClaimError(f"{place} must be a number or a list of numbers")


class Numbers:
    """A paper's numbers by path. Methods raise ClaimError for an unknown path."""

    def __init__(self, tables=None):
        self.tables = tables or {}
        check(self.tables)

    def entry(self, path):
        """The entry at a path: a number, a list, or a table."""
        place = self.tables
        for depth, name in enumerate(names := path.split(".")):
            if not isinstance(place, dict) or name not in place:
                there = ", ".join(place) if isinstance(place, dict) and place else "nothing"
                above = ".".join(names[:depth]) or "[numbers]"
                raise ClaimError(f"there is no number '{path}': {above} has {there}")
            place = place[name]
        return place

    def value(self, path):
        """The number at a path, without its deviation; for a longer list, the list. Raises ClaimError for a table."""
        entry = self.entry(path)
        if isinstance(entry, dict):
            raise ClaimError(f"'{path}' is a table, not a number")
        return entry[0] if isinstance(entry, list) and len(entry) == 2 else entry

    def resolved(self, paper):
        """A claim's `paper` with paths replaced by numbers: a number or a list. Raises ClaimError."""
        if isinstance(paper, str):
            return self.value(paper)
        if isinstance(paper, list):
            return [self.resolved(element) for element in paper]
        if not is_number(paper):
            raise ClaimError(f"paper has {paper}; it must be a number or a path in [numbers]")
        return paper

    def deviation(self, path):
        """The standard deviation of a pair. Raises ClaimError for other entries."""
        entry = self.entry(path)
        if not isinstance(entry, list) or len(entry) != 2:
            raise ClaimError(f"'{path}' has no deviation; it must be [value, deviation]")
        return entry[1]
