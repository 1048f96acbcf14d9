"""
Comparison with scikit-learn
============================

One pass of online learners against scikit-learn's SVC, which solves the whole problem. The x axis is processor time, so
it differs between machines.
"""

import time

import matplotlib.pyplot as plt
import okbench
from sklearn.svm import SVC

X, y = okbench.load_data("fashion-mnist", positive=[0, 1, 2, 3, 4], scale=(0, 1))
X, y = X[:2000], y[:2000]
X_test, y_test = okbench.load_data("fashion-mnist", "test", positive=[0, 1, 2, 3, 4], scale=(0, 1))
X_test, y_test = X_test[:1000], y_test[:1000]

learners = {
    "SVC": SVC(gamma=0.02, C=1.0),
    "SVMD": okbench.SVMD(epochs=1, gamma=0.02, buffer=1000),
    "PA-I": okbench.PassiveAggressive(C=1.0, epochs=1, gamma=0.02),
    "SFD": okbench.SFD(epochs=1, gamma=0.02, batch=100),
    "FOGD": okbench.FOGD(epochs=1, eta=0.5, gamma=0.02, features=500),
}
figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
for name, learner in learners.items():
    start = time.process_time()
    learner.fit(X, y)
    seconds = time.process_time() - start
    error = 100 * (1 - learner.score(X_test, y_test))
    print(f"{name:5} {error:5.1f} % test error, {seconds:.2f} s")
    axes.scatter(seconds, error)
    axes.annotate(name, (seconds, error), xytext=(6, 4), textcoords="offset points")
axes.set(xscale="log", xlabel="processor time of fitting (s)", ylabel="test error (%)")
