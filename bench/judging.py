"""Compares timings of two programs: order of runs, medians, and the test for a slow-down."""

import dataclasses
import statistics

THRESHOLD = 1.10  # a benchmark with a higher ratio of medians is suspected and measured again
CERTAIN = 0.01  # p of the second run must be below this to confirm a slow-down
MIN_AGAIN = 5  # minimum measurements per side in the second run; 5 can reach p = 0.004


@dataclasses.dataclass
class Comparison:
    """The comparison of one benchmark.

    base, this: median times in the unit of the measurements. spread: the larger interquartile range over its median.
    p: one-sided p-value of the Mann-Whitney test, for equal programs. word: "slower", "faster", "not confirmed" or "".
    """

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
    """The order of runs: base this, this base, base this, ... Drift of the machine affects both sides equally."""
    pairs = (("base", "this"), ("this", "base"))
    return [side for k in range(repeats) for side in pairs[k % 2]]


def spread_of(times):
    first, _, third = statistics.quantiles(times, n=4, method="inclusive")
    return (third - first) / statistics.median(times)


def compare_times(name, base, this):
    """The comparison of two lists of times. REQUIRES: two or more times in each list."""
    from scipy.stats import mannwhitneyu

    medians = statistics.median(base), statistics.median(this)
    side = "greater" if medians[1] >= medians[0] else "less"
    p = mannwhitneyu(this, base, alternative=side).pvalue
    return Comparison(name, *medians, max(spread_of(base), spread_of(this)), float(p))


def measured(measure, names, repeats, report, failures):
    """Measures benchmarks in rounds over all of them. Returns their comparisons.

    Reports a benchmark that fails with `report`, and leaves it out.
    """
    times = {name: {"base": [], "this": []} for name in names}
    for side_by_side in range(repeats):
        for name in list(times):
            try:
                for side in turns(side_by_side + 1)[-2:]:
                    times[name][side].append(measure(side, name))
            except failures as error:
                report(str(error))
                del times[name]
    return [compare_times(name, both["base"], both["this"]) for name, both in times.items()]


def compare(measure, names, repeats, threshold, report, failures=()):
    """Comparisons in the order of the names.

    Benchmarks above the threshold are measured again, more often. Their numbers are those of the second run, which must
    confirm the slow-down. `measure(side, name)` returns a time or raises one of `failures`. `report(line)` reports.
    """
    comparisons = measured(measure, names, repeats, report, failures)
    suspects = [comparison.name for comparison in comparisons if comparison.ratio > threshold]
    if suspects:
        report(f"possibly slower, measured again: {', '.join(suspects)}")
    again = {
        comparison.name: comparison
        for comparison in measured(measure, suspects, max(MIN_AGAIN, 2 * repeats), report, failures)
    }
    judged = []
    for comparison in comparisons:
        if comparison.name in again:
            comparison = again[comparison.name]
            comparison.word = "slower" if comparison.ratio > threshold and comparison.p < CERTAIN else "not confirmed"
        elif comparison.name in suspects:
            comparison.word = "not confirmed"
        elif comparison.ratio < 1 / threshold and comparison.p < CERTAIN:
            comparison.word = "faster"
        judged.append(comparison)
    return judged


def verdict(comparisons):
    """(one line of text, names of the slower benchmarks)."""
    slower = [comparison for comparison in comparisons if comparison.word == "slower"]
    if not slower:
        return f"verdict: none of {len(comparisons)} benchmarks is slower", []
    listed = ", ".join(f"{comparison.name} {comparison.ratio:.2f} times" for comparison in slower)
    count = f"{len(slower)} of {len(comparisons)} benchmarks"
    return f"verdict: {count} {'is' if len(slower) == 1 else 'are'} slower: {listed}", [
        comparison.name for comparison in slower
    ]
