"""Judging timings of two programs: the order in which they run, medians, and what counts as slower."""

import dataclasses
import statistics

THRESHOLD = 1.10  # ratio of medians above which a benchmark is suspected,
CERTAIN = 0.01  # and what p of the second run has to be below
LEAST_AGAIN = 5  # measurements a side of the second run: even these can reach p = 0.004


@dataclasses.dataclass
class Comparison:
    """One benchmark: medians, their ratio, the larger interquartile range in shares of its median, and p, the chance
    that times of one and the same program would lie as far to this side (Mann-Whitney)."""

    name: str
    base: float
    this: float
    spread: float
    p: float
    word: str = ""

    @property
    def ratio(self):
        return self.this / self.base


def turns(repeats):
    """Sides in the order that they run: base this, this base, base this, ...: a drift of the machine hits both."""
    pairs = (("base", "this"), ("this", "base"))
    return [side for k in range(repeats) for side in pairs[k % 2]]


def spread_of(times):
    first, _, third = statistics.quantiles(times, n=4, method="inclusive")
    return (third - first) / statistics.median(times)


def compare_times(name, base, this):
    """A comparison of two lists of times, each of two or more."""
    from scipy.stats import mannwhitneyu

    medians = statistics.median(base), statistics.median(this)
    side = "greater" if medians[1] >= medians[0] else "less"
    p = mannwhitneyu(this, base, alternative=side).pvalue
    return Comparison(name, *medians, max(spread_of(base), spread_of(this)), float(p))


def measured(measure, names, repeats, told, failures):
    """Comparisons of benchmarks; one that cannot be measured is told and left out. All of them have a turn before the
    first has its next."""
    times = {name: {"base": [], "this": []} for name in names}
    for side_by_side in range(repeats):
        for name in list(times):
            try:
                for side in turns(side_by_side + 1)[-2:]:
                    times[name][side].append(measure(side, name))
            except failures as error:
                told(str(error))
                del times[name]
    return [compare_times(name, both["base"], both["this"]) for name, both in times.items()]


def compare(measure, names, repeats, threshold, told, failures=()):
    """Comparisons in the order of the names. Those suspected of being slower are measured again, more often, and have
    the numbers of that second run; they are slower when it says so, too. `measure(side, name)` gives a time, or raises
    one of `failures`; `told` has a line on each of them."""
    comparisons = measured(measure, names, repeats, told, failures)
    suspects = [one.name for one in comparisons if one.ratio > threshold]
    if suspects:
        told(f"suspected, and measured again: {', '.join(suspects)}")
    again = {one.name: one for one in measured(measure, suspects, max(LEAST_AGAIN, 2 * repeats), told, failures)}
    judged = []
    for one in comparisons:
        if one.name in again:
            one = again[one.name]
            one.word = "slower" if one.ratio > threshold and one.p < CERTAIN else "not confirmed"
        elif one.name in suspects:
            one.word = "not confirmed"
        elif one.ratio < 1 / threshold and one.p < CERTAIN:
            one.word = "faster"
        judged.append(one)
    return judged


def verdict(comparisons):
    """A line, and the names of what is slower."""
    slower = [one for one in comparisons if one.word == "slower"]
    if not slower:
        return f"verdict: none of {len(comparisons)} benchmarks is slower", []
    told = ", ".join(f"{one.name} {one.ratio:.2f} times" for one in slower)
    count = f"{len(slower)} of {len(comparisons)} benchmarks"
    return f"verdict: {count} {'is' if len(slower) == 1 else 'are'} slower: {told}", [one.name for one in slower]
