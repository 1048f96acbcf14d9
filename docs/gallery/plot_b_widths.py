"""
Kernel widths
=============

Which learner forgives a wrong width? Each point is one learner with one width of the kernel. The line of the Hedge has
no width to choose: eight widths vote.
"""

import matplotlib.pyplot as plt
import okbench

X, y = okbench.load_data("digits", positive=[0, 1, 2, 3, 4])
gammas = [2.0**power for power in range(-17, -2)]
learners = {
    "NORMA": lambda gamma: okbench.NORMA(epochs=1, gamma=gamma, eta0=1.0, buffer=256),
    "perceptron": lambda gamma: okbench.Perceptron(epochs=1, gamma=gamma),
    "BPA-S": lambda gamma: okbench.BPAS(C=1.0, epochs=1, gamma=gamma, budget=256),
    "FOGD": lambda gamma: okbench.FOGD(eta=0.5, epochs=1, gamma=gamma, features=256),
}


def error(learner):
    """Share of rows that are predicted wrongly before they are learned."""
    trace = learner.fit(X, y).trace_
    return 100 * trace["mistakes"].iloc[-1] / trace["step"].iloc[-1]


figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
for name, learner in learners.items():
    axes.plot(gammas, [error(learner(gamma)) for gamma in gammas], marker="o", markersize=3, label=name)
hedged = okbench.Hedged(okbench.BPAS(C=1.0, epochs=1, gamma="median", budget=256))
axes.axhline(error(hedged), color="black", linestyle="--", label="Hedge over BPA-S")
axes.set(xscale="log", xlabel="gamma", ylabel="average error (%)", ylim=(0, 55))
axes.legend()
