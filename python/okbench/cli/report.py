"""Write one web page over the results: verdicts, figures to inspect, costs."""

import pathlib

from .. import home
from ..plotting import scripts
from ..report import page

EXAMPLE = "okbench report --results results/default --out report.html"


def add_options(parser):
    parser.add_argument("--results", type=pathlib.Path, default="results/default", help="result folder")
    parser.add_argument(
        "--experiments",
        type=pathlib.Path,
        action="append",
        help="folder of papers; may be repeated (default: okbench's and those of OKBENCH_EXPERIMENTS)",
    )
    parser.add_argument("--out", type=pathlib.Path, default="results/report/index.html", help="page to write")


def run(options):
    scripts.load()
    for line in page.write(options.experiments or home.experiment_folders(), options.results, options.out):
        print(line)
