"""python -m okbench.league RESULTS: the verb `league` of the program."""

import argparse
import json
import pathlib
import sys

from .. import console
from ..errors import ODD_CONTENT, ClaimError, NotRun, TraceFileError, cause_of
from ..results import Results
from . import output
from .costs import KINDS
from .field import read
from .standings import as_json


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="okbench league", description="Learners ranked by what they cost.")
    parser.add_argument("--cost", choices=list(KINDS), default="tuning", help="the cost that is told")
    parser.add_argument("--budget", type=int, help="learners with a budget alone, at most this one")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument("results", type=pathlib.Path, help="result folder")
    options = parser.parse_args(arguments)
    if not options.results.is_dir():
        print(f"okbench: {options.results}: no such result folder; okbench run fills one", file=sys.stderr)
        return 2
    choice = {} if options.budget is None else {"at_most": options.budget}
    try:
        league = read(Results(options.results))
        told = as_json(league, options.cost, **choice)
        if choice and not told["learners"] and league.sets:
            raise NotRun(f"no learner has a budget of {options.budget} or less; there are {listed(league.budgets())}")
    except NotRun as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 1
    except (ClaimError, TraceFileError) as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 2
    except ODD_CONTENT as error:
        print(
            f"okbench: {options.results}: its traces do not have what ranks them ({cause_of(error)})", file=sys.stderr
        )
        return 2
    print(json.dumps(told, indent=1) if options.json else output.text(told))
    return 0


def listed(budgets):
    return ", ".join(map(str, budgets)) or "none"


if __name__ == "__main__":
    sys.exit(console.run(main))
