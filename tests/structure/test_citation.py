"""What others cite says what the build says."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION = re.search(r"project\(\s*okbench\s+VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def test_versions_are_one():
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^version: (.*)$", citation, re.M)[1] == VERSION
    for line in ("cff-version: 1.2.0", "type: software", "license: BSD-3-Clause", "authors:"):
        assert line in citation
    meta = json.loads((ROOT / "codemeta.json").read_text())
    assert meta["version"] == VERSION and meta["@type"] == "SoftwareSourceCode"
    assert "BSD 3-Clause" in (ROOT / "LICENSE").read_text() and meta["license"].endswith("BSD-3-Clause")
