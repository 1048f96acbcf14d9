"""Standard output and error that are full, or closed."""

import subprocess

import pytest
import verbs

VERBS = (
    ("summary", "{expected}"),
    ("summary", "{expected}", "--json"),
    ("verify", "{expected}"),
    ("compare", "{expected}", "{expected}"),
    ("plan", "{spec}"),
    ("run", "{spec}", "--dry-run"),
    ("help", "learners"),
    ("--help",),
    ("--version",),
)


def shell(runner, redirected, *words):
    """Runs the program with its standard streams as the shell says."""
    words = [word.format(expected=runner.expected, spec=runner.spec) for word in words]
    command = ["sh", "-c", f'exec "$@" {redirected}', "sh", runner.binary, *words]
    return subprocess.run(command, env=runner.environment, cwd=runner.folder, capture_output=True, text=True)


@pytest.mark.parametrize("output", [">/dev/full", ">&-"], ids=["full", "closed"])
def test_output_that_cannot_be_written_is_an_error(fault_runner, output):
    for words in VERBS:
        done = shell(fault_runner, output, *words)
        assert done.returncode == 1, words
        assert done.stderr.startswith("okbench: ") and done.stderr.count("\n") == 1, (words, done.stderr)


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_a_run_with_closed_outputs_writes_its_results(fault_runner, closed):
    shell(fault_runner, closed, "run", "{spec}", "--out", "r")
    traces = list((fault_runner.folder / "r").rglob("*.h5"))
    assert len(traces) == len(fault_runner.files) and all(map(verbs.is_whole, traces))
    assert fault_runner.equal(fault_runner.folder / "r")
