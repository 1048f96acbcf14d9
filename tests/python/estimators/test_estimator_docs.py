"""docs/python.md and docs/python_example.py say what is so."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

from okbench.estimators import ESTIMATORS

PAGE = ROOT / "docs" / "python.md"


def cells():
    """What the table of estimators must have, by the registry."""
    labels = {"binary": "two classes", "multiclass": "several classes", "real": "regression", "novelty": "novelty"}
    return {
        name: (
            made._learner["title"],
            made._learner["paper"],
            ", ".join(labels[kind] for kind in made._kinds),
            "yes" if made._learner["resumable"] else "no",
        )
        for name, made in ESTIMATORS.items()
    }


def test_the_table_of_estimators_is_the_registry_s():
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \| (.*) \| (\w+) \|$", PAGE.read_text(), re.M)
    assert {name: tuple(rest) for name, *rest in rows} == cells()
    assert [name for name, *_ in rows] == sorted(ESTIMATORS)


def test_what_the_page_names_is_there():
    text = PAGE.read_text()
    from sklearn.base import BaseEstimator

    for name in re.findall(r"`(\w+_)`", text):
        assert name in ("lambda_", "classes_", "gamma_") or any(
            hasattr(made, name) for made in ESTIMATORS.values()
        ), name
    for link in re.findall(r"\]\(([\w./-]+)\)", text):
        assert (PAGE.parent / link).exists(), link
    assert issubclass(ESTIMATORS["SVMD"], BaseEstimator)
    assert text.index("<!-- external tools: begin -->") < text.index("<!-- external tools: end -->")


def run(code, folder):
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.run(code, cwd=folder, capture_output=True, text=True, env=environment, timeout=120)


def test_the_example_runs(tmp_path):
    done = run([sys.executable, ROOT / "docs" / "python_example.py"], tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["average-error.png", "svmd.learner"]
    assert (tmp_path / "average-error.png").read_bytes().startswith(b"\x89PNG") and "support vectors" in done.stdout


BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """By all blocks, one after the other, as a reader types them."""
    done = run([sys.executable, "-c", "\n".join(BLOCKS)], tmp_path_factory.mktemp("page"))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_page_s_code_prints_what_the_page_says(printed):
    lines = [line for line in "".join(BLOCKS).splitlines() if line.startswith("print(")]
    assert len(BLOCKS) >= 4 and printed == [line.split("# ", 1)[1] for line in lines]
