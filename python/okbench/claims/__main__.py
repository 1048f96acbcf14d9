"""python -m okbench.claims: the verb `claims` of the program.

It ends with status 0 when every verdict is the recorded one (a claim that is not run has none), 1 on a surprise or when
something cannot be written, and 2 when something cannot be read.
"""

import argparse
import json
import pathlib
import sys

from . import ClaimError, as_json, judge, paper_as_json, print_text, read_papers
from .tex import macros
from .power import known_chance, ranges_of, read_ranges, write_ranges
from .. import console
from ..errors import TraceFileError, WriteError
from ..results import Results


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="okbench claims", description="Judges what the papers state on the traces.")
    parser.add_argument(
        "--experiments", type=pathlib.Path, required=True, action="append", help="folder of papers; may be repeated"
    )
    parser.add_argument("--results", type=pathlib.Path, required=True, help="result folder")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument("--tex", action="store_true", help="TeX macros, for papers")
    parser.add_argument(
        "--ranges", action="store_true", help="write what values the measures take over all trials: ranges.json"
    )
    parser.add_argument("papers", nargs="*", help="papers; default: all")
    options = parser.parse_args(arguments)
    if not options.results.is_dir():
        print(f"okbench: {options.results}: no such result folder; make experiments fills one", file=sys.stderr)
        return 2
    results = Results(options.results)
    try:
        papers = read_papers(options.experiments, options.papers)
        if options.ranges:
            for folder, paper in papers:
                write_ranges(folder, paper.claims, ranges_of(paper.claims, results))
            return 0
        judged = [judge(claim, results) for _, paper in papers for claim in paper.claims]
        ranges = {paper.name: read_ranges(folder) for folder, paper in papers} if options.json else {}
    except (ClaimError, TraceFileError) as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 2
    except WriteError as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 1
    if options.json:
        claims = [{**as_json(one), "chance": known_chance(one.claim, ranges[one.paper])} for one in judged]
        told = [paper_as_json(paper) for _, paper in papers]
        print(json.dumps({"format": 1, "papers": told, "claims": claims}, indent=1))
    elif options.tex:
        console.in_utf8(sys.stdout)
        print(macros(judged), end="")
    else:
        print_text(judged)
    return 1 if any(one.surprising for one in judged) else 0


if __name__ == "__main__":
    sys.exit(console.run(main))
