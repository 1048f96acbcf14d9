"""What it costs to reach a target when a learner is started anew, on another order, until it does: simulated runs as
COCO has them (Hansen et al. 2021, "COCO: a platform for comparing continuous optimizers in a black-box setting").

An order is drawn; a run that does not reach the target costs what it cost to its end, and another is drawn, with
replacement; the run that does costs what it had cost at the target.
"""

import zlib

import numpy as np

DRAWS = 1000  # simulated runs of a target


def generator(name):
    """Random numbers of a simulation: its name is the seed. RandomState's bits are those of every version of numpy."""
    return np.random.RandomState(zlib.crc32(name.encode("utf-8")))


def simulated(reached, costs, combined, name, draws=DRAWS):
    """The costs of so many simulated runs, infinite where no order reaches the target.

    `reached`: of each order, whether it reaches the target; `costs`: at the target, or at its end; `combined`: np.add,
    or np.maximum."""
    reached, costs = np.asarray(reached, dtype=bool), np.asarray(costs, dtype=float)
    if not reached.any():
        return np.full(draws, np.inf)
    random, total, going = generator(name), np.zeros(draws), np.arange(draws)
    while len(going):
        drawn = (random.random_sample(len(going)) * len(reached)).astype(int)
        total[going] = combined(total[going], costs[drawn])
        going = going[~reached[drawn]]
    return total


def expected(reached, costs, combined):
    """The mean of simulated runs without simulating: infinite where no order reaches the target.

    Of sums, with a share p of orders that reach it: mean cost of these, and (1 - p) / p times that of the others. Of
    maxima, the largest so far is at most x with probability S(x) / (1 - F(x)), S and F the shares of all orders that
    reach the target, and do not, at a cost of at most x."""
    reached, costs = np.asarray(reached, dtype=bool), np.asarray(costs, dtype=float)
    if not reached.any():
        return float("inf")
    if combined is np.add:
        failed = costs[~reached]
        return float(costs[reached].mean() + failed.sum() / reached.sum())
    order = np.argsort(costs, kind="stable")
    good = np.cumsum(reached[order]) / len(costs)
    bad = np.cumsum(~reached[order]) / len(costs)
    below = good / (1 - bad)
    return float(np.sum(costs[order] * np.diff(below, prepend=0)))
