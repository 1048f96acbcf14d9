"""Download the files of data sets into the cache.

Verifies downloads and cached files, and replaces damaged ones. Files in OKBENCH_MIRROR are used in place, unverified.
Large archives are downloaded only for data sets given by name.
"""

from ..data.fetch import fetch

EXAMPLE = "okbench data fetch usps mnist"


def add_options(parser):
    parser.add_argument("names", nargs="*", metavar="NAME", help="data sets (default: all)")
    parser.add_argument("--specs", nargs="+", default=[], metavar="SPEC", help="fetch the data sets of these specs")
    parser.add_argument("--catalog", action="append", help="catalog of data sets; may be repeated")
    parser.add_argument("--replacements", choices=("missing", "all"), help="also fetch real data in place of such sets")
    parser.add_argument("--optional", action="store_true", help="succeed even when a file is not available")


def run(options):
    return 0 if fetch(options.names, options.specs, options.optional, options.catalog, options.replacements) else 1
