"""The defaults on small data sets: they reach scikit-learn's, or the docstring says why they cannot."""

import pathlib
import sys

import pytest

from okbench.estimators import ESTIMATORS
from okbench.estimators.defaults import LIMITS

ROOT = pathlib.Path(__file__).resolve().parents[3]
NAMES = [name for name, made in ESTIMATORS.items() if made._kinds != ("novelty",)]


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        import default_scores

        yield default_scores
    finally:
        sys.path.remove(str(ROOT / "bench"))


@pytest.fixture(scope="module")
def references():
    return {}


@pytest.mark.parametrize("name", NAMES)
def test_defaults_reach_the_reference_or_the_docstring_says_why(name, script, references):
    reached, count, share, where = script.compared(ESTIMATORS[name], references)
    assert count == 20
    assert (reached < count) == (name in LIMITS), (reached, share, where)
    assert reached >= count - 6 and share > 0.4, (reached, share, where)
    if name in LIMITS:
        assert "Notes" in ESTIMATORS[name].__doc__
    row = next(line for line in (ROOT / "docs/default-scores.md").read_text().splitlines() if f"| {name} |" in line)
    assert f" {reached} of {count} " in row, "run bench/default_scores.py --update"
