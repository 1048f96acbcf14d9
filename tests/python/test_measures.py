"""Measures against numbers that can be worked out by hand."""

import numpy as np
import pytest
from fake_results import FakeResults, planned, trace

from okbench.errors import NotRun
from okbench.measures import Expression


def variant(key="m", x=1, error=0.5, repetition=0, **changes):
    """A trial with other columns, summary or provenance than the trials made up have."""
    fake_trace = trace(key, x, error, repetition=repetition)
    fake_trace.tables["trace"].update({name: np.asarray(values) for name, values in changes.pop("columns", {}).items()})
    fake_trace.tables["checkpoints"].update(
        {name: np.asarray(values) for name, values in changes.pop("checkpoints", {}).items()}
    )
    if "listed" in changes:
        fake_trace.tables["listed"] = {name: np.asarray(values) for name, values in changes.pop("listed").items()}
    fake_trace.summary.update(changes.pop("summary", {}))
    fake_trace.provenance.update(changes.pop("provenance", {}))
    fake_trace.spec["data"].update(changes.pop("data", {}))
    assert not changes
    return fake_trace


def value(text, *traces):
    return Expression(text, FakeResults(*map(planned, traces))).value()


def test_over_a_grid():
    grid = [variant(x=x, error=error) for x, error in ((1, 0.5), (2, 0.2), (3, 0.4))]
    assert value("least(test_error, p/e/m, x)", *grid) == 0.2 and value("most(test_error, p/e/m, x)", *grid) == 0.5
    # Each has asked for 10, and 5 in its search.
    assert value("grid_cost(p/e/m, requested)", *grid) == 45
    again = [variant(x=x, error=0.5, repetition=1) for x in (1, 2, 3)]
    assert value("grid_cost(p/e/m, requested)", *grid, *again) == 45
    # The mean at each point comes before the extreme.
    assert value("least(test_error, p/e/m, x)", *grid, *again) == pytest.approx(0.35)


def test_of_seeds_and_searches():
    seeds = [variant(error=0.1), variant(error=0.3, repetition=1)]
    assert value("deviation(test_error, p/e/m)", *seeds) == pytest.approx(0.2 / np.sqrt(2))
    with pytest.raises(NotRun, match="one repetition"):
        value("deviation(test_error, p/e/m)", variant())
    tuned = variant(summary={"tuned": {"validation_errors": [0.3, 0.1, 0.2], "chosen": {}}})
    assert value("validation_error(p/e/m)", tuned) == 0.1
    untuned = variant()
    del untuned.summary["tuned"]
    with pytest.raises(NotRun, match="was not tuned"):
        value("validation_error(p/e/m)", untuned)
    assert value("seconds(p/e/m)", variant(provenance={"wall_seconds": 2.5})) == 2.5
    assert value("kernel_share(p/e/m)", variant(provenance={"kernel_share": 0.75})) == 0.75
    for short in ({}, {"kernel_share": None}):
        with pytest.raises(NotRun, match="too short to sample"):
            value("kernel_share(p/e/m)", variant(provenance=short))


def cache(key, size, vectors, insertions):
    return variant(key, summary={"support_vectors": vectors}, columns={"insertions": [insertions]}, x=size)


def test_against_the_line_of_fixed_caches():
    line = [cache("f", size, size, count) for size, count in ((10, 100), (20, 60))]
    for fixed_cache in line:
        fixed_cache.spec["parameters"]["budget"] = fixed_cache.spec["parameters"]["x"]
    # At 15 the line has 80.
    assert value("against_line(insertions, support_vectors, p/e/f, p/e/m)", *line, cache("m", 1, 15, 100)) == 1.25
    with pytest.raises(NotRun, match="is outside the range of"):
        value("against_line(insertions, support_vectors, p/e/f, p/e/m)", *line, cache("m", 1, 25, 100))
    assert (
        value("share_below(test_error, p/e/f, 0.6)", *line) == 1
        and value("share_below(test_error, p/e/f, 0.5)", *line) == 0
    )


def test_when_an_error_settles_and_how_a_column_grows():
    shares = np.array([25, 50, 75, 100])
    fake_trace = variant(checkpoints={"examples": shares, "test_error": [0.9, 0.52, 0.4, 0.5], "n": shares**2})
    assert value("settles(p/e/m, 0.03)", fake_trace) == 1 and value("settles(p/e/m, 0.15)", fake_trace) == 0.5
    assert value("settles(p/e/m, 1)", fake_trace) == 0.25
    assert value("growth(p/e/m, n, 0.5, 1)", fake_trace) == pytest.approx(2)
    with pytest.raises(NotRun, match="too few checkpoints"):
        value("growth(p/e/m, n, 0.8, 1)", fake_trace)


