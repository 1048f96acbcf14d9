"""Rank learners by error and by the cost to reach a target, in a result folder or on a data file.

With a file, the command imports it as `okbench data add` does, scales its columns, writes a spec, runs every learner
that fits the labels, and writes a page. The result folder has the spec, which `okbench run` repeats.

`okbench board` is for the leaderboard of learners of others (docs/howto/enter-the-leaderboard.md).
"""

import json
import pathlib
from shlex import quote

from .. import league
from ..api import league_code
from ..errors import CONTENT_ERRORS, ContentError, NotRun, RequestError, WriteError, cause_of
from ..league import output, own_data
from ..league.bayes import ROPE
from ..results import Results
from ..scaling import SCALES
from . import increasing_integers, number_of
from .data_add import SCALE_ON, add_column_options

GAMMA = number_of(float, lambda value: 0 < value < float("inf"), "a number > 0 or median")
EXAMPLE = "okbench league measurements.csv --label diagnosis"


def add_options(parser):
    parser.add_argument("results", nargs="?", default="results/default", help="result folder, or a file to rank on")
    parser.add_argument(
        "--cost",
        choices=list(league.KINDS),
        default="tuning",
        help="rank costs by this count (tuning: requested, tuning included)",
    )
    parser.add_argument(
        "--budget",
        type=increasing_integers,
        help="only budgets of at most this many vectors; for a file: budgets, e.g. 64,256",
    )
    parser.add_argument("--measure", metavar="NAME[@WINDOW]", help="rank by this measure of predictions, not by error")
    parser.add_argument(
        "--rope",
        type=number_of(float, lambda value: 0 <= value <= 1, "a number from 0 to 1"),
        default=ROPE,
        help="treat errors within this difference as equal (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    file = parser.add_argument_group("for a file")
    file.add_argument("--label", metavar="first|last|NAME", help="column of the label (default: as okbench data add)")
    file.add_argument("--regression", action="store_true", help="treat the label as a real number")
    file.add_argument("--classification", action="store_true", help="treat the label as a class")
    add_column_options(file)
    file.add_argument(
        "--missing",
        choices=("mean", "median", "error"),
        default="mean",
        help="replace missing numbers by this statistic",
    )
    file.add_argument(
        "--scale",
        choices=(*SCALES, "none"),
        help="scale columns of numbers to mean 0 and deviation 1; clipped: values beyond 3 deviations become "
        "3 deviations (default: clipped, with --lags standard)",
    )
    file.add_argument(
        "--scale-on",
        choices=SCALE_ON,
        help="rows that give means, deviations and gamma (default: a tenth, the first one with --order file)",
    )
    file.add_argument(
        "--gamma",
        type=gamma_of,
        metavar="FLOAT|median",
        help="one gamma of the RBF kernel, not tuned; median: from the median row distance (default: tune it)",
    )
    file.add_argument("--order", choices=("permutation", "file"), default="permutation", help="show rows in this order")
    file.add_argument(
        "--tier",
        choices=("quick", "default", "paper"),
        default="default",
        help="tier of the spec (quick: 1000 rows, one order)",
    )
    file.add_argument(
        "--learners",
        type=lambda text: text.split(","),
        metavar="NAME,...",
        help="rank only these learners and the baselines, e.g. bpas,fogd; a run without it lists all in learners.toml",
    )
    file.add_argument(
        "--timeout",
        type=number_of(float, lambda value: 1e-9 <= value <= 1e9, "seconds, from 1e-9 to 1e9"),
        metavar="SECONDS",
        help="give up a learner that needs more seconds of tuning and learning",
    )
    file.add_argument("--jobs", type=int, help="run this many trials in parallel (default: one per core)")
    file.add_argument("--name", help="name of the data set (default: that of the file)")
    file.add_argument("--out", type=pathlib.Path, help="result folder (default: results/NAME)")


def gamma_of(text):
    return text if text == "median" else GAMMA(text)


def run(options):
    path = pathlib.Path(options.results)
    if path.is_file():
        return rank_file(options)
    if not path.is_dir():
        raise RequestError(f"{path}: no such file or result folder")
    if options.budget and len(options.budget) > 1:
        raise RequestError("--budget: a result folder takes one number")
    choice = {"at_most": options.budget[0]} if options.budget else {}
    print(printed(read(path, options, choice)[1], options))


def read(folder, options, choice, only=None):
    """(League, its JSON) of a result folder, or of `only` one experiment. Raises OkbenchError."""
    try:
        ranked_league = league.read(Results(folder), options.measure, only)
        table = league.as_json(ranked_league, options.cost, options.rope, **choice)
    except CONTENT_ERRORS as error:
        raise ContentError(f"{folder}: its traces cannot be ranked ({cause_of(error)})") from error
    if choice and not (table["one_set"] or {}).get("rows", table["learners"]):
        known = ", ".join(map(str, ranked_league.budgets())) or "none"
        raise NotRun(f"no learner has a budget of {choice['at_most']} or less; budgets are {known}")
    return ranked_league, table


def printed(table, options):
    return json.dumps(table, indent=1) if options.json else output.text(table)


def rank_file(options):
    """Imports a file, runs every learner on it and ranks them. Returns the exit status."""
    if str(options.results).endswith(".toml"):
        raise RequestError(
            f"{options.results}: is a spec; okbench run runs it, and okbench league RESULTS ranks results"
        )
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
    ranked_league, table = read(folder, options, {}, f"league/{spec.stem}")
    if options.json:
        print(printed(table, options))
    else:
        from ..report import data_set_page

        experiment = Results(folder).read(f"league/{spec.stem}")
        written = league_code.of_winner(ranked_league, spec.stem, options, own_data.columns(spec.stem))
        if written:
            print("\nThe best learner in Python:", *written, sep="\n    ")
        print(f"\n{printed(table, options)}")
        print(f"\npage      {data_set_page.write(ranked_league, experiment, lines, spec, options.cost, written)}")
        print(f"next      okbench plot {quote(str(spec))} --results {quote(str(folder))} --best --log x")
    return status
