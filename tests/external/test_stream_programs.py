"""bench/bench_streams.py with the real programs, on few rows of a generated stream.

`make test-external` installs them. Without River these tests are skipped.
"""

import pathlib
import pickle
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


@pytest.fixture(scope="module")
def stream(measuring):
    from streams.rows import load

    return load("SEA", 600)


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
def test_every_library_learns(measuring, stream, tmp_path, library, title):
    pytest.importorskip(library)
    file = tmp_path / "stream.pickle"
    file.write_bytes(pickle.dumps(stream))
    result = measuring.measure(file, title, 100)
    assert result.get("error", 1) < 0.35, result  # four in ten rows have the rarer label
    assert result["tried"] > 1 and 0 <= result["tuning"] <= result["seconds"]


def test_the_league_runs_on_the_same_rows(measuring, stream, binary):
    results = measuring.league(binary, stream, 100)
    assert {f"okbench {title}" for title in measuring.OWN_CLASSES} <= set(results)
    assert results["okbench BPA-S"]["error"] < results["the last label"]["error"]
    held = {title: numbers["megabytes"] for title, numbers in results.items() if title.startswith("okbench")}
    assert 3 * 8 / 2**20 < held.pop("okbench linear") < 0.01 < min(held.values())  # 3 weights


def test_the_league_runs_on_real_targets(measuring, stream, binary):
    targets = stream.X[:, 0] - stream.X[:, 1]
    results = measuring.league(binary, stream._replace(y=targets / targets.std(), classes=0), 100)
    assert {f"okbench {title}" for title in measuring.OWN_TARGETS} <= set(results)
    assert results["okbench linear"]["error"] < 0.1 < results["the last value"]["error"]
    assert results["okbench KRLS-T"]["megabytes"] > 0.01


def test_slow_learners_are_over_the_limit(measuring, stream, binary):
    results = measuring.league(binary, stream, 1e-9)
    assert {f"okbench {title}" for title in measuring.OWN_CLASSES} == set(results)
    assert set(map(str, results.values())) == {"{'over': 1e-09}"}


def test_slow_programs_are_over_the_limit(measuring, tmp_path):
    from streams.rows import load

    file = tmp_path / "stream.pickle"
    file.write_bytes(pickle.dumps(load("SEA", 20_000)))
    assert measuring.measure(file, "River kNN, 1000 rows", 1) == {"over": 1}
