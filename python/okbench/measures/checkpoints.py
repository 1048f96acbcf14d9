"""Measures of the table "checkpoints" and of the examples in the table "listed"."""

import numpy as np

from ..errors import NotRun
from .registry import COLUMN, NUMBER, TRIAL, function, trial_function

DRAWS = 20_000  # of a permutation test

trial_function("objective", lambda trace: trace.checkpoints["objective"][-1])


def mean_checkpoints(traces, column):
    """Mean over the traces of a checkpoint column, cut to the shortest trace."""
    columns = [np.asarray(trace.checkpoints[column], dtype=float) for trace in traces]
    length = min(len(values) for values in columns)
    return np.mean([values[:length] for values in columns], axis=0)


def shares(traces):
    """Share of the examples processed, in 0..1, at each checkpoint."""
    return mean_checkpoints(traces, "examples") / traces[0].summary["examples"]


@function("first_checkpoint_below", TRIAL, NUMBER)
def first_checkpoint_below(results, trial, bound):
    """Share of the examples, in 0..1, from which on the mean test error stays below the bound. Infinite if the error
    does not end below it."""
    traces = results.find(trial)
    above = np.flatnonzero(mean_checkpoints(traces, "test_error") >= bound)
    first = above[-1] + 1 if len(above) else 0
    done = shares(traces)
    return float(done[first]) if first < len(done) else float("inf")


@function("at", TRIAL, COLUMN, NUMBER)
def at(results, trial, column, share):
    """Mean of a checkpoint column at the first checkpoint at or after a share, in 0..1, of the examples."""
    traces = results.find(trial)
    done = shares(traces)
    return float(mean_checkpoints(traces, column)[min(np.searchsorted(done, share - 1e-9), len(done) - 1)])


@function("after", TRIAL, COLUMN, NUMBER)
def after(results, trial, column, step):
    """Mean of a checkpoint column at the checkpoint of exactly this step or round. Every repetition must have it."""
    traces = results.find(trial)
    values = []
    for trace in traces:
        at_step = np.flatnonzero(np.asarray(trace.checkpoints["step"]) == int(step))
        if not len(at_step):
            raise NotRun(f"{trial} has no checkpoint after round {int(step)}")
        values.append(float(np.asarray(trace.checkpoints[column])[at_step[0]]))
    return float(np.mean(values))


@function("roughness", TRIAL, NUMBER)
def roughness(results, trial, share):
    """Mean absolute change of the test error, in percentage points, between consecutive checkpoints after a share, in
    0..1, of the examples."""

    def value(trace):
        after = trace.checkpoints["examples"] >= share * trace.summary["examples"]
        if np.sum(after) < 2:
            raise NotRun(f"{trace.name} has fewer than two checkpoints after {share:g} of the run")
        return 100 * np.mean(np.abs(np.diff(trace.checkpoints["test_error"][after])))

    return results.mean(trial, value)


def settled_at(column, tolerance):
    """Index from which on a column stays within `tolerance` of its last value."""
    away = np.flatnonzero(np.abs(column - column[-1]) > tolerance)
    return away[-1] + 1 if len(away) else 0


@function("settles", TRIAL, NUMBER)
def settles(results, trial, tolerance):
    """Share of the examples, in 0..1, from which on the mean test error stays within a tolerance of its final value."""
    traces = results.find(trial)
    return float(shares(traces)[settled_at(mean_checkpoints(traces, "test_error"), tolerance)])


@function("growth", TRIAL, COLUMN, NUMBER, NUMBER)
def growth(results, trial, column, start, end):
    """Exponent b of the power law t^b fitted to a checkpoint column between two shares, in 0..1, of the examples.

    Least squares on the logarithms; 1 is linear growth. Needs three checkpoints with positive values.
    """
    traces = results.find(trial)
    done, values = shares(traces), mean_checkpoints(traces, column)
    chosen = (done >= start - 1e-9) & (done <= end + 1e-9)
    if np.sum(chosen) < 3 or np.any(values[chosen] <= 0):
        raise NotRun(f"{trial} has too few checkpoints from {start:g} to {end:g} of its run")
    return float(np.polyfit(np.log(done[chosen]), np.log(values[chosen]), 1)[0])


def piece_means(results, trial, column, pieces):
    """Means of a checkpoint column over `pieces` equal parts of the run, in order. Raises NotRun for too few
    checkpoints."""
    traces = results.find(trial)
    values = mean_checkpoints(traces, column)
    if not 2 <= pieces <= len(values):
        raise NotRun(f"{trial} has {len(values)} checkpoints, too few for {pieces:g} parts")
    return np.array([np.mean(part) for part in np.array_split(values, int(pieces))])


@function("least_change", TRIAL, COLUMN, NUMBER)
def least_change(results, trial, column, pieces):
    """Smallest change of a checkpoint column from one part of the run to the next, of `pieces` equal parts, as a share
    of the largest part's mean. Above 0: the column rises throughout."""
    means = piece_means(results, trial, column, pieces)
    return float(np.min(np.diff(means)) / np.max(np.abs(means)))


