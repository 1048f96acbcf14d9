"""Measures of streams by name, computed from the recorded predictions of a trace (`[trace] predictions = true`).

Every measure is over the steps 1..t, or over the last `window` of them, at chosen steps. A score 0 of a binary learner
is a wrong prediction; the class of several scores is the arg max, ties to the lowest. Sources: Zliobaite, Bifet, Read,
Pfahringer and Holmes 2015 (kappas), Brzezinski and Stefanowski 2017 (AUC), Hand and Till 2001 (AUC of several classes).
"""

import collections.abc
import dataclasses
import inspect
import os
import re

import numpy as np

from ..errors import ClaimError, NotRun, cause_of
from ..reading import load_scripts
from .names import nearest

POINTS = 500  # default number of steps at which a measure is computed


@dataclasses.dataclass
class Stream:
    """Labels and predictions of a stream of n steps.

    classes: sorted labels. label, predicted: indices into `classes`, shape (n,); predicted is -1 for no class.
    For kind "one-class" with several classes, predicted is True for normal rows and False for flagged rows.
    scores: shape (n, outputs). For real targets, `target` and `scores` only.
    kind: what the scores are: "margins", "log-odds", "softmax", "one-class" or "real".
    """

    scores: np.ndarray
    target: np.ndarray | None = None
    classes: np.ndarray | None = None
    label: np.ndarray | None = None
    predicted: np.ndarray | None = None
    kind: str = "margins"

    def __len__(self):
        return len(self.scores)


def stream_of(trace):
    """The recorded Stream of a trace. Raises NotRun without recorded predictions."""
    if "predictions" not in trace.tables:
        raise NotRun(f"{trace.name} has no recorded predictions; run it with [trace] predictions = true")
    table = trace.tables["predictions"]
    scores = np.column_stack([values for name, values in table.items() if name.startswith("score_")])
    known = {name: table[name] for name in ("label", "predicted", "target") if name in table}
    return make_stream(scores, **known, kind=trace.summary.get("scores", "margins"))


def make_stream(scores, label=None, target=None, predicted=None, kind="margins"):
    """A Stream of scores, shape (n, outputs), and labels (-1 and 1, or classes from 0) or real targets, shape (n,).

    predicted: predicted labels, shape (n,), 0 for no binary label; default: the sign or the arg max of the scores.
    kind: as in Stream; "real" with a target.
    """
    scores = np.asarray(scores, dtype=float)
    if target is not None:
        return Stream(scores, np.asarray(target, dtype=float), kind="real")
    label = np.asarray(label)
    if kind == "one-class" and np.any(np.abs(label) != 1):  # a detector on several classes flags examples
        classes = np.unique(label)
        return Stream(scores, None, classes, np.searchsorted(classes, label), np.asarray(predicted) > 0, kind)
    if scores.shape[1] == 1:
        sign = np.sign(scores[:, 0]) if predicted is None else np.asarray(predicted)
        places = np.select([sign > 0, sign < 0], [1, 0], -1)
        return Stream(scores, None, np.array([-1, 1]), (label > 0).astype(int), places, kind)
    places = scores.argmax(axis=1) if predicted is None else np.asarray(predicted)
    return Stream(scores, None, np.arange(scores.shape[1]), label.astype(int), places, kind)


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


def log_loss(stream, sums):
    """-mean log P(label); P from the scores of a logistic loss"""
    if stream.kind == "log-odds":
        return sums(np.logaddexp(0, -np.where(stream.label == 1, 1, -1) * stream.scores[:, 0])) / sums.length
    chosen = np.take_along_axis(stream.scores, stream.label[:, None], axis=1)[:, 0]
    return sums(np.logaddexp.reduce(stream.scores, axis=1) - chosen) / sums.length


def share_flagged(stream, sums):
    """share of the examples that a novelty detector flags"""
    return sums(stream.predicted == 0) / sums.length


@dataclasses.dataclass(frozen=True)
class StreamMeasure:
    title: str
    of: collections.abc.Callable  # function (stream, sums): values at the chosen steps
    needs: str = "classes"  # "classes", "targets", "probabilities", "flags" or "any"
    percent: bool = False  # whether figures show it in percent
    larger: bool = False  # whether larger values are better

    def unfit(self, stream):
        """What the measure needs and the stream lacks; empty if it fits."""
        several = stream.kind == "one-class" and len(stream.classes) > 2
        return {
            "classes": "classes" if stream.target is not None else "binary labels" if several else "",
            "targets": "real targets" if stream.target is None else "",
            "probabilities": "" if stream.kind in ("log-odds", "softmax") else "probabilities: a logistic loss",
            "flags": "" if stream.kind == "one-class" else "a novelty detector",
            "any": "",
        }[self.needs]


