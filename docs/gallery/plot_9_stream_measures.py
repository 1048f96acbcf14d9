"""
Measures of a stream
====================

The classes of this stream are reversed at the dotted lines. Every measure is over a window of 500 examples. Predicting
the last label again is the baseline of kappa-temporal, whose value is then 0. Labels may also arrive late.
"""

import matplotlib.pyplot as plt
import okbench

measures = ["error", "kappa-temporal", "auc"]
spec = {
    "format": 2,
    "experiment": "gallery/stream",
    "data": {"name": "sine-recurring", "order": "file", "max_examples": 12000, "delay": [0, 300]},
    "kernel": {"name": "rbf", "gamma": 20.0},
    "measures": {"names": measures, "window": [500], "reaction": 500},
    "trace": {"record_all_until": 0, "every": 50},
    "learners": {
        "NORMA": {"learner": "norma", "buffer": 256, "eta0": 0.5, "schedule": "constant"},
        "BPAS": {"learner": "bpas", "budget": 128},
        "last-label": {"learner": "last-label"},
    },
}
frame = okbench.run(spec, progress=False)
figure, panels = plt.subplots(2, len(measures), figsize=(9, 5), sharex=True, constrained_layout=True)
for _, row in frame.iterrows():
    late = "300" in row["grid_point"]
    for axes, name in zip(panels[int(late)], measures):
        steps, values = row["trace"].measure(name, window=500)
        axes.plot(steps[steps >= 500], values[steps >= 500], label=row["learner"])
        axes.set_title(f"{name}{', labels 300 steps late' if late else ''}", fontsize=9)
for axes in panels.flat:
    for step in frame["trace"].iloc[0].provenance["changes"][:2]:
        axes.axvline(step, color="gray", linestyle=":")
panels[0, 0].legend(fontsize=7)
print(frame[["learner", "grid_point", "error", "peak-after-change", "examples-after-change"]])
