"""
Measures of a stream
====================

With recorded predictions, any measure of a stream can be computed after the run: so far, or over a window of steps.
Predicting the last label again is the baseline of kappa-temporal. 0 is no better than that.
"""

import matplotlib.pyplot as plt
import okbench

spec = {
    "format": 2,
    "experiment": "gallery/stream",
    "data": {"name": "moving-border", "rows": 6000, "order": "file"},
    "kernel": {"name": "rbf", "sigma": 0.2},
    "trace": {"predictions": True},
    "learners": {
        "NORMA": {"learner": "norma", "buffer": 200, "eta0": 1.0, "schedule": "constant", "c": 0.01},
        "perceptron": {"learner": "perceptron"},
        "passive-aggressive": {"learner": "passive-aggressive"},
    },
}
frame = okbench.run(spec, progress=False)
measures = ["error", "kappa-temporal", "auc"]
figure, panels = plt.subplots(1, len(measures), figsize=(9, 3), constrained_layout=True)
for _, row in frame.iterrows():
    for axes, name in zip(panels, measures):
        steps, values = row["trace"].measure(name, window=500)
        axes.plot(steps[steps >= 500], values[steps >= 500], label=row["learner"])
for axes, name in zip(panels, measures):
    axes.set(title=name, xlabel="step")
figure.suptitle("over the last 500 steps")
panels[0].legend(fontsize=7)
