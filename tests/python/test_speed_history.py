"""okbench speed: change points of made-up series, the command, its page, and bad input."""

import json
import random

import pytest

from okbench.speed import history
from okbench.speed.changes import change_points


def noisy(levels, noise, seed):
    generator = random.Random(seed)
    return [level * (1 + noise * generator.gauss(0, 1)) for level, count in levels for _ in range(count)]


def test_noise_is_not_a_change():
    alarms = [change_points(noisy([(3.0, 20)], noise, seed)) for noise in (0.01, 0.05, 0.2) for seed in range(100)]
    assert sum(map(bool, alarms)) <= 1


@pytest.mark.parametrize("ratio", [0.5, 0.8, 1.15, 1.5, 3])
def test_a_change_is_found_at_its_place(ratio):
    for seed in range(20):
        (change,) = change_points(noisy([(2.0, 8), (2.0 * ratio, 5)], 0.02, seed))
        assert change.at == 8 and change.ratio == pytest.approx(ratio, rel=0.04) and change.p < 1e-3


def test_several_changes_and_their_ratios():
    changes = change_points([1.0] * 4 + [2.0] * 4 + [1.9, 2.1, 2.0] + [3.0] * 5)
    assert [(change.at, round(change.ratio, 3)) for change in changes] == [(4, 2.0), (11, 1.5)]


def test_two_entries_or_a_small_shift_are_no_change():
    assert change_points([1.0] * 10 + [2.0] * 2) == []
    assert change_points([1.0] * 10 + [1.04] * 10) == []
    assert change_points([]) == change_points([1.0]) == []


def entry(number, ratio, machine="CPU, 2 cores"):
    return {
        "format": 1,
        "commit": f"{number:040x}",
        "date": f"2026-01-{number:02d}T00:00:00Z",
        "machine": machine,
        "reference": {"benchmark": "LimitFma", "nanoseconds": 100},
        "repeats": 7,
        "benchmarks": {"OneQuery": {"ratio": ratio, "spread": 0.01, "memory": 2e7}},
        "sizes": {"okbench": 9e6},
    }


@pytest.fixture
def slower(tmp_path):
    """A history whose benchmark is 1.5 times slower from its ninth entry; one entry is of another machine."""
    path = tmp_path / "history.jsonl"
    entries = [entry(n, 10 + 0.05 * (n % 3) if n < 9 else 15 + 0.05 * (n % 3)) for n in range(1, 13)]
    for history_entry in [entry(1, 99, "another"), *reversed(entries)]:  # sorted by date when read
        history.append(path, history_entry)
    return path


def test_a_file_without_a_last_line_end_is_extended(tmp_path):
    path = tmp_path / "history.jsonl"
    path.write_text(json.dumps(entry(1, 10)))
    history.append(path, entry(2, 11))
    assert [history_entry["benchmarks"]["OneQuery"]["ratio"] for history_entry in history.read(path)] == [10, 11]


def test_the_command_names_the_commit_of_a_change(okbench, slower):
    lines = okbench("speed", "--history", slower, check=0).stdout.splitlines()
    assert lines[0] == "machine: CPU, 2 cores"
    assert lines[2].split()[:3] == ["OneQuery", "12", "15"] and lines[2].endswith(f"1.50 times at {9:040x}"[:-30])
    assert lines[3].split() == ["OneQuery:", "peak", "memory", "12", "20", "MB"]
    assert lines[4].split() == ["okbench:", "file", "size", "12", "9", "MB"]
    series = json.loads(okbench("speed", "--history", slower, "--json", check=0).stdout)["series"]
    assert [change["commit"] for change in series[0]["changes"]] == [f"{9:040x}"]
    other = okbench("speed", "--history", slower, "--machine", "another", check=0).stdout
    assert other.splitlines()[2].split() == ["OneQuery", "1", "99", "×", "reference"]


def test_the_page_has_a_figure_per_quantity(okbench, slower, tmp_path):
    page = tmp_path / "deep" / "speed.html"
    done = okbench("speed", "--history", slower, "--report", page, check=0)
    assert done.stdout.splitlines()[-1].startswith(f"{page} (")
    html = page.read_text()
    assert html.count("data:image/png") == 3 and html.count("No change beyond noise.") == 2
    assert f"1.50 times at commit {9:040x}"[:-30] in html and "from its speed history" in html


def test_bad_input_is_one_line(okbench, slower, tmp_path):
    done = okbench("speed", "--history", tmp_path / "none", check=2)
    assert done.stderr == f"okbench: {tmp_path}/none: no speed history; make speed RECORD=1 adds to it\n"
    done = okbench("speed", "--history", slower, "--machine", "x", check=2)
    assert done.stderr == "okbench: --machine: no entry of 'x'; known: CPU, 2 cores; another\n"
    for line, message in (
        ("{", "not valid JSON"),
        ("[]", "not an object"),
        (json.dumps(entry(1, 1) | {"format": 2}), "format: must be 1"),
        (json.dumps(entry(1, 0)), "benchmarks: OneQuery: ratio and memory must be positive numbers"),
        (json.dumps(entry(1, 1) | {"sizes": {"okbench": "9"}}), "sizes: okbench: must be a positive number"),
        (json.dumps(entry(1, 1) | {"commit": 5}), "commit: must be text"),
    ):
        bad = tmp_path / "bad.jsonl"
        bad.write_text(json.dumps(entry(2, 1)) + "\n" + line + "\n")
        done = okbench("speed", "--history", bad, check=1)
        assert done.stderr == f"okbench: {bad}:2: {message}\n"