def test_slopes_of_logarithms():
    steps = np.arange(1, 2001)
    rough = np.exp(np.sin(steps))
    fake_trace = variant(columns={"step": steps, "u": 7 * steps**-1.5 * rough, "zero": 0 * steps})
    assert value("log_slope(p/e/m, u, 0.01)", fake_trace) == pytest.approx(-1.5, abs=0.05)
    assert value("column_at(p/e/m, step, 17.5)", fake_trace) == 18
    with pytest.raises(NotRun, match="too few rounds"):
        value("log_slope(p/e/m, zero, 0.01)", fake_trace)
    with pytest.raises(NotRun, match="has no step 3000"):
        value("column_at(p/e/m, step, 3000)", fake_trace)


def test_rises_at_events_against_other_times():
    steps = np.arange(1, 1001)
    events = [100, 200, 300, 400, 500, 600]
    quiet = variant(columns={"step": steps, "step_size": np.exp(-steps / 300)})
    loud = variant(columns={"step": steps, "step_size": np.exp(-steps / 300) * (1 + np.isin(steps - 2, events))})
    text = f"rises_by_chance(p/e/m, {events}, 0.01)"
    assert value(text, loud) < 1e-3 and value(text, quiet) > 0.5
    # Seeds: at times taken at random the probability is small no more often than it says.
    small = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        walk = np.exp(np.cumsum(0.05 * generator.standard_normal(1000)))
        times = sorted(int(t) for t in generator.choice(np.arange(60, 700), 6, replace=False))
        noise = variant(columns={"step": steps, "step_size": walk})
        small += value(f"rises_by_chance(p/e/m, {times}, 0.01)", noise) <= 0.05
    assert small <= 9  # three of sixty are expected
    with pytest.raises(NotRun, match="too few steps"):
        value("rises_by_chance(p/e/m, [2], 0.01)", variant(columns={"step": [1, 2], "step_size": [1.0, 1.0]}))


def test_the_count_as_printed():
    # Two rounds of 3 of 100 examples; 2 terms after the first: 3 (100 + 0 + 3) + 3 (100 + 2 + 3).
    fake_trace = variant(
        columns={"step": [1, 2], "terms": [2, 5]}, data={"batch": 3}, provenance={"data_shape": {"train": 100}}
    )
    assert value("printed_cost(p/e/m)", fake_trace) == 309 + 315
    gap = variant(
        columns={"step": [1, 3], "terms": [2, 5]}, data={"batch": 3}, provenance={"data_shape": {"train": 100}}
    )
    with pytest.raises(NotRun, match="does not record every round"):
        value("printed_cost(p/e/m)", gap)


def test_errors_on_listed_examples():
    lists = {"list": [2, 2, 2, 1], "example": [5, 6, 7, 8], "violation": [0.5, 0.1, -0.2, 1.0]}
    classifier = variant("c", listed=lists)
    listing = variant("m", listed={"list": [2, 2], "example": [5, 7], "violation": [3.0, 2.0]})
    # Of 5 and 7 the classifier gets 5 wrong; 6 it gets wrong, too.
    assert value("error_on_listed(p/e/c, p/e/m, 2)", classifier, listing) == 0.5
    short = variant("c", listed={"list": [2], "example": [5], "violation": [0.5]})
    with pytest.raises(NotRun, match="does not list all of its misclassified examples"):
        value("error_on_listed(p/e/c, p/e/m, 2)", short, listing)


def test_chance_of_the_errors_on_listed_examples():
    lists = {"list": [2] * 4, "example": [5, 6, 7, 8], "violation": [0.5, -0.1, -0.2, -0.3]}
    classifier = variant("c", listed=lists)
    first = variant("m", repetition=0, listed={"list": [2], "example": [5], "violation": [1.0]})
    second = variant("m", repetition=1, listed={"list": [2, 2], "example": [5, 7], "violation": [1.0, 0.5]})
    # The classifier gets one of four wrong. 5 is listed twice, 7 once: only 5 gives 2 errors or more, 1 of 4 draws.
    assert value("error_on_listed_p(p/e/c, p/e/m, 2)", classifier, first, second) == pytest.approx(1 / 4, abs=0.01)
    # With 5 and 6 wrong, the draws with 5 give 2 errors or more: 3 of 6 pairs.
    two = variant("c", listed=lists | {"violation": [0.5, 0.1, -0.2, -0.3]})
    assert value("error_on_listed_p(p/e/c, p/e/m, 2)", two, first, second) == pytest.approx(1 / 2, abs=0.01)
    # Lists without an error of the classifier: every draw gives as many.
    right = variant("m", listed={"list": [2], "example": [8], "violation": [1.0]})
    assert value("error_on_listed_p(p/e/c, p/e/m, 2)", classifier, right) == 1


