"""Cost to reach a target when a learner is restarted on random orders until it reaches the target.

Simulated restarts follow COCO (Hansen et al. 2021, "COCO: a platform for comparing continuous optimizers in a black-box
setting"). Orders are drawn with replacement. A run that misses the target adds its complete cost, and another order is
drawn. The first run that reaches the target adds its cost at the target.
"""

import numpy as np

from ..results.intervals import generator

DRAWS = 1000  # simulated runs per target


def simulated(reached, costs, combined, name, draws=DRAWS):
    """Costs of `draws` simulated runs; infinite if no order reaches the target.

    `reached`: for each order, whether it reaches the target. `costs`: its cost at the target, or else at its end.
    `combined`: np.add or np.maximum (costs.Kind). `name`: seed.
    """
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
    """Exact expected cost of a simulated run; infinite if no order reaches the target. Parameters as in simulated().

    np.add, with p the share of orders that reach the target:
        E = mean(cost | reached) + (1 - p) / p mean(cost | not reached)
    np.maximum:
        P(cost <= x) = S(x) / (1 - F(x))
    S(x) and F(x) are the shares of all orders that cost at most x and reach the target, or do not reach it.
    """
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
