"""Show which data sets of specs have no files here, and what replaces them."""

from .. import home
from ..data import availability
from ..reading import files_like

EXAMPLE = "okbench data missing --specs experiments/svmd-2006/*.toml"


def add_options(parser):
    parser.add_argument("--specs", nargs="+", default=[], metavar="SPEC", help="specs (default: those of all papers)")
    parser.add_argument(
        "--list", choices=availability.KINDS, help="print the specs that run on such data, one per line"
    )
    parser.add_argument("--generalise", action="store_true", help="list all specs with replaceable data as replaced")


def run(options):
    specs = options.specs or [
        path for folder in home.experiment_folders() for path in files_like(folder, "*", "*.toml")
    ]
    found = availability.availability(
        [spec for spec in specs if not str(spec).endswith("claims.toml")], options.generalise
    )
    for line in getattr(found, options.list) if options.list else availability.message(found):
        print(line)
    return 0
