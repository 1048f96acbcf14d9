"""Compares two result sets learner by learner: a paired test of the errors over the seeds, and counts."""

import dataclasses

import numpy as np

from ..errors import RequestError
from .means import combined, split
from .significance import holm, paired_test
from .table import ERRORS, PERCENT, table

TITLES = {"error_rate": "average error"}
COUNTS = ("requested", "computed", "evaluation")
DATA = ("data_digest", "examples")  # trials that differ in these are not compared


@dataclasses.dataclass
class LearnerComparison:
    """One learner with one grid point in both sets."""

    name: str  # experiment/learner[grid]
    error: str | None  # key of the compared error; None if they have no error in common
    a: float  # means over the common seeds
    b: float
    test: object | None  # PairedTest of b - a
    counts: dict  # {kind: b - a, summed over the common seeds}, with support_vectors
    adjusted_p: float = 1.0  # after Holm's adjustment over all learners with at least two seeds

    @property
    def measure(self):
        return TITLES.get(self.error, (self.error or "").replace("_", " "))

    @property
    def seeds(self):
        return self.test.n if self.test else 0

    def differs(self, level):
        """Whether the error differs at this level (with one seed: at all), or counts that equal results share."""
        error = self.a != self.b if self.seeds < 2 else self.adjusted_p < level
        return bool(error or self.counts["requested"] or self.counts["evaluation"])


@dataclasses.dataclass
class SetComparison:
    learners: list  # of LearnerComparison, sorted by name
    only_a: list  # names of trials that the other set lacks
    only_b: list
    failed: list  # trials without a valid result, with status and set
    unlike: list  # names of trials whose data or number of examples differ
    messages: list  # why rows have no numbers

    def differs(self, level):
        lacking = self.only_a or self.only_b or self.failed or self.unlike
        return bool(lacking or any(learner.differs(level) for learner in self.learners))


def trials_of(rows, folder, where, tiers, failed):
    """{experiment/learner[grid]: {seed: place}} of the rows with numbers. Adds the others to `failed`.

    `tiers`: whether names end with the tier. Raises RequestError if two rows are of one name and seed.
    """
    own = np.isnan(rows.columns["fold"].numbers) & (rows["status"] != "missing")
    columns = [rows.columns[name] for name in ("experiment", "key", "grid_point", "tier")[: 4 if tiers else 3]]
    names = combined([column.keys() for column in columns])
    values, status, seeds = [column.values for column in columns], rows["status"], rows["seed"]
    trials = {}
    for places in split(np.flatnonzero(own), names):
        experiment, key, grid, *tier = (column[places[0]] for column in values)
        name = f"{experiment or '?'}/{key or '?'}" + (f"[{grid}]" if grid else "") + "".join(f" ({of})" for of in tier)
        good = places[rows.has_numbers[places]]
        failed += [
            f"{name}/r{number(seeds[place])}: {status[place]} in {where}" for place in places if place not in good
        ]
        trials[name] = {int(seeds[place]): place for place in good}
        if len(trials[name]) < len(good):
            raise RequestError(f"{folder}: has several results of {name} with one seed: compare folders of one run")
    return {name: trials[name] for name in sorted(trials) if trials[name]}


def number(seed):
    return "?" if seed is None or seed != seed else f"{seed:.0f}"


def compare(a, b):
    """The SetComparison of two result folders, without cross-validation. Accepts stale results.

    Results of different tiers are different learners if a folder has several. Raises RequestError.
    """
    left, right = table(a, stale=True), table(b, stale=True)
    failed, unlike, learners = [], [], []
    tiers = any(len({*rows["tier"]}) > 1 for rows in (left, right))
    ones, others = trials_of(left, a, "a", tiers, failed), trials_of(right, b, "b", tiers, failed)
    alike = [(left[name], right[name]) for name in DATA]
    for name in ones.keys() & others.keys():
        pairs = []
        for seed in sorted(ones[name].keys() & others[name].keys()):
            place, other = ones[name][seed], others[name][seed]
            if all(x[place] == y[other] for x, y in alike):
                pairs.append((place, other))
            else:
                unlike.append(f"{name}/r{seed}")
        if pairs:
            learners.append(compare_learner(name, left, right, np.array(pairs)))
    tested = [learner for learner in learners if learner.seeds > 1]
    for learner, adjusted in zip(tested, holm([comparison.test.p for comparison in tested])):
        learner.adjusted_p = float(adjusted)
    learners.sort(key=lambda learner: learner.name)
    only = [missing(ones, others), missing(others, ones)]
    return SetComparison(learners, *only, failed, sorted(unlike), left.messages + right.messages)


def missing(these, those):
    return [f"{name}/r{seed}" for name, of in these.items() for seed in sorted(of.keys() - those.get(name, {}).keys())]


def compare_learner(name, left, right, pairs):
    def values(column):
        sides = zip((left, right), pairs.T)
        return [rows.columns[column].numbers[at] if column in rows else np.full(len(at), np.nan) for rows, at in sides]

    known = [error for error in ERRORS if not np.isnan(values(error)).any()]
    a, b = values(known[0]) if known else (np.zeros(1), np.zeros(1))
    counts = {kind: np.subtract(*values(f"kernel_evaluations/{kind}")[::-1]).sum() for kind in COUNTS}
    counts["support_vectors"] = np.subtract(*values("support_vectors")[::-1]).sum()
    return LearnerComparison(
        name,
        known[0] if known else None,
        float(a.mean()),
        float(b.mean()),
        paired_test(b - a) if known else None,
        {kind: int(value) for kind, value in counts.items()},
    )


def as_json(comparison):
    learners = []
    for learner in comparison.learners:
        test = learner.test
        learners.append(
            {
                "name": learner.name,
                "measure": learner.measure,
                "seeds": learner.seeds,
                "a": learner.a,
                "b": learner.b,
                "difference": test.mean if test else 0.0,
                "interval": [test.low, test.high] if test else [0.0, 0.0],
                "effect": test.effect if test and np.isfinite(test.effect) else None,
                "p": test.p if test else 1.0,
                "adjusted_p": learner.adjusted_p,
                **learner.counts,
            }
        )
    names = ("only_a", "only_b", "failed", "unlike")
    return {"learners": learners, **{name: getattr(comparison, name) for name in names}}


def cells(learners):
    """Rows of texts, the header first."""
    rows = [["learner", "measure", "seeds", "a", "b", "b - a", "95 % interval", "effect d", "p (Holm)"]]
    rows[0] += [*COUNTS, "SVs"]
    for learner in learners:
        unit = 100 if learner.error in PERCENT else 1
        test, tested = learner.test, learner.seeds > 1
        rows.append(
            [
                learner.name,
                learner.measure + (" %" if unit == 100 else ""),
                str(learner.seeds),
                *(f"{unit * value:.4g}" for value in (learner.a, learner.b)),
                f"{unit * (test.mean if test else 0):+.3g}",
                f"{unit * test.low:+.3g} .. {unit * test.high:+.3g}" if tested else "-",
                f"{test.effect:+.2f}" if tested else "-",
                f"{learner.adjusted_p:.3g}" if tested else "-",
                *(f"{value:+d}" for value in learner.counts.values()),
            ]
        )
    return rows
