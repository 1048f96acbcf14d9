"""Standard output and error that are full, or closed."""

import subprocess

import pytest
import verbs

VERBS = (
    ("summary", "{expected}"),
    ("summary", "{expected}", "--json"),
    ("merge", "{expected}"),
    ("compare", "{expected}", "{expected}"),
    ("plan", "{spec}"),
    ("run", "{spec}", "--dry-run"),
    ("list", "learners"),
    ("--help",),
    ("--version",),
)


def shell(house, redirected, *words):
    """Runs the program with its standard streams as the shell says."""
    words = [word.format(expected=house.expected, spec=house.spec) for word in words]
    command = ["sh", "-c", f'exec "$@" {redirected}', "sh", house.binary, *words]
    return subprocess.run(command, env=house.environment, cwd=house.folder, capture_output=True, text=True)


@pytest.mark.parametrize("output", [">/dev/full", ">&-"], ids=["full", "closed"])
def test_what_cannot_be_printed_is_an_error(torture_house, output):
    for words in VERBS:
        done = shell(torture_house, output, *words)
        assert done.returncode == 1, words
        assert done.stderr.startswith("okbench: ") and done.stderr.count("\n") == 1, (words, done.stderr)


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_a_run_that_can_tell_nothing_writes_its_results_all_the_same(torture_house, closed):
    shell(torture_house, closed, "run", "{spec}", "--out", "r")
    traces = list((torture_house.folder / "r").rglob("*.h5"))
    assert len(traces) == len(torture_house.files) and all(map(verbs.is_whole, traces))
    assert torture_house.equal(torture_house.folder / "r")
