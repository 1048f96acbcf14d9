"""The running error, the target errors of a data set, and the step at which a run reaches a target."""

import numpy as np

WINDOW = 1000  # examples in the window of the running error, for streams of at least this length
COUNT = 8  # targets per data set
ABOVE_BEST = 1.05  # hardest target divided by the smallest end error


def window_of(steps):
    """Examples in the window of the running error: WINDOW, or for short streams the last recorded step in the first
    quarter of the stream; 0 if there is none."""
    if steps[-1] >= WINDOW:
        return WINDOW
    quarter = [int(step) for step in steps if step <= steps[-1] // 4]
    return quarter[-1] if quarter else 0


def running(steps, mistakes, window=WINDOW):
    """(places, errors): indices of recorded steps and the running errors there.

    `mistakes`: number up to each step, or sum of squared errors. The running error at step t is (mistakes[t] -
    mistakes[t - window]) / window. It exists at recorded steps
    t >= window for which step t - window is also recorded; step 0 counts as recorded, with 0 mistakes.
    """
    if window < 1:
        return np.array([], dtype=int), np.array([])
    steps = np.concatenate(([0], np.asarray(steps)))
    mistakes = np.concatenate(([0], np.asarray(mistakes)))
    before = np.searchsorted(steps, steps - window)
    places = np.flatnonzero((steps >= window) & (steps[np.minimum(before, len(steps) - 1)] == steps - window))
    return places - 1, (mistakes[places] - mistakes[before[places]]) / window


def reached(places, errors, target):
    """First of the places from which on the running error stays at or below the target to the end; None if it does
    not end there."""
    above = np.flatnonzero(~(errors <= target))
    first = above[-1] + 1 if len(above) else 0
    return int(places[first]) if first < len(places) else None


def ladder(best, start, resolution=1 / WINDOW):
    """Targets of a data set: COUNT errors, evenly spaced in the logarithm, easiest first.

    From `start`, the error at the start, to max(ABOVE_BEST best, resolution), where `best` is the smallest end error
    and `resolution` the smallest running error above 0, or 0 for real targets.
    If `start` does not exceed the hardest target, only that target.
    """
    hardest = max(ABOVE_BEST * best, resolution)
    return tuple(map(float, np.geomspace(start, hardest, COUNT))) if start > hardest else (hardest,)
