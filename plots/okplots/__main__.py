"""python -m okplots RESULTS [--only GLOB]: draws every figure whose traces are all there."""

import argparse
import fnmatch
import pathlib
import sys

from okbench.errors import ClaimError, TraceFileError
from okbench.results import read_experiment

from . import figures, style, tables  # noqa: F401  (figures registers the figures)
from .registry import FIGURES, TABLES


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="okplots", description=__doc__)
    parser.add_argument("results", type=pathlib.Path, help="result folder, e.g. results/default")
    parser.add_argument("--only", default="*", help="draw only figures whose name matches this glob")
    options = parser.parse_args(arguments)
    if not options.results.is_dir():
        sys.exit(f"okplots: {options.results}: no such result folder; make experiments fills one")

    made = 0
    for kind, registered, make in (("figure", FIGURES, draw_figure), ("table", TABLES, fill_table)):
        for name, (needed, draw) in sorted(registered.items()):
            if not fnmatch.fnmatch(name, options.only):
                continue
            experiments = find(options.results, needed)
            if isinstance(experiments, str):
                print(f"{kind} {name}: not made, {experiments}")
                continue
            try:
                told = make(draw, experiments, options.results / "figures" / name)
            except ClaimError as error:  # the paper's numbers
                sys.exit(f"okplots: {kind} {name}: {error}")
            print(f"{kind} {name}: {told}")
            made += 1
    if made == 0:
        sys.exit(f"okplots: nothing to draw in {options.results}")


def find(results, needed):
    """The experiments a figure needs, or what is missing."""
    try:
        experiments = [read_experiment(results, experiment) for experiment in needed]
    except TraceFileError as error:
        sys.exit(f"okplots: {error}")
    absent = [experiment for experiment, found in zip(needed, experiments) if found is None]
    absent += [trial for found in experiments if found for trial in found.missing]
    if absent:
        return f"no trace of {absent[0]}" + (" and others" if absent[1:] else "")
    return experiments


def draw_figure(draw, experiments, path):
    """Draws and saves; returns what to tell the user."""
    figure, title, caption, stand_in = draw(*experiments)
    style.finish(figure, title, caption, stand_in)
    style.save(figure, path)
    path.with_suffix(".txt").write_text(f"{title}\n\n{caption}\n")
    return f"{path.with_suffix('.png')} (also .pdf, .svg, .txt)" + (" [STAND-IN DATA]" if stand_in else "")


def fill_table(fill, experiments, path):
    """Fills and saves; returns what to tell the user."""
    header, rows, title, stand_in = fill(*experiments)
    tables.save(header, rows, title + (" (generated stand-in data)" if stand_in else ""), path)
    return f"{path.with_suffix('.md')} (also .csv, .tex)" + (" [STAND-IN DATA]" if stand_in else "")


if __name__ == "__main__":
    main()
