"""Classifiers, regressors and novelty detectors."""

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin, OutlierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from .base import Estimator
from .keeping import restored_on_failure
from .probabilities import LOGISTIC, fitted_scale, probabilities
from .registry import losses, losses_for
from .rows import as_learned, encoded, row_weights, sample_weights, validated


NUMBERS = "biuf"  # NumPy dtype kinds of numbers: bool, signed, unsigned, floating point


def listed(classes):
    """Classes as one line of text, for messages."""
    return np.array2string(np.asarray(classes), max_line_width=10**9, threshold=20, separator=", ")


def named(label):
    """A class as text, for messages. NumPy 2 would add the type."""
    return repr(label.item() if isinstance(label, np.generic) else label)


def check_partial(estimator):
    """Whether an estimator supports partial_fit."""
    return estimator._learner["resumable"]


class Classifier(ClassifierMixin, Estimator):
    """Base class of classifiers.

    `classes_` is sorted. With two classes, positive scores stand for `classes_[1]`.
    """

    def fit(self, X, y, sample_weight=None, **unknown):
        """Fits the classifier from scratch.

        X: rows, an array or a sparse matrix of shape (rows, features). y: labels of at least two classes.
        sample_weight: weights of the losses, shape (rows,), >= 0; default: 1. Methods that minimise a mean loss over X
        divide them by their mean. Raises ValueError.
        """
        self._refuse(unknown)
        with restored_on_failure(self):
            X, y = validated(self, X, True, y)
            classes, indices = encoded(y)
            weights = sample_weights(self, self._class_weights(sample_weight, X, y), X, True)
            if len(classes) < 2:
                raise ValueError(f"{type(self).__name__} needs two classes, but y has one class: {named(classes[0])}")
            self._learn_classes(X, classes, indices, True, weights)
        self.__dict__.pop("_arrivals", None)
        return self

    @available_if(check_partial)
    def partial_fit(self, X, y, classes=None, sample_weight=None, **unknown):
        """Continues learning with these rows, in the order of X.

        classes: all classes of all calls. Methods that learn one function per class may omit it on the first call: then
        new classes may appear in any call. sample_weight: as in `fit`, but never divided by the mean.
        Raises ValueError, also for a label that is not one of the classes.
        """
        self._refuse(unknown)
        first = not self._started
        if first and classes is None and not self._grows():
            raise ValueError("classes must be passed on the first call to partial_fit")
        if not first and sample_weight is None and self._goes_on(X, y, classes):
            return self
        X, y = validated(self, X, first, y)
        check_classification_targets(y)
        weights = sample_weights(self, self._class_weights(sample_weight, X, y, partial=True), X, False)
        if "_arrivals" in self.__dict__ or (first and classes is None):
            return self._learn_growing(X, y, first, weights)
        known = np.unique(classes) if first else self.classes_
        if not first and classes is not None and not np.array_equal(known, np.unique(classes)):
            raise ValueError(
                f"classes={listed(classes)} is not the same as on the last call to partial_fit: {listed(known)}"
            )
        if (y.dtype.kind in NUMBERS) != (known.dtype.kind in NUMBERS):
            raise ValueError(f"label {named(y[0])} is not one of the classes {listed(known)}")
        indices = np.searchsorted(known, y)
        wrong = (indices == len(known)) | (known[np.minimum(indices, len(known) - 1)] != y)
        if wrong.any():
            raise ValueError(f"label {named(y[wrong][0])} is not one of the classes {listed(known)}")
        if len(known) < 2:
            raise ValueError(f"{type(self).__name__} needs two classes, but y has one class: {named(known[0])}")
        return self._learn_classes(X, known, indices, False, weights)

    def _grows(self):
        """Whether new classes may appear in partial_fit."""
        return self._learner["grows_classes"] and "multiclass" in self._kinds

    def _learn_growing(self, X, y, first, weights):
        """Learns labels of any class. `_arrivals` lists the classes in the order of the native functions."""
        if weights is not None and not weights.any():
            return self
        arrivals = [] if first else list(self._arrivals)
        new = [label for label in dict.fromkeys(y.tolist()) if label not in arrivals]
        if arrivals and new and (y.dtype.kind in NUMBERS) != (self.classes_.dtype.kind in NUMBERS):
            raise ValueError(f"label {new[0]!r} has another type than the classes {listed(self.classes_)}")
        arrivals += new
        # The native learner has at least two functions. A call that failed may have added some.
        while hasattr(self, "_session") and self._functions < len(arrivals):
            self._session.add_class()
            self._functions += 1
        place = {label: i for i, label in enumerate(arrivals)}
        indices = np.array([place[label] for label in y.tolist()], dtype=np.int32)
        dtype = y.dtype if first else np.result_type(self.classes_, y)
        try:
            self._learn(X, indices, None, "multiclass", max(2, len(arrivals)), False, weights)
        except ValueError:  # nothing was learned
            raise
        except BaseException:  # some rows may have been learned
            if not first:
                self._set_arrivals(arrivals, dtype)
            raise
        self._set_arrivals(arrivals, dtype)
        return self

    def _set_arrivals(self, arrivals, dtype):
        self._arrivals, self._known_kind = arrivals, "multiclass"
        self._functions = max(2, len(arrivals), self.__dict__.get("_functions", 0))
        self.classes_, self._coded = np.unique(np.array(arrivals, dtype=dtype)), None

    def _class_weights(self, sample_weight, X, y, partial=False):
        """sample_weight times class_weight; None if all are 1. Raises ValueError."""
        table = getattr(self, "class_weight", None)
        if table is None:
            return sample_weight
        if partial and isinstance(table, str):
            raise ValueError(f"class_weight: {table!r} needs all rows; partial_fit takes a dict")
        if partial:  # a chunk may lack a class
            weights = np.array([table.get(label, 1) for label in y.tolist()], dtype=np.float64)
        else:
            weights = compute_sample_weight(table, y)
        return weights if sample_weight is None else weights * row_weights(sample_weight, X.shape[0])

    def _goes_on(self, X, y, classes):
        """Fast path of partial_fit: learns if X and y need no conversion. Returns whether it has learned."""
        if not as_learned(self, X, y) or y.dtype.kind == "f" or self.classes_.dtype.kind not in "iu":
            return False
        if classes is not None and ("_arrivals" in self.__dict__ or list(classes) != self.classes_.tolist()):
            return False
        if self.__dict__.get("_coded") is None:
            self._coded = self._codes_of_classes()
        codes, of_row = self._coded
        if len(y) == 1:
            labels = of_row.get(y.item())  # a tenth of the time of the next lines
            return labels is not None and self._append(X, labels, None)
        indices = self.classes_.searchsorted(y)
        if (self.classes_.take(indices, mode="clip") != y).any():
            return False
        return self._append(X, codes[indices], None)

    def _codes_of_classes(self):
        """(native labels of classes_, {class: its native label as an array of one row})."""
        if self.__dict__.get("_known_kind") is None:
            self._known_kind = self._kind(len(self.classes_))
        names = self.classes_.tolist()
        codes = [self._arrivals.index(label) for label in names] if "_arrivals" in self.__dict__ else range(len(names))
        codes = np.array(codes, dtype=np.int32)
        codes = 2 * codes - 1 if self._known_kind == "binary" else codes
        return codes, dict(zip(names, codes.reshape(-1, 1)))

    def _learn_classes(self, X, classes, indices, restart, weights):
        kind = self._kind(len(classes))
        labels = 2 * indices - 1 if kind == "binary" else indices
        self._learn(X, np.ascontiguousarray(labels, dtype=np.int32), None, kind, len(classes), restart, weights)
        self.classes_, self._known_kind, self._coded = classes, kind, None
        return self

    def _kind(self, count):
        """The label encoding for `count` classes: "binary" (-1, 1) or "multiclass" (0, 1, ...). Raises ValueError."""
        kinds = [kind for kind in self._kinds if kind in ("binary", "multiclass")]
        loss = getattr(self, "loss", "auto")
        asked = next((entry["labels"] for entry in losses() if entry["name"] == loss), None)
        if asked in kinds:
            kinds = [asked]
        if count == 2 and "binary" in kinds:
            return "binary"
        if "multiclass" in kinds:
            return "multiclass"
        raise ValueError(
            f"Only binary classification is supported by {type(self).__name__}"
            f"{'' if loss == 'auto' else ' with this loss'}, but y has {count} classes"
        )

    def decision_function(self, X):
        """Scores: shape (rows,) for two classes, positive for `classes_[1]`; else shape (rows, classes)."""
        scores = self._scores(X)
        if scores.shape[1] > 1:
            scores = self._by_output(scores.T).T
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def _by_output(self, values):
        if "_arrivals" in self.__dict__:
            values = values[[self._arrivals.index(label) for label in self.classes_.tolist()]]
        return values[1:] - values[:1] if len(values) == 2 and len(self.classes_) == 2 else values

    @available_if(
        lambda self: self._logistic() or (self._learner["resumable"] and self._learner["protocol"] == "stream")
    )
    def predict_proba(self, X):
        """Probabilities of the classes, shape (rows, classes).

        The logistic losses: 1 / (1 + exp(-f)) for two classes, else exp(f_r) / sum_s exp(f_s). Other methods that learn
        row by row: the same of a f. The scale a fits the last 1000 rows with their scores before they were learned
        (Platt 1999, without the offset). In `fit` these are the scores of the first pass, so that many passes may make
        the probabilities too large. For other methods use scikit-learn's CalibratedClassifierCV.
        """
        scores = self._by_output(self._scores(X).T).T
        if len(self.classes_) == 1:
            return np.ones((len(scores), 1))
        if not self._logistic() and hasattr(self, "_session"):
            scale = self._scale  # another thread may learn, which replaces the list
            if not scale:
                scale.append(fitted_scale(*self._session.scores()))
            scores = scale[0] * scores
        return probabilities(scores)

    @available_if(lambda self: hasattr(self, "predict_proba"))
    def predict_log_proba(self, X):
        """Logarithms of the probabilities."""
        return np.log(self.predict_proba(X))

    def _logistic(self):
        return getattr(self, "loss", None) in LOGISTIC

    def predict(self, X):
        """The class with the largest score; the first of them on a tie."""
        scores = self.decision_function(X)
        if scores.size == 1:  # one row of two classes: faster
            best = int(scores[0] > 0)
            return self.classes_[best : best + 1].copy()
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _more_tags(self):
        return {**super()._more_tags(), "binary_only": "multiclass" not in self._kinds}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = "multiclass" in self._kinds
        return tags


