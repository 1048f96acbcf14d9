"""One trial over all steps: what its numbers were after each."""

import json
import re

from ..reading import files_named
from .repository import flat

COUNTS = {kind: f"kernel_evaluations/{kind}" for kind in ("requested", "computed", "evaluation")}
ERRORS = ("error_rate", "test_error", "rmse", "test_rmse", "task_loss", "test_task_loss")


def pattern_of(text):
    """What a trial's name has to be: * and ? stand for any characters; an experiment has all its trials."""
    glob = "".join({"*": ".*", "?": "."}.get(c, re.escape(c)) for c in text.rstrip("/"))
    return re.compile(f"{glob}(/.*)?")


def present(folder):
    """Numbers of the references as they lie there, by trial; of files that are none, nothing."""
    found = {}
    for path in files_named(folder, "*.json"):
        try:
            references = json.loads(path.read_text(encoding="utf-8"))["trials"]
            found.update({name: flat(reference["summary"]) for name, reference in references.items()})
        except (ValueError, LookupError, TypeError, AttributeError):
            continue
    return found


def names_of(steps, now, wanted):
    """Trials that match by name, or by an id that an entry tells, in the order of their names."""
    changes = [change for step in steps for change in step.changes]
    known = {*now, *(change["trial"] for change in changes)}
    by_id = {change["trial"] for change in changes if wanted.fullmatch(change.get("id", ""))}
    return sorted(name for name in known if name in by_id or wanted.fullmatch(name))


def rows_of(name, steps, now):
    """A row for each step that moved a trial, the oldest first, with what it was after it.

    A number that did not move at a step is what it was before the next one that moved it: so entries that tell
    only what moved are enough, without the commits before them.
    """
    values, rows = dict(now.get(name, {})), []
    for step in reversed(steps):
        for change in reversed(step.changes):
            if change["trial"] != name:
                continue
            values.update({key: after for key, (_, after) in change["summary"].items()})
            rows.append({"step": step, "change": change, "values": dict(values)})
            values.update({key: before for key, (before, _) in change["summary"].items()})
    return rows[::-1]
