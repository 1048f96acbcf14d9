"""The running error, the ladder of targets of a data set, and the step at which a run reaches one."""

import numpy as np

WINDOW = 1000  # examples that the running error is over
COUNT = 8  # targets of a ladder
ABOVE_BEST = 1.05  # the hardest target over the least end error


def running(steps, mistakes):
    """(places, errors): the share of mistakes among the last WINDOW examples, (mistakes[t] - mistakes[t - WINDOW]) /
    WINDOW, at those of the recorded steps t >= WINDOW for which t - WINDOW is recorded, too (0 always is)."""
    steps = np.concatenate(([0], np.asarray(steps)))
    mistakes = np.concatenate(([0], np.asarray(mistakes)))
    before = np.searchsorted(steps, steps - WINDOW)
    places = np.flatnonzero((steps >= WINDOW) & (steps[np.minimum(before, len(steps) - 1)] == steps - WINDOW))
    return places - 1, (mistakes[places] - mistakes[before[places]]) / WINDOW


def reached(places, errors, target):
    """The first of the places from which on the running error stays at or below the target to the end; None where it
    does not."""
    above = np.flatnonzero(~(errors <= target))
    first = above[-1] + 1 if len(above) else 0
    return int(places[first]) if first < len(places) else None


def ladder(best, start):
    """COUNT targets, evenly spaced in the logarithm, the easiest first: from `start`, the error at the start, to
    ABOVE_BEST times `best`, the least end error, but not below one mistake in WINDOW. One target where the start is no
    worse than that."""
    hardest = max(ABOVE_BEST * best, 1 / WINDOW)
    return tuple(map(float, np.geomspace(start, hardest, COUNT))) if start > hardest else (hardest,)
