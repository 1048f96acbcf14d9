"""bench/bench_streams.py: scaling, errors, the choice of a setting, and the tables, on small cases by hand."""

import pathlib
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def parts():
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        from streams import measuring, programs, rows, table
    finally:
        sys.path.pop(0)
    return measuring, programs, rows, table


def test_the_first_tenth_scales(parts, monkeypatch):
    _, _, rows, _ = parts
    X = np.column_stack([np.arange(20.0), np.full(20, 3.0), np.arange(20) % 2])
    monkeypatch.setattr(rows, "of_catalogue", lambda name, count: (X[:count], np.arange(20)[:count] % 2 + 5))
    stream = rows.load("SEA", 20)
    # Rows 0 and 1 have mean .5 and deviation .5; a constant column is centred only; zeros and ones stay.
    assert stream.X[:, 0].tolist() == [-1, 1] + 18 * [3]
    np.testing.assert_array_equal(stream.X[:, 1], 0)
    np.testing.assert_array_equal(stream.X[:, 2], np.arange(20) % 2)
    assert stream.classes == 2 and stream.y[:3].tolist() == [0, 1, 0] and stream.tuned_on == 2


def test_a_constant_column_is_only_centred(parts):
    _, _, rows, _ = parts
    first = np.full((2000, 1), 0.1)
    assert first.std(axis=0) > 0  # the mean of 2000 times .1 is rounded
    np.testing.assert_array_equal(rows.standard(np.array([[0.1], [0.6]]), first), [[0], [0.5]])


def test_errors_by_hand(parts):
    measuring, _, rows, _ = parts
    classes = rows.Stream("s", np.zeros((4, 1)), np.array([0, 1, 1, 0]), 2)
    assert measuring.error_of([None, 1, 0, 0], classes) == 0.5
    targets = rows.Stream("s", np.zeros((2, 1)), np.array([1.0, -1.0]), 0)
    assert measuring.error_of([None, -1.0], targets) == pytest.approx(np.sqrt(0.5))


def trace(steps, mistakes):
    return {"step": np.array(steps), "mistakes": np.array(mistakes)}


def test_errors_after_changes_by_hand(parts, monkeypatch):
    measuring, _, rows, _ = parts
    monkeypatch.setattr(measuring, "AFTER", 2)
    stream = rows.Stream("s", np.zeros((8, 1)), np.array([0, 0, 1, 1, 0, 0, 1, 1]), 2, changes=(2, 5))
    # Rows 2 and 3, and rows 5 and 6: the last two are wrong.
    assert measuring.after_changes([1, 1, 1, 1, 1, 1, None, 1], stream) == 0.5
    # One mistake in rows 2 and 3, two in rows 5 and 6.
    assert measuring.own_after_changes(trace([2, 4, 5, 7, 8], [1, 2, 2, 4, 4]), stream) == 0.75
    with pytest.raises(AssertionError, match="steps at every change"):
        measuring.own_after_changes(trace([2, 5, 8], [1, 2, 4]), stream)
    assert measuring.after_changes([1], stream._replace(changes=())) is None


def test_changes_are_those_of_the_catalogue(parts):
    _, _, rows, _ = parts
    assert rows.changes("sine-recurring", 20_000) == (4000, 8000, 12_000, 16_000)
    assert rows.changes("sine-recurring", 12_999) == (4000, 8000)
    assert rows.changes("electricity", 20_000) == rows.changes(None, 20_000) == ()


def test_errors_of_the_league_are_in_deviations(parts):
    measuring, *_ = parts
    entry = {"error": 3.0, "seconds": 1.0, "after": None, "bytes": 2**20}
    numbers = measuring.numbers(entry, np.array([-2.0, 2.0]).std())
    assert numbers == {"error": 1.5, "after": None, "seconds": 1.0, "megabytes": 1.0}


