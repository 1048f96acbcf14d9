"""Judge the papers' claims on traces: reproduced, not reproduced, or not run.

Results on replacing data, in the folder RESULTS-replaced-data, are judged in a table of their own.

The exit status is 1 when a verdict is not the one that the claims file expects.
"""

import itertools
import json
import pathlib
import sys

from .. import claims, console, home
from ..claims.power import known_chance, ranges_of, read_ranges, write_ranges
from ..claims.tex import macros
from ..errors import RequestError
from ..results import Results
from . import add_experiments_option

EXAMPLE = "okbench claims results/default svmd-2006/fig3"


def add_options(parser):
    parser.add_argument(
        "papers",
        nargs="*",
        metavar="RESULTS|PAPER",
        help="a result folder (default: results/default), and papers, figures or claims, e.g. sfd-2013 svmd-2006/fig3 "
        "(default: all)",
    )
    parser.add_argument("--results", type=pathlib.Path, help="the result folder, as an option")
    add_experiments_option(parser)
    parser.add_argument("--brief", action="store_true", help="print one line per paper")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--tex", action="store_true", help="print TeX macros: \\okbenchClaim{ID}, \\okbenchVerdict{ID}")
    parser.add_argument("--ranges", action="store_true", help="write the range of every measure to ranges.json")


def folder_and_papers(options, known):
    """(result folder, names of papers, figures and claims). A folder that is no known paper is the result folder."""
    folders = [
        argument
        for argument in options.papers
        if argument.split("/")[0] not in known and pathlib.Path(argument).is_dir()
    ]
    names = [argument for argument in options.papers if argument not in folders]
    for name in names:
        place = pathlib.Path(name)
        if name.split("/")[0] not in known and place.parent.name and place.parent.is_dir():
            raise RequestError(f"{name}: no such result folder")
    folders += [options.results] if options.results else []
    if len(folders) > 1:
        raise RequestError(f"two result folders: {folders[0]} and {folders[1]}")
    return pathlib.Path(folders[0] if folders else "results/default"), names


def run(options):
    experiments = options.experiments or home.experiment_folders()
    folder, names = folder_and_papers(options, claims.claims_files(experiments))
    if not folder.is_dir():
        raise RequestError(
            f"{folder}: no such result folder; okbench run SPEC makes one, and make experiments runs all specs"
        )
    results = Results(folder)
    papers = claims.read_papers(experiments, names)
    if options.ranges:
        for folder, paper in papers:
            write_ranges(folder, paper.claims, ranges_of(paper.claims, results))
        return 0
    judged = [claims.judge(claim, results) for _, paper in papers for claim in paper.claims]
    replaced = claims.replaced_results(results)
    generalised = [claims.generalise(judgement.claim, replaced) for judgement in judged] if replaced else []
    if options.json:
        ranges = {paper.name: read_ranges(folder) for folder, paper in papers}
        verdicts = [
            {**claims.as_json(judgement, other), "chance": known_chance(judgement.claim, ranges[judgement.paper])}
            for judgement, other in itertools.zip_longest(judged, generalised)
        ]
        about = [claims.paper_as_json(paper) for _, paper in papers]
        print(json.dumps({"format": 1, "papers": about, "claims": verdicts}, indent=1))
    elif options.tex:
        console.in_utf8(sys.stdout)
        print(macros(judged), end="")
    elif options.brief:
        claims.print_brief(judged, generalised)
    else:
        claims.print_text(judged, generalised)
    return 1 if any(judgement.surprising for judgement in judged) else 0
