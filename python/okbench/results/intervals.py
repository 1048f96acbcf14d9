"""Bootstrap intervals of means over seeds."""

import zlib

import numpy as np

from .significance import ALPHA

RESAMPLES = 10000


def generator(name):
    """Random generator seeded with the CRC-32 of `name`. RandomState yields the same bits in all numpy versions."""
    return np.random.RandomState(zlib.crc32(name.encode("utf-8")))


def bootstrap(values, level=1 - ALPHA, name="bootstrap", resamples=RESAMPLES):
    """(low, high): percentile interval of the mean of `values` over resamples; None for fewer than two values.

    With a matrix of one row per seed, low and high are arrays with a bound per column.

    Source: B. Efron and R. Tibshirani, "An introduction to the bootstrap", 1993, section 13.3. With n values, the
    resamples have at most C(2n - 1, n) different means, so with few seeds the interval is too short.
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return None
    drawn = (generator(name).random_sample((resamples, len(values))) * len(values)).astype(int)
    tail = (1 - level) / 2
    shares = np.array([np.bincount(resample, minlength=len(values)) for resample in drawn]) / len(values)
    bounds = np.quantile(shares @ values, [tail, 1 - tail], axis=0)
    low, high = np.clip(bounds, values.min(axis=0), values.max(axis=0))  # rounding may lead beyond the values
    return (low, high) if values.ndim > 1 else (float(low), float(high))
