"""Splits rows into a training and a test part at random, reproducibly by a seed."""

import math

import numpy as np

from .classes import Classes
from .table import AddError


def shares(counts, share):
    """Number of test rows per class, close to `share` in each class and in total (method of largest remainders).

    Every class keeps at least one training row.
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
    """(training rows, test rows), each in the order of the file. Raises AddError if a part is empty.

    Uses RandomState because NumPy guarantees that its numbers never change.
    """
    random = np.random.RandomState(seed)
    groups = (
        [np.flatnonzero(targets == c) for c in range(int(targets.max()) + 1)] if by_class else [np.arange(len(targets))]
    )
    taken = shares([len(group) for group in groups], share)
    test = np.zeros(len(targets), dtype=bool)
    for group, count in zip(groups, taken):
        test[random.permutation(group)[:count]] = True
    if not test.any() or test.all():
        raise AddError(f"{file}: --test {share:g} of {len(targets)} rows leaves a part empty")
    return np.flatnonzero(~test), np.flatnonzero(test)


def divided(table, options):
    """(classes, targets, training rows, test rows) of the only file. Without --test every row is a training row.

    Raises AddError.
    """
    classes = Classes(table, options.kind, options.positive)
    targets = classes.of(table)
    if not options.test:
        return classes, targets, np.arange(len(table)), np.arange(0)
    return classes, targets, *split(table.file, targets, options.test, options.seed, classes.kind != "real")
