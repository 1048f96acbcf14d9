#!/usr/bin/python3
"""Compares the speed of this tree with that of an earlier commit, benchmark by benchmark.

usage: speed.py --base COMMIT --program BUILT_OKBENCH_BENCH [--filter REGEX] [--repeats N]

The commit is built in a git worktree below build/speed. Both programs run in turn, one benchmark at a time. What is
compared is the time of the processor, which others on the machine stretch less than that of the wall.
Exit status: 0 nothing is slower, 1 a slow-down was confirmed, 2 the request cannot be met.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from judging import CERTAIN, THRESHOLD, compare, verdict

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The kernel engine and what learners spend their time in; none needs data that a synthetic fallback does not replace.
DEFAULT = (
    "^(OneQuery|HundredQueries/vectors:4096/features:(22|256)$|SparseQuery"
    "|WholeQueriesOf/queries:.*avx2:0/features:784$"
    "|NormaUsps|SvmdUsps|MiraUspsFixed|BatchSvmUsps|LasvmStep|TwoEpochs/sfd_a8a|(BoxProgramStep|MulticlassRound)/ours"
    "|UpdateByDual/examples:73/gap_of_one_in:1000$|SearchByBounds/fine_intersection_1|TreeStep(Dense|Sparse)/72$)"
)
MIN_SECONDS = 0.1  # of one measurement, where a benchmark does not say how often it iterates
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


class Unusable(Exception):
    """What keeps the comparison from being made; one line."""


class NotMeasured(Exception):
    """A benchmark that one of the programs cannot run; one line."""


def quiet_environment():
    """Both programs' own home, data folders as they are, one core."""
    return {key: value for key, value in os.environ.items() if key != "OKBENCH_HOME"} | {"OPENBLAS_NUM_THREADS": "1"}


def git(*words, folder=ROOT):
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True)
    if done.returncode:
        told = " ".join(done.stderr.split()) or "failed"
        raise Unusable(f"git {words[0]}: {told}")
    return done.stdout.strip()


def commit_of(base):
    """The whole digest of what BASE names."""
    try:
        return git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    except (Unusable, OSError) as error:
        raise Unusable(f"BASE={base}: no such commit here") from error


def check_out(commit, tree):
    """Makes a worktree of just this commit; one that is there changes to it, and builds only what differs."""
    if (tree / ".git").exists():
        try:
            git("checkout", "--quiet", "--force", "--detach", commit, folder=tree)
            return
        except Unusable:  # of a repository that does not know it any more
            shutil.rmtree(tree)
    git("worktree", "add", "--quiet", "--force", "--detach", str(tree), commit)


def build(tree, python, jobs):
    """Builds the benchmarks of a worktree; returns their program."""
    folder, log = tree / "build" / "release", tree.with_suffix(".log")
    commands = (
        ["cmake", "--preset", "release", "-S", tree, "-B", folder, f"-DOKBENCH_PYTHON={python}"],
        ["cmake", "--build", folder, "--target", "okbench_bench", *(["-j", str(jobs)] if jobs else [])],
    )
    with open(log, "w", encoding="utf-8") as out:
        for command in commands:
            done = subprocess.run(list(map(str, command)), cwd=tree, stdout=out, stderr=out, env=quiet_environment())
            if done.returncode:
                raise Unusable(f"the benchmarks of the base do not build; {log} tells why")
    return folder / "okbench_bench"


def listed(program, pattern):
    """Names of the benchmarks that match."""
    done = subprocess.run(
        [program, "--benchmark_list_tests", f"--benchmark_filter={pattern}"],
        capture_output=True,
        text=True,
        env=quiet_environment(),
    )
    if done.returncode:
        raise Unusable(f"{program} cannot list its benchmarks ({done.stderr.strip() or done.returncode})")
    if done.stdout.startswith("Failed"):
        return []
    return done.stdout.split()


