"""Empirical distributions of the cost to target, over all pairs of a data set and one of its targets."""

import dataclasses

import numpy as np

from . import restarts
from .costs import KINDS

POINTS = 150  # of a curve that is drawn


@dataclasses.dataclass(eq=False)
class Curve:
    """A learner's simulated costs over all pairs."""

    learner: str
    kind: str
    pairs: int
    reached: int  # pairs that some order reaches
    costs: np.ndarray  # finite simulated costs of all pairs, ascending; restarts.DRAWS a pair
    gives_up: float  # median of what its runs cost to their ends

    @property
    def share(self):
        """Of the pairs, those that it reaches."""
        return self.reached / self.pairs

    @property
    def median(self):
        """What half of all simulated runs cost at most; infinite where fewer than half end."""
        half = (self.pairs * restarts.DRAWS + 1) // 2
        return float(self.costs[half - 1]) if half <= len(self.costs) else float("inf")

    def at(self, cost):
        """The share of all simulated runs that cost at most this."""
        return float(np.searchsorted(self.costs, cost, side="right") / (self.pairs * restarts.DRAWS))

    def points(self):
        """(costs, shares) at POINTS places at most, evenly spaced in the shares, the first and the last among them; the
        costs ascend."""
        if not len(self.costs):
            return np.array([]), np.array([])
        places = np.unique(np.linspace(0, len(self.costs) - 1, POINTS).astype(int))
        # Of equal costs the last tells the share.
        places = np.unique(np.searchsorted(self.costs, self.costs[places], side="right") - 1)
        return self.costs[places], (places + 1) / (self.pairs * restarts.DRAWS)


def reaching(league, name, index, learner, kind, **choice):
    """(entry, expected cost) of a learner for a target of a data set: that of its budgets with the smallest expected
    cost, the smaller of equal ones; where none reaches the target, the one with the least end error, and infinity.
    None where it has no result."""
    target, combined = league.ladders[name][index], KINDS[kind].combined
    taken = league.taken(name, learner, **choice)
    if not taken:
        return None
    found = [(one, restarts.expected(*one.at(target, kind), combined)) for one in taken]
    best = min(found, key=lambda pair: pair[1])
    return best if np.isfinite(best[1]) else (league.best(name, learner, **choice), best[1])


def curve(league, learner, kind="tuning", **choice):
    """A learner's Curve, "best of its budgets": of each pair the budget with the smallest expected cost is taken among
    those of `choice`, at_most=B or at=B (League.taken). None where it has no result on any of the data sets."""
    key = (learner, kind, *choice.items())
    if key not in league.curves:
        league.curves[key] = made(league, learner, kind, **choice)
    return league.curves[key]


def made(league, learner, kind, **choice):
    """The same, not yet kept."""
    combined = KINDS[kind].combined
    pairs = [(name, index) for name, ladder in league.ladders.items() for index in range(len(ladder))]
    found, ends, reached = [], [], 0
    for name, index in pairs:
        taken = reaching(league, name, index, learner, kind, **choice)
        if taken is None:
            continue
        entry = taken[0]
        ends += [run.cost(kind) for run in entry.runs]
        if np.isfinite(taken[1]):
            at = entry.at(league.ladders[name][index], kind)
            seed = f"{name}/{learner}/{entry.budget}/{index}"
            found.append(restarts.simulated(*at, combined, seed))
            reached += 1
    if not ends:
        return None
    costs = np.sort(np.concatenate(found)) if found else np.array([])
    return Curve(learner, kind, len(pairs), reached, costs, float(np.median(ends)))
