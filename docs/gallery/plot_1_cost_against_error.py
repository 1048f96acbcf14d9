"""
Cost against error
==================

Four learners on the same stream of digits. The x axis counts kernel evaluations, which do not depend on the machine.
"""

import matplotlib.pyplot as plt
import okbench

X, y = okbench.load_data("digits", positive=[0, 1, 2, 3, 4])
learners = {
    "NORMA": okbench.NORMA(epochs=1, sigma=20.0, eta0=1.0, buffer=500),
    "SVMD": okbench.SVMD(epochs=1, sigma=20.0, buffer=500),
    "perceptron": okbench.Perceptron(epochs=1, sigma=20.0),
    "PA-I": okbench.PassiveAggressive(C=1.0, epochs=1, sigma=20.0),
}
figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
for name, learner in learners.items():
    trace = learner.fit(X, y).trace_
    axes.plot(trace["kernel_requested"], 100 * trace["mistakes"] / trace["step"], label=name)
axes.set(
    xscale="log", xlim=(100, None), ylim=(0, 50), ylabel="average error (%)", xlabel="requested kernel evaluations"
)
axes.legend()
