"""
Compare learners on your data
=============================

Ten two-class estimators, otherwise with their defaults, learn one table in one pass. Each row is predicted before it is
learned.
"""

import matplotlib.pyplot as plt
import okbench
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
names = [
    "BPAS",
    "Forgetron",
    "KT",
    "KernelOGD",
    "NORMA",
    "PassiveAggressive",
    "Perceptron",
    "Projectron",
    "RBP",
    "SVMD",
]
errors = {}
for name in names:
    learner = getattr(okbench, name)(epochs=1, gamma="scale").fit(X, y)
    errors[name] = 100 * learner.trace_["mistakes"].iloc[-1] / len(X)
    print(f"{name:18} {errors[name]:5.1f} %  {learner.kernel_evaluations_.requested:7d} kernel evaluations")
figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
order = sorted(errors, key=errors.get, reverse=True)
axes.barh(order, [errors[name] for name in order])
axes.set(xlabel="average error in one pass (%)")
