"""Data sets of the comparison, and the parameters of sfd-2013 for each."""

from typing import NamedTuple

import numpy as np
from scipy import sparse


class Setting(NamedTuple):
    """Parameters of sfd-2013: gamma, and the exponents p of lambda = 2^p / N for each method.

    Source: experiments/sfd-2013/table5-2.toml.
    """

    gamma: float
    exact: float  # LaSVM, and all solvers of the same problem
    pegasos: float
    averaged: float  # Pegasos with averaging
    cuts: float  # sampled cuts
    target: float | None = None  # test error in percent of the speed claim

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
    """Rows (CSR or array, as in okbench) and labels -1 and 1 of a data set."""

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
        """A copy with at most `most` rows per part, evenly spaced."""
        parts = []
        for matrix, labels in ((self.train, self.train_labels), (self.test, self.test_labels)):
            chosen = np.linspace(0, len(labels) - 1, min(most, len(labels))).astype(int)
            parts += [matrix[chosen], labels[chosen]]
        return Data(self.name, *parts, self.synthetic)

    def record(self):
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
    """Loads a data set, real or synthetic, with at most `rows` rows per part (0: all; 2000 if synthetic)."""
    from okbench import _native

    parts = []
    for part in ("train", "test"):
        count = rows or 2000
        found, labels = _native.data(name, part, [], None, False, synthetic, count if synthetic else 0, False)
        if isinstance(found, tuple):
            found = sparse.csr_matrix(found[:3], shape=(len(labels), found[3]))
        parts += [found[: rows or None], labels[: rows or None]]
    return Data(name, *parts, synthetic)