def test_changes_between_parts_of_a_run():
    fake_trace = variant(
        checkpoints={"examples": np.arange(1, 9), "a": [1, 3, 5, 7, 9, 11, 13, 15], "b": [8, 8, 6, 6, 7, 7, 2, 2]}
    )
    # Means of a over quarters: 2, 6, 10, 14. Means of b: 8, 6, 7, 2.
    assert (
        value("least_change(p/e/m, a, 4)", fake_trace)
        == value("most_change(p/e/m, a, 4)", fake_trace)
        == pytest.approx(4 / 14)
    )
    assert value("least_change(p/e/m, b, 4)", fake_trace) == pytest.approx(-5 / 8)
    assert value("most_change(p/e/m, b, 4)", fake_trace) == pytest.approx(1 / 8)
    with pytest.raises(NotRun, match="too few for 9 parts"):
        value("most_change(p/e/m, b, 9)", fake_trace)


def test_largest_rise():
    first, second = (variant(repetition=r, columns={"a": values}) for r, values in enumerate(([3, 1, 2], [4, 3, 1])))
    assert value("largest_rise(p/e/m, a)", first, second) == 1
    assert value("largest_rise(p/e/m, a)", second) == -1


def test_size_of_predicted_boxes():
    fake_trace = variant()
    with pytest.raises(NotRun, match="predicts no boxes"):
        value("box_size(p/e/m)", fake_trace)
    rows = {
        **{"left": [0, 10], "top": [0, 0], "right": [4, 20], "bottom": [5, 10]},
        **{"true_left": [0, 0], "true_top": [0, 5], "true_right": [10, 10], "true_bottom": [10, 15]},
    }
    fake_trace.tables["localised"] = {name: np.asarray(values, dtype=np.int64) for name, values in rows.items()}
    assert value("box_size(p/e/m)", fake_trace) == pytest.approx((20 + 100) / (100 + 100))


def test_recall_at_an_overlap():
    fake_trace = variant(checkpoints={"step": [1, 5]})
    with pytest.raises(NotRun, match="does not record recall"):
        value("recall(p/e/m, 500, 0.5)", fake_trace)
    rows = {
        "step": [1, 5, 5, 5],
        "boxes": [500, 500, 500, 1],
        "overlap": [0.5, 0.4, 0.6, 0.5],
        "recall": [0, 0.8, 0.6, 0],
    }
    fake_trace.tables["recall"] = {name: np.asarray(values) for name, values in rows.items()}
    assert value("recall(p/e/m, 500, 0.5)", fake_trace) == pytest.approx(0.7)
    assert value("recall(p/e/m, 1, 0.5)", fake_trace) == 0
    with pytest.raises(NotRun, match="no recall of 10 boxes"):
        value("recall(p/e/m, 10, 0.5)", fake_trace)


def test_how_far_a_model_still_moves():
    fake_trace = variant(columns={"step": [1, 2, 3, 4], "update_norm": [36, 4, 1, 1]})
    assert value("largest(p/e/m, update_norm)", fake_trace) == 36
    assert value("late_path(p/e/m, 0.5)", fake_trace) == pytest.approx(2 / 10)  # (1 + 1) / (6 + 2 + 1 + 1)
    with pytest.raises(NotRun, match="every round"):
        value("late_path(p/e/m, 0.5)", variant(columns={"step": [1, 3], "update_norm": [1, 1]}))


def test_parameters_and_sizes():
    seeds = [variant(), variant(repetition=1)]
    for seed, chosen in zip(seeds, (0.1, 10)):
        seed.summary["tuned"] = {"chosen": {"lambda": chosen}}
    assert value("parameter(p/e/m, lambda)", *seeds) == pytest.approx(1)
    shape = {"train": 7, "test": 3, "features": 2}
    assert value("rows(p/e/m, train)", variant(provenance={"data_shape": shape})) == 7
    assert value("rows(p/e/m, features)", variant(provenance={"data_shape": shape})) == 2
