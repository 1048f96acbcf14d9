"""Draw the papers' figures and tables from traces."""

import pathlib

EXAMPLE = "okbench figures --only 'svmd-2006/*'"


def add_options(parser):
    parser.add_argument(
        "--results", type=pathlib.Path, default="results/default", help="result folder (default: results/default)"
    )
    parser.add_argument("--only", default="*", help="draw only figures whose names match this glob")


def run(options):
    from ..plotting import scripts
    from ..plotting.draw import draw_all

    scripts.load()
    draw_all(options.results, options.only)
