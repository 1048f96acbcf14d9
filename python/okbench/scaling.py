"""Scales columns of numbers by some of their rows."""

import numpy as np

SCALES = ("standard", "clipped")
LIMIT = 3  # deviations
FEWEST = 30  # rows that give a usable mean and deviation


def tenth(rows, seed=None):
    """Positions of a tenth of `rows` rows, at least 30, in increasing order: the first, or with a seed random ones.

    A stream that is scaled by its first tenth does not know the rows that it predicts later.

    Examples
    --------
    >>> import okbench.tables
    >>> okbench.tables.tenth(1000)[-3:].tolist()
    [97, 98, 99]
    """
    count = min(rows, max(FEWEST, rows // 10))
    # RandomState, because NumPy guarantees that its numbers never change.
    return np.arange(count) if seed is None else np.sort(np.random.RandomState(seed).permutation(rows)[:count])


class Standardization:
    """Maps values to mean 0 and standard deviation 1: z = (x - mean) / deviation over the values it was made from.

    Subtracts one of the values before anything else, and works in a unit near the largest difference. So a column
    10^18 + i keeps its differences, and squares neither overflow nor vanish. Attributes: `mean`, `deviation` (1 for
    equal values, which are `constant`), `fill`: mean or median of the values.
    """

    def __init__(self, values, missing="mean", name="values", rows=None, clip=False):
        """`values`: one-dimensional, NaN if missing. `rows`: positions of those that count; None: all. `clip`: z beyond
        -LIMIT and LIMIT becomes the limit.

        Raises ValueError for infinite values, and for a range beyond 1.8e308.
        """
        values = np.asarray(values, dtype=float)
        if np.isinf(values).any():
            raise ValueError(f"column {name!r}: row {np.flatnonzero(np.isinf(values))[0]} is infinite")
        known = values if rows is None else values[rows]
        known = known[~np.isnan(known)]
        self._start = known[0] if len(known) else 0.0
        with np.errstate(over="ignore"):
            differences = known - self._start
        if not np.isfinite(differences).all():
            raise ValueError(f"column {name!r}: the range of its values is beyond 1.8e308")
        largest = np.abs(differences).max(initial=0)
        self.constant = largest == 0
        self._unit = float(np.ldexp(1.0, int(np.frexp(largest)[1]) - 1)) if largest else 1.0
        inner = differences / self._unit
        self._mean = float(inner.mean()) if len(inner) else 0.0
        self._deviation = float(np.sqrt(np.mean((inner - self._mean) ** 2))) if largest else 1.0
        middle = np.median(inner) if missing == "median" and len(inner) else self._mean
        self.mean = float(self._start + self._unit * self._mean)
        self.fill = float(self._start + self._unit * middle)
        self.deviation = self._unit * self._deviation
        self._clip = clip

    def __call__(self, values):
        """The standardised values. Infinite values stay infinite, so that learners refuse them."""
        scaled = self._unclipped(values)
        return np.where(np.isinf(values), scaled, scaled.clip(-LIMIT, LIMIT)) if self._clip else scaled

    def clipped(self, values):
        """How many of the values are clipped."""
        return int(np.count_nonzero(np.abs(self._unclipped(values)) > LIMIT)) if self._clip else 0

    def _unclipped(self, values):
        with np.errstate(over="ignore"):
            return ((np.asarray(values, dtype=float) - self._start) / self._unit - self._mean) / self._deviation
