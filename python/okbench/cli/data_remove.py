"""Remove a data set that `okbench data add` or `okbench league FILE` has added, with its files."""

from .. import home
from ..data.adding.store import remove
from ..data.adding.table import AddError

EXAMPLE = "okbench data remove mine"


def add_options(parser):
    parser.add_argument("name", help="name of the data set")
    parser.add_argument("--folder", default=home.data_folder(), help="folder of data sets (default: OKBENCH_DATA)")


def run(options):
    try:
        removed = remove(options.folder, options.name)
    except OSError as error:
        raise AddError(f"{error.filename or options.folder}: cannot be removed: {error.strerror}") from error
    print("\n".join(f"removed   {path}" for path in removed))
