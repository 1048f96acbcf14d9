"""Entries: what history.jsonl tells."""

import json

from . import HistoryError, Step

NAME = "history.jsonl"


def read(path):
    """Steps by the name of their entry, the oldest first; none without a file.

    Lines of an entry need not stand together: merged files interleave. Raises HistoryError.
    """
    if not path.exists():
        return {}
    steps = {}
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                take(json.loads(line), steps)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise HistoryError(f"{path}:{number}: not a line of a history of references") from error
    except OSError as error:
        raise HistoryError(f"{path}: cannot be read: {error.strerror}") from error
    return dict(sorted(steps.items(), key=lambda item: item[1].date))


def take(line, steps):
    """Puts a line into the step of its entry."""
    if "format" in line:
        return
    step = steps.setdefault(line["entry"], Step("", "", False, "history", "", []))
    if "trial" in line:
        change = {key: value for key, value in line.items() if key != "entry"}
        change["state"], change["summary"].items()  # are there
        step.changes.append(change)
    else:
        step.date, step.commit, step.dirty, step.why = line["date"], line["commit"], line["dirty"], line["reason"]
