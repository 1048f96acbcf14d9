"""Empirical distributions of the cost to target over all pairs of a data set and one of its targets."""

import dataclasses

import numpy as np

from . import restarts
from .costs import KINDS

POINTS = 150  # most points of a drawn curve


@dataclasses.dataclass(eq=False)
class Curve:
    """Simulated costs of a learner over all pairs of a data set and a target."""

    learner: str
    kind: str  # key of costs.KINDS
    pairs: int  # pairs of a data set and a target
    reached: int  # pairs whose target is reached on at least one order
    costs: np.ndarray  # finite simulated costs, ascending; restarts.DRAWS per reached pair
    gives_up: float  # median cost of the complete runs

    @property
    def share(self):
        """Share of the pairs that are reached, in 0..1."""
        return self.reached / self.pairs

    @property
    def median(self):
        """Median cost of all simulated runs; infinite if fewer than half reach their target."""
        half = (self.pairs * restarts.DRAWS + 1) // 2
        return float(self.costs[half - 1]) if half <= len(self.costs) else float("inf")

    def at(self, cost):
        """Share of all simulated runs, in 0..1, that reach their target at a cost of at most `cost`."""
        return float(np.searchsorted(self.costs, cost, side="right") / (self.pairs * restarts.DRAWS))

    def points(self):
        """(costs, shares) of at most POINTS points, with ascending costs. Evenly spaced in the shares; includes the
        first and the last point."""
        if not len(self.costs):
            return np.array([]), np.array([])
        places = np.unique(np.linspace(0, len(self.costs) - 1, POINTS).astype(int))
        # Of equal costs, the last has the share.
        places = np.unique(np.searchsorted(self.costs, self.costs[places], side="right") - 1)
        return self.costs[places], (places + 1) / (self.pairs * restarts.DRAWS)


def reaching(league, name, index, learner, kind, **choice):
    """(entry, expected cost) of a learner for target number `index` of the data set `name`.

    Takes the budget with the smallest expected cost, the smaller budget on ties. If no budget reaches the target, takes
    the best one by the measure of the ranking, with infinite cost. `choice` restricts the budgets (League.taken).
    Returns None if the learner has no result.
    """
    target, combined = league.ladders[name][index], KINDS[kind].combined
    taken = league.taken(name, learner, **choice)
    if not taken:
        return None
    candidates = [(entry, restarts.expected(*entry.at(target, kind), combined)) for entry in taken]
    best = min(candidates, key=lambda pair: pair[1])
    return best if np.isfinite(best[1]) else (league.best(name, learner, **choice), best[1])


def curve(league, learner, kind="tuning", **choice):
    """The Curve of a learner with, for each pair, its budget of smallest expected cost. Cached in the league.

    `choice` restricts the budgets: at_most=B or at=B (League.taken). Returns None if the learner has no result on any
    data set.
    """
    key = (learner, kind, *choice.items())
    if key not in league.curves:
        league.curves[key] = uncached_curve(league, learner, kind, **choice)
    return league.curves[key]


def uncached_curve(league, learner, kind, **choice):
    """Computes curve() without the cache."""
    combined = KINDS[kind].combined
    pairs = [(name, index) for name, ladder in league.ladders.items() for index in range(len(ladder))]
    simulations, ends, reached = [], [], 0
    for name, index in pairs:
        taken = reaching(league, name, index, learner, kind, **choice)
        if taken is None:
            continue
        entry = taken[0]
        ends += [run.cost(kind) for run in entry.runs]
        if np.isfinite(taken[1]):
            at = entry.at(league.ladders[name][index], kind)
            seed = f"{name}/{learner}/{entry.budget}/{index}"
            simulations.append(restarts.simulated(*at, combined, seed))
            reached += 1
    if not ends:
        return None
    costs = np.sort(np.concatenate(simulations)) if simulations else np.array([])
    return Curve(learner, kind, len(pairs), reached, costs, float(np.median(ends)))
