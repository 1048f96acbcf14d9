"""bench/scale.py: one row per number of trials, also in a page."""

import re
import subprocess
import sys

from conftest import ROOT


def test_a_table_is_printed_and_put_into_a_page(binary, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- scale: begin -->\nold\n<!-- scale: end -->\nafter\n")
    words = [sys.executable, ROOT / "bench" / "scale.py", "--binary", binary, "--trials", "20", "40", "--update", page]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert text.startswith("before\n<!-- scale: begin -->") and text.endswith("<!-- scale: end -->\nafter\n")
    head, *rows = re.findall(r"^\| .* \|$", text, re.M)
    assert "old" not in text and [row.split("|")[1].strip() for row in rows if "---" not in row] == ["20", "40"]
    assert len({row.count("|") for row in (head, *rows)}) == 1
    # Each trial has a file, beside the plan.
    assert rows[-1].split("|")[10].strip() == "41"
