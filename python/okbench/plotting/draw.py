"""Draws the registered figures and creates the registered tables of a result folder."""

import argparse
import fnmatch
import itertools
import multiprocessing
import os
import pathlib
import sys

from .. import console, league
from ..errors import CONTENT_ERRORS, ClaimError, NotRun, OkbenchError, RequestError, TraceFileError, cause_of
from ..results import Results
from ..writing import write_text
from . import style, tables
from .registry import FIGURES, LEAGUE_FIGURES, LEAGUE_TABLES, TABLES
from ..results.marks import bracketed, marked

RESULTS = STOP = BARE = None  # set in each worker process by start()
MAX_PROCESSES = 8  # each keeps the traces that it has read in memory


def draw_all(folder, only="*", bare=False):
    """Draws every figure and table whose name matches the glob `only` into FOLDER/figures. Prints one line for each.

    `bare`: figures without title and caption.

    Skips figures whose traces are missing. Raises RequestError if the folder does not exist, OkbenchError if nothing
    could be drawn or a file cannot be read or written. Finished figures are kept.
    """
    if not folder.is_dir():
        raise RequestError(f"{folder}: no such result folder; run make experiments first")
    wanted = [
        (kind, name)
        for kind, registered in (("figure", FIGURES | LEAGUE_FIGURES), ("table", TABLES | LEAGUE_TABLES))
        for name in sorted(registered)
        if fnmatch.fnmatch(name, only)
    ]
    # One process draws the whole league, so that its traces are read only once.
    of_league = [job for job in wanted if job[1] in LEAGUE_FIGURES | LEAGUE_TABLES]
    groups = [[job] for job in wanted if job not in of_league] + [of_league] * bool(of_league)
    count = 0
    processes = max(1, min(len(os.sched_getaffinity(0)), MAX_PROCESSES, len(groups)))
    context = multiprocessing.get_context("fork")
    stop = context.Event()
    with context.Pool(processes, start, (folder, stop, bare)) as pool:
        for line, good, fatal in itertools.chain.from_iterable(pool.imap(make_all, groups)):
            if fatal:
                # Workers finish writing their current file before the pool ends.
                stop.set()
                pool.close()
                pool.join()
                raise OkbenchError(line)
            print(line)
            count += good
    if count == 0:
        raise RequestError(f"nothing to draw in {folder}")


def main():
    """Command line of a figure script: python plots/NAME.py RESULTS [--only GLOB]. Exits the process."""
    parser = argparse.ArgumentParser(description="Draw the figures of this script from traces.")
    parser.add_argument("results", type=pathlib.Path, help="result folder, e.g. results/default")
    parser.add_argument("--only", default="*", help="draw only figures whose name matches this glob")
    options = parser.parse_args()
    sys.exit(console.run(lambda: draw_all(options.results, options.only)))


def start(folder, stop, bare):
    """Initializes a worker process, which keeps all traces that it reads."""
    global RESULTS, STOP, BARE
    RESULTS, STOP, BARE = Results(folder), stop, bare


def make_all(group):
    """make_one() for each figure or table, until a fatal error."""
    return [make_one(wanted) for wanted in group if not STOP.is_set()]


def make_one(wanted):
    """Makes one figure or table. Returns (message, whether it was made, whether the error is fatal)."""
    kind, name = wanted
    make = draw_figure if kind == "figure" else fill_table
    try:
        result = make(content(kind, name, RESULTS), RESULTS.folder / "figures" / name)
    except NotRun as reason:
        return f"{kind} {name}: not made, {reason}", False, False
    except (TraceFileError, OSError) as error:
        return str(error), False, True
    except ClaimError as error:  # the paper's numbers
        return f"{kind} {name}: {error}", False, True
    return f"{kind} {name}: {result}", True, False


def content(kind, name, results):
    """The content of a registered figure or table, as registry.py describes it. Raises NotRun."""
    of_league = (LEAGUE_FIGURES if kind == "figure" else LEAGUE_TABLES).get(name)
    if of_league is not None:
        return drawn(of_league, [league.of(results)])
    needed, draw = (FIGURES if kind == "figure" else TABLES)[name]
    return drawn(draw, find(results, needed))


def find(results, needed):
    """The experiments that a figure needs, complete and without overrides. Raises NotRun with the first obstacle."""
    experiments = [results.read(experiment) for experiment in needed]
    absent = [f"no result of {experiment}" for experiment, result in zip(needed, experiments) if result is None]
    absent += [cause for result in experiments if result for cause in result.missing]
    if absent:
        raise NotRun(absent[0] + (" and others" if absent[1:] else ""))
    for result in experiments:
        if result.overridden:
            raise NotRun(f"{result.name} was {result.overridden}")
    return experiments


def drawn(draw, experiments):
    """Calls a registered function. Raises NotRun if the traces lack values that it needs."""
    try:
        return draw(*experiments)
    except CONTENT_ERRORS as error:
        style.plt.close("all")
        raise NotRun(f"the traces lack values that it needs ({cause_of(error)})") from error


def draw_figure(content, path):
    """Saves a figure and its caption. Returns a message."""
    figure, title, caption, mark = content
    style.finish(figure, title, caption, mark, BARE)
    style.save(figure, path)
    write_text(path.with_suffix(".txt"), f"{title}\n\n{caption}\n")
    return f"{path.with_suffix('.png')} (also .pdf, .svg, .txt)" + bracketed(mark)


def fill_table(content, path):
    """Saves a table. Returns a message."""
    header, rows, title, mark = content
    tables.save(header, rows, marked(title, mark), path)
    return f"{path.with_suffix('.md')} (also .csv, .tex)" + bracketed(mark)
