"""Rank the learners of the league by error and by the cost to reach a target."""

import json
import pathlib

from .. import league
from ..errors import ODD_CONTENT, ContentError, NotRun, RequestError, cause_of
from ..league import output
from ..traces import Results

EXAMPLE = "okbench league results/default --cost requested"


def add_options(parser):
    parser.add_argument("results", nargs="?", type=pathlib.Path, default="results/default", help="result folder")
    parser.add_argument(
        "--cost", choices=list(league.KINDS), default="tuning", help="cost axis (tuning: requested, with tuning)"
    )
    parser.add_argument("--budget", type=budget, help="only learners with a budget of at most this many vectors")
    parser.add_argument("--measure", metavar="NAME[@WINDOW]", help="rank by this measure of predictions, not by error")
    parser.add_argument("--json", action="store_true", help="print JSON")


def budget(text):
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def run(options):
    if not options.results.is_dir():
        raise RequestError(f"{options.results}: no such result folder; okbench run fills one")
    choice = {} if options.budget is None else {"at_most": options.budget}
    try:
        found = league.read(Results(options.results), options.measure)
        table = league.as_json(found, options.cost, **choice)
    except ODD_CONTENT as error:
        raise ContentError(f"{options.results}: its traces lack what ranks learners ({cause_of(error)})") from error
    if choice and not table["learners"] and found.sets:
        budgets = ", ".join(map(str, found.budgets())) or "none"
        raise NotRun(f"no learner has a budget of {options.budget} or less; budgets are {budgets}")
    print(json.dumps(table, indent=1) if options.json else output.text(table))
