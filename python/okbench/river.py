"""River's classes for okbench estimators: a row is a dict, and rows come one at a time.

With River installed the classes are River's, so that its pipelines, ensembles, metrics and checks take them. Without it
they have the same methods.
"""

import copy
import itertools
import math

import numpy as np
from sklearn.base import clone

from .estimators import collected
from .estimators.probabilities import fitted_scale, probabilities

try:
    from river import base

    if not hasattr(base, "AnomalyDetector"):
        raise RuntimeError("okbench needs River 0.26 or later; update river, or remove it")
except ImportError:  # River is not needed

    class base:
        """Empty classes in place of River's."""

        MiniBatchClassifier = MiniBatchRegressor = AnomalyDetector = object


DENSE = 128  # features up to which rows are always dense
SPARSE = 8  # a row is sparse if it names fewer than one in this number of features


def wrap(estimator, classes=None):
    """An object of River with the learner of an okbench estimator: a Classifier, Regressor or AnomalyDetector.

    estimator: an okbench estimator with `partial_fit`; a copy of it learns. classes: all classes of a classifier.
        Without them, new classes may appear at any time, if the method learns one function per class; else it learns
        two classes, which `river.multiclass.OneVsRestClassifier` extends to more.

    Features may appear at any time. A new one is 0 in every row so far, and one that a row lacks is 0 in this row.
    Predictions ignore features that no learned row had.
    """
    if not hasattr(estimator, "_kinds"):
        raise ValueError(f"wrap: {type(estimator).__name__} is not an okbench estimator")
    if "real" in estimator._kinds:
        return Regressor(estimator)
    return AnomalyDetector(estimator) if "novelty" in estimator._kinds else Classifier(estimator, classes)


def counts(weight):
    """Whether a row of this weight is learned. Raises ValueError for a negative weight."""
    if weight < 0:
        raise ValueError(f"w: {weight} is negative")
    return weight != 0


