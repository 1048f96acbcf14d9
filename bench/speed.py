#!/usr/bin/python3
"""Compares this tree with an earlier commit: time and memory of each benchmark, and sizes of the programs.

usage: speed.py --programs BUILD_FOLDER [--base COMMIT] [--record] [--filter REGEX] [--repeats N]

Builds the commit in a git worktree below build/speed. Both programs alternate, one benchmark at a time. Compares
processor time, because other load on the machine affects it less than wall time. --record adds the measurements to the
speed history, as multiples of a reference kernel measured in the same run.
Exit status: 0 no slow-down and no growth, 1 a confirmed one, 2 invalid request.
"""

import argparse
import collections
import os
import pathlib
import platform
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

from commits import build, check_out, commit_of, date_of, git  # noqa: E402
from judging import CERTAIN, THRESHOLD, compare, spread_of, verdict  # noqa: E402
from okbench.errors import OkbenchError, WriteError  # noqa: E402
from okbench.speed import history  # noqa: E402
from timing import NANOSECONDS, REFERENCE, NotMeasured, Unusable, listed, machine, measure  # noqa: E402

# Default benchmarks: the kernel engine, the main costs of learners, and the start of the program.
DEFAULT = (
    "^(OneQuery|HundredQueries/vectors:4096/features:(22|256)$|SparseQuery"
    "|IntegerQueriesOf/queries:.*avx2:0/features:784$"
    "|NormaUsps|SvmdUsps|MiraUspsFixed|BatchSvmUsps|LasvmStep|TwoEpochs/sfd_a8a"
    "|(BoxProgramStep|MulticlassRound|SymmetricProduct)/ours"
    "|UpdateByDual/examples:73/gap_of_one_in:1000$|SearchByBounds/fine_intersection_1|TreeStep(Dense|Sparse)/72$"
    "|Command/)"
)
PROGRAMS = ("okbench",)  # programs whose file sizes are compared
SLACK = 4e6  # growth of memory in bytes that is never reported: the loader and the allocator vary


def readable(time):
    for unit in ("s", "ms", "us"):
        if time >= NANOSECONDS[unit]:
            return f"{time / NANOSECONDS[unit]:.4g} {unit}"
    return f"{time:.4g} ns"


def table(comparisons):
    rows = [("benchmark", "base", "this", "ratio", "spread", "p", "")]
    for comparison in comparisons:
        spread = f"{100 * comparison.spread:.1f} %"
        rows.append(
            (
                comparison.name,
                readable(comparison.base),
                readable(comparison.this),
                f"{comparison.ratio:.3f}",
                spread,
                f"{comparison.p:.2g}",
                comparison.word,
            )
        )
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if c in (0, 6) else cell.rjust(width) for c, (cell, width) in enumerate(zip(row, widths))
        ]
        print("  ".join(cells).rstrip())


def report_missing(base, this):
    for names, others, where in ((this, base, "the base"), (base, this, "this tree")):
        lacking = [name for name in names if name not in others]
        if lacking:
            print(f"not in {where}: {', '.join(lacking)}")


class Measurements:
    """Everything that is measured. `ratios[side][name]`: times over the reference kernel. `memory[side][name]`: peaks.
    `sizes[side][program]`: bytes."""

    def __init__(self, folders):
        self.folders = folders
        self.ratios, self.memory = ({side: collections.defaultdict(list) for side in folders} for _ in range(2))
        self.reference = []
        self.sizes = {
            side: {name: (folder / name).stat().st_size for name in PROGRAMS} for side, folder in folders.items()
        }

    def time(self, side, name):
        """Nanoseconds of a benchmark, measured once, after the reference kernel."""
        reference = measure(self.folders[side], REFERENCE).nanoseconds
        measurement = measure(self.folders[side], name)
        self.reference.append(reference)
        self.ratios[side][name].append(measurement.nanoseconds / reference)
        self.memory[side][name].append(measurement.memory)
        return measurement.nanoseconds

    def growth(self, threshold):
        """Lines on memory and sizes of this tree that exceed those of the base by more than the threshold."""
        lines = []
        for name, this in self.memory["this"].items():
            base = self.memory["base"].get(name)
            # The smallest peaks: timing of threads adds to others.
            if base and min(this) > max(threshold * min(base), min(base) + SLACK):
                lines.append(f"memory of {name}: {min(base) / 1e6:.1f} to {min(this) / 1e6:.1f} MB")
        for name, this in self.sizes["this"].items():
            base = self.sizes["base"][name]
            if this > threshold * base:
                lines.append(f"size of {name}: {base / 1e6:.2f} to {this / 1e6:.2f} MB")
        return lines

    def entry(self, side, commit):
        """The entry of one side for the speed history."""
        benchmarks = {
            name: {
                "ratio": statistics.median(ratios),
                "spread": spread_of(ratios),
                "memory": min(self.memory[side][name]),
            }
            for name, ratios in self.ratios[side].items()
            if len(ratios) > 1
        }
        return {
            "format": history.FORMAT,
            "commit": commit,
            "date": date_of(commit),
            "machine": machine(),
            "reference": {"benchmark": REFERENCE, "nanoseconds": statistics.median(self.reference)},
            "repeats": min(map(len, self.ratios[side].values())),
            "benchmarks": benchmarks,
            "sizes": self.sizes[side],
        }


