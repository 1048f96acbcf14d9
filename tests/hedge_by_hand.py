"""Hedge in NumPy, from the equations in learners/bases/hedge.h."""

import numpy as np

DISCOUNTS = (0.01, 0.001, 0.0001)


class HedgeByHand:
    """Weights of `count` learners. The caller combines scores with `weights`, then calls `update`."""

    def __init__(self, count, beta=0.9, discounts=DISCOUNTS):
        self.beta, self.discounts = beta, np.array(discounts)
        self.logs, self.rate_logs = np.zeros((len(discounts), count)), np.zeros(len(discounts))

    @property
    def shares(self):
        """The learners' weights at each discount, with sum 1."""
        weights = np.exp(self.logs)
        return weights / weights.sum(axis=1, keepdims=True)

    @property
    def weights(self):
        """The learners' weights; the largest is 1."""
        mixed = np.exp(self.rate_logs) @ self.shares
        return mixed / mixed.max()

    def update(self, losses, loss_of):
        """losses: of the learners, 0 to 1. loss_of(weights): that of their vote or mean with these weights."""
        of_rates = np.array([loss_of(weights) for weights in self.shares])
        self.rate_logs = (1 - self.discounts.min()) * self.rate_logs + np.log(self.beta) * of_rates
        self.logs = (1 - self.discounts)[:, None] * self.logs + np.log(self.beta) * np.asarray(losses)
        self.rate_logs -= self.rate_logs.max()
        self.logs -= self.logs.max(axis=1, keepdims=True)
