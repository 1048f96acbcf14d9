"""Prequential evaluation in one call: every row is predicted first and learned then."""

import collections
import dataclasses
import itertools
from typing import Any

import numpy as np

from ..results import streams

CHUNK = 65536  # rows per call of partial_fit


@dataclasses.dataclass
class Prequential:
    """The result of `okbench.prequential`.

    estimator: the estimator after the last row.
    frame: data frame with one row: the number of steps and every measure at the end; costs of okbench estimators.
    curves: data frame with one row per recorded step.
    """

    estimator: Any
    frame: Any
    curves: Any


def prequential(estimator, stream, measures=None, window=1000, delay=0, classes=None):
    """Tests, then trains an estimator on every row of a stream. Returns a Prequential.

    estimator: an okbench estimator, or any object with scikit-learn's `partial_fit` and `predict`, or River's
        `learn_one` and `predict_one`. An okbench estimator is copied and starts anew; another object goes on learning.
    stream: (X, y), or an iterable of chunks (X, y). An okbench estimator needs memory for one chunk only.
    measures: names (`okbench list measures`) or {"mine": function of labels and scores}. Default: the error, the mean
        squared error of regressors, the share of flagged rows of novelty detectors.
    window: number of last rows; every measure is also computed over them. None: only over all rows.
    delay: rows until a label becomes known. An okbench estimator then needs (X, y).
    classes: all classes of the stream. Default: those of y in (X, y).

    gamma="scale" and "median" use the first chunk, or the first 65536 rows of X. The scores of an okbench estimator are
    those of its learner before each update, so a row costs one evaluation of the kernel row. Regressors with
    `standardize=True`, and functions, need a prediction per row in addition, which takes much longer. Raises
    ValueError.
    """
    if window is not None and (int(window) != window or window < 1):
        raise ValueError(f"window: must be an integer >= 1 or None, not {window!r}")
    if int(delay) != delay or delay < 0:
        raise ValueError(f"delay: must be an integer >= 0, not {delay!r}")
    chunks, whole = _chunks(stream)
    first = next(chunks, None)
    if first is None or len(first[1]) == 0:
        raise ValueError("the stream is empty")
    chunks = itertools.chain([first], chunks)
    kind = _kind(estimator, measures)
    names = list(measures) if measures is not None else [DEFAULT_MEASURES[kind]]
    functions = measures if isinstance(measures, dict) else {}
    known = _classes(whole, classes, kind)
    if hasattr(estimator, "_learner"):
        estimator = _copy(estimator, first[0])
        # Standardised targets would give errors in other units.
        if not functions and not getattr(estimator, "standardize", False):
            return _native(estimator, chunks, whole, names, window, delay, known, kind)
    if kind == "novelty":
        raise ValueError("functions of novelty detectors: record their predictions with okbench.run")
    return _by_object(estimator, chunks, names, functions, window, delay, known, kind == "real")


DEFAULT_MEASURES = {"classes": "error", "real": "mse", "novelty": "share-flagged"}


def _chunks(stream):
    """(iterator over chunks, (X, y) or None)."""
    if isinstance(stream, tuple) and len(stream) == 2:
        X, y = stream[0] if hasattr(stream[0], "shape") else list(stream[0]), np.asarray(stream[1])
        if hasattr(X, "tocsr"):
            X = X.tocsr()
        elif isinstance(X, list) and X and not isinstance(X[0], dict):
            X = np.asarray(X)
        count = X.shape[0] if hasattr(X, "shape") else len(X)
        if count != len(y):
            raise ValueError(f"the stream has {count} rows and {len(y)} labels")
        return ((X[a : a + CHUNK], y[a : a + CHUNK]) for a in range(0, count, CHUNK)), (X, y)
    return iter(stream), None


def _kind(estimator, measures):
    """What the estimator predicts: "classes", "real" or "novelty"."""
    if hasattr(estimator, "_kinds"):
        return next((kind for kind in ("novelty", "real") if kind in estimator._kinds), "classes")
    names = () if measures is None or isinstance(measures, dict) else measures
    needs = any(streams.needs_targets(name) for name in names)
    regressor = getattr(estimator, "_estimator_type", None) == "regressor" or any(
        "Regressor" in base.__name__ for base in type(estimator).__mro__
    )
    return "real" if needs or regressor or getattr(estimator, "real", False) else "classes"


def _classes(whole, classes, kind):
    """All classes, sorted; None if they are unknown, or without classes."""
    if kind != "classes" or (classes is None and whole is None):
        return None
    return np.unique(whole[1] if classes is None else classes)


def _copy(estimator, X):
    """A copy that has not learned, with the width of the kernel for these rows."""
    from sklearn.base import clone

    from ..estimators.kernels import has_width, width

    name, protocol = type(estimator).__name__, estimator._learner["protocol"]
    if protocol != "stream":
        raise ValueError(f"{name} does not learn row by row: its protocol is {protocol}")
    one = clone(estimator)
    if getattr(one, "gamma", None) in ("scale", "median") and has_width(one.kernel) and hasattr(X, "shape"):
        gamma = width(one, X)
        one.set_params(gamma=one.gamma if gamma is None else gamma)
    return one


