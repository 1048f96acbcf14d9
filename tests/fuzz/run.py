"""Runs the fuzzing harnesses of this folder (make fuzz): tests/fuzz/run.py BUILD [--runs N | --seconds S] [HARNESS...].

A run starts from BUILD/corpus, the seeds and the inputs of earlier findings (corpus/). It saves new corpus inputs to
BUILD/corpus and new findings to BUILD/findings.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MAX_SECONDS = {"archives": 60}  # time limit per input; 20 for other harnesses
LONGEST = {"learners": 1 << 15, "traces": 1 << 14, "images": 1 << 14}  # maximum bytes of an input; 4096 for others
OPTIONS = ["-rss_limit_mb=2048", "-malloc_limit_mb=2048", "-print_final_stats=1", "-reduce_inputs=1"]


def names():
    """The names of the harnesses that harness.h declares."""
    return [name.lower() for name in re.findall(r"^Harness ([A-Z]\w+)\(\);", (HERE / "harness.h").read_text(), re.M)]


def number(pattern, text):
    """The last number that the pattern finds; 0 without a match."""
    return int((re.findall(pattern, text) or ["0"])[-1])


def cause(log):
    """The message of libFuzzer or a sanitizer about a finding, as one line."""
    for pattern in (r"SUMMARY: (.*)", r"runtime error: (.*)", r"ERROR: (.*)", r"what\(\): +(.*)"):
        if matches := re.findall(pattern, log):
            thrown = re.findall(r"what\(\): +(.*)", log)
            return matches[0] + (f" ({thrown[0]})" if thrown and pattern.startswith("SUMMARY") else "")
    return "ended without a message"


def fuzz(name, build, limits):
    """Runs one harness. Returns (inputs, branches, files of findings, cause); cause is "" if it succeeded."""
    program = build / "okbench_fuzz"
    seeds, corpus, findings = build / "seeds" / name, build / "corpus" / name, build / "findings"
    for folder in (corpus, findings, seeds.parent):
        folder.mkdir(parents=True, exist_ok=True)
    prefix = f"{findings}/{name}-"
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as scratch:
        environment = {**os.environ, "TMPDIR": scratch, "OKBENCH_HARNESS": name}
        environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
        subprocess.run([program, "--seeds", seeds], check=True, env=environment)
        most = MAX_SECONDS.get(name, 20)
        options = [*OPTIONS, *limits, f"-timeout={most}", f"-report_slow_units={most}", f"-artifact_prefix={prefix}"]
        options += [f"-max_len={LONGEST.get(name, 4096)}", f"-dict={seeds}.dict"]
        folders = [corpus, seeds, *(folder for folder in [HERE / "corpus" / name] if folder.is_dir())]
        done = subprocess.run(
            [program, *options, *folders], capture_output=True, text=True, errors="replace", env=environment
        )
    (build / f"{name}.log").write_text(done.stderr)
    artifacts = sorted(path for path in findings.glob(f"{name}-*") if str(path) in done.stderr)
    inputs = number(r"stat::number_of_executed_units: (\d+)", done.stderr) or number(r"^#(\d+)", done.stderr)
    failed = done.returncode != 0
    return inputs, number(r"cov: (\d+)", done.stderr), artifacts, cause(done.stderr) if failed else ""


def main():
    parser = argparse.ArgumentParser(description="Run the fuzzing harnesses.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1000000, help="inputs for each harness")
    parser.add_argument("--seconds", type=int, default=0, help="time per harness, instead of a number of inputs")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel harnesses")
    parser.add_argument("harness", nargs="*", help="harnesses to run (default: all)")
    options = parser.parse_intermixed_args()
    known = names()
    if unknown := sorted(set(options.harness) - set(known)):
        sys.exit(f"fuzz: unknown harness {unknown[0]}; known: {', '.join(known)}")
    limits = [f"-max_total_time={options.seconds}"] if options.seconds else [f"-runs={options.runs}"]
    wanted = [name for name in known if name in options.harness or not options.harness]
    build = options.build.resolve()
    failures = []
    print(f"{'harness':12} {'inputs':>9} {'branches':>9} findings")
    with concurrent.futures.ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        for name, result in zip(wanted, pool.map(lambda harness: fuzz(harness, build, limits), wanted)):
            inputs, branches, artifacts, why = result
            print(f"{name:12} {inputs:9} {branches:9} {1 if why else 0}", flush=True)
            if why:
                kept = ", ".join(map(str, artifacts)) or f"no input was saved; see {build / f'{name}.log'}"
                failures.append(f"fuzz: {name}: {why}: {kept}")
    sys.exit("\n".join(failures) if failures else 0)


if __name__ == "__main__":
    main()
