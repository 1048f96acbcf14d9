"""bench/bench_streams.py with the real programs, on few rows of a generated stream.

`make test-external` installs them. Without River these tests are skipped.
"""

import pathlib
import sys

import pytest

pytest.importorskip("river", reason="River is not installed: make test-external")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def measuring():
    sys.path.insert(0, str(ROOT / "bench"))
    from streams import measuring

    yield measuring
    sys.path.remove(str(ROOT / "bench"))


@pytest.mark.parametrize(
    ("library", "title"),
    [
        ("river", "River ALMA"),
        ("capymoa", "MOA kNN, 1000 rows"),
        ("sklearn", "scikit-learn Nystroem, SGD"),
        ("vowpalwabbit", "VW linear"),
        ("vowpalwabbit", "VW kernel SVM"),
    ],
)
def test_every_library_learns(measuring, library, title):
    pytest.importorskip(library)
    found = measuring.measure("SEA", 600, title, 100)
    assert found.get("error", 1) < 0.35, found  # four in ten rows have the rarer label
    assert found["tried"] > 1 and 0 < found["tuning"] < found["seconds"]


def test_the_league_runs_on_the_same_rows(measuring, binary):
    found = measuring.league(binary, "SEA", 600)
    assert {f"okbench {title}" for title in measuring.OWN_CLASSES} <= set(found)
    assert found["okbench BPA-S"]["error"] < found["the last label"]["error"]
