"""
Budgets
=======

How much error does a smaller memory cost? Each point is one learner with one budget of support vectors.
"""

import matplotlib.pyplot as plt
import okbench

X, y = okbench.load_data("digits", positive=[0, 1, 2, 3, 4])
budgets = [16, 32, 64, 128, 256]
makers = {
    "RBP": lambda budget: okbench.RBP(epochs=1, sigma=20.0, budget=budget),
    "Forgetron": lambda budget: okbench.Forgetron(epochs=1, sigma=20.0, budget=budget),
    "BPA-S": lambda budget: okbench.BPAS(C=1.0, epochs=1, sigma=20.0, budget=budget),
    "BSGD (merging)": lambda budget: okbench.BSGD(
        epochs=1, sigma=20.0, budget=budget, maintenance="merging", lambda_=0.001
    ),
}
figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
for name, make in makers.items():
    traces = [make(budget).fit(X, y).trace_ for budget in budgets]
    errors = [100 * trace["mistakes"].iloc[-1] / trace["step"].iloc[-1] for trace in traces]
    axes.plot(budgets, errors, marker="o", label=name)
axes.set(xscale="log", xlabel="budget (support vectors)", ylabel="average error (%)")
axes.set_xticks(budgets, budgets)
axes.legend()
