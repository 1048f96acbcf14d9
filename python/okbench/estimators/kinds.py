"""Classifiers, regressors and novelty detectors."""

import numpy as np
from sklearn.base import ClassifierMixin, OutlierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from .base import Estimator, check_partial
from .registry import losses, losses_for
from .rows import as_learned, validated


NUMBERS = "biuf"  # NumPy dtype kinds of numbers: bool, signed, unsigned, floating point


def listed(classes):
    """Classes as one line of text, for messages."""
    return np.array2string(np.asarray(classes), max_line_width=10**9, threshold=20, separator=", ")


class Classifier(ClassifierMixin, Estimator):
    """Base class of classifiers.

    `classes_` is sorted. With two classes, positive scores stand for `classes_[1]`.
    """

    def fit(self, X, y, **unknown):
        """Fits the classifier from scratch.

        X: rows, an array or a sparse matrix of shape (rows, features). y: labels of at least two classes.
        Raises ValueError.
        """
        self._refuse(unknown)
        X, y = validated(self, X, True, y)
        check_classification_targets(y)
        classes, indices = np.unique(y, return_inverse=True)
        return self._learn_classes(X, classes, indices, True)

    @available_if(check_partial)
    def partial_fit(self, X, y, classes=None, **unknown):
        """Continues learning with these rows, in the order of X.

        classes: all classes of all calls; required on the first call. Raises ValueError, also for a label that is not
        one of the classes.
        """
        self._refuse(unknown)
        first = not hasattr(self, "_session")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        if not first and self._goes_on(X, y, classes):
            return self
        X, y = validated(self, X, first, y)
        check_classification_targets(y)
        known = np.unique(classes) if first else self.classes_
        if not first and classes is not None and not np.array_equal(known, np.unique(classes)):
            raise ValueError(
                f"classes={listed(classes)} is not the same as on the last call to partial_fit: {listed(known)}"
            )
        if (y.dtype.kind in NUMBERS) != (known.dtype.kind in NUMBERS):
            raise ValueError(f"label {y[0]!r} is not one of the classes {listed(known)}")
        indices = np.searchsorted(known, y)
        wrong = (indices == len(known)) | (known[np.minimum(indices, len(known) - 1)] != y)
        if wrong.any():
            raise ValueError(f"label {y[wrong][0]!r} is not one of the classes {listed(known)}")
        return self._learn_classes(X, known, indices, False)

    def _goes_on(self, X, y, classes):
        """Fast path of partial_fit: learns if X and y need no conversion. Returns whether it has learned."""
        if not as_learned(self, X, y) or y.dtype.kind == "f" or self.classes_.dtype.kind not in "iu":
            return False
        if classes is not None and list(classes) != self.classes_.tolist():
            return False
        indices = self.classes_.searchsorted(y)
        if (self.classes_.take(indices, mode="clip") != y).any():
            return False
        if self.__dict__.get("_known_kind") is None:
            self._known_kind = self._kind(len(self.classes_))
        labels = 2 * indices - 1 if self._known_kind == "binary" else indices
        return self._append(X, labels.astype(np.int32), None)

    def _learn_classes(self, X, classes, indices, anew):
        if len(classes) < 2:
            raise ValueError(f"{type(self).__name__} needs two classes, but y has one class: {classes[0]!r}")
        kind = self._kind(len(classes))
        labels = 2 * indices - 1 if kind == "binary" else indices
        self._learn(X, np.ascontiguousarray(labels, dtype=np.int32), None, kind, len(classes), anew)
        self.classes_, self._known_kind = classes, kind
        return self

    def _kind(self, count):
        """The label encoding for `count` classes: "binary" (-1, 1) or "multiclass" (0, 1, ...). Raises ValueError."""
        kinds = [kind for kind in self._kinds if kind in ("binary", "multiclass")]
        loss = getattr(self, "loss", "auto")
        asked = next((one["labels"] for one in losses() if one["name"] == loss), None)
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
        if len(self.classes_) > 2:
            return scores
        return scores[:, 0] if scores.shape[1] == 1 else scores[:, 1] - scores[:, 0]

    @available_if(lambda self: getattr(self, "loss", None) in ("logistic", "multiclass-logistic"))
    def predict_proba(self, X):
        """Probabilities of the classes, shape (rows, classes), for the logistic losses.

        Two classes: 1 / (1 + exp(-f)). More: exp(f_r) / sum_s exp(f_s).
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            scores = np.column_stack([np.zeros(len(scores)), scores])
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def predict(self, X):
        """The class with the largest score; the first of them on a tie."""
        check_is_fitted(self, "_session")
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _more_tags(self):
        return {"binary_only": "multiclass" not in self._kinds}


class Regressor(RegressorMixin, Estimator):
    """Base class of regressors."""

    def fit(self, X, y, **unknown):
        """Fits the regressor from scratch.

        X: rows, an array or a sparse matrix of shape (rows, features). y: real targets, shape (rows,).
        Raises ValueError.
        """
        return self._learn_targets(X, y, True, unknown)

    @available_if(check_partial)
    def partial_fit(self, X, y, **unknown):
        """Continues learning with these rows, in the order of X. Raises ValueError."""
        first = not hasattr(self, "_session")
        if not first and not unknown and as_learned(self, X, y) and np.isfinite(y).all():
            if self._append(X, None, y.astype(np.float64)):
                return self
        return self._learn_targets(X, y, first, unknown, anew=False)

    def _learn_targets(self, X, y, first, unknown, anew=True):
        self._refuse(unknown)
        X, y = validated(self, X, first, y, y_numeric=True)
        return self._learn(X, None, np.ascontiguousarray(y, dtype=np.float64), "real", 0, anew)

    def predict(self, X):
        """Predictions f(x), shape (rows,)."""
        return self._scores(X)[:, 0]


class NoveltyDetector(OutlierMixin, Estimator):
    """Base class of novelty detectors. A row is novel (-1) if its score is below the margin `offset_`."""

    def fit(self, X, y=None, **unknown):
        """Fits the detector from scratch. X: rows of normal data. y is ignored. Raises ValueError."""
        return self._learn_rows(X, True, unknown)

    @available_if(check_partial)
    def partial_fit(self, X, y=None, **unknown):
        """Continues learning with these rows, in the order of X. y is ignored. Raises ValueError."""
        first = not hasattr(self, "_session")
        if not first and not unknown and as_learned(self, X) and self._append(X, np.ones(len(X), np.int32), None):
            return self
        return self._learn_rows(X, first, unknown, anew=False)

    def _learn_rows(self, X, first, unknown, anew=True):
        self._refuse(unknown)
        X = validated(self, X, first)
        return self._learn(X, np.ones(X.shape[0], dtype=np.int32), None, "novelty", 2, anew)

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
