"""bench/speed.py with programs that are scripts: what is listed, measured, recorded and reported, and exit statuses."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import commits  # noqa: E402
import speed  # noqa: E402
import timing  # noqa: E402

PROGRAM = """#!/usr/bin/python3
import json, re, sys
times = dict({times}, LimitFma=2)
hoard = bytearray({memory})
words = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:] if "=" in word)
names = [name for name in times if re.search(words["benchmark_filter"], name)]
if "--benchmark_list_tests" in sys.argv:
    print("\\n".join(names) or "Failed to match any benchmarks against regex: x")
    sys.exit(0)
if "Crash" in names:
    sys.exit(6)
rows = [dict(name=name, cpu_time=times[name], time_unit="us", error_occurred=name == "Wrong", error_message="is wrong")
        for name in names]
json.dump(dict(benchmarks=rows), open(words["benchmark_out"], "w"))
"""


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Runs the script with made-up programs of base and this tree; nothing is built or checked out."""

    def run(base, this, *options, memory=0, size=1000):
        for side, times in (("base", base), ("this", this)):
            (tmp_path / side).mkdir(exist_ok=True)
            used = memory if side == "this" else 0
            (tmp_path / side / "okbench_bench").write_text(PROGRAM.format(times=repr(times), memory=used))
            (tmp_path / side / "okbench").write_bytes(b"x" * (size if side == "this" else 1000))
            for path in (tmp_path / side).iterdir():
                path.chmod(0o755)
        monkeypatch.setattr(speed, "check_out", lambda commit, tree: None)
        monkeypatch.setattr(speed, "build", lambda tree, python, jobs: tmp_path / "base")
        words = ["--base", "HEAD", "--programs", str(tmp_path / "this"), "--repeats", "3"]
        words += ["--filter", "^(?!Command|LimitFma)"]
        words += ["--history", str(tmp_path / "history.jsonl"), *options]
        monkeypatch.setattr(sys, "argv", ["speed.py", *words])
        return speed.main()

    return run


def test_a_slow_down_has_status_1_and_is_in_table_and_verdict(programs, capsys):
    assert programs({"One": 10, "Two/rows:4": 7}, {"One": 10, "Two/rows:4": 9}) == 1
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0].startswith("base ") and "cores" in lines[1]
    assert lines[-4].split() == ["benchmark", "base", "this", "ratio", "spread", "p"]
    assert lines[-3].split()[:6] == ["One", "10", "us", "10", "us", "1.000"]
    assert lines[-2].split()[-1] == "slower" and "1.286" in lines[-2]
    assert lines[-1] == "verdict: 1 of 2 benchmarks is slower: Two/rows:4 1.29 times; no quantities larger"
    assert captured.err == "speed: possibly slower, measured again: Two/rows:4\n"


def test_missing_and_failing_benchmarks_are_reported_with_status_0(programs, capsys):
    base = {"One": 10, "Old": 3, "Crash": 1, "Wrong": 1}
    assert programs(base, {"One": 5, "New": 3, "Crash": 1, "Wrong": 1}, "--repeats", "5") == 0
    captured = capsys.readouterr()
    assert "not in the base: New\n" in captured.out and "not in this tree: Old\n" in captured.out
    assert "verdict: none of 1 benchmarks is slower" in captured.out and "faster" in captured.out
    assert captured.err.count("\n") == 2 and "Crash" in captured.err and "is wrong" in captured.err


def test_no_common_benchmark_is_status_2(programs, capsys):
    assert programs({"One": 1}, {"One": 1}, "--filter", "None") == 2
    assert capsys.readouterr().err == "speed: FILTER=None: no benchmark matches\n"
    assert programs({"One": 1}, {"Two": 1}) == 2
    assert "nothing to compare" in capsys.readouterr().err


@pytest.mark.parametrize("base", ["no-such-commit", "--all", "HEAD:README.md"])
def test_a_bad_base_is_one_clear_line(base, tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "speed.py", f"--base={base}", "--programs", tmp_path, "--folder", tmp_path],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stderr == f"speed: BASE={base}: no such commit here\n"


