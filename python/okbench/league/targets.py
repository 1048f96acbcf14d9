"""The running error, the target errors of a data set, and the step at which a run reaches a target."""

import numpy as np

WINDOW = 1000  # examples in the window of the running error
COUNT = 8  # targets per data set
ABOVE_BEST = 1.05  # hardest target divided by the smallest end error


def running(steps, mistakes):
    """(places, errors): indices of recorded steps and the running errors there, in 0..1.

    The running error at step t is (mistakes[t] - mistakes[t - WINDOW]) / WINDOW. It exists at recorded steps
    t >= WINDOW for which step t - WINDOW is also recorded; step 0 counts as recorded, with 0 mistakes.
    """
    steps = np.concatenate(([0], np.asarray(steps)))
    mistakes = np.concatenate(([0], np.asarray(mistakes)))
    before = np.searchsorted(steps, steps - WINDOW)
    places = np.flatnonzero((steps >= WINDOW) & (steps[np.minimum(before, len(steps) - 1)] == steps - WINDOW))
    return places - 1, (mistakes[places] - mistakes[before[places]]) / WINDOW


def reached(places, errors, target):
    """First of the places from which on the running error stays at or below the target to the end; None if it does
    not end there."""
    above = np.flatnonzero(~(errors <= target))
    first = above[-1] + 1 if len(above) else 0
    return int(places[first]) if first < len(places) else None


def ladder(best, start):
    """Targets of a data set: COUNT errors, evenly spaced in the logarithm, easiest first.

    From `start`, the error at the start, to max(ABOVE_BEST best, 1 / WINDOW), where `best` is the smallest end error.
    If `start` does not exceed the hardest target, only that target.
    """
    hardest = max(ABOVE_BEST * best, 1 / WINDOW)
    return tuple(map(float, np.geomspace(start, hardest, COUNT))) if start > hardest else (hardest,)
