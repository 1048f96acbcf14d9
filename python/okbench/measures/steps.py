"""Measures of the table "trace": the course of learning, step by step."""

import numpy as np

from ..errors import ClaimError, NotRun
from .registry import COLUMN, NUMBER, NUMBERS, TRIAL, function, trial_function

trial_function("insertions")
trial_function("max_step_size", lambda trace: np.max(trace["step_size"]))


@function("error_rate_last", TRIAL, NUMBER)
def error_rate_last(results, trial, count):
    """Mistakes among the last `count` examples, over `count`."""

    def value(trace):
        steps = trace["step"]
        before = np.searchsorted(steps, steps[-1] - count)
        if steps[before] != steps[-1] - count:
            raise NotRun(f"{trace.name} has no step {steps[-1] - count:g}")
        return (trace["mistakes"][-1] - trace["mistakes"][before]) / count

    return results.mean(trial, value)


@function("error_rate_at", TRIAL, NUMBER)
def error_rate_at(results, trial, step):
    """Mistakes among the first `step` examples, over their number."""

    def value(trace):
        place = np.flatnonzero(trace["step"] == step)
        if not len(place):
            raise NotRun(f"{trial} has no step {step:g}")
        return trace.average_error[place[0]]

    return results.mean(trial, value)


def over_pass(trace, column, which):
    """Mean of a column that counts from the start (mistakes, loss_sum, task_loss_sum) over one pass of the stream."""
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
    """The same over a trial's repetitions; passes count from 1."""
    return results.mean(trial, lambda trace: over_pass(trace, column, which))


@function("margin_error_rate_last", TRIAL, NUMBER)
def margin_error_rate_last(results, trial, share):
    """Margin errors over the last part of the run, each trace for itself: the mean over all."""

    def value(trace):
        step, errors = trace["step"], trace["margin_errors"].astype(float)
        start = step[-1] * (1 - share)
        return (errors[-1] - np.interp(start, step, errors)) / (step[-1] - start)

    return results.mean(trial, value)


@function("first_below", TRIAL, TRIAL)
def first_below(results, trial, other):
    """The step from which the average error of the one stays below the other's on the same stream; infinite when one
    repetition's never does."""

    def value(one, two):
        below = one.average_error < np.interp(one["step"], two["step"], two.average_error)
        if not below[-1]:
            return float("inf")
        last = np.flatnonzero(~below)
        return float(one["step"][last[-1] + 1]) if len(last) else float(one["step"][0])

    return float(np.mean([value(one, two) for one, two in results.pairs(trial, other)]))


def cost_until(trace, error):
    """Requested kernel evaluations at the first recorded step from which on the average error stays below `error`;
    infinite when it does not end below."""
    if "counted" not in trace.provenance:
        raise NotRun(f"{trace.name} ran before okbench told what its mistakes are counted on")
    above = np.flatnonzero(~(trace.average_error < error))
    first = above[-1] + 1 if len(above) else 0
    return float(trace["kernel_requested"][first]) if first < len(trace["step"]) else float("inf")


@function("cost_to_reach", TRIAL, NUMBER)
def cost_to_reach(results, trial, error):
    """Requested kernel evaluations until the average error stays below `error`, the mean over repetitions; infinite
    when one of them never does. Of learners in rounds the average is over the examples shown, or over the training
    set where their rounds look at all of it."""
    return results.mean(trial, lambda trace: cost_until(trace, error))


@function("step_size", TRIAL, NUMBER)
def step_size(results, trial, step):
    """eta_t at this step, or at the next one that is recorded."""

    def value(trace):
        place = np.searchsorted(trace["step"], step)
        if place == len(trace["step"]):
            raise NotRun(f"{trial} has no step {step:g}")
        return trace["step_size"][place]

    return results.mean(trial, value)


def rise(trace, event, width):
    """The step size's largest value in t .. t + max(6, width t) over its value before t."""
    steps, sizes = trace["step"], trace["step_size"]
    window = (steps >= event) & (steps <= event + max(6, width * event))
    before = np.searchsorted(steps, event)
    if not np.any(window) or before == 0:
        raise NotRun(f"{trace.name} has no step recorded {'after' if before else 'before'} the event {event:g}")
    return np.max(sizes[window]) / sizes[before - 1]