class Regressor(RegressorMixin, Estimator):
    """Base class of regressors."""

    def fit(self, X, y, sample_weight=None, **unknown):
        """Fits the regressor from scratch.

        X: rows, an array or a sparse matrix of shape (rows, features). y: real targets, shape (rows,).
        sample_weight: weights of the losses, shape (rows,), >= 0; default: 1. Methods that minimise a mean loss over X
        divide them by their mean. Raises ValueError.
        """
        with restored_on_failure(self):
            return self._learn_targets(X, y, sample_weight, True, unknown)

    @available_if(check_partial)
    def partial_fit(self, X, y, sample_weight=None, **unknown):
        """Continues learning with these rows, in the order of X. Raises ValueError.

        sample_weight: as in `fit`, but not divided by the mean.
        """
        first = not self._started
        if not first and sample_weight is None and not unknown and as_learned(self, X, y) and np.isfinite(y).all():
            if self._append(X, None, y.astype(np.float64)):
                return self
        return self._learn_targets(X, y, sample_weight, first, unknown, restart=False)

    def _learn_targets(self, X, y, sample_weight, first, unknown, restart=True):
        self._refuse(unknown)
        X, y = validated(self, X, first, y, y_numeric=True)
        weights = sample_weights(self, sample_weight, X, restart)
        return self._learn(X, None, np.ascontiguousarray(y, dtype=np.float64), "real", 0, restart, weights)

    def predict(self, X):
        """Predictions f(x), shape (rows,)."""
        return self._scores(X)[:, 0]