def test_memory_and_size_may_not_grow(programs, capsys):
    assert programs({"One": 10}, {"One": 10}, memory=50_000_000) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith("larger: memory of One: ") and lines[-1].endswith("slower; 1 quantity larger")
    assert programs({"One": 10}, {"One": 10}, memory=2_000_000, size=1050) == 0
    assert programs({"One": 10}, {"One": 10}, size=1200) == 1
    assert "larger: size of okbench: 0.00 to 0.00 MB\n" in capsys.readouterr().out


def test_memory_is_that_of_the_measured_program(tmp_path):
    hoard = bytearray(100_000_000)
    hoard[::4096] = b"x" * len(hoard[::4096])
    _, memory = timing.run(["true"], tmp_path)
    assert memory < 20_000_000


def test_a_record_has_ratios_to_the_reference_kernel(programs, tmp_path, monkeypatch, capsys):
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    monkeypatch.setattr(speed, "git", lambda *words: head.strip())
    assert programs({"One": 10, "Two": 4}, {"One": 20, "Two": 4}, "--record") == 1
    # The second time the base is there, and is the default.
    assert programs({"One": 10, "Two": 4}, {"One": 10, "Two": 4}, "--record", "--base=") == 0
    entries = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
    assert [entry["benchmarks"]["One"]["ratio"] for entry in entries] == [5, 10, 5]
    assert all(entry["reference"] == {"benchmark": "LimitFma", "nanoseconds": 2000} for entry in entries)
    assert all(entry["commit"] == head.strip() and entry["sizes"] == {"okbench": 1000} for entry in entries)
    assert entries[0]["benchmarks"]["Two"]["ratio"] == 2 and entries[0]["benchmarks"]["Two"]["memory"] > 1e6
    assert "recorded in " in capsys.readouterr().out


def test_changes_that_are_not_committed_are_not_recorded(programs, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(speed, "git", lambda *words: f"{'1' * 40}-dirty")
    assert programs({"One": 1}, {"One": 1}, "--record") == 2
    assert capsys.readouterr().err == "speed: --record: commit your changes first; an entry belongs to a commit\n"
    assert not (tmp_path / "history.jsonl").exists()


def test_without_a_history_a_base_is_required(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["speed.py", "--programs", "x", "--history", str(tmp_path / "h")])
    assert speed.main() == 2
    assert capsys.readouterr().err == f"speed: BASE=COMMIT is required: {tmp_path}/h has no entry\n"


def test_a_base_that_does_not_build_is_one_clear_line(tmp_path):
    tree = tmp_path / "base"
    tree.mkdir()
    with pytest.raises(timing.Unusable, match=r"does not build; see .*base\.log"):
        commits.build(tree, "/usr/bin/python3", None)
    assert "CMake Error" in (tmp_path / "base.log").read_text()


def test_a_worktree_is_of_just_the_commit(tmp_path, monkeypatch):
    """Also when it is there already, of another commit and changed."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setattr(commits, "ROOT", home)

    def git(*words):
        name = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(["git", *name, *words], cwd=home, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "-q")
    digests = []
    for text in ("one", "two"):
        (home / "file").write_text(text)
        git("add", ".")
        git("commit", "-q", "-m", text)
        digests.append(git("rev-parse", "HEAD"))
    tree = tmp_path / "speed" / "base"
    monkeypatch.setattr(commits.git, "__kwdefaults__", {"folder": home})
    commits.check_out(digests[0], tree)
    assert (tree / "file").read_text() == "one"
    (tree / "file").write_text("changed")
    commits.check_out(digests[1], tree)
    assert (tree / "file").read_text() == "two"
    (tree / ".git").write_text("gitdir: /nowhere\n")
    commits.check_out(digests[0], tree)
    assert (tree / "file").read_text() == "one"


def test_the_default_filter_matches_benchmarks(binary):
    folder = pathlib.Path(binary).resolve().parent
    if not (folder / "okbench_bench").exists():
        pytest.skip("okbench_bench is not built: make bench")
    names = speed.listed(folder, speed.DEFAULT)
    parts = re.split(r"\|(?![^(]*\))", speed.DEFAULT.removeprefix("^(").removesuffix(")"))
    assert all(speed.listed(folder, part) for part in parts)
    assert 15 <= len(names) <= 30 and not any(name.startswith(("External", "Limit", "ReadText")) for name in names)
