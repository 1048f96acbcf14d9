"""
Step size adaptation
====================

SVMD adapts its step size by stochastic meta-descent. NORMA follows a fixed schedule. The task changes after half of the
stream: the digits 5 to 9 become the positive class.
"""

import matplotlib.pyplot as plt
import numpy as np
import okbench

X, y = okbench.load_data("digits", positive=[0, 1, 2, 3, 4])
labels = np.where(np.arange(len(y)) < len(y) // 2, y, -y)
learners = {
    "NORMA": okbench.NORMA(epochs=1, sigma=20.0, eta0=1.0, buffer=300, order="file"),
    "SVMD": okbench.SVMD(epochs=1, sigma=20.0, buffer=300, mu=0.5, order="file"),
}
figure, (top, bottom) = plt.subplots(2, figsize=(7, 5), sharex=True, constrained_layout=True)
for name, learner in learners.items():
    trace = learner.fit(X, labels).trace_
    top.plot(trace["step"], trace["step_size"], label=name)
    bottom.plot(trace["step"], trace["mistakes"], label=name)
top.set(yscale="log", ylabel="step size")
bottom.set(xlabel="step", ylabel="mistakes so far")
top.axvline(len(y) // 2, color="0.6")
bottom.axvline(len(y) // 2, color="0.6")
top.legend()
