"""Learners of okbench for CapyMOA, and learners of CapyMOA for `okbench.run` and `okbench.prequential`.

Import it only where CapyMOA is installed: it starts a Java machine.
"""

import numpy as np
from capymoa.base import Classifier as CapyMoaClassifier
from capymoa.base import Regressor as CapyMoaRegressor
from capymoa.core import Instance, LabeledInstance, RegressionInstance
from capymoa.stream import Schema
from sklearn.base import clone


def wrap(estimator, schema):
    """A CapyMOA learner with the learner of an okbench estimator, a copy of which learns.

    estimator: an okbench estimator with `partial_fit`. schema: that of the stream; its nominal attributes reach the
    learner as numbers, so encode them first. Raises ValueError if the schema has another kind of target.
    """
    if not hasattr(estimator, "partial_fit"):
        raise ValueError(f"{type(estimator).__name__} does not learn row by row: it has no partial_fit")
    real = "real" in estimator._kinds
    if real != schema.is_regression():
        raise ValueError(
            f"{type(estimator).__name__} learns {'real targets' if real else 'classes'}, the stream does not"
        )
    return Regressor(estimator, schema) if real else Classifier(estimator, schema)


class Learner:
    """What both kinds have in common. `model` is the copy that learns."""

    def _start(self, estimator):
        self.estimator, self.model = estimator, clone(estimator)
        self._trained = False

    def __str__(self):
        return f"okbench.{type(self.estimator).__name__}"


class Classifier(Learner, CapyMoaClassifier):
    """A classifier of CapyMOA that learns with an okbench estimator. Made by `wrap`."""

    def __init__(self, estimator, schema):
        CapyMoaClassifier.__init__(self, schema)
        self._start(estimator)
        self._classes = np.array(list(schema.get_label_indexes()))

    def train(self, instance):
        """Learns from an instance."""
        first = {} if self._trained else {"classes": self._classes}
        self.model.partial_fit(instance.x.reshape(1, -1), np.array([instance.y_index]), **first)
        self._trained = True

    def predict(self, instance):
        """The index of the class; None before the first instance."""
        return int(self.model.predict(instance.x.reshape(1, -1))[0]) if self._trained else None

    def predict_proba(self, instance):
        """The probabilities of all classes; None before the first instance, or if the method has none."""
        if not self._trained or not hasattr(self.model, "predict_proba"):
            return None
        return self.model.predict_proba(instance.x.reshape(1, -1))[0]


class Regressor(Learner, CapyMoaRegressor):
    """A regressor of CapyMOA that learns with an okbench estimator. Made by `wrap`."""

    def __init__(self, estimator, schema):
        CapyMoaRegressor.__init__(self, schema)
        self._start(estimator)

    def train(self, instance):
        """Learns from an instance."""
        self.model.partial_fit(instance.x.reshape(1, -1), np.array([instance.y_value], dtype=float))
        self._trained = True

    def predict(self, instance):
        """The prediction; 0 before the first instance."""
        return float(self.model.predict(instance.x.reshape(1, -1))[0]) if self._trained else 0.0


class FromCapyMoa:
    """A learner of CapyMOA with the methods `partial_fit` and `predict`, for `okbench.run` and `okbench.prequential`.

    learner: a class of CapyMOA such as `capymoa.classifier.HoeffdingTree`. options: further arguments of the class. The
    first `partial_fit` makes the schema: numeric attributes, and the classes that are passed. Regressors have none.
    """

    def __init__(self, learner, **options):
        self.learner, self.options = learner, options
        self._estimator_type = "regressor" if issubclass(learner, CapyMoaRegressor) else "classifier"

    def partial_fit(self, X, y, classes=None):
        """Learns from rows in order. classes: all classes, needed in the first call of a classifier."""
        X = _dense(X)
        if not hasattr(self, "schema_"):
            self._make(X.shape[1], classes)
        for x, target in zip(X, y):
            if self.classes_ is None:
                self.learner_.train(RegressionInstance.from_array(self.schema_, x, float(target)))
            else:
                index = int(np.searchsorted(self.classes_, target))
                self.learner_.train(LabeledInstance.from_array(self.schema_, x, index))
        return self

    def _make(self, features, classes):
        names = [f"x{i}" for i in range(features)]
        categories = {}
        self.classes_ = None
        if self._estimator_type == "classifier":
            if classes is None:
                raise ValueError("classes: pass all classes in the first call of partial_fit")
            self.classes_ = np.unique(classes)
            categories = {"y": [str(label) for label in self.classes_]}
        self.schema_ = Schema.from_custom([*names, "y"], "y", categories)
        self.learner_ = self.learner(self.schema_, **self.options)

    def predict(self, X):
        """The class with the largest vote, the first one without votes; or the predicted number."""
        predictions = [self.learner_.predict(Instance.from_array(self.schema_, x)) for x in _dense(X)]
        if self.classes_ is None:
            return np.array(predictions, dtype=float)
        return self.classes_[[0 if prediction is None else prediction for prediction in predictions]]


def _dense(X):
    X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    return np.ascontiguousarray(X, dtype=float)
