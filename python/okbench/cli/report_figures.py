"""Draw the papers' figures and tables from traces."""

from . import add_results_options, results_of

EXAMPLE = "okbench report figures --only 'svmd-2006/*'"


def add_options(parser):
    add_results_options(parser)
    parser.add_argument("--only", default="*", help="draw only figures whose names match this glob")
    parser.add_argument("--bare", action="store_true", help="without titles and captions, for documents of your own")


def run(options):
    from ..plotting import scripts
    from ..plotting.draw import draw_all

    scripts.load()
    draw_all(results_of(options), options.only, options.bare)
