"""python -m okbench.history REFERENCES: the verb `history` of the program."""

import argparse
import json
import pathlib
import sys

from . import HistoryError, NoRepository
from .entries import NAME, read
from .output import as_json, overview, story, story_json
from .repository import steps_of
from .trials import names_of, pattern_of, present, rows_of
from ..console import run


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="okbench history", description="How the references moved.")
    parser.add_argument("--trial", default="", help="name of a trial or experiment, * and ? for any characters")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument("references", type=pathlib.Path, help="folder of references")
    options = parser.parse_args(arguments)
    if not options.references.is_dir():
        print(f"okbench: {options.references}: no such folder of references", file=sys.stderr)
        return 2
    try:
        steps = list(read(options.references / NAME).values())
    except HistoryError as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 1
    try:
        steps = sorted(steps_of(options.references) + steps, key=lambda step: step.date)
    except NoRepository as error:
        print(f"okbench: {error}", file=sys.stderr)
    return tell_trials(options, steps) if options.trial else tell_steps(options, steps)


def tell_steps(options, steps):
    if options.json:
        print(json.dumps({"format": 1, "steps": as_json(steps)}, indent=1))
    else:
        print(overview(steps) if steps else "the references never moved")
    return 0


def tell_trials(options, steps):
    now = present(options.references)
    names = names_of(steps, now, pattern_of(options.trial))
    if not names:
        print(f"okbench: no trial of the references is called '{options.trial}'", file=sys.stderr)
        return 2
    rows = {name: rows_of(name, steps, now) for name in names}
    if options.json:
        told = {name: story_json(rows[name]) for name in names}
        print(json.dumps({"format": 1, "trials": told}, indent=1))
        return 0
    for name in names:
        print(story(name, rows[name]) if rows[name] else f"{name}\n  never moved")
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
