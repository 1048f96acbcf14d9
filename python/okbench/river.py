"""River's conventions for okbench estimators: rows are dicts, and come one at a time. River is not needed."""

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if


def wrap(estimator, classes=None):
    """An object with `learn_one`, `predict_one` and, for classifiers, `predict_proba_one`.

    estimator: an okbench estimator with `partial_fit`; a copy of it learns. classes: all classes of a classifier.
        Methods that learn one function per class need none: classes may appear later.
    """
    return Wrapped(estimator, classes)


class Wrapped:
    """An okbench estimator with River's methods. The features are those of the first row; others are refused."""

    def __init__(self, estimator, classes=None):
        self.estimator = clone(estimator)
        self.features = None
        self.real = "real" in estimator._kinds
        if classes is None and not self.real and "novelty" not in estimator._kinds and not estimator._grows():
            raise ValueError("classes: pass all classes")
        self._first = {} if classes is None else {"classes": np.unique(classes)}

    def _row(self, x):
        if hasattr(x, "to_dict"):  # a pandas Series has names
            x = x.to_dict()
        if not isinstance(x, dict):
            return np.asarray(x, dtype=float).reshape(1, -1)
        if self.features is None:
            self.features = list(x)
        unknown = [name for name in x if name not in self.features]
        if unknown:
            raise ValueError(f"unknown feature {unknown[0]!r}; the first row has {self.features}")
        return np.array([[float(x.get(name, 0.0)) for name in self.features]])

    def learn_one(self, x, y=None):
        """Learns from one row: a dict, or an array. A feature that is missing is 0."""
        row = self._row(x)
        if y is None:
            self.estimator.partial_fit(row)
        else:
            self.estimator.partial_fit(row, [y], **self._first)
        self._first = {}

    def predict_one(self, x):
        """The class or the value; None for a classifier before the first row, 0 for a regressor."""
        if not hasattr(self.estimator, "n_features_in_"):
            return 0.0 if self.real else None
        return self.estimator.predict(self._row(x))[0]

    @available_if(lambda wrapped: hasattr(wrapped.estimator, "predict_proba"))
    def predict_proba_one(self, x):
        """{class: probability}; {} before the first row."""
        if not hasattr(self.estimator, "n_features_in_"):
            return {}
        return dict(zip(self.estimator.classes_, self.estimator.predict_proba(self._row(x))[0]))
