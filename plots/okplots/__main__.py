"""python -m okplots RESULTS [--only GLOB]: draws every figure whose traces are all there."""

import argparse
import fnmatch
import pathlib
import sys

from . import figures, style, traces  # noqa: F401  (figures registers the figures)
from .registry import FIGURES


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="okplots", description=__doc__)
    parser.add_argument("results", type=pathlib.Path, help="result folder, e.g. results/default")
    parser.add_argument("--only", default="*", help="draw only figures whose name matches this glob")
    options = parser.parse_args(arguments)
    if not options.results.is_dir():
        sys.exit(f"okplots: {options.results}: no such result folder; make experiments fills one")

    drawn = 0
    for name, (needed, draw) in sorted(FIGURES.items()):
        if not fnmatch.fnmatch(name, options.only):
            continue
        try:
            experiments = [traces.read_experiment(options.results, experiment) for experiment in needed]
        except traces.TraceFileError as error:
            sys.exit(f"okplots: {error}")
        absent = [experiment for experiment, found in zip(needed, experiments) if found is None]
        absent += [trial for found in experiments if found for trial in found.missing]
        if absent:
            print(f"figure {name}: not drawn, no trace of {absent[0]}" + (" and others" if absent[1:] else ""))
            continue
        figure, title, caption, stand_in = draw(*experiments)
        style.finish(figure, title, caption, stand_in)
        path = options.results / "figures" / name
        style.save(figure, path)
        path.with_suffix(".txt").write_text(f"{title}\n\n{caption}\n")
        mark = " [STAND-IN DATA]" if stand_in else ""
        print(f"figure {name}: {path.with_suffix('.png')} (also .pdf, .svg, .txt){mark}")
        drawn += 1
    if drawn == 0:
        sys.exit(f"okplots: nothing to draw in {options.results}")


if __name__ == "__main__":
    main()
