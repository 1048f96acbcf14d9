"""Rank learners by error and by the cost to reach a target, in a result folder or on a data file.

With a file, the command imports it as `okbench data add` does, scales its columns, writes a spec, runs every learner
that fits the labels, and writes a page. The result folder has the spec, which `okbench run` repeats.

`okbench league submit`, `verify` and `board` are for the leaderboard (docs/howto/enter-the-leaderboard.md).
"""

import json
import pathlib

from .. import league
from ..errors import ODD_CONTENT, ContentError, NotRun, RequestError, WriteError, cause_of
from ..league import output, own_data
from ..league.bayes import ROPE
from ..traces import Results

EXAMPLE = "okbench league measurements.csv --label diagnosis"


def add_options(parser):
    parser.add_argument("results", nargs="?", default="results/default", help="result folder, or a file to rank on")
    parser.add_argument(
        "--cost", choices=list(league.KINDS), default="tuning", help="cost axis (tuning: requested, with tuning)"
    )
    parser.add_argument(
        "--budget", type=budgets, help="only budgets of at most this many vectors; for a file: budgets, e.g. 64,256"
    )
    parser.add_argument("--measure", metavar="NAME[@WINDOW]", help="rank by this measure of predictions, not by error")
    parser.add_argument(
        "--rope",
        type=share,
        default=ROPE,
        help="treat errors within this difference as equal (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    file = parser.add_argument_group("for a file")
    file.add_argument("--label", metavar="first|last|NAME", help="column of the label (default: as okbench data add)")
    file.add_argument("--regression", action="store_true", help="the label is a real number")
    file.add_argument("--classification", action="store_true", help="the label is a class, whatever its values")
    file.add_argument("--drop", metavar="COLUMN", action="append", default=[], help="leave out this column; repeatable")
    file.add_argument(
        "--missing", choices=("mean", "median", "error"), default="mean", help="what replaces a missing number"
    )
    file.add_argument("--scale", choices=("standard", "none"), default="standard", help="scale of columns of numbers")
    file.add_argument("--gamma", type=float, help="gamma of the RBF kernel (default: by the median distance of rows)")
    file.add_argument("--order", choices=("permutation", "file"), default="permutation", help="order of the rows")
    file.add_argument("--tier", choices=("quick", "default", "paper"), default="default", help="quick: 1000 rows, once")
    file.add_argument("--jobs", type=int, help="trials to run in parallel (default: one per available core)")
    file.add_argument("--name", help="name of the data set (default: that of the file)")
    file.add_argument("--out", type=pathlib.Path, help="result folder (default: results/NAME)")


def share(text):
    """A number from 0 to 1, for argparse."""
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def budgets(text):
    """Increasing positive integers, separated by commas, for argparse."""
    values = [int(one) for one in text.split(",")]
    if values[0] < 1 or any(a >= b for a, b in zip(values, values[1:])):
        raise ValueError(text)
    return values


def run(options):
    path = pathlib.Path(options.results)
    if path.is_file():
        if options.gamma is not None and not 0 < options.gamma < float("inf"):
            raise RequestError("--gamma: must be a number > 0")
        return rank_file(options)
    if not path.is_dir():
        raise RequestError(f"{path}: no such file or result folder")
    if options.budget and len(options.budget) > 1:
        raise RequestError("--budget: a result folder takes one number")
    choice = {"at_most": options.budget[0]} if options.budget else {}
    show(path, options, choice)


def show(folder, options, choice, only=None):
    """Prints the table of a result folder, or of `only` one experiment. Returns its League. Raises OkbenchError."""
    try:
        found = league.read(Results(folder), options.measure, only)
        table = league.as_json(found, options.cost, options.rope, **choice)
    except ODD_CONTENT as error:
        raise ContentError(f"{folder}: its traces lack what ranks learners ({cause_of(error)})") from error
    if choice and not (table["one_set"] or {}).get("rows", table["learners"]):
        known = ", ".join(map(str, found.budgets())) or "none"
        raise NotRun(f"no learner has a budget of {choice['at_most']} or less; budgets are {known}")
    print(json.dumps(table, indent=1) if options.json else output.text(table))
    return found


def rank_file(options):
    """Imports a file, runs every learner on it and ranks them. Returns the exit status."""
    try:
        spec, folder, lines = own_data.prepared(options)
    except WriteError:
        raise
    except OSError as error:
        raise RequestError(f"{error.filename or options.results}: cannot be written: {error.strerror}") from error
    if not options.json:
        print("\n".join(lines), f"spec      {spec}", sep="\n", flush=True)
    status = own_data.run(spec, options)
    if status not in (0, 1):  # 1: some trials failed; the others are ranked
        return status
    options.budget = None
    if not options.json:
        print()
    found = show(folder, options, {}, f"league/{spec.stem}")
    if not options.json:
        from ..report import data_set_page

        experiment = Results(folder).read(f"league/{spec.stem}")
        print(f"\npage      {data_set_page.write(found, experiment, lines, spec, options.cost)}")
        print(f"next      okbench plot {spec} --results {folder} --best --log x")
    return status
