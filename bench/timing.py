"""Measures benchmarks of okbench_bench, and commands of okbench: processor time and peak memory."""

import dataclasses
import json
import os
import pathlib
import platform
import re
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = "LimitFma"  # the reference kernel: fused multiply-adds in registers, whose code never changes
SMOKE = sorted(str(path) for path in (ROOT / "experiments" / "smoke").glob("*.toml"))
# Commands of okbench that are measured like benchmarks, by name.
COMMANDS = {
    "Command/version": ["--version"],
    "Command/run_smoke": ["run", *SMOKE, "--tier=quick", "--force", "--quiet", "--jobs=1", "--out=results"],
}
MIN_SECONDS = 0.1  # minimum duration of a measurement, for benchmarks without a fixed number of iterations
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


class Unusable(Exception):
    """The comparison is impossible. The message is one line."""


class NotMeasured(Exception):
    """A program cannot run a benchmark. The message is one line."""


@dataclasses.dataclass
class Measurement:
    """Processor time of one iteration in nanoseconds, and peak resident memory of the process in bytes."""

    nanoseconds: float
    memory: int


def quiet_environment():
    """Environment of the measured programs: no OKBENCH_HOME, no mirror, a separate cache, one OpenBLAS thread."""
    hidden = ("OKBENCH_HOME", "OKBENCH_MIRROR")
    kept = {key: value for key, value in os.environ.items() if key not in hidden}
    cache = ROOT / "build" / "speed" / "cache"
    return kept | {"OPENBLAS_NUM_THREADS": "1", "OKBENCH_CACHE": str(cache)}


def listed(folder, pattern):
    """Names of the benchmarks and commands that match a regular expression. Raises Unusable."""
    program = folder / "okbench_bench"
    done = subprocess.run(
        [program, "--benchmark_list_tests", f"--benchmark_filter={pattern}"],
        capture_output=True,
        text=True,
        env=quiet_environment(),
    )
    if done.returncode:
        raise Unusable(f"{program} cannot list its benchmarks ({done.stderr.strip() or done.returncode})")
    benchmarks = [] if done.stdout.startswith("Failed") else done.stdout.split()
    return [*benchmarks, *(name for name in COMMANDS if re.search(pattern, name))]


def run(words, scratch):
    """(processor seconds, peak memory in bytes) of a command. Raises ValueError if it fails.

    GNU time measures the memory: rusage of a direct child includes the memory of this process before exec.
    """
    usage = pathlib.Path(scratch, "usage")
    process = subprocess.Popen(
        ["/usr/bin/time", "--format=%M", f"--output={usage}", *words],
        cwd=scratch,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=quiet_environment(),
    )
    with process.stderr:
        message = process.stderr.read().decode(errors="replace")
    _, status, spent = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        last = (message.strip().splitlines() or [""])[-1]
        raise ValueError(f"status {process.returncode} {last}".strip())
    return spent.ru_utime + spent.ru_stime, 1024 * int(usage.read_text().split()[-1])


def measure(folder, name):
    """One Measurement of a benchmark or command of the programs in a folder. Raises NotMeasured."""
    with tempfile.TemporaryDirectory(prefix="okbench-speed-") as scratch:
        try:
            if name in COMMANDS:
                return measure_command([folder / "okbench", *COMMANDS[name]], scratch)
            return measure_benchmark(folder / "okbench_bench", name, scratch)
        except (OSError, ValueError, LookupError, StopIteration) as error:
            raise NotMeasured(f"{name}: cannot be measured in {folder}: {error}") from error


def measure_command(words, scratch):
    """The mean processor time of runs of a command that take MIN_SECONDS together."""
    start, spent, memory, runs = time.monotonic(), 0.0, 0, 0
    while not runs or time.monotonic() - start < MIN_SECONDS:
        seconds, used = run(words, scratch)
        spent, memory, runs = spent + seconds, max(memory, used), runs + 1
    return Measurement(1e9 * spent / runs, memory)


def measure_benchmark(program, name, scratch):
    file = pathlib.Path(scratch, "measured.json")
    words = [f"--benchmark_filter=^{re.escape(name)}$", f"--benchmark_min_time={MIN_SECONDS}"]
    _, memory = run([program, *words, f"--benchmark_out={file}", "--benchmark_out_format=json"], scratch)
    row = next(row for row in json.loads(file.read_text())["benchmarks"] if row["name"] == name)
    if row.get("error_occurred"):
        raise ValueError(row["error_message"])
    return Measurement(row["cpu_time"] * NANOSECONDS[row["time_unit"]], memory)


def processor():
    """Name of the processor."""
    try:
        info = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
        return re.search(r"^model name\s*: (.*)$", info, re.M)[1]
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def machine():
    """Processor and number of cores, as text. Speeds of one machine are comparable."""
    return f"{processor()}, {os.cpu_count()} cores"