@function("most_change", TRIAL, COLUMN, NUMBER)
def most_change(results, trial, column, pieces):
    """Largest change of a checkpoint column from one part of the run to the next, of `pieces` equal parts, as a share
    of the largest part's mean. Below 0: the column falls throughout."""
    means = piece_means(results, trial, column, pieces)
    return float(np.max(np.diff(means)) / np.max(np.abs(means)))


@function("recall", TRIAL, NUMBER, NUMBER)
def recall(results, trial, boxes, overlap):
    """Share of the objects, in 0..1, that one of the `boxes` best boxes covers with at least this overlap, at the last
    checkpoint. Interpolated linearly between the overlaps of the table "recall"."""

    def value(trace):
        rows = trace.tables.get("recall")
        if rows is None:
            raise NotRun(f"{trace.name} does not record recall: data.boxes.recall = true")
        chosen = (np.asarray(rows["boxes"]) == boxes) & (np.asarray(rows["step"]) == trace.checkpoints["step"][-1])
        if not np.any(chosen):
            raise NotRun(f"{trace.name} has no recall of {boxes:g} boxes")
        return np.interp(overlap, np.asarray(rows["overlap"])[chosen], np.asarray(rows["recall"])[chosen])

    return results.mean(trial, value)


@function("box_size", TRIAL)
def box_size(results, trial):
    """Total area of the predicted boxes over that of the true boxes, on the test images at the last checkpoint.

    The true box of an image with several objects is the one that the prediction overlaps most.
    """

    def area(rows, prefix=""):
        left, top, right, bottom = (
            np.asarray(rows[prefix + side], dtype=float) for side in ("left", "top", "right", "bottom")
        )
        return float(np.sum((right - left) * (bottom - top)))

    def value(trace):
        rows = trace.tables.get("localised")
        if rows is None:
            raise NotRun(f"{trace.name} predicts no boxes")
        return area(rows) / area(rows, "true_")

    return results.mean(trial, value)


def listed(trace, which):
    """(examples, violations) of one list of the table "listed". A violation is the distance inside the margin."""
    table = trace.tables["listed"]
    chosen = np.asarray(table["list"]) == which
    return np.asarray(table["example"])[chosen], np.asarray(table["violation"])[chosen]


@function("error_on_listed", TRIAL, TRIAL, NUMBER)
def error_on_listed(results, classifier, trial, which):
    """Share, in 0..1, of the examples in a list of the second trial that the first trial, a classifier, predicts
    wrongly.

    The classifier's list of the same number must contain every example that it gets wrong. The mean is over all pairs
    of a repetition of the classifier and a repetition of the second trial.
    """
    shares_wrong = [
        np.mean(np.isin(listed(trace, which)[0], list(mistakes)))
        for mistakes in mistakes_on_listed(results, classifier, which)
        for trace in results.find(trial)
    ]
    return float(np.mean(shares_wrong))


def mistakes_on_listed(results, classifier, which):
    """The set of the examples that each repetition of a classifier predicts wrongly. Raises NotRun; see
    error_on_listed()."""
    wrong = []
    for trace in results.find(classifier):
        examples, violations = listed(trace, which)
        if not len(examples) or violations[-1] > 0:
            raise NotRun(f"{classifier} does not list all of its misclassified examples")
        wrong.append(set(examples[violations > 0]))
    return wrong


@function("error_on_listed_p", TRIAL, TRIAL, NUMBER)
def error_on_listed_p(results, classifier, trial, which):
    """Probability, in 0..1, that an error_on_listed() is at least as large if the examples are drawn at random.

    A permutation test: an example that several repetitions list stays in all of their lists, and 20 000 random sets of
    as many examples as the classifier gets wrong are wrong instead. `classifier` has one repetition and lists every
    example of the test set.
    """
    (mistakes,) = mistakes_on_listed(results, classifier, which)
    examples = listed(results.find(classifier)[0], which)[0]
    lists = np.concatenate([listed(trace, which)[0] for trace in results.find(trial)])
    times = np.array([np.count_nonzero(lists == example) for example in examples])
    reached = times[np.isin(examples, list(mistakes))].sum()
    random = np.random.RandomState(0)
    draws = [times[random.choice(len(times), len(mistakes), replace=False)].sum() for _ in range(DRAWS)]
    return float(np.mean(np.array(draws) >= reached))


@function("listed_overlap", TRIAL, NUMBER)
def listed_overlap(results, trial, which):
    """Share, in 0..1, of the examples in a list of one repetition that another repetition also lists. The mean is over
    all ordered pairs of repetitions."""
    lists = [
        set(trace.tables["listed"]["example"][trace.tables["listed"]["list"] == which]) for trace in results.find(trial)
    ]
    if not all(lists):
        raise NotRun(f"{trial}: list {which:g} is empty")
    overlaps = [len(examples & two) / len(examples) for examples in lists for two in lists if examples is not two]
    if not overlaps:
        raise NotRun(f"{trial} has only one repetition")
    return float(np.mean(overlaps))
