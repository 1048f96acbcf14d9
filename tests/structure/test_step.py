"""tools/step.sh: one line for a step that succeeds, the output and the status of one that fails."""

import re
import subprocess

from conftest import ROOT


def step(tmp_path, script):
    words = [ROOT / "tools" / "step.sh", tmp_path / "logs" / "log.txt", "data", "sh", "-c", script]
    return subprocess.run(words, capture_output=True, text=True)


def test_a_step_prints_one_line_and_logs_the_rest(tmp_path):
    for _ in range(2):
        done = step(tmp_path, "echo one; echo two >&2")
        assert done.returncode == 0 and done.stderr == ""
        assert re.fullmatch(r"data +\d+ s  two\n", done.stdout)
    assert (tmp_path / "logs" / "log.txt").read_text().count("one\ntwo\n") == 2


def test_a_failed_step_prints_its_output(tmp_path):
    step(tmp_path, "echo before")
    done = step(tmp_path, "echo why; exit 3")
    assert done.returncode == 3
    assert (
        done.stderr.startswith("why\n") and "data failed with status 3" in done.stderr and "before" not in done.stderr
    )
