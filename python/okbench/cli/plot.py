"""Plot a measure of learners against their cost: mean and 95 % interval over seeds.

A figure reads at most 500 traces: the first seeds of each curve, and its caption says how many.
"""

import argparse
import pathlib

from ..errors import CONTENT_ERRORS, ContentError, RequestError, cause_of
from ..plotting.curves import AXES

OTHER_FORMATS = (".gif", ".jpg", ".jpeg", ".eps", ".webp", ".tif", ".tiff", ".bmp", ".html")
EXAMPLE = "okbench plot experiments/svmd-2006/fig3.toml --best --target 0.2 --log x"


def add_options(parser):
    parser.add_argument("sources", nargs="+", metavar="SPEC|FOLDER", help="specs, or folders of results")
    along = parser.add_argument(
        "--x", default="requested", help=f"{', '.join(sorted(AXES))}, or a parameter of the grid, such as gamma"
    )
    along.offered = sorted(AXES)  # by completion; other values are allowed
    parser.add_argument(
        "--y", default="error", help="error, test_error, loss, a measure (kappa@1000) or a trace column"
    )
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--only", default="*", help="plot only learners or trials that match this glob")
    parser.add_argument("--best", action="store_true", help="only the grid point of each learner with the least error")
    parser.add_argument("--log", default="", help="logarithmic axes: x, y or x,y")
    parser.add_argument(
        "--target", type=float, help="level of y, errors as a share: the legend shows the cost to reach it"
    )
    parser.add_argument("--bare", action="store_true", help="without title and caption, for a document of your own")
    parser.add_argument("--out", help="name of the figure (default: SPEC-Y-X.png)")
    parser.add_argument("--results", default="results/default", help="result folder (default: results/default)")


def run(options):
    if options.measure:
        raise RequestError(f"--measure: the option is --y {options.measure}")
    log = tuple(part for part in options.log.split(",") if part)
    if set(log) - {"x", "y"}:
        raise RequestError("--log: expected x, y or x,y")
    from ..plotting import plot, style

    if options.out and pathlib.Path(options.out).suffix in OTHER_FORMATS:
        raise RequestError(f"--out {options.out}: a figure is a .png, .svg or .pdf file")
    try:
        figure = plot.draw(
            options.sources,
            options.x,
            options.y,
            options.only,
            log,
            options.results,
            options.target,
            options.best,
            options.bare,
        )
    except CONTENT_ERRORS as error:
        raise ContentError(f"these traces cannot be plotted ({cause_of(error)})") from error
    path = pathlib.Path(plot.out_path(options.out, options.sources, options.x, options.y))
    style.save(figure, path)
    print(f"{path.with_suffix('.png')} (also .svg, .pdf)")