def of_function(function):
    """A measure that calls function(labels, scores) on the rows of each window.

    labels: shape (n,), -1 and 1, classes from 0, or real targets. scores: shape (n,), or (n, classes).
    """

    name = getattr(function, "__name__", "mine").replace("_", " ")

    def of(stream, sums):
        labels = stream.classes[stream.label] if stream.target is None else stream.target
        scores = stream.scores[:, 0] if stream.scores.shape[1] == 1 else stream.scores
        try:
            return np.array([float(function(labels[a:b], scores[a:b])) for a, b in zip(sums.first, sums.at)])
        except Exception as error:  # a user's function can raise anything
            raise ClaimError(f"measure {name}: {cause_of(error)}") from error

    return StreamMeasure(name, of, needs="any")


MEASURES = {
    "error": StreamMeasure("share of wrong predictions", lambda s, sums: 1 - accuracy(s, sums), percent=True),
    "accuracy": StreamMeasure("share of right predictions", accuracy, percent=True, larger=True),
    "kappa": StreamMeasure("Cohen's kappa", kappa, larger=True),
    "kappa-m": StreamMeasure("kappa against the majority class", kappa_m, larger=True),
    "kappa-temporal": StreamMeasure("kappa against the last label", kappa_temporal, larger=True),
    "balanced-accuracy": StreamMeasure("mean recall", balanced_accuracy, percent=True, larger=True),
    "g-mean": StreamMeasure("geometric mean of recalls", g_mean, larger=True),
    "macro-f1": StreamMeasure("mean F1 of the classes", macro_f1, larger=True),
    "auc": StreamMeasure("area under the ROC curve", auc, larger=True),
    "log-loss": StreamMeasure("mean negative log-likelihood (nats)", log_loss, "probabilities"),
    "share-flagged": StreamMeasure("share of flagged examples", share_flagged, "flags", percent=True),
    "mse": StreamMeasure("mean squared error", squared_error, "targets"),
    "mae": StreamMeasure("mean absolute error", absolute_error, "targets"),
    "nmse": StreamMeasure("normalised mean squared error", normalised_error, "targets"),
    "r2": StreamMeasure(
        "coefficient of determination", lambda s, sums: 1 - normalised_error(s, sums), "targets", larger=True
    ),
    "decibel": StreamMeasure(
        "mean squared error in decibel", lambda s, sums: 10 * np.log10(squared_error(s, sums)), "targets"
    ),
}


def measures():
    """{name: StreamMeasure}: the built-in ones, and the public functions of the files in OKBENCH_MEASURES.

    A function `mine(labels, scores)` is the measure "mine". OKBENCH_MEASURES names folders, separated by colons.
    Raises ScriptError for a file that cannot be imported, ClaimError for a name that is taken.
    """
    known = dict(MEASURES)
    for script in load_scripts(os.environ.get("OKBENCH_MEASURES", "").split(":")):
        for name, value in vars(script).items():
            if not inspect.isfunction(value) or value.__module__ != script.__name__ or name.startswith("_"):
                continue
            public = name.replace("_", "-")
            if public in known:
                raise ClaimError(f"{script.__file__}: a measure '{public}' exists; choose another name")
            known[public] = of_function(value)
    return known


def find(name):
    """The StreamMeasure of this name, or of a function. Raises ClaimError."""
    if callable(name):
        return of_function(name)
    known = measures()
    if name not in known:
        raise ClaimError(f"unknown measure '{name}'{nearest(name, known)}")
    return known[name]


def parse(text):
    """(name, window or None) of NAME or NAME@WINDOW. Raises ClaimError."""
    name, _, window = text.partition("@")
    find(name)
    if "@" in text and not re.fullmatch(r"[1-9]\d{0,8}", window):
        raise ClaimError(f"'{text}': the window must be a number of steps >= 1, as in {name}@1000")
    return name, int(window) if window else None


def measured(stream, name, window=None, at=None):
    """(steps, values) of a measure of a Stream.

    `window`: number of last steps; None: all so far. `at`: steps 1..n in increasing order; default: POINTS of them,
    evenly spaced, with the last. `name` may be a function of labels and scores. Raises ClaimError for an unknown
    measure, or one that does not fit the stream.
    """
    if window is not None and window < 1:
        raise ClaimError(f"the window must be a number of steps >= 1, not {window}")
    measure = find(name)
    if lacking := measure.unfit(stream):
        raise ClaimError(f"'{name}' needs {lacking}")
    if at is None:
        at = np.unique(np.linspace(1, len(stream), min(POINTS, len(stream))).round().astype(int))
    at = np.asarray(at, dtype=int)
    if not len(at) or at.min() < 1 or at.max() > len(stream):
        raise ClaimError(f"steps must be between 1 and {len(stream)}")
    with np.errstate(divide="ignore"):
        return at, np.asarray(measure.of(stream, Sums(at, window)), dtype=float)


def value_of(trace, text):
    """The last value of a measure NAME or NAME@WINDOW: from the summary, or from recorded predictions.

    Raises ClaimError and NotRun.
    """
    name, window = parse(text)
    if text in trace.summary.get("measures", {}):
        value = trace.summary["measures"][text]
        return float("nan") if value is None else value
    return last(stream_of(trace), name, window)


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
