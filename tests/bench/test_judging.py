"""bench/judging.py on made-up timings: what is slower, what is confirmed, and in which order programs run."""

import pathlib
import random
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench"))
from judging import MIN_AGAIN, THRESHOLD, compare, compare_times, turns, verdict  # noqa: E402


class Broken(Exception):
    pass


class Machine:
    """Times of benchmarks that take `base` and `this` long, with noise of its own; `calls` has who ran when."""

    def __init__(self, times, noise=0.02, drift=0.0):
        self.times, self.noise, self.drift = times, noise, drift
        self.random, self.calls = random.Random(1), []

    def measure(self, side, name):
        self.calls.append((side, name))
        time = self.times[name][side]
        if callable(time):
            time = time(sum(call == (side, name) for call in self.calls))
        return time * (1 + self.noise * self.random.random()) * (1 + self.drift * len(self.calls))

    def compare(self, repeats=7, threshold=THRESHOLD):
        self.reports = []
        return {
            comparison.name: comparison
            for comparison in compare(self.measure, list(self.times), repeats, threshold, self.reports.append, Broken)
        }


def both(base, this):
    return {"base": base, "this": this}


def broken(count):
    raise Broken("ends with status 6")


def test_sides_take_turns_in_going_first():
    assert turns(4) == ["base", "this", "this", "base", "base", "this", "this", "base"]
    machine = Machine({"a": both(1, 1), "b": both(1, 1)})
    machine.compare(repeats=3)
    assert machine.calls == [
        (side, name)
        for pair in (("base", "this"), ("this", "base"), ("base", "this"))
        for name in "ab"
        for side in pair
    ]


def test_the_same_program_is_not_slower():
    for seed in range(20):
        machine = Machine({name: both(1, 1) for name in "abcdef"}, noise=0.3)
        machine.random.seed(seed)
        compared = machine.compare()
        assert verdict(compared.values()) == ("verdict: none of 6 benchmarks is slower", [])


def test_a_longer_second_run_confirms_a_slow_down():
    machine = Machine({"a": both(1, 1), "b": both(1, 1.3), "c": both(1, 0.5), "d": both(1, 1.05)})
    compared = machine.compare()
    assert {name: comparison.word for name, comparison in compared.items()} == {
        "a": "",
        "b": "slower",
        "c": "faster",
        "d": "",
    }
    assert machine.reports == ["possibly slower, measured again: b"]
    assert {name for _, name in machine.calls[2 * 7 * 4 :]} == {"b"} and len(machine.calls) == 2 * 7 * 4 + 2 * 14
    assert compared["b"].ratio == pytest.approx(1.3, rel=0.03) and compared["b"].p < 1e-4
    line, slower = verdict(compared.values())
    assert slower == ["b"] and line.startswith("verdict: 1 of 4 benchmarks is slower: b 1.")


def test_an_unconfirmed_slow_down_is_not_reported():
    machine = Machine({"a": both(1, lambda count: 1.5 if count <= 7 else 1.0)})
    compared = machine.compare()
    assert compared["a"].word == "not confirmed" and compared["a"].ratio == pytest.approx(1, rel=0.03)
    assert verdict(compared.values())[1] == []


def test_outliers_and_a_drifting_machine_are_no_slow_down():
    machine = Machine({"a": both(1, lambda count: 5.0 if count % 4 == 0 else 1.0)})
    assert machine.compare()["a"].word == ""
    # It halves its speed while it measures: both sides see that alike.
    machine = Machine({"a": both(1, 1), "b": both(1, 1)}, drift=1 / 28)
    assert [comparison.word for comparison in machine.compare().values()] == ["", ""]


def test_few_measurements_can_still_be_certain():
    machine = Machine({"a": both(1, 1.2)})
    compared = machine.compare(repeats=1 + 1)
    assert compared["a"].word == "slower" and len(machine.calls) == 2 * 2 + 2 * MIN_AGAIN


def test_the_threshold_is_the_callers():
    assert Machine({"a": both(1, 1.3)}).compare(threshold=1.5)["a"].word == ""
    assert Machine({"a": both(1, 1.05)}).compare(threshold=1.02)["a"].word == "slower"


def test_failing_benchmarks_are_reported_and_left_out():
    machine = Machine({"a": both(1, broken), "b": both(1, 1)})
    assert list(machine.compare()) == ["b"] and machine.reports == ["ends with status 6"]
    machine = Machine({"a": both(1, lambda count: broken(count) if count > 7 else 1.5)})
    assert machine.compare()["a"].word == "not confirmed"


def test_medians_ratio_spread_and_p():
    comparison = compare_times("a", [1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    assert (comparison.base, comparison.this, comparison.ratio) == (3, 6, 2) and comparison.spread == pytest.approx(
        2 / 3
    )
    assert 0.01 < comparison.p < 0.1
    assert compare_times("a", [1, 1, 1], [1, 1, 1]).p >= 0.5
