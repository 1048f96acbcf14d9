"""python -m okbench.crate: the verb `crate` of the program.

It ends with status 1 when a file cannot be read or written, and 2 when there is no result or the request is a bad one.
"""

import argparse
import sys

from . import Options, make, write
from .. import console
from ..errors import ODD_CONTENT, ClaimError, TraceFileError, cause_of


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="okbench crate", description="Describes a result folder as an RO-Crate.")
    parser.add_argument("--catalog", action="append", default=[], help="catalogue of data sets; may be repeated")
    parser.add_argument("--experiments", action="append", default=[], help="folder of papers; may be repeated")
    parser.add_argument("--license", default=Options.license, help="licence of the results")
    parser.add_argument("--agent", default="", help="who ran the trials")
    parser.add_argument("results", help="result folder")
    options = parser.parse_args(arguments)
    try:
        content, counts = make(
            options.results, Options(options.catalog, options.experiments, options.license, options.agent)
        )
        path = write(options.results, content)
    except ClaimError as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 2
    except (TraceFileError, OSError) as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 1
    except ODD_CONTENT as error:
        print(
            f"okbench: {options.results}: its traces do not have what a crate tells ({cause_of(error)})",
            file=sys.stderr,
        )
        return 1
    trials = ", ".join(f"{counts[kind]} {kind}" for kind in ("completed", "failed", "not run"))
    print(f"{path}: trials: {trials}; {counts['files']} files of {counts['bytes'] / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(console.run(main))
