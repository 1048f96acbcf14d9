#!/usr/bin/python3
"""Compares okbench with River, MOA (CapyMOA), scikit-learn and Vowpal Wabbit: same rows, same order, one thread.

usage: bench_streams.py --okbench PROGRAM --json FILE [--rows N] [--streams NAMES] [--limit SECONDS]
                        [--update PAGE [--block NAME]]

Every learner is tested on each row before it learns it. Columns are scaled by the first tenth of the rows, on which
each learner also chooses among its settings; the time of that counts. Needs the environment of
`tools/setup.sh external`. FILE keeps what was measured: a run that was interrupted continues. --update renews the
tables of docs/streams-compared.md, or those of a page between the marks `NAME: begin` and `NAME: end` of --block.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

from external.table import update  # noqa: E402
from streams.measuring import league, measure  # noqa: E402
from streams.programs import programs  # noqa: E402
from streams.rows import CLASSES, TARGETS, load  # noqa: E402
from streams.table import markdown  # noqa: E402
from timing import processor  # noqa: E402

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
LIBRARIES = ("river", "capymoa", "scikit-learn", "vowpalwabbit", "numpy")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    names = [*CLASSES, *TARGETS]
    parser.add_argument("--okbench", required=True, help="the program")
    parser.add_argument("--json", type=pathlib.Path, required=True, help="file with the measurements")
    parser.add_argument("--rows", type=int, default=20_000, help="rows of each stream (default: %(default)s)")
    parser.add_argument("--streams", default=",".join(names), help="with commas (default: all)")
    parser.add_argument("--limit", type=int, default=150, help="seconds per learner and stream (default: %(default)s)")
    parser.add_argument("--update", type=pathlib.Path, metavar="PAGE", help="renew the tables of this page")
    parser.add_argument("--block", default="streams", metavar="NAME", help="marks around them (default: %(default)s)")
    options = parser.parse_args()
    options.streams = options.streams.split(",")
    unknown = [name for name in options.streams if name not in names]
    if unknown:
        parser.error(f"unknown stream '{unknown[0]}'; known are {', '.join(names)}")
    return options


def versions(okbench):
    own = subprocess.run([okbench, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    texts = [own]
    for name in LIBRARIES:
        try:
            texts.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return texts


def main():
    options = arguments()
    for name in THREADS:
        os.environ[name] = "1"
    about = {"machine": processor(), "versions": versions(options.okbench), "rows": options.rows}
    results = {"about": about, "streams": {}}
    if options.json.exists():
        before = json.loads(options.json.read_text(encoding="utf-8"))
        if before["about"] != about:
            sys.exit(f"bench_streams: {options.json} has results of other rows or versions; remove it")
        results = before
    from okbench.errors import OkbenchError
    from okbench.writing import write_text

    for name in options.streams:
        try:
            stream = load(name, options.rows)
        except OkbenchError as error:
            print(f"{name}: left out: {error}")
            continue
        measured = results["streams"].setdefault(name, {"rows": len(stream.y), "programs": {}})["programs"]
        if not any(title.startswith("okbench") for title in measured):
            measured.update(league(options.okbench, stream, options.limit))
        others, missing = programs(stream)
        for library in missing:
            print(f"{name}: {library} is not installed")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "stream.pickle")
            file.write_bytes(pickle.dumps(stream))
            for program in others:
                if program.title not in measured:
                    measured[program.title] = measure(file, program.title, options.limit)
                    print(f"{name}: {program.title}: {measured[program.title]}", flush=True)
                    write_text(options.json, json.dumps(results, indent=1) + "\n")
    block = markdown(results)
    print(block)
    if options.update:
        update(options.update, block, options.block)


if __name__ == "__main__":
    main()
