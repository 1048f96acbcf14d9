"""bench/speed.py with programs that are scripts: what is listed, left out and reported, and each exit status."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import speed  # noqa: E402

PROGRAM = """#!/usr/bin/python3
import json, re, sys
times = {times}
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

    def run(base, this, *options):
        paths = {}
        for side, times in (("base", base), ("this", this)):
            paths[side] = tmp_path / side
            paths[side].write_text(PROGRAM.format(times=repr(times)))
            paths[side].chmod(0o755)
        monkeypatch.setattr(speed, "check_out", lambda commit, tree: None)
        monkeypatch.setattr(speed, "build", lambda tree, python, jobs: paths["base"])
        words = ["--base", "HEAD", "--program", str(paths["this"]), "--filter", ".", "--repeats", "3", *options]
        monkeypatch.setattr(sys, "argv", ["speed.py", *words])
        return speed.main()

    return run


def test_a_slow_down_has_status_1_and_stands_in_table_and_verdict(programs, capsys):
    assert programs({"One": 10, "Two/rows:4": 7}, {"One": 10, "Two/rows:4": 9}) == 1
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0].startswith("base ") and "cores" in lines[1]
    assert lines[-4].split() == ["benchmark", "base", "this", "ratio", "spread", "p"]
    assert lines[-3].split()[:6] == ["One", "10", "us", "10", "us", "1.000"]
    assert lines[-2].split()[-1] == "slower" and "1.286" in lines[-2]
    assert lines[-1] == "verdict: 1 of 2 benchmarks is slower: Two/rows:4 1.29 times"
    assert captured.err == "speed: possibly slower, measured again: Two/rows:4\n"


def test_benchmarks_of_one_side_and_those_that_fail_are_reported_and_no_failure(programs, capsys):
    base = {"One": 10, "Old": 3, "Crash": 1, "Wrong": 1}
    assert programs(base, {"One": 5, "New": 3, "Crash": 1, "Wrong": 1}, "--repeats", "5") == 0
    captured = capsys.readouterr()
    assert "not in the base: New\n" in captured.out and "not in this tree: Old\n" in captured.out
    assert "verdict: none of 1 benchmarks is slower" in captured.out and "faster" in captured.out
    assert captured.err.count("\n") == 2 and "Crash" in captured.err and "is wrong" in captured.err


def test_nothing_to_compare_is_status_2(programs, capsys):
    assert programs({"One": 1}, {"One": 1}, "--filter", "None") == 2
    assert capsys.readouterr().err == "speed: FILTER=None: no benchmark matches\n"
    assert programs({"One": 1}, {"Two": 1}) == 2
    assert "nothing to compare" in capsys.readouterr().err


@pytest.mark.parametrize("base", ["no-such-commit", "--all", "HEAD:README.md"])
def test_a_bad_base_is_one_clear_line(base, tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "speed.py", f"--base={base}", "--program", tmp_path, "--folder", tmp_path],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stderr == f"speed: BASE={base}: no such commit here\n"


def test_make_asks_for_a_base():
    done = subprocess.run(["make", "speed"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "BASE=COMMIT" in done.stderr


def test_a_base_that_does_not_build_is_one_clear_line(tmp_path):
    tree = tmp_path / "base"
    tree.mkdir()
    with pytest.raises(speed.Unusable, match=r"do not build; see .*base\.log"):
        speed.build(tree, "/usr/bin/python3", None)
    assert "CMake Error" in (tmp_path / "base.log").read_text()


def test_a_worktree_is_of_just_the_commit(tmp_path, monkeypatch):
    """Also when it is there already, of another commit and changed."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setattr(speed, "ROOT", home)

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
    monkeypatch.setattr(speed.git, "__kwdefaults__", {"folder": home})
    speed.check_out(digests[0], tree)
    assert (tree / "file").read_text() == "one"
    (tree / "file").write_text("changed")
    speed.check_out(digests[1], tree)
    assert (tree / "file").read_text() == "two"
    (tree / ".git").write_text("gitdir: /nowhere\n")
    speed.check_out(digests[0], tree)
    assert (tree / "file").read_text() == "one"


def test_the_default_filter_names_benchmarks_that_there_are(binary):
    program = pathlib.Path(binary).resolve().parent / "okbench_bench"
    if not program.exists():
        pytest.skip("okbench_bench is not built: make bench")
    names = speed.listed(program, speed.DEFAULT)
    parts = re.split(r"\|(?![^(]*\))", speed.DEFAULT.removeprefix("^(").removesuffix(")"))
    assert all(speed.listed(program, part) for part in parts)
    assert 15 <= len(names) <= 30 and not any(name.startswith(("External", "Limit", "ReadText")) for name in names)
