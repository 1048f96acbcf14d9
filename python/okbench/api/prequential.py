"""Prequential evaluation in one call: every row is predicted first and learned then."""

import collections
import dataclasses
from typing import Any

import numpy as np

from ..traces import streams

CHUNK = 65536  # rows per call of partial_fit


@dataclasses.dataclass
class Prequential:
    """The result of `okbench.prequential`.

    estimator: the estimator after the last row.
    frame: data frame with one row: the number of steps, every measure at the end, and the costs.
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
    measures: names (`okbench list measures`) or {"mine": function of labels and scores}; default: the error, or the
        mean squared error of regressors. Functions need an object that is not an okbench estimator, or recorded scores.
    window: number of last rows; every measure is also computed over them. None: only over all rows.
    delay: rows until a label becomes known. Needs (X, y).
    classes: all classes of the stream; needed for chunks.

    The scores of an okbench estimator are those of its learner before each update, so a row costs one evaluation of the
    kernel row. Regressors with `standardize=True`, and functions, need a prediction per row in addition, which takes
    much longer. Raises ValueError.
    """
    chunks, whole = _chunks(stream)
    real = _is_regressor(estimator)
    names = list(measures) if measures is not None else ["mse" if real else "error"]
    functions = measures if isinstance(measures, dict) else {}
    # Standardised targets would give errors in other units.
    if hasattr(estimator, "_learner") and not functions and not getattr(estimator, "standardize", False):
        return _native(estimator, chunks, whole, names, window, delay, classes, real)
    return _by_object(estimator, chunks, names, functions, window, delay, classes, real)


def _chunks(stream):
    """(iterable of chunks, (X, y) or None)."""
    if isinstance(stream, tuple) and len(stream) == 2 and hasattr(stream[0], "shape") and stream[0].ndim == 2:
        X, y = stream[0], np.asarray(stream[1])
        if X.shape[0] != len(y):
            raise ValueError(f"the stream has {X.shape[0]} rows and {len(y)} labels")
        return ((X[a : a + CHUNK], y[a : a + CHUNK]) for a in range(0, len(y), CHUNK)), (X, y)
    return iter(stream), None


def _is_regressor(estimator):
    return getattr(estimator, "_estimator_type", None) == "regressor" or "real" in getattr(estimator, "_kinds", ())


def _classes(whole, classes, real):
    if real:
        return None
    if classes is None and whole is None:
        raise ValueError("classes: name all classes of a stream of chunks")
    return np.unique(whole[1] if classes is None else classes)


def _native(estimator, chunks, whole, names, window, delay, classes, real):
    from sklearn.base import clone

    one = clone(estimator)
    one._recorded = {"measures": [*names, *(f"{name}@{window}" for name in names if window)]}
    if delay:
        if whole is None:
            raise ValueError("delay: needs the whole stream, (X, y)")
        one._recorded["delay"] = int(delay)
        one.set_params(order="file", epochs=1).fit(*whole)
    else:
        known = _classes(whole, classes, real)
        for X, y in chunks:
            one.partial_fit(X, y, **({} if real else {"classes": known}))
    curves = one.trace_.drop(columns="example")
    last = curves.iloc[-1]
    frame = curves.tail(1)[["step", *one._recorded["measures"]]].rename(columns={"step": "steps"})
    counts = one.kernel_evaluations_
    frame = frame.assign(support_vectors=int(last["support_vectors"]), requested=counts.requested)
    return Prequential(one, frame.assign(seconds=float(last["seconds"])).reset_index(drop=True), curves)


def _by_object(one, chunks, names, functions, window, delay, classes, real):
    import pandas as pd

    steps = Steps(one, classes, real)
    waiting, labels, scores = collections.deque(), [], []
    for X, y in chunks:
        for x, label in zip(_rows(X), np.asarray(y)):
            scores.append(steps.scores(x))
            labels.append(label)
            waiting.append((x, label))
            if len(waiting) > delay:
                steps.learn(*waiting.popleft())
    if not labels:
        raise ValueError("the stream is empty")
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
    return Prequential(one, curves.tail(1).rename(columns={"step": "steps"}).reset_index(drop=True), curves)


def _rows(X):
    """The rows of a chunk: matrices of one row, or the objects of a list, such as dicts."""
    if hasattr(X, "shape"):
        return (X[i : i + 1] for i in range(X.shape[0]))
    return iter(X)


class Steps:
    """Predicts and learns row by row with scikit-learn's or River's methods. Raises ValueError for other objects."""

    def __init__(self, one, classes, real):
        self.one, self.real, self.first = one, real, True
        self.classes = None if classes is None else np.unique(classes)
        self.river = hasattr(one, "learn_one") and hasattr(one, "predict_one")
        if not self.river and not (hasattr(one, "partial_fit") and hasattr(one, "predict")):
            raise ValueError(f"{type(one).__name__} has neither partial_fit and predict, nor learn_one and predict_one")

    def as_river(self, x):
        return dict(enumerate(np.asarray(x).ravel().tolist())) if hasattr(x, "shape") else x

    def scores(self, x):
        """A prediction: a number, a label, {label: probability}, or None before the first row."""
        if self.river:
            x = self.as_river(x)
            found = self.one.predict_proba_one(x) if hasattr(self.one, "predict_proba_one") and not self.real else None
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
                raise ValueError("classes: name all classes of the stream")
            self.one.partial_fit(x, [label], classes=self.classes)
        else:
            self.one.partial_fit(x, [label])
        self.first = False

    def stream(self, found, labels):
        """The streams.Stream of predictions and labels."""
        if self.real:
            values = [[0.0 if one is None else float(one)] for one in found]
            return streams.make_stream(np.array(values), target=np.array(labels, dtype=float))
        seen = {label for one in found if isinstance(one, dict) for label in one}
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
