"""Measures of the table "trace", which has one row per recorded step."""

import numpy as np

from ..errors import ClaimError, NotRun
from .registry import COLUMN, NUMBER, NUMBERS, TRIAL, function, trial_function

trial_function("insertions")
trial_function("max_step_size", lambda trace: np.max(trace["step_size"]))


@function("error_rate_last", TRIAL, NUMBER)
def error_rate_last(results, trial, count):
    """Mistakes among the last `count` examples, divided by `count`."""

    def value(trace):
        steps = trace["step"]
        before = np.searchsorted(steps, steps[-1] - count)
        if steps[before] != steps[-1] - count:
            raise NotRun(f"{trace.name} has no step {steps[-1] - count:g}")
        return (trace["mistakes"][-1] - trace["mistakes"][before]) / count

    return results.mean(trial, value)


@function("error_rate_at", TRIAL, NUMBER)
def error_rate_at(results, trial, step):
    """Average error at exactly this step: mistakes so far, divided by the number of examples they are counted on."""

    def value(trace):
        place = np.flatnonzero(trace["step"] == step)
        if not len(place):
            raise NotRun(f"{trial} has no step {step:g}")
        return trace.average_error[place[0]]

    return results.mean(trial, value)


def over_pass(trace, column, which):
    """Mean per example of a cumulative column (mistakes, loss_sum, task_loss_sum) over pass `which` of the stream."""
    passes = trace.spec["data"]["epochs"]
    if not 1 <= which <= passes or which != int(which):
        raise NotRun(f"{trace.name} has {passes} passes, no pass {which:g}")
    examples = trace.summary["examples"] // passes
    values = {0: 0.0}
    for step in {examples * (which - 1), examples * which} - {0}:
        place = np.searchsorted(trace["step"], step)
        if place == len(trace["step"]) or trace["step"][place] != step:
            raise NotRun(f"{trace.name} has no step {step:g}")
        values[step] = float(trace[column][place])
    return (values[examples * which] - values[examples * (which - 1)]) / examples


@function("pass_mean", TRIAL, COLUMN, NUMBER)
def pass_mean(results, trial, column, which):
    """Mean per example of a cumulative column (mistakes, loss_sum, task_loss_sum) over one pass of the stream. Passes
    count from 1."""
    return results.mean(trial, lambda trace: over_pass(trace, column, which))


@function("margin_error_rate_last", TRIAL, NUMBER)
def margin_error_rate_last(results, trial, share):
    """Margin errors per example in the last share, in 0..1, of the run. Its start is interpolated linearly between
    recorded steps."""

    def value(trace):
        step, errors = trace["step"], trace["margin_errors"].astype(float)
        start = step[-1] * (1 - share)
        return (errors[-1] - np.interp(start, step, errors)) / (step[-1] - start)

    return results.mean(trial, value)


@function("first_below", TRIAL, TRIAL)
def first_below(results, trial, other):
    """Step from which on the average error of the first trial stays below that of the second on the same stream.
    Infinite if it does not end below it in one of the repetitions."""

    def value(trace, two):
        below = trace.average_error < np.interp(trace["step"], two["step"], two.average_error)
        if not below[-1]:
            return float("inf")
        last = np.flatnonzero(~below)
        return float(trace["step"][last[-1] + 1]) if len(last) else float(trace["step"][0])

    return float(np.mean([value(trace, two) for trace, two in results.pairs(trial, other)]))


def cost_until(trace, error):
    """Requested kernel values and features at the first recorded step from which on the average error stays below
    `error`. Infinite if it does not end below."""
    if "counted" not in trace.provenance:
        raise NotRun(f"{trace.name} does not record what its mistakes are counted on; rerun it")
    above = np.flatnonzero(~(trace.average_error < error))
    first = above[-1] + 1 if len(above) else 0
    return float(trace.cumulative("requested")[first]) if first < len(trace["step"]) else float("inf")


@function("cost_to_reach", TRIAL, NUMBER)
def cost_to_reach(results, trial, error):
    """Requested kernel values and features at the first recorded step from which on the average error stays below
    `error`. Infinite if it does not end below in one of the repetitions. For learners in rounds, the average is over
    the examples processed, or over the training set if each round counts mistakes on all of it."""
    return results.mean(trial, lambda trace: cost_until(trace, error))


@function("step_size", TRIAL, NUMBER)
def step_size(results, trial, step):
    """Step size eta_t at this step, or at the next recorded step."""

    def value(trace):
        place = np.searchsorted(trace["step"], step)
        if place == len(trace["step"]):
            raise NotRun(f"{trial} has no step {step:g}")
        return trace["step_size"][place]

    return results.mean(trial, value)


def rise(trace, event, width):
    """Largest step size in t .. t + max(6, width t), divided by the last recorded step size before t = `event`."""
    steps, sizes = trace["step"], trace["step_size"]
    window = (steps >= event) & (steps <= event + max(6, width * event))
    before = np.searchsorted(steps, event)
    if not np.any(window) or before == 0:
        raise NotRun(f"{trace.name} has no step recorded {'after' if before else 'before'} the event {event:g}")
    return np.max(sizes[window]) / sizes[before - 1]


@function("min_rise", TRIAL, NUMBERS, NUMBER)
def min_rise(results, trial, events, width):
    """Smallest rise of the step size over the events t. The rise is the largest step size in t .. t + max(6, width t),
    divided by the last recorded one before t."""
    return results.mean(trial, lambda trace: min(rise(trace, event, width) for event in events))


