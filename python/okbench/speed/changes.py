"""Finds the commits at which a measured quantity changed."""

import dataclasses
import math
import statistics

SHORTEST = 3  # entries before and after a change
CERTAIN = 0.001  # largest p-value of a change, over all places where a series can be split
SMALLEST = 1.05  # smallest ratio of levels that is a change
NOISE = 0.002  # least standard deviation of logarithms; equal values have none, for which there is no t-test


@dataclasses.dataclass
class Change:
    """A change between two levels of a series. `at`: index of the first entry on the new level. ratio: new level over
    old level, both medians. p: of the t-test, multiplied by the number of places that were tried."""

    at: int
    ratio: float
    p: float


def best_split(values):
    """(index, p) of the split with the smallest p-value of Student's t-test, p times the number of splits."""
    from scipy.stats import ttest_ind_from_stats

    def summary(part):
        return statistics.fmean(part), max(statistics.stdev(part), NOISE), len(part)

    places = range(SHORTEST, len(values) - SHORTEST + 1)
    tried = [(ttest_ind_from_stats(*summary(values[:k]), *summary(values[k:])).pvalue, k) for k in places]
    p, split = min(tried)
    return split, min(1.0, float(p) * len(tried))


def change_points(values):
    """The changes of a series of positive numbers, oldest first.

    Binary segmentation (Scott and Knott 1974): splits the series where the t-test of the logarithms before and after
    is most certain, then each part again. A split counts if p, corrected for the number of places (Bonferroni), is
    below CERTAIN and the level changes at least by the factor SMALLEST. The ratio of a change compares the parts beside
    it after all splits.
    """
    logs = [math.log(value) for value in values]
    splits = {}

    def split(first, last):
        if last - first < 2 * SHORTEST:
            return
        place, p = best_split(logs[first:last])
        place += first
        shift = abs(statistics.median(logs[first:place]) - statistics.median(logs[place:last]))
        if p >= CERTAIN or shift < math.log(SMALLEST):
            return
        splits[place] = p
        split(first, place)
        split(place, last)

    split(0, len(logs))
    if not splits:
        return []
    ends = [0, *sorted(splits), len(logs)]
    levels = [statistics.median(logs[a:b]) for a, b in zip(ends, ends[1:])]
    return [
        Change(place, math.exp(after - before), splits[place])
        for place, before, after in zip(ends[1:], levels, levels[1:])
    ]
