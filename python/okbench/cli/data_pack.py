"""Copy the files of data sets to a folder, for a machine without a network.

Set OKBENCH_MIRROR to the folder there.
"""

import pathlib
import sys

from ..data.availability import pack

EXAMPLE = "okbench data pack /media/usb/okbench usps mnist"


def add_options(parser):
    parser.add_argument("folder", type=pathlib.Path, help="folder to copy to")
    parser.add_argument("names", nargs="*", metavar="NAME", help="data sets (default: all that are here)")


def run(options):
    missing = pack(options.names, options.folder)
    if missing:
        print(f"okbench: no files here for {', '.join(missing)}; okbench data fetch gets them", file=sys.stderr)
    return 1 if missing and options.names else 0