@function("rises_by_chance", TRIAL, NUMBERS, NUMBER)
def rises_by_chance(results, trial, events, width):
    """p-value, in 0..1, of the rises of the step size (min_rise) after the events t. One event has the p-value
    (r + 1) / (n + 1): r of n recorded steps in t / 1.5 .. 1.5 t, outside the windows of all events, have a rise at
    least as large. Fisher's method combines the events."""

    def value(trace):
        steps = trace["step"]
        shares = []
        for event in events:
            others = steps[
                (steps >= event / 1.5) & (steps <= event * 1.5) & (steps + max(6, width * event) <= steps[-1])
            ]
            for event_step in events:
                others = others[
                    (others > event_step + max(6, width * event_step))
                    | (others + max(6, width * event_step) < event_step)
                ]
            if len(others) < 3:
                continue
            here = rise(trace, event, width)
            as_large = sum(rise(trace, other, width) >= here for other in others)
            shares.append((as_large + 1) / (len(others) + 1))
        if not shares:
            raise NotRun(f"{trace.name} has too few steps outside the windows of the events")
        # Upper tail of the chi-squared distribution with 2 n degrees of freedom at -2 sum log p.
        total, term, tail = -float(np.sum(np.log(shares))), 1.0, 1.0
        for n in range(1, len(shares)):
            term *= total / n
            tail += term
        return float(np.exp(-total)) * tail

    return results.mean(trial, value)


@function("column_at", TRIAL, COLUMN, NUMBER)
def column_at(results, trial, column, step):
    """Column of the table "trace" at this step, or at the next recorded step."""

    def value(trace):
        place = np.searchsorted(trace["step"], step)
        if place == len(trace["step"]):
            raise NotRun(f"{trial} has no step {step:g}")
        return float(trace[column][place])

    return results.mean(trial, value)


@function("log_slope", TRIAL, COLUMN, NUMBER)
def log_slope(results, trial, column, share):
    """Exponent b of the power law t^b fitted to a column of the table "trace" after a share, in 0..1, of the steps.
    Least squares on the logarithms of the column's means in twenty bins per decade of t."""

    def value(trace):
        steps, values = np.asarray(trace["step"], dtype=float), np.asarray(trace[column], dtype=float)
        late = steps >= share * steps[-1]
        bins = np.floor(20 * np.log10(steps[late])).astype(int)
        means = [
            (np.mean(np.log(steps[late][bins == bin_index])), np.mean(values[late][bins == bin_index]))
            for bin_index in np.unique(bins)
        ]
        if len(means) < 3 or min(mean for _, mean in means) <= 0:
            raise NotRun(f"{trace.name} has too few rounds for the slope of {column}")
        return float(np.polyfit([at for at, _ in means], np.log([mean for _, mean in means]), 1)[0])

    return results.mean(trial, value)


@function("printed_cost", TRIAL)
def printed_cost(results, trial):
    """Kernel evaluations of SFD as its thesis appears to count them: the sum over rounds of k (n + terms + k). The k
    examples of a batch are evaluated against the n training examples, all terms added before (never merged), and each
    other."""

    def value(trace):
        if len(trace["step"]) != trace["step"][-1]:
            raise NotRun(f"{trace.name} does not record every round")
        batch = trace.spec["data"]["batch"]
        before = np.concatenate([[0.0], np.asarray(trace["terms"], dtype=float)[:-1]])
        return float(np.sum(batch * (trace.provenance["data_shape"]["train"] + before + batch)))

    return results.mean(trial, value)


@function("max_ratio", TRIAL, COLUMN, COLUMN)
def max_ratio(results, trial, column, other):
    """Largest ratio of the first column to the second over all recorded steps and repetitions. 0/0 counts as 0;
    infinite if only the second is 0."""
    return max(
        float(
            np.max(
                trace[column] / np.where(trace[other] > 0, trace[other], np.inf)
                if np.all(trace[column][trace[other] <= 0] <= 0)
                else np.inf
            )
        )
        for trace in results.find(trial)
    )


@function("largest", TRIAL, COLUMN)
def largest(results, trial, column):
    """Largest value of a column of the table "trace" over all recorded steps and repetitions."""
    return max(float(np.max(trace[column])) for trace in results.find(trial))


@function("largest_rise", TRIAL, COLUMN)
def largest_rise(results, trial, column):
    """Largest rise of a column of the table "trace" from one recorded step to the next, over all repetitions. Negative
    if the column always falls."""
    return max(float(np.max(np.diff(trace[column]))) for trace in results.find(trial))


@function("late_path", TRIAL, NUMBER)
def late_path(results, trial, share):
    """Length of the path w_t after a share, in 0..1, of the rounds, sum ||u_t||, over its whole length. Bounds how far
    w still moves: ||w_T - w_t|| <= sum ||u_t|| over the rounds after t. Needs a record of every round."""

    def value(trace):
        if len(trace["step"]) != trace["step"][-1]:
            raise NotRun(f"{trace.name} does not record every round")
        lengths = np.sqrt(np.maximum(trace["update_norm"], 0))
        return np.sum(lengths[int(share * len(lengths)) :]) / np.sum(lengths)

    return results.mean(trial, value)


@function("last_over_first", TRIAL, COLUMN, NUMBER)
def last_over_first(results, trial, column, count):
    """Mean of a column over the last `count` recorded steps, divided by its mean over the first `count`."""
    return results.mean(
        trial, lambda trace: np.mean(trace[column][-int(count) :]) / np.mean(trace[column][: int(count)])
    )


@function("largest_change", TRIAL, TRIAL, COLUMN)
def largest_change(results, trial, other, column):
    """Largest absolute difference of a column between two trials on the same stream, over all recorded steps and
    repetitions."""
    changes = []
    for trace, two in results.pairs(trial, other):
        if not np.array_equal(trace["example"], two["example"]):
            raise ClaimError(f"{trial} and {other} saw different streams")
        changes.append(float(np.max(np.abs(trace[column] - two[column]))))
    return max(changes)
