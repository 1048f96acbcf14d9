"""Measures of streams by name, computed from the recorded predictions of a trace (`[trace] predictions = true`).

Every measure is over the steps 1..t, or over the last `window` of them, at chosen steps. A score 0 of a binary learner
is a wrong prediction; the class of several scores is the arg max, ties to the lowest. Sources: Zliobaite, Bifet, Read,
Pfahringer and Holmes 2015 (kappas), Brzezinski and Stefanowski 2017 (AUC), Hand and Till 2001 (AUC of several classes).
"""

import dataclasses
import re

import numpy as np

from ..errors import ClaimError, NotRun
from .names import nearest

POINTS = 500  # default number of steps at which a measure is computed


@dataclasses.dataclass
class Stream:
    """Labels and predictions of a stream of n steps.

    classes: sorted labels. label, predicted: places in `classes`, shape (n,); predicted is -1 for no class.
    scores: shape (n, outputs). For real targets, `target` and `scores` only.
    """

    scores: np.ndarray
    target: np.ndarray | None = None
    classes: np.ndarray | None = None
    label: np.ndarray | None = None
    predicted: np.ndarray | None = None

    def __len__(self):
        return len(self.scores)


def stream_of(trace):
    """The recorded Stream of a trace. Raises NotRun without recorded predictions."""
    if "predictions" not in trace.tables:
        raise NotRun(f"{trace.name} has no recorded predictions; run it with [trace] predictions = true")
    table = trace.tables["predictions"]
    scores = np.column_stack([values for name, values in table.items() if name.startswith("score_")])
    return make_stream(scores, **{name: table[name] for name in ("label", "predicted", "target") if name in table})


def make_stream(scores, label=None, target=None, predicted=None):
    """A Stream of scores, shape (n, outputs), and labels (-1 and 1, or classes from 0) or real targets, shape (n,).

    predicted: predicted labels, shape (n,), 0 for no binary label; default: the sign or the arg max of the scores.
    """
    scores = np.asarray(scores, dtype=float)
    if target is not None:
        return Stream(scores, np.asarray(target, dtype=float))
    label = np.asarray(label)
    if scores.shape[1] == 1:
        sign = np.sign(scores[:, 0]) if predicted is None else np.asarray(predicted)
        places = np.select([sign > 0, sign < 0], [1, 0], -1)
        return Stream(scores, None, np.array([-1, 1]), (label > 0).astype(int), places)
    places = scores.argmax(axis=1) if predicted is None else np.asarray(predicted)
    return Stream(scores, None, np.arange(scores.shape[1]), label.astype(int), places)


class Sums:
    """Sums of values over the window that ends at each chosen step."""

    def __init__(self, at, window):
        self.at = np.asarray(at)
        self.first = np.zeros_like(self.at) if window is None else np.maximum(self.at - window, 0)
        self.length = self.at - self.first

    def __call__(self, values):
        """Sums of values, shape (n,) or (n, k), at the chosen steps."""
        values = np.asarray(values)
        total = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0, dtype=float)])
        return total[self.at] - total[self.first]


def one_hot(places, count):
    return np.asarray(places)[:, None] == np.arange(count)


def accuracy(stream, sums):
    return sums(stream.predicted == stream.label) / sums.length


