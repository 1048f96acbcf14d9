#!/usr/bin/python3
"""Prints the share of learning time that each learner spends on kernel values, and other functions above 5 %.

usage: profile.py OKBENCH [--only LEARNER ...]

Runs one trial per learner on one core, on real data. The share is `kernel_share` of the trace and covers only learning.
The functions are from Linux perf, if installed, and cover the whole process without kernel evaluations.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from okbench.results import read_trace

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIN_SHARE = 5  # minimum share of a listed function, in percent
# Functions that evaluate kernels: the tables of learners/kernels/internal.
KERNELS = re.compile(r"\b(Dense|Sparse|DotBits|Whole|Postings|Finish\w*|ScaleDots|SquaredNorms?)<|\bKernelEngine<")

# {learner: (spec, glob of trials)}. The data sets are large enough to sample shares.
TRIALS = (
    {
        "norma": ("svmd-2006/fig3-orders.toml", "*/norma*/r0"),
        "svmd": ("svmd-2006/fig7-right.toml", "*buffer=4096*"),
        "mira": ("budget-2003/fig4-mnist.toml", "*/mira/r0"),
        "mira, fixed cache": ("budget-2003/fig4-letter.toml", "*/fixed?budget=2000?/r0"),
        "multiclass-svm": ("budget-2003/letter-svm-16.toml", "*/r0"),
        "perceptron": ("budget-2003/perceptron-usps.toml", "*/r0"),
        "sfd, a8a": ("sfd-2013/table5-3.toml", "*/sfd1?data=a8a*/r0"),
        "sfd, ijcnn1": ("sfd-2013/table5-3.toml", "*/sfd1?data=ijcnn1*/r0"),
        "structural-sfd": ("sfd-2013/multiclass-mnist.toml", "*/sfd-bounded/r0"),
        "lasvm, a8a": ("sfd-2013/table5-2.toml", "*/lasvm?data=a8a*/r0"),
        "lasvm, ijcnn1": ("sfd-2013/table5-2.toml", "*/lasvm?data=ijcnn1*/r0"),
        "pegasos": ("sfd-2013/pegasos-epochs.toml", "*/r0"),
        "sampled-cuts": ("sfd-2013/table5-2.toml", "*/sampled-cuts?data=a8a,lambda=1.10152e-05?/r0"),
        "krls": ("league/waves.toml", "*/krls?data=waves-gaussian?/r0"),
        "nogd": ("league/mnist.toml", "*/nogd?budget=256?/r0"),
        "fogd": ("league/mnist.toml", "*/fogd?features=1024?/r0"),
        "bsgd-merging": ("league/mnist.toml", "*/bsgd-merging?budget=256?/r0"),
    }
    | {
        name: ("league/mnist.toml", f"*/{name}?budget=1024?/r0")
        for name in ("rbp", "forgetron", "bsgd-removal", "bpas")
    }
    | {name: ("league/mnist.toml", f"*/{name}/r0") for name in ("passive-aggressive", "ogd", "kt", "projectron")}
)


def run(binary, spec, only, out, perf):
    # The default tier of the league has too few examples to sample.
    tier = "paper" if spec.startswith("league/") else "default"
    command = [binary, "run", str(ROOT / "experiments" / spec), "--tier", tier, "--only", only]
    command += ["--jobs", "1", "--quiet", "--out", out]
    if perf:
        command = ["perf", "record", "--quiet", "--freq", "499", "--output", f"{out}/perf.data", "--", *command]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"profile: {' '.join(command)}: {done.stderr.strip()}")
    traces = []
    for path in sorted(pathlib.Path(out).rglob("*.h5")):
        trace = read_trace(path)
        traces.append(trace.provenance | {"data": trace.data_set})
    return traces


def plain(symbol):
    """A function's name without template arguments, parameters and namespaces."""
    while True:
        shorter = re.sub(r"<[^<>]*>|\([^()]*\)", "", symbol)
        if shorter == symbol:
            break
        symbol = shorter
    return symbol.replace("okbench::", "").replace("(anonymous namespace)::", "").split(" [")[0].split(" ")[-1]


def functions(out):
    """[(percent, function)] without kernel evaluations, the largest first."""
    report = subprocess.run(
        ["perf", "report", "--input", f"{out}/perf.data", "--stdio", "--no-children", "--fields", "overhead,symbol"],
        capture_output=True,
        text=True,
    )
    shares = collections.Counter()
    for line in report.stdout.splitlines():
        match = re.match(r"\s*([\d.]+)%\s+\[(.)\]\s+(.*)", line)
        if match and not KERNELS.search(match[3]):
            shares["the system" if match[2] == "k" else plain(match[3])] += float(match[1])
    return [(share, name) for name, share in shares.most_common() if share >= MIN_SHARE]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("okbench", help="path of the program")
    parser.add_argument("--only", nargs="+", metavar="LEARNER", help="run only these learners (prefixes)")
    options = parser.parse_args()
    perf = shutil.which("perf") is not None
    print("share of learning time in kernel values (aim: 0.70 for learners that are not bound by memory);")
    print("and other functions above 5 % of the process" if perf else "perf is not installed: no functions")
    for name, (spec, only) in TRIALS.items():
        if options.only and not any(name.startswith(prefix) for prefix in options.only):
            continue
        with tempfile.TemporaryDirectory() as out:
            traces = run(options.okbench, spec, only, out, perf)
            longest = max(traces, key=lambda trace: trace["wall_seconds"])
            share = longest["kernel_share"]
            share_text = "too short" if share is None else f"{share:9.2f}"
            others = ", ".join(f"{of:.0f} % {what}" for of, what in functions(out)) if perf else ""
            print(
                f"  {name:19} {longest['data']:9} {longest['wall_seconds']:7.2f} s  {share_text}  {others}",
                flush=True,
            )


if __name__ == "__main__":
    main()