class Model:
    """Base class. `estimator` is the argument of `wrap`; `model` is the copy that learns."""

    def __init__(self, estimator):
        if not hasattr(estimator, "partial_fit"):
            raise ValueError(f"{type(estimator).__name__} does not learn row by row: it has no partial_fit")
        self.estimator = estimator
        self.model = clone(estimator)
        self._seen = 0  # rows learned
        self._places = {}  # {name of a feature: its column}

    def __str__(self):
        return type(self.estimator).__name__

    @classmethod
    def _unit_test_params(cls):
        from . import estimators

        names = {Regressor: "PKAWVRegressor", AnomalyDetector: "NORMANoveltyDetector"}
        yield {"estimator": getattr(estimators, names.get(cls, "BPAS"))()}

    def _unit_test_skips(self):
        # A mini-batch is one step.
        return {"check_learn_many_matches_learn_one"} if self.model._learner["protocol"] == "mini-batches" else set()

    def clone(self, new_params=None, include_attributes=False):
        """A copy that has learned nothing. `new_params` may also name parameters of the estimator."""
        if include_attributes:
            return copy.deepcopy(self)
        new = dict(new_params or {})
        params = {name: new.pop(name, getattr(self, name)) for name in ("estimator", "classes") if hasattr(self, name)}
        return type(self)(**params | {"estimator": clone(params["estimator"]).set_params(**new)})

    @property
    def _raw_memory_usage(self):
        """Bytes of the learner's state, without the trace."""
        session = self._session
        return 0 if session is None else len(session.save())

    @property
    def _session(self):
        return self.model.__dict__.get("_session")

    def _numbers(self, x):
        """The row as a dict of numbers by name."""
        if type(x) is dict:
            return x
        if hasattr(x, "items"):  # a pandas Series too
            return dict(x.items())
        return dict(enumerate(np.asarray(x, dtype=float).ravel().tolist()))

    def _matrix(self, rows):
        """Rows as a matrix, with the columns of `_places`. Raises ValueError for a value that is no finite number."""
        X = np.zeros((len(rows), getattr(self.model, "n_features_in_", len(self._places))))
        for to, row in zip(X, rows):
            for name, value in row.items():
                if name in self._places:
                    try:
                        to[self._places[name]] = value
                        finite = math.isfinite(value)
                    except (TypeError, ValueError):
                        finite = False
                    if not finite:
                        raise ValueError(f"feature {name!r} is {value!r}: not a finite number")
        return X

    def _add_features(self, rows):
        """Adds the names that are new in these rows, in sorted order: that of the dicts has no influence."""
        new = {name for row in rows for name in row if name not in self._places}
        if not new:
            return
        try:
            new = sorted(new)
        except TypeError:
            new = sorted(new, key=repr)
        count = len(self._places)
        needed = count + len(new)
        have = getattr(self.model, "n_features_in_", needed)
        if needed > have:
            few = SPARSE * max(map(len, rows)) < needed
            sparse = self._session is not None and needed > DENSE and few
            # Columns in reserve cost nothing in sparse rows.
            self.model._add_features(max(needed - have, have // 4) if sparse else needed - have, sparse)
        self._places.update((name, count + i) for i, name in enumerate(new))

    def _learn_row(self, x, y, code, weight):
        """Learns one row. `code`: the label for the compiled session."""
        x, model, session = self._numbers(x), self.model, self._session
        if session is None or weight != 1 and not model._learner["weights"]:
            return self._learn_rows([x], [y], [weight])
        layout = model._layout
        if not session.learn_dict(self._places, x, code, weight, layout.compressed, layout.constant):
            self._add_features([x])
            layout = model._layout
            session.learn_dict(self._places, x, code, weight, layout.compressed, layout.constant)
        model._saved_trace = None
        model._scale = []
        self._seen += 1

    def _learn_rows(self, rows, labels, weights):
        self._add_features(rows)
        weights = {} if all(weight == 1 for weight in weights) else {"sample_weight": weights}
        self._partial_fit(self._matrix(rows), labels, weights)
        self._seen += len(rows)

    def _scores(self, x):
        """Scores of one row, a list. None before the learner has a model. Raises FloatingPointError."""
        session = self._session
        if session is None:
            return None
        layout = self.model._layout
        scores = session.scores_of_dict(self._places, self._numbers(x), layout.compressed, layout.constant)
        if not math.isfinite(sum(scores)):
            self.model.predict(self._matrix([self._numbers(x)]))  # raises, with the remedy
        return scores

    def _rows_of(self, X):
        """The rows of a data frame as dicts."""
        names = list(X.columns)
        return [dict(zip(names, row)) for row in X.itertuples(index=False, name=None)]


class Classifier(Model, base.MiniBatchClassifier):
    """A classifier of River that learns with an okbench estimator. Made by `wrap`."""

    def __init__(self, estimator, classes=None):
        super().__init__(estimator)
        self.classes = classes
        if classes is None and not estimator._grows() and "binary" not in estimator._kinds:
            raise ValueError(f"classes: pass all classes; {type(estimator).__name__} learns them together")
        self._weights = getattr(estimator, "class_weight", None)
        if isinstance(self._weights, str):
            raise ValueError(f"class_weight: {self._weights!r} needs all rows; use a dict")
        if self._weights is not None:
            names = [name for name in self.model.get_params() if name.endswith("class_weight")]  # in a Hedged: nested
            self.model.set_params(**dict.fromkeys(names))
        self._fixed = classes is not None  # no other class may appear
        self._codes, self._labels = {}, []  # {label: its number}, and labels by number
        for label in [] if classes is None else np.unique(classes).tolist():
            self._add_class(label)
        self._scaled_at, self._scale = 0, 1.0  # rows learned when the scale was fitted

    @property
    def _multiclass(self):
        return bool(self.estimator._grows() or self._fixed and len(self._codes) > 2)

    def _add_class(self, label):
        self._codes[label] = len(self._codes)
        self._labels = list(self._codes)

    def _code(self, y):
        """The number of a label. Raises ValueError for a class that cannot be added."""
        code = self._codes.get(y)
        if code is not None:
            return code
        if isinstance(y, (bool, np.bool_)) and not self._codes:
            self._fixed = True
            self._add_class(False)
            self._add_class(True)
            return int(y)
        if y is None or y != y:  # NaN is not equal to itself
            raise ValueError("y: the label is missing")
        label = y.item() if isinstance(y, np.generic) else y
        if self._fixed:
            raise ValueError(f"label {label!r} is not one of the classes {self._labels}")
        if not self.estimator._grows() and len(self._codes) == 2:
            raise ValueError(
                f"{type(self.estimator).__name__} learns two classes, {self._labels[0]!r} and {self._labels[1]!r}, and "
                f"{label!r} is another: use river.multiclass.OneVsRestClassifier, or pass classes to wrap"
            )
        self._add_class(label)
        return self._codes[label]

    def _grows(self):
        return not self._fixed and self.estimator._grows()

    def learn_one(self, x, y, w=1.0):
        """Learns from one row. x: {feature: number}. y: its class. w: weight of its loss, >= 0."""
        if self._weights is not None:
            w *= self._weights.get(y, 1)
        if not counts(w):
            return
        before = len(self._codes)
        try:
            code = self._code(y)
            if self._grows() and len(self._codes) > before:  # a new function
                return self._learn_rows([self._numbers(x)], [code], [w])
            binary = self.model.__dict__.get("_known_kind") == "binary"
            self._learn_row(x, code, 2 * code - 1 if binary else code, w)
        except BaseException:
            self._forget_classes(before)
            raise

    def learn_many(self, X, y):
        """Learns from the rows of a data frame, in order. y: a series of classes."""
        given = self._weights or {}
        kept = [(x, label, given.get(label, 1)) for x, label in zip(self._rows_of(X), y) if given.get(label, 1) != 0]
        if not kept:
            return
        before = len(self._codes)
        try:
            rows, labels, weights = zip(*kept)
            self._learn_rows(rows, [self._code(label) for label in labels], weights)
        except BaseException:
            # The model keeps the classes of the rows that it has learned.
            self._forget_classes(max(before, len(getattr(self.model, "classes_", ()))))
            raise

    def _forget_classes(self, count):
        """Removes the classes after the first `count`, because their first rows could not be learned."""
        if not self._fixed:
            for label in self._labels[count:]:
                del self._codes[label]
            self._labels = list(self._codes)

    def _partial_fit(self, X, codes, weights):
        """Learns rows. A class begins with its first row, as when the rows are learned one by one."""
        codes = np.array(codes)
        if not self._grows():
            self.model.partial_fit(X, codes, classes=np.arange(max(2, len(self._codes))), **weights)
            return
        first = np.unique(codes, return_index=True)[1]
        known = getattr(self.model, "classes_", ())
        borders = [0, *sorted(place for place in first if place > 0 and codes[place] not in known), len(codes)]
        for begin, end in itertools.pairwise(borders):
            some = {name: values[begin:end] for name, values in weights.items()}
            self.model.partial_fit(X[begin:end], codes[begin:end], **some)

    def predict_one(self, x):
        """The class with the largest score; None before the first row."""
        scores = self._scores(x)
        if scores is None:
            return self._labels[0] if self._seen else None
        best = int(scores[0] > 0) if len(scores) == 1 else scores.index(max(scores))
        return self._labels[best if best < len(self._labels) else 0]

    def predict_proba_one(self, x):
        """{class: probability} of the classes so far. Raises NotImplementedError if the method has none."""
        if not hasattr(self.model, "predict_proba"):
            raise NotImplementedError(f"{self} has no probabilities")
        scores = self._scores(x)
        if scores is None:
            # Without classes, a method for two classes has the labels of River's binary classifiers.
            labels = self._labels or ([] if self.estimator._grows() else [False, True])
            return {label: 1 / len(labels) for label in labels}
        return dict(zip(self._labels, self._probabilities(np.array([scores]))[0].tolist()))

    def _probabilities(self, scores):
        """Probabilities of the classes so far. The scale is that of `predict_proba`, fitted after a tenth more rows."""
        if len(self._codes) == 1:
            return np.ones((len(scores), 1))
        if not self.model._logistic():
            if self._seen >= 1.1 * self._scaled_at:
                self._scaled_at = self._seen
                self._scale = fitted_scale(*self._session.scores())
            scores = self._scale * scores
        return probabilities(scores[:, : len(self._labels)] if scores.shape[1] > 1 else scores)

    def predict_many(self, X):
        """The classes of the rows of a data frame, as a series."""
        import pandas as pd

        return pd.Series([self.predict_one(x) for x in self._rows_of(X)], index=X.index, dtype=object).infer_objects()

    def predict_proba_many(self, X):
        """The probabilities of the rows of a data frame, one column a class."""
        import pandas as pd

        return pd.DataFrame([self.predict_proba_one(x) for x in self._rows_of(X)], index=X.index)


class Regressor(Model, base.MiniBatchRegressor):
    """A regressor of River that learns with an okbench estimator. Made by `wrap`."""

    def learn_one(self, x, y, w=1.0):
        """Learns from one row. x: {feature: number}. y: its target. w: weight of its loss, >= 0."""
        if counts(w):
            self._learn_row(x, y, float(y), w)

    def learn_many(self, X, y):
        """Learns from the rows of a data frame, in order. y: a series of targets."""
        if len(y):
            self._learn_rows(self._rows_of(X), list(y), [1] * len(y))

    def _partial_fit(self, X, targets, weights):
        self.model.partial_fit(X, np.array(targets, dtype=float), **weights)

    def predict_one(self, x):
        """The prediction; 0 before the first row, the mean target before the width of the kernel is known."""
        scores = self._scores(x)
        if scores is not None:
            return scores[0]
        parts = self.model.__dict__.get("_collected")
        return float(collected.joined(parts).targets.mean()) if parts and self.model.standardize else 0.0

    def predict_many(self, X):
        """The predictions of the rows of a data frame, as a series."""
        import pandas as pd

        return pd.Series([self.predict_one(x) for x in self._rows_of(X)], index=X.index, dtype=float)


class AnomalyDetector(Model, base.AnomalyDetector):
    """An anomaly detector of River that learns with an okbench novelty detector. Made by `wrap`."""

    def learn_one(self, x, w=1.0):
        """Learns from one row of normal data. x: {feature: number}. w: weight of its loss, >= 0."""
        if counts(w):
            self._learn_row(x, None, 1, w)

    def _partial_fit(self, X, _, weights):
        self.model.partial_fit(X, **weights)

    def score_one(self, x):
        """The margin minus the score: positive for novel rows. 0 before the learner has a model."""
        scores = self._scores(x)
        return 0.0 if scores is None else -scores[0]
