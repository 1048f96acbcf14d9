"""Adapters for learners written in Python: `okbench.run(spec, learners={"mine": Mine})`."""

import inspect
import operator
import re

import numpy as np
from scipy import sparse

from ..rows import python_rows
from .identity import Unknown, source_of
from .prequential import Steps


class Kernel:
    """The kernel of a trial. Counts its evaluations.

    `kernel(A, B)` returns the matrix of k(a_i, b_j). A and B are arrays or SciPy sparse matrices, one row per example.
    """

    def __init__(self, native):
        self._native = native
        self.dtype = np.dtype(native.precision)

    def __call__(self, A, B):
        return self._native.values(self._rows(A, "A"), self._rows(B, "B"))

    def __repr__(self):
        return f"<kernel {self._native!r}>"

    def _rows(self, X, name):
        """Rows for the compiled module: an array, or (data, indices, indptr, features). Raises ValueError."""
        if not sparse.issparse(X):
            X = np.ascontiguousarray(X, dtype=self.dtype)
            if X.ndim != 2:
                raise ValueError(f"kernel: {name} must be a matrix with one row per example; it has {X.ndim} axes")
            return X
        X = X.tocsr()
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return np.ascontiguousarray(X.data, dtype=self.dtype), X.indices, X.indptr, X.shape[1]


class PythonLearner:
    """A user-defined learner: a class, or a function that returns objects. Raises ValueError for a bad name or type.

    `sha256` identifies what the learner does: see identity.py.
    """

    def __init__(self, name, factory):
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
            raise ValueError(f"learners: invalid name {name!r}; use letters, digits, - and _")
        if not callable(factory):
            raise ValueError(f"learners: {name} must be a class, or a function that returns an object")
        self.name = name
        try:
            self.code, self.sha256 = source_of(factory)
        except Unknown as error:
            raise ValueError(f"learners: {name}: {error}") from error
        self.title = f"{self.code} (Python)"
        self._factory = factory
        self._takes_kernel = takes(factory, "kernel")

    def make(self, kernel, classes):
        """Creates the learner of one trial. `classes`: number of classes, 0 for labels -1 and 1. Raises TypeError."""
        learner = self._factory(kernel=Kernel(kernel)) if self._takes_kernel else self._factory()
        if not all(callable(getattr(learner, name, None)) for name in ("decision_function", "partial_fit")):
            learner = Adapted(learner, classes)
        return InTrial(learner, classes)


class Adapted:
    """An object with River's methods, or with scikit-learn's `partial_fit` and `predict`, as a learner with scores.

    The labels -1 and 1 are False and True for River's objects, whose methods for two classes need that. The scores of
    two labels are the differences of the scores of the second and the first. Raises TypeError for other objects.
    """

    def __init__(self, estimator, classes):
        self._one, self._binary = estimator, not classes
        two = [False, True] if hasattr(estimator, "learn_one") else [-1, 1]
        self._classes = np.arange(classes) if classes else np.array(two)
        try:
            self._steps = Steps(estimator, self._classes, False)
        except ValueError as error:
            raise TypeError(f"{error}, nor decision_function and partial_fit") from None

    def decision_function(self, X):
        return np.array([self._score(X[i : i + 1]) for i in range(X.shape[0])])

    def _score(self, x):
        label = self._steps.predict(x)
        label_scores = self._steps.probabilities(x) or ({} if label is None else {label: 1.0})
        scores = [float(label_scores.get(class_label, 0.0)) for class_label in self._classes.tolist()]
        if label in self._classes:
            # The trial takes the class of the largest score, so this must be the class that `predict` returns.
            at = self._classes.tolist().index(label)
            others = max(scores[:at] + scores[at + 1 :])
            if scores[at] < others or scores[at] == others and (self._binary or np.argmax(scores) != at):
                scores[at] = np.nextafter(others, np.inf)
        return [scores[1] - scores[0]] if self._binary else scores

    def partial_fit(self, X, y):
        label = y[0].item()
        self._steps.learn(X, self._classes[int(label > 0)].item() if self._binary else label)

    @property
    def support_vectors(self):
        number = getattr(self._one, "support_vectors", 0)
        return number() if callable(number) else number


class InTrial:
    """The learner object of one running trial. The compiled module calls the methods."""

    def __init__(self, learner, classes):
        self._one = learner
        self._columns = classes or 1
        self._classes = np.arange(classes) if classes else np.array([-1, 1])
        self._takes_classes = takes(learner.partial_fit, "classes")
        self._fitted = False

    def scores(self, rows):
        X = python_rows(rows)
        try:
            scores = self._one.decision_function(X)
        except Exception as error:
            # scikit-learn's estimators raise NotFittedError before the first row: every score is 0.
            if self._fitted or type(error).__name__ != "NotFittedError":
                raise
            return np.zeros((X.shape[0], self._columns))
        scores = np.asarray(scores, dtype=np.float64)
        if scores.size != X.shape[0] * self._columns:
            raise ValueError(f"scores have the shape {scores.shape}, not {(X.shape[0], self._columns)}")
        return scores.reshape(X.shape[0], self._columns)

    def learn(self, row, label):
        first = {"classes": self._classes} if self._takes_classes and not self._fitted else {}
        self._one.partial_fit(python_rows(row), np.array([label]), **first)
        self._fitted = True

    def support_vectors(self):
        number = getattr(self._one, "support_vectors", 0)
        number = operator.index(number() if callable(number) else number)
        if number < 0:
            raise ValueError(f"support_vectors is {number}")
        return number


def takes(call, keyword):
    """Whether a callable has this keyword parameter."""
    try:
        parameter = inspect.signature(call).parameters.get(keyword)
    except (TypeError, ValueError):
        return False
    return parameter is not None and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
