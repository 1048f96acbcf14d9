"""Show how the reference results changed, with reasons.

Every line of results/reference/history.jsonl is one update of the references by `okbench check --update`.
"""

import fnmatch
import json
import pathlib

from ..errors import OkbenchError, RequestError
from ..home import home_folder

EXAMPLE = "okbench check history --experiment 'sfd-2013/*'"


def add_options(parser):
    parser.add_argument("--experiment", default="*", help="show only updates of experiments that match this glob")
    parser.add_argument("--reference", type=pathlib.Path, help="folder of references (default: the project's)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options):
    folder = options.reference or pathlib.Path(home_folder(), "results", "reference")
    if not folder.is_dir():
        raise RequestError(f"{folder}: no such folder of references")
    updates = [record for record in read(folder / "history.jsonl") if concerns(record, options.experiment)]
    if options.json:
        print(json.dumps({"format": 1, "updates": updates}, indent=1))
    elif not updates:
        print("no update of the references")
    for update in [] if options.json else updates:
        print(f"{update.get('date', '')[:10]}  {update.get('reason', '')}")
        for name, count in experiments(update).items():
            if fnmatch.fnmatchcase(name, options.experiment):
                print(f"            {name}: {count} trials")


def read(path):
    """The updates of a history file, oldest first, each with the trials that it changed.

    A file has one line per update (entry, date, reason) and one per changed trial (entry, trial, ...). Raises
    OkbenchError for a line that is not valid.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    updates, by_entry = [], {}
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise OkbenchError(f"{path}:{number}: not valid JSON") from error
        if not isinstance(record, dict):
            raise OkbenchError(f"{path}:{number}: not an object")
        if "reason" in record:
            updates.append({**record, "trials": []})
            by_entry[record.get("entry")] = updates[-1]
        elif "trial" in record and record.get("entry") in by_entry:
            by_entry[record["entry"]]["trials"].append(record["trial"])
    return updates


def experiments(update):
    """{experiment: number of trials} that an update changed."""
    counts = {}
    for trial in update["trials"]:
        name = "/".join(str(trial).split("/")[:2])
        counts[name] = counts.get(name, 0) + 1
    return counts


def concerns(update, pattern):
    return pattern == "*" or any(fnmatch.fnmatchcase(name, pattern) for name in experiments(update))
