"""
Your own learner
================

Any object with ``partial_fit`` and ``decision_function`` can join an experiment. Its constructor receives the counted
kernel of the trial.
"""

import matplotlib.pyplot as plt
import numpy as np
import okbench


class OldestOut:
    """A perceptron that keeps its 50 latest mistakes."""

    def __init__(self, kernel):
        self.kernel, self.rows, self.labels, self.score = kernel, [], [], 0.0

    @property
    def support_vectors(self):
        return len(self.rows)

    def decision_function(self, X):
        if not self.rows:
            return np.zeros(len(X))
        scores = self.kernel(X, np.vstack(self.rows)) @ np.array(self.labels, dtype=float)
        self.score = scores[-1]
        return scores

    def partial_fit(self, X, y):
        if y[0] * self.score <= 0:
            self.rows, self.labels = [*self.rows, X][-50:], [*self.labels, y[0]][-50:]


spec = {
    "format": 2,
    "experiment": "gallery/own",
    "data": {"name": "digits", "positive": [0, 1, 2, 3, 4], "order": "permutation"},
    "kernel": {"name": "rbf", "sigma": 20.0},
    "learners": {"forgetron": {"learner": "forgetron", "budget": 50}, "pa": {"learner": "passive-aggressive"}},
}
frame = okbench.run(spec, learners={"oldest-out": OldestOut}, out="own-results", progress=False)
print(frame[["learner", "error_rate", "support_vectors", "requested"]].to_string(index=False))
figure = okbench.plot("own-results", log="x")
plt.show()