def _native(one, chunks, whole, names, window, delay, known, kind):
    if kind == "classes" and known is None:
        raise ValueError("classes: pass all classes of the stream; they cannot be taken from chunks")
    one._recorded = {"measures": [*names, *(f"{name}@{window}" for name in names if window)]}
    if delay:
        if whole is None:
            raise ValueError("delay: pass the complete stream as (X, y), not chunks")
        if known is not None and not np.array_equal(known, np.unique(whole[1])):
            raise ValueError("delay: every class must occur in y")
        one._recorded["delay"] = int(delay)
        one.set_params(order="file", epochs=1).fit(*whole)
    else:
        for X, y in chunks:
            one.partial_fit(X, y, **({} if known is None else {"classes": known}))
    recorded = one.__dict__.pop("_recorded")["measures"]  # a later fit is plain
    curves = one.trace_.drop(columns="example")
    last = curves.iloc[-1]
    frame = curves.tail(1)[["step", *recorded]].rename(columns={"step": "steps"})
    counts = one.kernel_evaluations_
    frame = frame.assign(support_vectors=int(last["support_vectors"]), requested=counts.requested)
    return Prequential(one, frame.assign(seconds=float(last["seconds"])).reset_index(drop=True), curves)


def _by_object(one, chunks, names, functions, window, delay, classes, real):
    import pandas as pd

    steps = Steps(one, classes, real)
    waiting, labels, scores = collections.deque(), [], []
    for X, y in chunks:
        for x, label in zip(_rows(X), np.asarray(y).ravel()):
            scores.append(steps.scores(x))
            labels.append(label)
            waiting.append((x, label))
            if len(waiting) > delay:
                steps.learn(*waiting.popleft())
    for x, label in waiting:
        steps.learn(x, label)
    stream = steps.stream(scores, labels)
    curves = {}
    for name in names:
        what = functions.get(name, name)
        curves["step"], curves[name] = streams.measured(stream, what)
        if window:
            curves[f"{name}@{window}"] = streams.measured(stream, what, window)[1]
    curves = pd.DataFrame(curves)
    frame = curves.tail(1).rename(columns={"step": "steps"}).reset_index(drop=True)
    if hasattr(one, "kernel_evaluations_"):
        frame = frame.assign(support_vectors=len(one.support_vectors_), requested=one.kernel_evaluations_.requested)
    return Prequential(one, frame, curves)


def _rows(X):
    """The rows of a chunk: matrices of one row, or the objects of a list, such as dicts."""
    if hasattr(X, "shape"):
        return (X[i : i + 1] for i in range(X.shape[0]))
    return iter(X)


class Steps:
    """Predicts and learns row by row with scikit-learn's or River's methods. Raises ValueError for other objects."""

    def __init__(self, one, classes, real):
        self.one, self.real = one, real
        self.classes = None if classes is None else np.unique(classes)
        self.river = hasattr(one, "learn_one") and hasattr(one, "predict_one")
        if not self.river and not (hasattr(one, "partial_fit") and hasattr(one, "predict")):
            raise ValueError(f"{type(one).__name__} has neither partial_fit and predict, nor learn_one and predict_one")
        self.first = not (hasattr(one, "classes_") or hasattr(one, "n_features_in_"))

    def as_river(self, x):
        """A row as a dict; the names of a matrix's columns are their numbers."""
        if hasattr(x, "tocsr"):
            row = x.tocsr()
            return dict(zip(row.indices.tolist(), row.data.tolist()))
        return dict(enumerate(np.asarray(x).ravel().tolist())) if hasattr(x, "shape") else x

    def scores(self, x):
        """A prediction: a number, a label, {label: probability}, or None before the first row."""
        if self.river:
            x, found = self.as_river(x), None
            if hasattr(self.one, "predict_proba_one") and not self.real:
                try:
                    found = self.one.predict_proba_one(x)
                except NotImplementedError:  # River's classifiers without probabilities
                    pass
            return found if found else self.one.predict_one(x)
        if self.first:
            return None
        for name in ("predict_proba", "decision_function"):
            if self.real or not hasattr(self.one, name):
                continue
            found = np.atleast_1d(getattr(self.one, name)(x)[0])
            if np.isfinite(found).all():
                return dict(zip(self.one.classes_, (-found[0], found[0]) if len(found) == 1 else found))
        return self.one.predict(x)[0]

    def learn(self, x, label):
        if self.river:
            self.one.learn_one(self.as_river(x), label)
        elif self.first and not self.real:
            if self.classes is None:
                raise ValueError("classes: pass all classes of the stream")
            self.one.partial_fit(x, [label], classes=self.classes)
        else:
            self.one.partial_fit(x, [label])
        self.first = False

    def stream(self, found, labels):
        """The streams.Stream of predictions and labels."""
        if self.real:
            values = [[0.0 if one is None else float(one)] for one in found]
            return streams.make_stream(np.array(values), target=np.array(labels, dtype=float))
        seen = {label for one in found if one is not None for label in (one if isinstance(one, dict) else [one])}
        known = sorted(seen | set(labels) | (set() if self.classes is None else set(self.classes.tolist())))
        place = {label: i for i, label in enumerate(known)}
        scores = np.zeros((len(found), max(2, len(known))))
        for row, one in zip(scores, found):
            for label, score in (one if isinstance(one, dict) else {one: 1.0} if one is not None else {}).items():
                row[place[label]] = score
        indices = np.array([place[label] for label in labels])
        if len(known) > 2:
            return streams.make_stream(scores, indices)
        return streams.make_stream((scores[:, 1] - scores[:, 0])[:, None], 2 * indices - 1)
