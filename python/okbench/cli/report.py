"""Write web pages of the results: verdicts, interactive figures, the league and all trials.

`okbench report figures` draws the papers' figures and tables as files for other documents.
"""

import pathlib

from .. import home
from ..writing import write_text
from . import add_experiments_option, add_results_options, results_of

EXAMPLE = "okbench report results/default --out report.html"


def add_options(parser):
    add_results_options(parser)
    add_experiments_option(parser)
    parser.add_argument(
        "--markdown", type=pathlib.Path, nargs="+", metavar="FOLDER", help="write numbers and verdicts as Markdown"
    )
    parser.add_argument(
        "--out", type=pathlib.Path, help="page to write (default: results/report/index.html; docs/results.md)"
    )


def run(options):
    from ..plotting import scripts
    from ..report import markdown, page

    folders = options.experiments or home.experiment_folders()
    if options.markdown:
        out = options.out or pathlib.Path("docs/results.md")
        write_text(out, markdown.text(folders, options.markdown), folders=True)
        print(f"{out}: numbers and verdicts of {', '.join(map(str, options.markdown))}")
        return
    scripts.load()
    for line in page.write(folders, results_of(options), options.out or pathlib.Path("results/report/index.html")):
        print(line)
