"""
Time series
===========

Three kernel adaptive filters predict the next value of the Mackey-Glass series from the last eleven. Below, KRLS-T with
its predictive deviation, after it has learned half of the series.
"""

import matplotlib.pyplot as plt
import numpy as np
import okbench

X, y = okbench.load_data("mackey-glass-30", synthetic=True, rows=5000)
settings = {"gamma": 1.4, "order": "file", "epochs": 1, "standardize": False}
filters = {
    "QKLMS": okbench.QKLMSRegressor(**settings, eta=0.5, epsilon=0.05),
    "KAP": okbench.KAPRegressor(**settings, mu0=0.95, eta=0.2, epsilon=0.01),
    "KRLS-T": okbench.KRLSTRegressor(**settings, lambda_=1, noise=1e-4, budget=100),
}
figure, (top, bottom) = plt.subplots(2, figsize=(7, 6), constrained_layout=True)
for name, learner in filters.items():
    squares = 2 * learner.fit(X, y).trace_["loss"].to_numpy()  # the loss is half the squared error
    means = np.convolve(squares, np.ones(200) / 200, "valid")
    top.plot(np.arange(200, len(y) + 1), 10 * np.log10(means), label=name)
top.set(xlabel="step", ylabel="error of the last 200 steps (dB)")
top.legend()

half = len(y) // 2
tracker = okbench.KRLSTRegressor(**settings, lambda_=1, noise=1e-2, budget=100).fit(X[:half], y[:half])
steps = np.arange(half, half + 150)
mean, deviation = tracker.predict(X[steps], return_std=True)
bottom.fill_between(steps, mean - 2 * deviation, mean + 2 * deviation, alpha=0.3, label="two deviations")
bottom.plot(steps, mean, label="KRLS-T")
bottom.plot(steps, y[steps], "k.", markersize=3, label="series")
bottom.set(xlabel="step", ylabel="value")
bottom.legend()
