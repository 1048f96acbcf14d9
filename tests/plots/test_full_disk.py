"""Figures where files cannot be written: one line, and no file under its name that is not whole."""

import pathlib
import resource
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def results(binary, tmp_path_factory):
    folder = tmp_path_factory.mktemp("full")
    subprocess.run(
        [binary, "run", *sorted((ROOT / "experiments" / "svmd-2006").glob("fig[37]*.toml"))]
        + ["--tier", "quick", "--quiet", "--out", folder / "r"],
        check=True,
        env={"OKBENCH_CACHE": str(folder / "none"), "PATH": "/usr/bin:/bin"},
    )
    return folder / "r"


def draw(*words, most=None, **environment):
    """Runs a verb; `most` bytes are the largest file that it may write."""

    def small_files():
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-B", "-m", "okbench", *map(str, words)],  # a limit would cut bytecode, too
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONPATH": f"{ROOT}/python", "HOME": "/tmp", "PATH": "/usr/bin:/bin", **environment},
        preexec_fn=small_files,
        timeout=300,
    )


def drawn(results):
    return {path.relative_to(results): path.read_bytes() for path in (results / "figures").rglob("*") if path.is_file()}


def test_a_full_disk_damages_no_whole_file(results):
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}  # captions have Greek letters
    assert draw("report", "figures", "--results", results, **locale).returncode == 0
    whole = drawn(results)
    assert "η" in (results / "figures/svmd-2006/fig3.txt").read_text(encoding="utf-8")
    for path in whole:
        (results / path).unlink()
    largest = max(map(len, whole.values()))
    for most in (100, largest - 1):
        done = draw("report", "figures", "--results", results, most=most)
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"okbench: {results}/figures/svmd-2006/")
        assert done.stderr.endswith(": cannot be written: File too large\n")
        assert drawn(results).items() <= whole.items()


def test_a_plot_is_whole_or_not_there(results, tmp_path):
    out = tmp_path / "new" / "p.png"
    done = draw("plot", results / "svmd-2006" / "fig3", "--out", out, most=100)
    assert done.returncode == 1 and not list(out.parent.iterdir())
    assert done.stderr == f"okbench: {out.with_suffix('.pdf')}: cannot be written: File too large\n"
