#!/usr/bin/env python3
"""Measures the verbs that handle many short trials.

bench/scale.py [--trials 1000 100000 ...] [--update docs/explanation/scale.md]: one row of a table per number of trials.
A trial learns from 50 examples of a synthetic data set, so that the time is mostly that of the harness.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
POINTS = 20  # grid points; the rest of the trials are repetitions
SECONDS = ("plan", "resume", "summary", "plot", "merge", "compare")  # columns
BEGIN, END = "<!-- scale: begin -->", "<!-- scale: end -->"
SPEC = """format = 2
experiment = "bench/scale"
title = "Many short trials"
repetitions = {repetitions}
[data]
name = "a8a"
synthetic_rows = 300
order = "permutation"
max_examples = 50
[kernel]
name = "rbf"
gamma = 0.05
[learners.norma]
learner = "norma"
[learners.norma.grid]
eta0 = {grid}
"""


def measured(words, folder):
    """(seconds, largest resident memory in bytes) of a command. Raises SystemExit if it fails."""
    start = time.monotonic()
    environment = {key: value for key, value in os.environ.items() if key != "OKBENCH_MIRROR"}
    environment["OKBENCH_CACHE"] = str(folder / "cache")
    process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    message = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(map(str, words))}: {message}")
    return time.monotonic() - start, usage.ru_maxrss * 1024


def row(binary, trials):
    """Cells of the table for a number of trials."""
    with tempfile.TemporaryDirectory(prefix="okbench-scale-") as name:
        folder = pathlib.Path(name)
        grid = [round(0.1 * (1 + point), 1) for point in range(POINTS)]
        (folder / "s.toml").write_text(SPEC.format(repetitions=trials // POINTS, grid=grid))
        run = [binary, "run", "s.toml", "--out", "r", "--quiet"]
        costs = {
            "plan": measured([*run, "--dry-run"], folder),
            "run": measured(run, folder),
            "resume": measured(run, folder),
            "summary": measured([binary, "summary", "r", "--best"], folder),
            "plot": measured([binary, "plot", "r/bench/scale", "--out", "p.png"], folder),
            "merge": measured([binary, "verify", "r", "--out", "m"], folder),
            "compare": measured([binary, "compare", "r", "m"], folder),
        }
        results = folder / "r" / "bench" / "scale"
        files = list(results.iterdir())
        size = sum(path.stat().st_size for path in files)
        shutil.rmtree(folder / "m")
    overhead = f"{1000 * costs['run'][0] / trials:.2f}"
    memory = max(used for _, used in costs.values())
    seconds = [f"{costs[verb][0]:.2g}" for verb in SECONDS]
    return [f"{trials:,}", overhead, *seconds, f"{size / trials / 1000:.1f}", f"{len(files):,}", f"{memory / 1e6:.0f}"]


HEAD = [
    *("trials", "run, ms a trial", *(f"{verb}, s" for verb in SECONDS)),
    *("disk, KB a trial", "files", "memory, MB"),
]


def table(rows):
    lines = [HEAD, ["---:"] * len(HEAD), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--binary", default=ROOT / "build/release/okbench", type=pathlib.Path)
    parser.add_argument("--trials", nargs="+", type=int, default=[1000, 20000, 100000])
    parser.add_argument("--update", type=pathlib.Path, help="page that contains the table")
    options = parser.parse_args()
    rows = []
    for trials in options.trials:
        rows.append(row(options.binary.resolve(), trials))
        print(" ".join(rows[-1]), flush=True)
    text = f"Measured on {os.cpu_count()} cores.\n\n{table(rows)}"
    if options.update:
        page = options.update.read_text(encoding="utf-8")
        page = re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n\n{text}\n\n{END}", page, flags=re.S)
        options.update.write_text(page, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