class GaussianProcess(Regressor):
    """Base class of regressors with predictive variances."""

    def predict(self, X, return_std=False):
        """Predictions f(x), shape (rows,). With return_std also the standard deviations of y at x, shape (rows,)."""
        predictions = super().predict(X)
        if not return_std:
            return predictions
        session = self._fitted()
        X = validated(self, X, reset=False)
        rows = self._layout.rows(X, session.double_precision, sparse.issparse(X))
        return predictions, np.sqrt(np.maximum(session.variances(rows), 0))


class NoveltyDetector(OutlierMixin, Estimator):
    """Base class of novelty detectors. A row is novel (-1) if its score is below the margin `offset_`."""

    def fit(self, X, y=None, sample_weight=None, **unknown):
        """Fits the detector from scratch.

        X: rows of normal data. y is ignored. sample_weight: weights of the losses, >= 0; default: 1. Raises ValueError.
        """
        with restored_on_failure(self):
            return self._learn_rows(X, sample_weight, True, unknown)

    @available_if(check_partial)
    def partial_fit(self, X, y=None, sample_weight=None, **unknown):
        """Continues learning with these rows, in the order of X, as in `fit`. Raises ValueError."""
        first = not self._started
        plain = not first and sample_weight is None and not unknown and as_learned(self, X)
        if plain and self._append(X, np.ones(len(X), np.int32), None):
            return self
        return self._learn_rows(X, sample_weight, first, unknown, restart=False)

    def _learn_rows(self, X, sample_weight, first, unknown, restart=True):
        self._refuse(unknown)
        X = validated(self, X, first)
        weights = sample_weights(self, sample_weight, X, restart)
        return self._learn(X, np.ones(X.shape[0], dtype=np.int32), None, "novelty", 2, restart, weights)

    def _loss(self, kind):
        return losses_for(self._learner, kind)[0]

    @property
    def offset_(self):
        """The margin: decision_function(X) = score_samples(X) - offset_."""
        return -float(self.intercept_[0])

    def decision_function(self, X):
        """Scores minus the margin, shape (rows,). Negative for novel rows."""
        return self._scores(X)[:, 0]

    def score_samples(self, X):
        """Scores without the margin, shape (rows,). Larger scores mean less novel rows."""
        return self.decision_function(X) + self.offset_

    def predict(self, X):
        """1 for normal rows, -1 for novel rows."""
        return np.where(self.decision_function(X) < 0, -1, 1)
