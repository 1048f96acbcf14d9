"""Prequential evaluation in one call: every row is predicted first and learned then."""

import collections
import dataclasses
import itertools
from typing import Any

import numpy as np

from ..estimators.collected import ROWS, is_needed
from ..estimators.rows import canonical
from ..results import streams

CHUNK = 65536  # rows per call of partial_fit
PAIRS = 1000  # pairs (dict, label) that are learned together
RANKED = ("auc", "log-loss")  # measures of scores


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
    stream: (X, y), or an iterable of chunks (X, y) or of River's pairs (dict, label). X is an array, a CSR matrix, a
        data frame or a list of dicts; y has no missing label. An okbench estimator needs memory for one chunk only.
    measures: names (`okbench help measures`) or {"mine": function of labels and scores}. Default: the error, the mean
        squared error of regressors, the share of flagged rows of novelty detectors. For other objects, measures of
        labels use `predict`, measures of scores the probabilities, and no prediction (None) is wrong.
    window: number of last rows; every measure is also computed over them. None: only over all rows.
    delay: rows until a label becomes known. An okbench estimator then needs (X, y).
    classes: all classes of the stream. Default: those of y in (X, y).

    gamma="scale" and "median" use the first 30 rows of the stream. The scores of an okbench estimator are
    those of its learner before each update, so a row costs one evaluation of the kernel row. Regressors with
    `standardize=True`, and functions, need a prediction per row in addition, which takes much longer. Raises
    ValueError.
    """
    if window is not None and (int(window) != window or window < 1):
        raise ValueError(f"window: must be an integer >= 1 or None, not {window!r}")
    if int(delay) != delay or delay < 0:
        raise ValueError(f"delay: must be an integer >= 0, not {delay!r}")
    measures = [measures] if isinstance(measures, str) else measures
    chunks, whole = _chunks(stream, hasattr(estimator, "_learner"))
    first = next(chunks, None)
    if first is None:
        raise ValueError("the stream is empty")
    chunks = itertools.chain([first], chunks)
    kind = _kind(estimator, measures)
    names = list(measures) if measures is not None else [DEFAULT_MEASURES[kind]]
    functions = measures if isinstance(measures, dict) else {}
    known = _classes(whole, classes, kind)
    if hasattr(estimator, "_learner"):
        estimator = _copy(estimator, whole)
        # Standardised targets would give errors in other units.
        if not functions and not getattr(estimator, "standardize", False):
            return _native(estimator, chunks, whole, names, window, delay, known, kind)
    if kind == "novelty":
        raise ValueError("functions of novelty detectors: record their predictions with okbench.run")
    return _by_object(estimator, chunks, names, functions, window, delay, known, kind == "real")


DEFAULT_MEASURES = {"classes": "error", "real": "mse", "novelty": "share-flagged"}


def _chunks(stream, matrices):
    """(iterator over chunks that are not empty, (X, y) or None). `matrices`: X must not be a list of dicts."""
    names = []
    whole = None
    if isinstance(stream, (tuple, list)) and len(stream) == 2 and not (_is_chunk(stream[0]) and _is_chunk(stream[1])):
        X, y = _features(stream[0], names if matrices else None), _labels(stream[1])
        count = len(X) if isinstance(X, list) else X.shape[0]
        if count != len(y):
            raise ValueError(f"the stream has {count} rows and {len(y)} labels")
        whole = X, y
        parts = ((X[a : a + CHUNK], y[a : a + CHUNK]) for a in range(0, count, CHUNK))
    else:
        parts = ((_features(X, names if matrices else None), _labels(y)) for X, y in _gathered(stream))
    return ((X, y) for X, y in parts if len(y)), whole


def _is_chunk(part):
    """Whether a part of a stream is (X, y) rather than X or y."""
    return isinstance(part, tuple) and len(part) == 2 and not np.isscalar(part[0])


def _gathered(stream):
    """Chunks (X, y) of an iterable of chunks, or of pairs (row, label)."""
    rows, labels = [], []
    for X, y in stream:
        if np.ndim(y) > 0:
            yield X, y
            continue
        rows.append(X)
        labels.append(y)
        if len(rows) == PAIRS:
            yield rows, labels
            rows, labels = [], []
    if rows:
        yield rows, labels


def _features(X, names):
    """X as a data frame, a CSR matrix, an array of numbers, or a list of dicts.

    `names`: a list that keeps the names of the features of dicts, which become columns; None: dicts stay dicts. Raises
    ValueError.
    """
    if hasattr(X, "tocsr"):
        return canonical(X.tocsr())
    if hasattr(X, "iloc"):
        return X
    X = X if hasattr(X, "shape") else list(X)
    if isinstance(X, list) and X and isinstance(X[0], dict):
        if names is None:
            return X
        names += [] if names else X[0]
        unknown = next((name for row in X for name in row if name not in names), None)
        if unknown is not None:
            raise ValueError(f"unknown feature {unknown!r}; the first row has {names}")
        return np.array([[float(row.get(name, 0.0)) for name in names] for row in X])
    X = np.asarray(X)
    return X.astype(float) if X.dtype == object else X


def _labels(y):
    """y as an array of one dimension. Raises ValueError for a missing label."""
    import pandas as pd

    y = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y).ravel()
    if y.dtype.kind in "Of":
        missing = np.flatnonzero(pd.isna(y))
        if len(missing):
            raise ValueError(f"y: row {missing[0]} of the chunk has no label")
    return np.array(y.tolist()) if y.dtype == object and len(y) else y


def _kind(estimator, measures):
    """What the estimator predicts: "classes", "real" or "novelty"."""
    if hasattr(estimator, "_kinds"):
        return next((kind for kind in ("novelty", "real") if kind in estimator._kinds), "classes")
    names = () if measures is None or isinstance(measures, dict) else measures
    needs = any(streams.needs_targets(name) for name in names)
    return "real" if needs or _is_regressor(estimator) or getattr(estimator, "real", False) else "classes"


def _is_regressor(estimator):
    """Whether an object, or the last step of a pipeline, is a regressor of scikit-learn or River."""
    last = getattr(estimator, "steps", None)
    if last:
        last = list(last.values() if isinstance(last, dict) else last)[-1]
        return _is_regressor(last[1] if isinstance(last, tuple) else last)
    if getattr(estimator, "_estimator_type", None) == "regressor":
        return True
    return any("Regressor" in base.__name__ for base in type(estimator).__mro__)


def _classes(whole, classes, kind):
    """All classes, sorted; None if they are unknown, or without classes."""
    if kind != "classes" or (classes is None and whole is None):
        return None
    return np.unique(whole[1] if classes is None else classes)


def _copy(estimator, whole):
    """A copy that has not learned. If the stream is whole, it has the width of the kernel for its first rows."""
    from sklearn.base import clone

    from ..estimators.kernels import width

    name, protocol = type(estimator).__name__, estimator._learner["protocol"]
    if protocol != "stream":
        raise ValueError(f"{name} does not learn row by row: its protocol is {protocol}")
    fresh_copy = clone(estimator)
    if whole is not None and is_needed(fresh_copy):
        rows = whole[0][:ROWS]
        gamma = width(fresh_copy, rows.to_numpy(dtype=float) if hasattr(rows, "to_numpy") else rows)
        getattr(fresh_copy, "estimator", fresh_copy).set_params(gamma=gamma)
    return fresh_copy


def _native(estimator, chunks, whole, names, window, delay, known, kind):
    if kind == "classes" and known is None:
        raise ValueError("classes: pass all classes of the stream; they cannot be taken from chunks")
    estimator._recorded = {"measures": [*names, *(f"{name}@{window}" for name in names if window)]}
    if delay:
        if whole is None:
            raise ValueError("delay: pass the complete stream as (X, y), not chunks")
        if known is not None and not np.array_equal(known, np.unique(whole[1])):
            raise ValueError("delay: every class must occur in y")
        estimator._recorded["delay"] = int(delay)
        estimator.set_params(order="file", epochs=1).fit(*whole)
    else:
        for X, y in chunks:
            estimator.partial_fit(X, y, **({} if known is None else {"classes": known}))
        if "_collected" in estimator.__dict__:
            raise ValueError(f"the stream has too few rows: gamma={estimator.gamma!r} needs {ROWS}; pass a number")
    recorded = estimator.__dict__.pop("_recorded")["measures"]  # a later fit is plain
    curves = estimator.trace_.drop(columns="example")
    last = curves.iloc[-1]
    frame = curves.tail(1)[["step", *recorded]].rename(columns={"step": "steps"})
    counts = estimator.kernel_evaluations_
    frame = frame.assign(support_vectors=int(last["support_vectors"]), requested=counts.requested)
    return Prequential(estimator, frame.assign(seconds=float(last["seconds"])).reset_index(drop=True), curves)


def _by_object(estimator, chunks, names, functions, window, delay, classes, real):
    import pandas as pd

    steps = Steps(estimator, classes, real)
    ranked = bool(functions) or any(streams.parse(name)[0] in RANKED for name in names)
    waiting, labels, predicted, scores = collections.deque(), [], [], []
    for X, y in chunks:
        if not real and y.dtype.kind == "f" and np.any(y != np.rint(y)):
            raise ValueError("y has fractions, but the estimator predicts classes; for a regressor pass measures='mse'")
        for x, label in zip(_rows(X), y):
            predicted.append(steps.predict(x))
            if ranked and not real:
                scores.append(steps.probabilities(x))
            labels.append(label)
            waiting.append((x, label))
            if len(waiting) > delay:
                steps.learn(*waiting.popleft())
    for x, label in waiting:
        steps.learn(x, label)
    stream = steps.stream(predicted, scores, labels)
    curves = {}
    for name in names:
        what = functions.get(name, name)
        curves["step"], curves[name] = streams.measured(stream, what)
        if window:
            curves[f"{name}@{window}"] = streams.measured(stream, what, window)[1]
    curves = pd.DataFrame(curves)
    frame = curves.tail(1).rename(columns={"step": "steps"}).reset_index(drop=True)
    if hasattr(estimator, "kernel_evaluations_"):
        frame = frame.assign(
            support_vectors=len(estimator.support_vectors_), requested=estimator.kernel_evaluations_.requested
        )
    return Prequential(estimator, frame, curves)


def _rows(X):
    """The rows of a chunk: frames or matrices of one row, or the objects of a list, such as dicts."""
    if hasattr(X, "iloc"):
        return (X.iloc[i : i + 1] for i in range(len(X)))
    if hasattr(X, "shape"):
        return (X[i : i + 1] for i in range(X.shape[0]))
    return iter(X)


class Steps:
    """Predicts and learns row by row with scikit-learn's or River's methods. Raises ValueError for other objects."""

    def __init__(self, estimator, classes, real):
        self.one, self.real = estimator, real
        self.classes = None if classes is None else np.unique(classes)
        self.river = hasattr(estimator, "learn_one") and hasattr(estimator, "predict_one")
        if not self.river and not (hasattr(estimator, "partial_fit") and hasattr(estimator, "predict")):
            raise ValueError(
                f"{type(estimator).__name__} has neither partial_fit and predict, nor learn_one and predict_one"
            )
        self.first = not (hasattr(estimator, "classes_") or hasattr(estimator, "n_features_in_"))

    def as_river(self, x):
        """A row as a dict: the names of a frame's columns, or the numbers of a matrix's columns."""
        if hasattr(x, "iloc"):
            return dict(zip(x.columns, x.iloc[0].tolist()))
        if hasattr(x, "tocsr"):
            row = x.tocsr()
            return dict(zip(row.indices.tolist(), row.data.tolist()))
        return dict(enumerate(np.asarray(x).ravel().tolist())) if hasattr(x, "shape") else x

    def predict(self, x):
        """The predicted label or number; None before the first row."""
        if self.river:
            return self.one.predict_one(self.as_river(x))
        return None if self.first else self.one.predict(x)[0]

    def probabilities(self, x):
        """{label: probability or score}; None without such methods and before the first row."""
        if self.river:
            if not hasattr(self.one, "predict_proba_one"):
                return None
            try:
                return self.one.predict_proba_one(self.as_river(x)) or None
            except NotImplementedError:  # River's classifiers without probabilities
                return None
        for name in () if self.first else ("predict_proba", "decision_function"):
            if hasattr(self.one, name):
                class_scores = np.atleast_1d(getattr(self.one, name)(x)[0])
                if np.isfinite(class_scores).all():
                    return dict(
                        zip(
                            self.one.classes_,
                            (-class_scores[0], class_scores[0]) if len(class_scores) == 1 else class_scores,
                        )
                    )
        return None

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

    def stream(self, predicted, scores, labels):
        """The streams.Stream of predictions, {label: score} or None of each row (or no rows), and labels."""
        if self.real:
            values = [[0.0 if prediction is None else float(prediction)] for prediction in predicted]
            return streams.make_stream(np.array(values), target=np.array(labels, dtype=float))
        scores = [
            {prediction: 1.0} if row_scores is None else row_scores
            for prediction, row_scores in zip(predicted, scores or [None] * len(labels))
        ]
        seen = {label for row_scores in scores for label in row_scores if label is not None} | {
            prediction for prediction in predicted if prediction is not None
        }
        known = sorted(seen | set(labels) | (set() if self.classes is None else set(self.classes.tolist())))
        place = {label: i for i, label in enumerate(known)}
        table = np.zeros((len(labels), max(2, len(known))))
        for row, row_scores in zip(table, scores):
            for label, score in row_scores.items():
                if label is not None:
                    row[place[label]] = score
        indices = np.array([place[label] for label in labels])
        places = np.array([-1 if prediction is None else place[prediction] for prediction in predicted])
        if len(known) > 2:
            return streams.make_stream(table, indices, predicted=places)
        signs = np.select([places == 1, places == 0], [1, -1], 0)
        return streams.make_stream((table[:, 1] - table[:, 0])[:, None], 2 * indices - 1, predicted=signs)