def default_base(path):
    """The commit of the last entry of the speed history. Raises Unusable."""
    entries = history.read(path)
    if not entries:
        raise Unusable(f"BASE=COMMIT is required: {path} has no entry")
    return entries[-1]["commit"]


def record(path, measured, base, this):
    """Adds this commit to the speed history, and the base if it has no entry there."""
    known = {entry["commit"] for entry in history.read(path)}
    for side, commit in (("base", base), ("this", this)):
        if side == "this" or commit not in known:
            history.append(path, measured.entry(side, commit))
    print(f"recorded in {path}")


def run(options):
    base = commit_of(options.base or default_base(options.history))
    this = git("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
    if options.record and this.endswith("-dirty"):
        raise Unusable("--record: commit your changes first; an entry belongs to a commit")
    tree = options.folder / "base"
    check_out(base, tree)
    measured = Measurements({"base": build(tree, options.python, options.jobs), "this": options.programs})
    names = {side: listed(folder, options.filter) for side, folder in measured.folders.items()}
    if not names["this"] and not names["base"]:
        raise Unusable(f"FILTER={options.filter}: no benchmark matches")
    both = [name for name in names["this"] if name in names["base"]]
    print(f"base {base[:10]}, this {this.replace(this[:40], this[:10])}")
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}; {platform.system()} {platform.release()}", flush=True)
    report_missing(names["base"], names["this"])

    def report(text):
        print(f"speed: {text}", file=sys.stderr, flush=True)

    comparisons = compare(measured.time, both, options.repeats, options.threshold, report, NotMeasured)
    if not comparisons:
        raise Unusable("nothing to compare: no benchmark could be measured with both programs")
    print(f"median processor time of {options.repeats} measurements per side; slower: ratio over {options.threshold:g}")
    print(f"in two runs, with p < {CERTAIN:g} in the second (Mann-Whitney)")
    table(comparisons)
    larger = measured.growth(options.threshold)
    for line in larger:
        print(f"larger: {line}")
    if options.record:
        record(options.history, measured, base, this)
    line, slower = verdict(comparisons)
    print(f"{line}; {len(larger) or 'no'} quantit{'y' if len(larger) == 1 else 'ies'} larger")
    return 1 if slower or larger else 0


def whole_number(least):
    def read(text):
        value = int(text)
        if value < least:
            raise ValueError(text)
        return value

    read.__name__ = f"integer from {least}"
    return read


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="", help="commit to compare with (default: last one of the history)")
    parser.add_argument("--programs", required=True, type=pathlib.Path, help="folder of okbench_bench and okbench")
    parser.add_argument("--filter", default="", help="regular expression of benchmarks (default: main ones)")
    parser.add_argument("--repeats", default=7, type=whole_number(3), help="measurements per side, at least 3")
    parser.add_argument("--threshold", default=THRESHOLD, type=float, help="ratio that is slower or larger")
    parser.add_argument("--record", action="store_true", help="add the measurements to the history")
    parser.add_argument(
        "--history", default=ROOT / "results" / "speed" / "history.jsonl", type=pathlib.Path, help="speed history"
    )
    parser.add_argument("--folder", default=ROOT / "build" / "speed", type=pathlib.Path, help="folder of its build")
    parser.add_argument("--python", default="/usr/bin/python3", help="Python interpreter for the base's build")
    parser.add_argument("--jobs", type=whole_number(1), help="parallel jobs of the build")
    options = parser.parse_args()
    options.filter = options.filter or DEFAULT
    options.programs, options.folder = options.programs.resolve(), options.folder.resolve()
    try:
        return run(options)
    except (Unusable, OkbenchError, WriteError, OSError) as error:
        print(f"speed: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
