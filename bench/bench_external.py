#!/usr/bin/python3
"""Compares okbench's estimators with other libraries on the same rows: scikit-learn, LIBSVM, LIBLINEAR, dlib and
oneDAL.

Prints every measured fit (test error, processor time, kernel values, model size) and a summary: fit times to equal test
error, as ratios. LIBSVM, LIBLINEAR and dlib run as programs (target okbench_external), the others in this interpreter.
Those that are not built or installed are left out, and the summary says so.
"""

import argparse
import importlib.metadata
import json
import pathlib
import platform
import sys
import tempfile
from fnmatch import fnmatchcase

import numpy as np
import scipy
import sklearn
from threadpoolctl import threadpool_info, threadpool_limits

from external.data import SETTINGS, load
from external.measuring import measure, row_of
from external.own import okbench_external_tools
from external.packages import distributions, package_tools
from external.programs import Programs, program_tools
from external.scikit import sklearn_tools
from external.table import BEGIN, END, details, markdown, replace, update
from timing import processor

ROOT = pathlib.Path(__file__).resolve().parent.parent

FORMAT = 4  # format of the file that --json writes


def versions(others):
    """Versions of Python, okbench, the libraries and BLAS. `others`: version texts of the programs."""
    from okbench import _native

    blas = [f"{pool['internal_api']} {pool['version']}" for pool in threadpool_info() if pool["user_api"] == "blas"]
    libraries = [f"{module.__name__} {module.__version__}" for module in (sklearn, np, scipy)]
    libraries += [f"{name} {importlib.metadata.version(name)}" for name in distributions()]
    versions = [_native.version(), *libraries, *others, *sorted(set(blas) or {"reference BLAS"})]
    return [f"Python {platform.python_version()}", *versions]


def compare(data, options):
    """Measures all learners on a data set. Returns (entry of the data set, missing libraries, program versions)."""
    tested = data.test.shape[0]
    with tempfile.TemporaryDirectory() as scratch:
        programs = Programs(options.programs, data, pathlib.Path(scratch))
        others, missing = program_tools(data, programs)
        packages, more = package_tools(data)
        tools = [*okbench_external_tools(data), *sklearn_tools(data), *others, *packages]
        tools = [tool for tool in tools if fnmatchcase(tool.title, options.only)]
        measurements = measure(tools, data, options.runs, options.limit, options.long, options.own_limit)
    rows = [row_of(tool, mine, tested) for tool, mine in zip(tools, measurements)]
    return {"data": data.record(), "tools": rows}, missing + more, programs.versions()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", default="a8a", metavar="NAMES", help=f"of {','.join(SETTINGS)}, with commas (a8a)")
    parser.add_argument("--rows", type=int, default=0, help="at most so many rows a part (all; 2000 if generated)")
    parser.add_argument("--synthetic", action="store_true", help="generated rows in place of the data sets")
    parser.add_argument("--runs", type=int, default=3, help="runs of each, of which the median counts (3)")
    parser.add_argument("--limit", type=float, default=0, metavar="SECONDS", help="stop longer fits (0: none is)")
    parser.add_argument("--own-limit", type=float, metavar="SECONDS", help="stop longer fits of okbench (as --limit)")
    parser.add_argument("--long", type=float, default=0, metavar="SECONDS", help="run longer fits once (0: as others)")
    parser.add_argument("--only", metavar="GLOB", default="*", help="of LIBRARY and METHOD: 'okbench *', '* SVC'")
    parser.add_argument(
        "--programs", type=pathlib.Path, default=ROOT / "build" / "release", help="folder of the programs"
    )
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write all measurements to this file")
    parser.add_argument(
        "--from", dest="source", type=pathlib.Path, metavar="FILE", help="print the tables of an earlier --json FILE"
    )
    parser.add_argument("--update", type=pathlib.Path, metavar="FILE", help=f"insert between {BEGIN} and {END}")
    options = parser.parse_args()
    options.data = list(dict.fromkeys(options.data.split(",")))
    unknown = [name for name in options.data if name not in SETTINGS]
    if unknown:
        parser.error(f"--data: unknown data set '{unknown[0]}'; known: {', '.join(SETTINGS)}")
    if options.own_limit is None:
        options.own_limit = options.limit
    seconds = options.limit, options.own_limit, options.long
    if options.rows < 0 or options.runs < 1 or not all(0 <= limit < 1e9 for limit in seconds):
        parser.error("--rows, --limit, --own-limit and --long must be at least 0, and --runs at least 1")
    return options


def measured(options):
    """Measures all data sets. Returns the content for --json. Exits if the module or the data are missing."""
    try:
        sets = [load(name, options.rows, options.synthetic) for name in options.data]
    except ImportError as error:
        sys.exit(f"bench_external: {error}; run make bench-external to build the module")
    except ValueError as error:
        sys.exit(f"bench_external: {error}")
    with threadpool_limits(1):
        parts = [compare(data, options) for data in sets]
        return {
            "format": FORMAT,
            "machine": processor(),
            "versions": versions(parts[0][2]),
            "runs": options.runs,
            "limit_seconds": options.limit,
            "own_limit_seconds": options.own_limit,
            "long_seconds": options.long,
            "sets": [entry for entry, _, _ in parts],
            "missing": parts[0][1],
        }


def read(path):
    """The content of an earlier --json file. Exits if it is not readable."""
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"bench_external: {path}: {error}")
    if not isinstance(results, dict) or results.get("format") != FORMAT:
        sys.exit(f"bench_external: {path}: not of format {FORMAT}")
    return results


def main():
    options = arguments()
    results = read(options.source) if options.source else measured(options)
    block = markdown(results)
    try:
        if options.json:
            replace(options.json, json.dumps(results, indent=1) + "\n")
        if options.update:
            update(options.update, block)
    except OSError as error:
        sys.exit(f"bench_external: {error}")
    print(f"{details(results)}\n\n{block}")
    rows = [row for entry in results["sets"] for row in entry["tools"]]
    failed = [f"{row['library']} {row['method']}" for row in rows if row["status"] == "failed"]
    if failed:
        sys.exit(f"bench_external: failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
