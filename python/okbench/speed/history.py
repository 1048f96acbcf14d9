"""Reads and extends the speed history, a file with one measured commit per line.

A line is a JSON object:

    format      1
    commit      hash of the measured commit
    date        committer date, ISO 8601
    machine     processor and number of cores
    reference   {"benchmark": name, "nanoseconds": processor time of one iteration}
    repeats     number of measurements of each benchmark
    benchmarks  {name: {"ratio", "spread", "memory"}}
    sizes       {program: bytes}

ratio: median over the measurements of processor time divided by that of the reference kernel just before. spread:
interquartile range of these over the median. memory: peak resident memory in bytes.
"""

import json
import math

from ..errors import OkbenchError
from ..writing import write_text

FORMAT = 1


class HistoryError(OkbenchError):
    """A line of a speed history is not valid."""


def positive(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def problem(entry):
    """What is wrong with an entry, as text; None if it is valid."""
    if not isinstance(entry, dict):
        return "not an object"
    if entry.get("format") != FORMAT:
        return f"format: must be {FORMAT}"
    for key in ("commit", "date", "machine"):
        if not isinstance(entry.get(key), str):
            return f"{key}: must be text"
    if not isinstance(entry.get("reference"), dict):
        return "reference: must be an object"
    for key in ("benchmarks", "sizes"):
        if not isinstance(entry.get(key), dict):
            return f"{key}: must be an object"
    for name, benchmark in entry["benchmarks"].items():
        if not isinstance(benchmark, dict) or not all(positive(benchmark.get(key)) for key in ("ratio", "memory")):
            return f"benchmarks: {name}: ratio and memory must be positive numbers"
    for name, size in entry["sizes"].items():
        if not positive(size):
            return f"sizes: {name}: must be a positive number"
    return None


def read(path):
    """The entries of a history, by commit date. [] if the file does not exist. Raises HistoryError with the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise HistoryError(f"{path}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}") from error
    entries = []
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise HistoryError(f"{path}:{number}: not valid JSON") from error
        wrong = problem(entry)
        if wrong:
            raise HistoryError(f"{path}:{number}: {wrong}")
        entries.append(entry)
    return sorted(entries, key=lambda entry: entry["date"])


def append(path, entry):
    """Adds an entry as the last line. The file is replaced atomically. Raises HistoryError or WriteError."""
    read(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    before = "".join(line if line.endswith("\n") else line + "\n" for line in lines)  # an editor may drop the last one
    write_text(path, f"{before}{json.dumps(entry, sort_keys=True)}\n", folders=True)
