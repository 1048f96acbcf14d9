"""
Read traces
===========

Results are files. ``okbench.load`` verifies every digest and returns a data frame with one row per trial.
"""

import matplotlib.pyplot as plt
import okbench

spec = {
    "format": 2,
    "experiment": "gallery/traces",
    "repetitions": 5,
    "data": {"name": "digits", "positive": [0, 1, 2, 3, 4], "order": "permutation", "test": "test"},
    "kernel": {"name": "rbf", "sigma": {"grid": [5.0, 10.0, 20.0, 40.0]}},
    "learners": {"norma": {"learner": "norma", "eta0": 1.0}, "svmd": {"learner": "svmd"}},
}
okbench.run(spec, out="trace-results", progress=False)
frame = okbench.load("trace-results")
means = frame.groupby(["learner", "param_kernel.sigma"])["test_error"].agg(["mean", "std"])
print(means)

figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
for learner, rows in means.groupby(level="learner"):
    sigma = rows.index.get_level_values("param_kernel.sigma")
    axes.errorbar(sigma, 100 * rows["mean"], 100 * rows["std"], capsize=3, marker="o", label=learner)
axes.set(xscale="log", xlabel="kernel width sigma", ylabel="test error (%)")
axes.legend()
