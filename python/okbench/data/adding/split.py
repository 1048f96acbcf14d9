"""Dividing rows into a training and a test part, once, by a seed."""

import math

import numpy as np

from .table import AddError


def shares(counts, share):
    """How many rows of each class go to the test part: about the share of each and of all, by largest remainders.

    Every class keeps a training row.
    """
    exact = [share * count for count in counts]
    taken = [min(math.floor(rows), max(count - 1, 0)) for rows, count in zip(exact, counts)]
    missing = math.floor(share * sum(counts) + 0.5) - sum(taken)
    for index in sorted(range(len(counts)), key=lambda i: (math.floor(exact[i]) - exact[i], i)):
        if missing > 0 and taken[index] < counts[index] - 1:
            taken[index] += 1
            missing -= 1
    return taken


def split(file, targets, share, seed, by_class):
    """(training rows, test rows), each in the order of the file. RandomState's numbers are the same for ever."""
    random = np.random.RandomState(seed)
    groups = (
        [np.flatnonzero(targets == c) for c in range(int(targets.max()) + 1)] if by_class else [np.arange(len(targets))]
    )
    taken = shares([len(group) for group in groups], share)
    test = np.zeros(len(targets), dtype=bool)
    for group, count in zip(groups, taken):
        test[random.permutation(group)[:count]] = True
    if not test.any() or test.all():
        raise AddError(f"{file}: --test {share:g} of {len(targets)} rows leaves a part without any")
    return np.flatnonzero(~test), np.flatnonzero(test)