@function("min_rise", TRIAL, NUMBERS, NUMBER)
def min_rise(results, trial, events, width):
    """Smallest rise of the step size over the events t: its largest value in t .. t + max(6, width t) over that before
    t."""
    return results.mean(trial, lambda trace: min(rise(trace, event, width) for event in events))


@function("rises_by_chance", TRIAL, NUMBERS, NUMBER)
def rises_by_chance(results, trial, events, width):
    """How likely rises as large as those after the events are at other times: of each event the share of the times
    from two thirds of t to three halves that have as large a rise, events and their windows left out, and all of them
    together by Fisher's method."""

    def value(trace):
        steps = trace["step"]
        shares = []
        for event in events:
            others = steps[
                (steps >= event / 1.5) & (steps <= event * 1.5) & (steps + max(6, width * event) <= steps[-1])
            ]
            for one in events:
                others = others[(others > one + max(6, width * one)) | (others + max(6, width * one) < one)]
            if len(others) < 3:
                continue
            here = rise(trace, event, width)
            as_large = sum(rise(trace, other, width) >= here for other in others)
            shares.append((as_large + 1) / (len(others) + 1))
        if not shares:
            raise NotRun(f"{trace.name} has too few steps beside the events")
        # The upper tail of chi squared with 2 n degrees of freedom, at -2 sum log p.
        total, term, tail = -float(np.sum(np.log(shares))), 1.0, 1.0
        for n in range(1, len(shares)):
            term *= total / n
            tail += term
        return float(np.exp(-total)) * tail

    return results.mean(trial, value)


@function("column_at", TRIAL, COLUMN, NUMBER)
def column_at(results, trial, column, step):
    """A column of the table "trace" at this step, which every repetition has, or at the next one recorded."""

    def value(trace):
        place = np.searchsorted(trace["step"], step)
        if place == len(trace["step"]):
            raise NotRun(f"{trial} has no step {step:g}")
        return float(trace[column][place])

    return results.mean(trial, value)


@function("log_slope", TRIAL, COLUMN, NUMBER)
def log_slope(results, trial, column, share):
    """Exponent b of the power law t^b that a column follows after a share of the rounds: the slope of the logarithms
    of its means over twenty bins a decade."""

    def value(trace):
        steps, values = np.asarray(trace["step"], dtype=float), np.asarray(trace[column], dtype=float)
        late = steps >= share * steps[-1]
        bins = np.floor(20 * np.log10(steps[late])).astype(int)
        means = [
            (np.mean(np.log(steps[late][bins == one])), np.mean(values[late][bins == one])) for one in np.unique(bins)
        ]
        if len(means) < 3 or min(mean for _, mean in means) <= 0:
            raise NotRun(f"{trace.name} has too few rounds for the slope of {column}")
        return float(np.polyfit([at for at, _ in means], np.log([mean for _, mean in means]), 1)[0])

    return results.mean(trial, value)


@function("printed_cost", TRIAL)
def printed_cost(results, trial):
    """Kernel evaluations of SFD as its thesis seems to count them, in every round: the k examples against the whole
    training set, against all terms added before, none of them merged, and the matrix among them."""

    def value(trace):
        if len(trace["step"]) != trace["step"][-1]:
            raise NotRun(f"{trace.name} has not recorded every round")
        batch = trace.spec["data"]["batch"]
        before = np.concatenate([[0.0], np.asarray(trace["terms"], dtype=float)[:-1]])
        return float(np.sum(batch * (trace.provenance["data_shape"]["train"] + before + batch)))

    return results.mean(trial, value)


@function("max_ratio", TRIAL, COLUMN, COLUMN)
def max_ratio(results, trial, column, other):
    """Largest quotient of two columns over all rounds and repetitions; 0/0 counts as 0."""
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


@function("last_over_first", TRIAL, COLUMN, NUMBER)
def last_over_first(results, trial, column, count):
    """Mean of a column over the last rounds, divided by that over the first."""
    return results.mean(
        trial, lambda trace: np.mean(trace[column][-int(count) :]) / np.mean(trace[column][: int(count)])
    )


@function("largest_change", TRIAL, TRIAL, COLUMN)
def largest_change(results, trial, other, column):
    """The largest difference of a column between two trials on the same stream, over all recorded steps and
    repetitions."""
    changes = []
    for one, two in results.pairs(trial, other):
        if not np.array_equal(one["example"], two["example"]):
            raise ClaimError(f"{trial} and {other} saw different streams")
        changes.append(float(np.max(np.abs(one[column] - two[column]))))
    return max(changes)
