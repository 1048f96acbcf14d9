#!/usr/bin/python3
"""Compares the speed of this tree with an earlier commit, benchmark by benchmark.

usage: speed.py --base COMMIT --program BUILT_OKBENCH_BENCH [--filter REGEX] [--repeats N]

Builds the commit in a git worktree below build/speed. Both programs alternate, one benchmark at a time. Compares
processor time, because other load on the machine affects it less than wall time.
Exit status: 0 no slow-down, 1 confirmed slow-down, 2 invalid request.
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
# Default benchmarks: the kernel engine and the main costs of learners. All of them run on synthetic fallbacks.
DEFAULT = (
    "^(OneQuery|HundredQueries/vectors:4096/features:(22|256)$|SparseQuery"
    "|IntegerQueriesOf/queries:.*avx2:0/features:784$"
    "|NormaUsps|SvmdUsps|MiraUspsFixed|BatchSvmUsps|LasvmStep|TwoEpochs/sfd_a8a|(BoxProgramStep|MulticlassRound)/ours"
    "|UpdateByDual/examples:73/gap_of_one_in:1000$|SearchByBounds/fine_intersection_1|TreeStep(Dense|Sparse)/72$)"
)
MIN_SECONDS = 0.1  # minimum duration of a measurement, for benchmarks without a fixed number of iterations
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


class Unusable(Exception):
    """The comparison is impossible. The message is one line."""


class NotMeasured(Exception):
    """One of the programs cannot run a benchmark. The message is one line."""


def quiet_environment():
    """The environment of both programs: each uses its own home directory, and one core."""
    return {key: value for key, value in os.environ.items() if key != "OKBENCH_HOME"} | {"OPENBLAS_NUM_THREADS": "1"}


def git(*words, folder=ROOT):
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True)
    if done.returncode:
        reason = " ".join(done.stderr.split()) or "failed"
        raise Unusable(f"git {words[0]}: {reason}")
    return done.stdout.strip()


def commit_of(base):
    """The full hash of the commit BASE. Raises Unusable."""
    try:
        return git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    except (Unusable, OSError) as error:
        raise Unusable(f"BASE={base}: no such commit here") from error


def check_out(commit, tree):
    """Creates a worktree of the commit, or switches an existing one, so that the build is incremental."""
    if (tree / ".git").exists():
        try:
            git("checkout", "--quiet", "--force", "--detach", commit, folder=tree)
            return
        except Unusable:  # stale: the repository does not know this worktree
            shutil.rmtree(tree)
    git("worktree", "add", "--quiet", "--force", "--detach", str(tree), commit)


def build(tree, python, jobs):
    """Builds the benchmarks of a worktree. Returns the path of the program. Raises Unusable."""
    folder, log = tree / "build" / "release", tree.with_suffix(".log")
    commands = (
        ["cmake", "--preset", "release", "-S", tree, "-B", folder, f"-DOKBENCH_PYTHON={python}"],
        ["cmake", "--build", folder, "--target", "okbench_bench", *(["-j", str(jobs)] if jobs else [])],
    )
    with open(log, "w", encoding="utf-8") as out:
        for command in commands:
            done = subprocess.run(list(map(str, command)), cwd=tree, stdout=out, stderr=out, env=quiet_environment())
            if done.returncode:
                raise Unusable(f"the benchmarks of the base do not build; see {log}")
    return folder / "okbench_bench"


def listed(program, pattern):
    """The names of the benchmarks that match a regular expression. Raises Unusable."""
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
    """Processor time of one iteration in nanoseconds, measured once. Raises NotMeasured."""
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
            raise NotMeasured(f"{name}: cannot be measured by {program}: {error}") from error


def machine():
    """Processor, number of cores, load and operating system, as text."""
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


def report_missing(base, this):
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
    report_missing(names["base"], names["this"])

    def measure(side, name):
        return nanoseconds(programs[side], name)

    def report(text):
        print(f"speed: {text}", file=sys.stderr, flush=True)

    comparisons = compare(measure, both, options.repeats, options.threshold, report, NotMeasured)
    if not comparisons:
        raise Unusable("nothing to compare: no benchmark could be measured with both programs")
    print(f"median processor time of {options.repeats} measurements per side; slower: ratio over {options.threshold:g}")
    print(f"in two runs, with p < {CERTAIN:g} in the second (Mann-Whitney)")
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
    parser.add_argument("--base", required=True, help="commit to compare with")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="okbench_bench of this tree")
    parser.add_argument("--filter", default="", help="regular expression of benchmarks (default: main ones)")
    parser.add_argument("--repeats", default=7, type=whole_number(3), help="measurements per side, at least 3")
    parser.add_argument("--threshold", default=THRESHOLD, type=float, help="ratio of medians that is slower")
    parser.add_argument("--folder", default=ROOT / "build" / "speed", type=pathlib.Path, help="folder of its build")
    parser.add_argument("--python", default="/usr/bin/python3", help="Python interpreter for the base's build")
    parser.add_argument("--jobs", type=whole_number(1), help="parallel jobs of the build")
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