def nanoseconds(program, name):
    """Processor time of an iteration, measured once; raises NotMeasured."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = subprocess.run(
            [
                program,
                f"--benchmark_filter=^{re.escape(name)}$",
                f"--benchmark_min_time={MIN_SECONDS}",
                f"--benchmark_out={file.name}",
                "--benchmark_out_format=json",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=quiet_environment(),
        )
        try:
            if done.returncode:
                raise ValueError(f"ended with status {done.returncode}")
            row = next(row for row in json.load(file)["benchmarks"] if row["name"] == name)
            if row.get("error_occurred"):
                raise ValueError(row["error_message"])
            return row["cpu_time"] * NANOSECONDS[row["time_unit"]]
        except (ValueError, LookupError, StopIteration) as error:
            raise NotMeasured(f"{name}: {program} does not measure it: {error}") from error


def machine():
    """Processor, cores and what else runs here."""
    try:
        info = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        cpu = re.search(r"^model name\s*: (.*)$", info, re.M)[1]
    except (OSError, TypeError):
        cpu = platform.processor() or platform.machine()
    load = f"{os.getloadavg()[0]:.1f}"
    return f"{cpu}, {os.cpu_count()} cores, load {load}; {platform.system()} {platform.release()}"


def readable(time):
    for unit in ("s", "ms", "us"):
        if time >= NANOSECONDS[unit]:
            return f"{time / NANOSECONDS[unit]:.4g} {unit}"
    return f"{time:.4g} ns"


def table(comparisons):
    rows = [("benchmark", "base", "this", "ratio", "spread", "p", "")]
    for one in comparisons:
        spread = f"{100 * one.spread:.1f} %"
        rows.append(
            (one.name, readable(one.base), readable(one.this), f"{one.ratio:.3f}", spread, f"{one.p:.2g}", one.word)
        )
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if c in (0, 6) else cell.rjust(width) for c, (cell, width) in enumerate(zip(row, widths))
        ]
        print("  ".join(cells).rstrip())


def tell_lacking(base, this):
    for names, others, where in ((this, base, "the base"), (base, this, "this tree")):
        lacking = [name for name in names if name not in others]
        if lacking:
            print(f"not in {where}: {', '.join(lacking)}")


def run(options):
    commit = commit_of(options.base)
    tree = options.folder / "base"
    check_out(commit, tree)
    programs = {"base": build(tree, options.python, options.jobs), "this": options.program}
    names = {side: listed(program, options.filter) for side, program in programs.items()}
    if not names["this"] and not names["base"]:
        raise Unusable(f"FILTER={options.filter}: no benchmark matches")
    both = [name for name in names["this"] if name in names["base"]]
    ours = git("describe", "--always", "--dirty", "--abbrev=10", "--exclude=*")
    print(f"base {commit[:10]}, this {ours}\n{machine()}", flush=True)
    tell_lacking(names["base"], names["this"])

    def measure(side, name):
        return nanoseconds(programs[side], name)

    def told(text):
        print(f"speed: {text}", file=sys.stderr, flush=True)

    comparisons = compare(measure, both, options.repeats, options.threshold, told, NotMeasured)
    if not comparisons:
        raise Unusable("nothing to compare: no benchmark of both could be measured")
    print(f"median processor time of {options.repeats} measurements a side; slower: over {options.threshold:g} times")
    print(f"as long, and so again in a second run, there with p < {CERTAIN:g} (Mann-Whitney)")
    table(comparisons)
    line, slower = verdict(comparisons)
    print(line)
    return 1 if slower else 0


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
    parser.add_argument("--base", required=True, help="commit that is compared with")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="okbench_bench of this tree")
    parser.add_argument("--filter", default="", help="regular expression of benchmarks (default: engine and learners)")
    parser.add_argument("--repeats", default=7, type=whole_number(3), help="measurements a side, from 3")
    parser.add_argument("--threshold", default=THRESHOLD, type=float, help="ratio of medians that is slower")
    parser.add_argument("--folder", default=ROOT / "build" / "speed", type=pathlib.Path, help="where the base is built")
    parser.add_argument("--python", default="/usr/bin/python3", help="interpreter that the base is configured for")
    parser.add_argument("--jobs", type=whole_number(1), help="of the build, side by side")
    options = parser.parse_args()
    options.filter = options.filter or DEFAULT
    options.program, options.folder = options.program.resolve(), options.folder.resolve()
    try:
        return run(options)
    except (Unusable, OSError) as error:
        print(f"speed: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
