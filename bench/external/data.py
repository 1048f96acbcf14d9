"""The data sets that peers are compared on, and the parameters that sfd-2013 has for each."""

from typing import NamedTuple

import numpy as np
from scipy import sparse


class Setting(NamedTuple):
    """gamma as in experiments/sfd-2013/; of lambda = 2^p / N the thesis' own p (experiments/sfd-2013/table5-2.toml)."""

    gamma: float
    exact: float  # LaSVM's, and of all that solve the same problem
    pegasos: float
    averaged: float  # of Pegasos with an average
    cuts: float
    target: float | None = None  # test error in percent that the claim is about

    @property
    def c(self):
        """C of the exact problem, 1 / (lambda N)."""
        return 2.0**-self.exact


SETTINGS = {
    "a8a": Setting(0.05, exact=-2, pegasos=-2, averaged=-3, cuts=1, target=15.5),
    "w8a": Setting(0.1, exact=1, pegasos=0, averaged=1, cuts=0.5),
    "ijcnn1": Setting(1.0, exact=-2, pegasos=-2, averaged=-3.5, cuts=-2),
}


class Data(NamedTuple):
    """Rows, compressed or an array as okbench holds them, and labels -1 and 1."""

    name: str
    train: sparse.csr_matrix | np.ndarray
    train_labels: np.ndarray
    test: sparse.csr_matrix | np.ndarray
    test_labels: np.ndarray
    synthetic: bool

    @property
    def setting(self):
        return SETTINGS[self.name]

    @property
    def count(self):
        return self.train.shape[0]

    def divide_by_n(self, power):
        return 2.0**power / self.count

    def fewer(self, most):
        """At most so many rows of each part, evenly spread."""
        parts = []
        for matrix, labels in ((self.train, self.train_labels), (self.test, self.test_labels)):
            chosen = np.linspace(0, len(labels) - 1, min(most, len(labels))).astype(int)
            parts += [matrix[chosen], labels[chosen]]
        return Data(self.name, *parts, self.synthetic)

    def told(self):
        return {
            "name": self.name,
            "synthetic": self.synthetic,
            "train": self.count,
            "test": self.test.shape[0],
            "features": self.train.shape[1],
            "zero_one": bool((sparse.csr_matrix(self.train).data == 1).all()),
            "gamma": self.setting.gamma,
            "c": self.setting.c,
        }


def load(name, rows, synthetic):
    """Training and test rows of a set: the real ones, at most `rows` of each (0: all), or generated ones."""
    from okbench import _native

    parts = []
    for part in ("train", "test"):
        count = rows or 2000
        found, labels = _native.data(name, part, [], None, False, synthetic, count if synthetic else 0, False)
        if isinstance(found, tuple):
            found = sparse.csr_matrix(found[:3], shape=(len(labels), found[3]))
        parts += [found[: rows or None], labels[: rows or None]]
    return Data(name, *parts, synthetic)