def test_the_first_tenth_chooses_the_setting(parts):
    measuring, programs, rows, _ = parts
    y = np.array([1] * 10 + [0] * 90)
    stream = rows.Stream("s", np.zeros((100, 1)), y, 2)
    calls = []

    def predict(value, data, labels):
        calls.append(len(labels))
        return [value] * len(labels)

    program = programs.Program(
        "library",
        "constant",
        programs.grid(value=[0, 1, 1.0]),
        lambda stream, value: value,
        lambda stream: None,
        predict,
    )
    result = measuring.run(program, stream)
    # The first of the two settings without an error on the first tenth, which is wrong on all other rows.
    assert result["setting"] == {"value": 1} and result["error"] == 0.9 and result["tried"] == 3
    assert calls == [10, 10, 10, 100]


def test_a_grid_is_no_larger_than_that_of_okbench(parts):
    # The league tries ten widths, five values of the other parameter and two neighbours.
    _, programs, rows, _ = parts
    for classes in (0, 2, 3):
        stream = rows.Stream("s", np.zeros((10, 2)), np.zeros(10), classes)
        for program in programs.programs(stream)[0]:
            assert 1 <= len(program.settings) <= 17


def test_the_tables(parts):
    *_, table = parts
    ours = {"error": 0.05, "seconds": 0.1, "megabytes": 1.4}
    theirs = {"error": 0.0481, "seconds": 2.0, "megabytes": 30}
    results = {
        "about": {"machine": "M", "versions": ["v"], "rows": 1000},
        "streams": {
            "SEA": {
                "rows": 1000,
                "programs": {"okbench A": ours, "the last label": {**ours, "error": 0.2}, "X y": theirs},
            },
            "LED": {
                "rows": 1000,
                "programs": {
                    "okbench A": {**ours, "after": 0.2},
                    "X y": {**theirs, "error": 0.04, "after": 0.1},
                    "X z": {"over": 5},
                },
            },
            "kin40k": {
                "rows": 1000,
                "programs": {"okbench A": {**ours, "error": 0.5}, "X y": {**theirs, "error": 0.6}},
            },
        },
    }
    text = table.markdown(results)
    assert "on 2 of 3 streams: SEA, kin40k. Other programs are ahead on LED (X y)." in " ".join(text.split())
    assert "| SEA | A | 5.00 | 0.75 | X y | 4.81 | 0.76 | +0.19 | 20 |" in text
    assert "| kin40k | A | 0.500 |  | X y | 0.600 |  | -0.100 | 20 |" in text
    assert "| okbench A | 5.00 | 5.00 | 10,000 | 1.4 |" in text
    assert "| the last label | 20.00 |  |  |  |" in text
    assert "| X z |  | over |  |  |" in text
    after = text.partition("in the 1000 rows after each change")[2]
    assert "| program | LED |" in after and "| okbench A | 20.00 |" in after
    assert "| X y | **10.00** |" in after and "| X z | over |" in after
    del results["streams"]["LED"]
    assert "after each change" not in table.markdown(results)
    del results["streams"]["kin40k"]  # one stream: its errors only
    text = table.markdown(results)
    assert "| X y | **4.81** | 500 | 30.0 |" in text and "mean squared" not in text
    assert "okbench is first" not in text


def test_a_learner_without_a_result_has_failed(parts):
    measuring, _, rows, table = parts
    entry = {"learner": "passive-aggressive", "budget": None, "error": 0.1, "seconds": 1.0, "after": None, "bytes": 0}
    measured = measuring.shown([entry], rows.Stream("s", np.zeros((2, 1)), np.array([0, 1]), 2), {"aioli"}, 150)
    assert set(measured) == {f"okbench {title}" for title in measuring.OWN_CLASSES}
    assert measured["okbench PA-I"]["error"] == 0.1 and table.value(measured["okbench SVMD"], False) == "failed"
    assert table.cell({"A": {"failed": "no result"}}, "A", False) == "failed"
    assert table.value(measured["okbench AIOLI"], False) == "over"