def kappa_against(stream, sums, chance):
    """(p_0 - p_e) / (1 - p_e); 0 where p_e = 1, as nothing can be better than chance then."""
    observed = accuracy(stream, sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(chance < 1, (observed - chance) / (1 - chance), 0.0)


def kappa(stream, sums):
    """p_e = sum_c (share of label c) (share of prediction c)"""
    k = len(stream.classes)
    labels, predictions = sums(one_hot(stream.label, k)), sums(one_hot(stream.predicted, k))
    return kappa_against(stream, sums, (labels * predictions).sum(axis=1) / sums.length**2)


def majority(stream):
    """Places of the most frequent label before each step, ties to the lowest; -1 at the first step."""
    counts = np.cumsum(one_hot(stream.label, len(stream.classes)), axis=0)
    return np.concatenate([[-1], counts[:-1].argmax(axis=1)])


def last_label(stream):
    """Places of the label before each step; -1 at the first step."""
    return np.concatenate([[-1], stream.label[:-1]])


def kappa_m(stream, sums):
    """p_e = accuracy of predicting the most frequent label so far"""
    return kappa_against(stream, sums, sums(majority(stream) == stream.label) / sums.length)


def kappa_temporal(stream, sums):
    """p_e = accuracy of predicting the last label"""
    return kappa_against(stream, sums, sums(last_label(stream) == stream.label) / sums.length)


def recalls(stream, sums):
    """Recall of each class, NaN for classes without labels; shape (steps, classes)."""
    of = one_hot(stream.label, len(stream.classes))
    with np.errstate(invalid="ignore"):
        return sums(of & (stream.predicted == stream.label)[:, None]) / sums(of)


def balanced_accuracy(stream, sums):
    """mean recall of the classes seen"""
    return np.nanmean(recalls(stream, sums), axis=1)


def g_mean(stream, sums):
    """geometric mean of the recalls of the classes seen"""
    found = recalls(stream, sums)
    seen = ~np.isnan(found)
    return np.where(seen, found, 1).prod(axis=1) ** (1 / seen.sum(axis=1))


def macro_f1(stream, sums):
    """mean over the classes seen or predicted of 2 hits / (labels + predictions)"""
    k = len(stream.classes)
    of, said = one_hot(stream.label, k), one_hot(stream.predicted, k)
    total = sums(of) + sums(said)
    with np.errstate(invalid="ignore"):
        return np.nanmean(np.where(total > 0, 2 * sums(of & said) / total, np.nan), axis=1)


def pair_auc(positive, negative):
    """Share of (positive, negative) pairs of scores in order, ties one half."""
    both = np.sort(np.concatenate([positive, negative]))
    ranks = (np.searchsorted(both, positive, "left") + np.searchsorted(both, positive, "right") + 1) / 2
    count = len(positive)
    return (ranks.sum() - count * (count + 1) / 2) / (count * len(negative))


def auc(stream, sums):
    """share of pairs whose scores are in order; several classes: the mean over pairs of classes. NaN for one class"""
    values = []
    for first, last in zip(sums.first, sums.at):
        label, scores = stream.label[first:last], stream.scores[first:last]
        rows = {c: scores[label == c] for c in np.unique(label)}
        if scores.shape[1] == 1:
            values.append(pair_auc(rows[1][:, 0], rows[0][:, 0]) if len(rows) == 2 else np.nan)
            continue
        pairs = [pair_auc(rows[a][:, a], rows[b][:, a]) for a in rows for b in rows if a != b]
        values.append(np.mean(pairs) if pairs else np.nan)
    return np.array(values)


def squared_error(stream, sums):
    """mean of (prediction - target)^2"""
    return sums((stream.scores[:, 0] - stream.target) ** 2) / sums.length


def absolute_error(stream, sums):
    """mean of |prediction - target|"""
    return sums(np.abs(stream.scores[:, 0] - stream.target)) / sums.length


def normalised_error(stream, sums):
    """mean squared error divided by the variance of the targets"""
    centred = stream.target - stream.target.mean()  # the same variance with less rounding error
    variance = sums(centred**2) / sums.length - (sums(centred) / sums.length) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(variance > 0, squared_error(stream, sums) / variance, np.nan)


@dataclasses.dataclass(frozen=True)
class StreamMeasure:
    title: str
    of: object  # function (stream, sums): values at the chosen steps
    real: bool = False  # whether targets are real numbers
    percent: bool = False  # whether figures show it in percent


MEASURES = {
    "error": StreamMeasure("share of wrong predictions", lambda s, sums: 1 - accuracy(s, sums), percent=True),
    "accuracy": StreamMeasure("share of right predictions", accuracy, percent=True),
    "kappa": StreamMeasure("Cohen's kappa", kappa),
    "kappa-m": StreamMeasure("kappa against the majority class", kappa_m),
    "kappa-temporal": StreamMeasure("kappa against the last label", kappa_temporal),
    "balanced-accuracy": StreamMeasure("mean recall", balanced_accuracy, percent=True),
    "g-mean": StreamMeasure("geometric mean of recalls", g_mean),
    "macro-f1": StreamMeasure("mean F1 of the classes", macro_f1),
    "auc": StreamMeasure("area under the ROC curve", auc),
    "mse": StreamMeasure("mean squared error", squared_error, real=True),
    "mae": StreamMeasure("mean absolute error", absolute_error, real=True),
    "nmse": StreamMeasure("normalised mean squared error", normalised_error, real=True),
    "r2": StreamMeasure("coefficient of determination", lambda s, sums: 1 - normalised_error(s, sums), real=True),
    "decibel": StreamMeasure(
        "mean squared error in decibel", lambda s, sums: 10 * np.log10(squared_error(s, sums)), real=True
    ),
}


def parse(text):
    """(name, window or None) of NAME or NAME@WINDOW. Raises ClaimError."""
    name, _, window = text.partition("@")
    if name not in MEASURES:
        raise ClaimError(f"unknown measure '{name}'{nearest(name, MEASURES)}")
    if "@" in text and not re.fullmatch(r"[1-9]\d{0,8}", window):
        raise ClaimError(f"'{text}': the window must be a number of steps >= 1, as in {name}@1000")
    return name, int(window) if window else None


def measured(stream, name, window=None, at=None):
    """(steps, values) of a measure of a Stream.

    `window`: number of last steps; None: all so far. `at`: steps 1..n in increasing order; default: POINTS of them,
    evenly spaced, with the last. Raises ClaimError for an unknown measure, or one of other targets.
    """
    if name not in MEASURES:
        raise ClaimError(f"unknown measure '{name}'{nearest(name, MEASURES)}")
    measure = MEASURES[name]
    if measure.real != (stream.target is not None):
        raise ClaimError(f"'{name}' needs {'real targets' if measure.real else 'classes'}")
    if at is None:
        at = np.unique(np.linspace(1, len(stream), min(POINTS, len(stream))).round().astype(int))
    at = np.asarray(at, dtype=int)
    if not len(at) or at.min() < 1 or at.max() > len(stream):
        raise ClaimError(f"steps must be between 1 and {len(stream)}")
    with np.errstate(divide="ignore"):
        return at, np.asarray(measure.of(stream, Sums(at, window)), dtype=float)


def last(stream, name, window=None):
    """A measure at the end of a Stream."""
    return float(measured(stream, name, window, [len(stream)])[1][0])


def as_scores(places, classes):
    """Scores that predict these places in `classes`; -1 predicts no class."""
    if len(classes) == 2 and classes[0] == -1:
        return np.select([places == 1, places == 0], [1.0, -1.0], 0.0)[:, None]
    return one_hot(places, len(classes)).astype(float)


def baselines(stream):
    """{name: Stream} of predictions without learning: the most frequent and the last label, or the mean and the last
    target so far. The first prediction is wrong, or 0."""
    if stream.target is None:
        made = {"majority class": majority(stream), "last label": last_label(stream)}
        labels = stream.classes[stream.label]
        return {
            name: dataclasses.replace(make_stream(as_scores(places, stream.classes), labels), predicted=places)
            for name, places in made.items()
        }
    before = np.concatenate([[0.0], stream.target[:-1]])
    mean = np.concatenate([[0.0], np.cumsum(stream.target)[:-1] / np.arange(1, len(stream))])
    return {
        name: make_stream(values[:, None], target=stream.target)
        for name, values in (("running mean", mean), ("last value", before))
    }
