"""
Drift
=====

The line between two classes turns around twice. A large buffer keeps old examples that now have the wrong label. A
small buffer forgets them, but also forgets what it needs.
"""

import matplotlib.pyplot as plt
import numpy as np
import okbench

random = np.random.RandomState(0)
steps = 6000
X = random.uniform(-1, 1, (steps, 2)).astype(np.float32)
angle = np.linspace(0, 4 * np.pi, steps)
y = np.where(X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle) > 0, 1, -1)
figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
for buffer in (20, 100, 1000):
    learner = okbench.NORMA(epochs=1, gamma=2.0, eta0=1.0, schedule="constant", c=0.0, buffer=buffer, order="file").fit(
        X, y
    )
    mistakes = np.interp(np.arange(1, steps + 1), learner.trace_["step"], learner.trace_["mistakes"])
    axes.plot(np.arange(500, steps), 100 * (mistakes[500:] - mistakes[:-500]) / 500, label=f"buffer {buffer}")
axes.set(xlabel="step", ylabel="error over the last 500 steps (%)", ylim=(0, None))
axes.legend()
