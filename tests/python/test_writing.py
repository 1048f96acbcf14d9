"""Files that commands write: whole or not at all, one line where they cannot be, and UTF-8 in any locale."""

import os
import pathlib
import re
import resource
import subprocess
import sys

import pytest
from fake_results import write_results

from okbench.errors import WriteError
from okbench.writing import write_bytes, write_text

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
# Calls that write files. Only the files in ALLOWED may use them; all other code calls okbench.writing.
WRITES = re.compile(r"""\.write_(?:text|bytes)\(|open\([^)\n]*["'][wax]b?\+?["']|savefig\(|\.to_csv\(|os\.replace\(""")
ALLOWED = {
    "python/okbench/data/adding/store.py": 3,  # compressed rows, and the transaction of a catalog
    "python/okbench/data/fetching/download.py": 3,  # downloads that continue
    "python/okbench/writing.py": 3,
    "python/okbench/api/running.py": 1,  # a spec in a temporary folder
    "python/okbench/plotting/style.py": 1,  # into memory
    "python/okbench/report/database.py": 1,  # a database, which SQLite writes
    "python/okbench/report/web_pages.py": 1,  # into memory
}


def test_whole_and_no_other_file(tmp_path):
    path = tmp_path / "new" / "a.txt"
    with pytest.raises(WriteError, match=r"a\.txt: cannot be written: No such file or directory"):
        write_text(path, "x")
    write_text(path, "η\ud800\n", folders=True)
    assert path.read_bytes() == "η?\n".encode()
    (tmp_path / "link").symlink_to(path)
    write_bytes(tmp_path / "link", b"y")
    assert (tmp_path / "link").is_symlink() and path.read_bytes() == b"y"
    assert os.listdir(path.parent) == ["a.txt"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch, call, error):
    def fails(*_):
        raise error

    write_text(tmp_path / "a", "old")
    monkeypatch.setattr(os, call, fails)
    with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else WriteError):
        write_text(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "old" and os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("name", ["folder", "x" * 300, "/dev/full", "file/below"])
def test_errors_are_one_line_with_the_cause(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError) as raised:
        write_text(tmp_path / name, "x", folders=True)
    assert str(raised.value).startswith(f"{tmp_path / name}: cannot be written: ") and "Errno" not in str(raised.value)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"] and os.path.exists("/dev/full")


def test_files_are_written_by_one_module():
    counts = {}
    for path in [*(ROOT / "python" / "okbench").rglob("*.py"), *(ROOT / "plots").rglob("*.py")]:
        if count := len(WRITES.findall(path.read_text(encoding="utf-8"))):
            counts[str(path.relative_to(ROOT))] = count
    assert counts == ALLOWED


# The commands.


def module(*words, most=None, **environment):
    """Runs a verb; `most` bytes are the largest file that it may write."""

    def small_files():
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-B", "-m", "okbench", *map(str, words)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONPATH": f"{ROOT}/python", "HOME": "/tmp", "PATH": "/usr/bin:/bin", **environment},
        preexec_fn=small_files,
        timeout=120,
    )


@pytest.fixture
def results(tmp_path):
    write_results(tmp_path / "r")
    return tmp_path / "r"


@pytest.fixture
def experiments(tmp_path):
    """A paper whose texts have characters beyond ASCII."""
    paper = tmp_path / "experiments" / "p"
    paper.mkdir(parents=True)
    (paper / "e.toml").write_text(
        'format = 2\nexperiment = "p/e"\nrepetitions = 2\n[data]\nname = "a8a"\n[kernel]\nname = "rbf"\n'
        'gamma = 1\n[learners.l]\nlearner = "norma"\nmargin = 1\n'
    )
    (paper / "claims.toml").write_text(
        'format = 1\npaper = "p"\n[about]\ntitle = "η → 0"\nauthors = "Ångström"\nvenue = "v"\ntext = "t"\n[[claims]]\n'
        'id = "c"\nwhere = "§ 1"\nstatement = "ε"\nvalue = "test_error(p/e/l)"\nexpect = "<= 0.1"\ntolerance = "–"\n'
        'note = "η was ½"\nexpected = "not reproduced"\ntried = [{ what = "ε", value = 1 }]\n',
        encoding="utf-8",
    )
    return tmp_path / "experiments"


def listed(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_locale_without_the_characters(results, experiments, tmp_path):
    shown = "--experiments", experiments, "--results", results
    done = module("claims", *shown, **ASCII)
    assert done.returncode == 0 and "tried: \\u03b5" in done.stdout and done.stderr == ""
    done = module("claims", *shown, "--tex", **ASCII)
    assert done.returncode == 0 and "okbenchPaper" in done.stdout and "\\u" not in done.stdout
    done = module("report", *shown, "--out", tmp_path / "η.html", **ASCII)
    assert done.returncode == 0 and done.stderr.count("not the trace of a trial: its spec, summary") == 2
    (tmp_path / "none").mkdir()
    shown = *shown[:2], "--results", tmp_path / "none"
    done = module("report", *shown, "--out", tmp_path / "η.html", **ASCII)
    assert done.returncode == 0, done.stderr
    assert "Ångström" in (tmp_path / "η.html").read_text(encoding="utf-8")
    done = module("plot", results / "p" / "e", "--y", "loss", "--out", tmp_path / "η.png", **ASCII)
    assert done.returncode in (0, 1, 2) and "Traceback" not in done.stderr
    done = module("export", "crate", "--agent", "Ångström", results, **ASCII)
    assert done.returncode == 1 and re.fullmatch(
        "okbench: .*: its traces cannot be described in a crate.*\n", done.stderr
    )


def test_a_full_disk_is_one_line_and_leaves_no_file(results, experiments, tmp_path):
    before = listed(tmp_path)
    out = tmp_path / "html" / "index.html"
    shown = "--experiments", experiments, "--results"
    (tmp_path / "none").mkdir()
    for words, path, name in (
        (("report", *shown, tmp_path / "none", "--out", out), out.with_name("trials.html"), "okbench"),
        (("claims", *shown, results, "--ranges"), experiments / "p" / "ranges.json", "okbench"),
    ):
        done = module(*words, most=16)
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert done.stderr == f"{name}: {path}: cannot be written: File too large\n"
        assert listed(tmp_path) == before


def test_a_full_standard_output_is_one_line(results, experiments):
    for words in (["--tex"], ["--json"], []):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                [sys.executable, "-m", "okbench", "claims", "--experiments", experiments, "--results", results, *words],
                stdout=full,
                stderr=subprocess.PIPE,
                env={"PYTHONPATH": f"{ROOT}/python", "HOME": "/tmp", "PATH": "/usr/bin:/bin"},
            )
        assert done.returncode == 1 and done.stderr == b"okbench: standard output: No space left on device\n"


def test_a_closed_pipe_ends_quietly(results, experiments):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "okbench", "claims", "--experiments", experiments, "--results", results],
        stdout=writing,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": f"{ROOT}/python", "HOME": "/tmp", "PATH": "/usr/bin:/bin"},
    )
    os.close(writing)
    assert done.returncode == 141 and done.stderr == b""
