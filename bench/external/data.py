"""Data sets of the comparison, and the parameters for each."""

from typing import NamedTuple

import numpy as np
from scipy import sparse


class Setting(NamedTuple):
    """gamma, the exponents p of lambda = 2^p / N for each method, and which label is positive.

    Sources: a8a, w8a and ijcnn1 experiments/sfd-2013/table5-2.toml; gamma of usps experiments/baselines/variants.toml,
    of letter experiments/budget-2003/fig4-letter.toml. The others have the exponents of a8a. None was chosen by test
    error.
    """

    gamma: float
    exact: float = -2  # LaSVM, and all solvers of the same problem
    pegasos: float = -2
    averaged: float = -3  # Pegasos with averaging
    cuts: float = 1  # sampled cuts
    positive: int | None = None  # class that is compared with the rest; None: the labels are -1 and 1

    @property
    def c(self):
        """C of the exact problem, 1 / (lambda N)."""
        return 2.0**-self.exact


SETTINGS = {
    "a8a": Setting(0.05),
    "w8a": Setting(0.1, exact=1, pegasos=0, averaged=1, cuts=0.5),
    "ijcnn1": Setting(1.0, exact=-2, pegasos=-2, averaged=-3.5, cuts=-2),
    "usps": Setting(1 / 128, positive=8),
    "letter": Setting(24 / 15**2, positive=7),  # H; features up to 15
    "forest": Setting(0.175),  # the generated rows below; 1 / median squared distance
}
FOREST_ROWS, FOREST_TEST = 1_000_000, 50_000


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

    def lambda_of(self, exponent):
        """A regulariser: 2^exponent divided by the number of training rows."""
        return 2.0**exponent / self.count

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


def forest(count, seed):
    """(rows, labels) like those of covertype: 10 numbers in [0, 1], one of 4 areas and one of 40 soils, two classes.

    Each soil has a centre. The class is the sign of a sum of 60 Gaussian bumps over the numbers, shifted by area and
    soil; 5 % of the labels are flipped. Only the rows and the flips depend on the seed.
    """
    shape, draw = np.random.default_rng(7), np.random.default_rng(seed)
    soils, areas = shape.random((40, 10)), shape.normal(0, 0.2, 4)
    bumps, weights, shifts = shape.random((60, 10)), shape.normal(0, 1, 60), shape.normal(0, 0.2, 40)

    def heights(points):
        return np.exp(-3 * ((points[:, None] - bumps) ** 2).sum(2)) @ weights

    usual = heights(shape.random((10_000, 10)))
    soil, area = draw.integers(0, 40, count), draw.integers(0, 4, count)
    numbers = np.clip(soils[soil] + draw.normal(0, 0.25, (count, 10)), 0, 1).astype(np.float32)
    rows = np.zeros((count, 54), np.float32)
    rows[:, :10] = numbers
    rows[np.arange(count), 10 + area] = 1
    rows[np.arange(count), 14 + soil] = 1
    labels = np.empty(count, np.int64)
    for first in range(0, count, 100_000):
        part = slice(first, first + 100_000)
        height = (heights(numbers[part]) - usual.mean()) / usual.std() + areas[area[part]] + shifts[soil[part]]
        labels[part] = np.where(height > 0, 1, -1)
    labels[draw.random(count) < 0.05] *= -1
    return rows, labels


def load(name, rows, synthetic):
    """Loads a data set, real or synthetic, with at most `rows` rows per part (0: all; 2000 if synthetic)."""
    if name == "forest":
        train, test = (min(rows or many, many) for many in (FOREST_ROWS, FOREST_TEST))
        return Data(name, *forest(train, 1), *forest(test, 2), True)
    from okbench import _native

    positive, parts = SETTINGS[name].positive, []
    for part in ("train", "test"):
        count = rows or 2000
        matrix, labels = _native.data(name, part, [], None, False, synthetic, count if synthetic else 0, False)
        if isinstance(matrix, tuple):
            matrix = sparse.csr_matrix(matrix[:3], shape=(len(labels), matrix[3]))
        if positive is not None:
            labels = np.where(labels == positive, 1, -1)
        parts += [matrix[: rows or None], labels[: rows or None]]
    return Data(name, *parts, synthetic)
