"""From fitting an estimator to a figure: run it as a script, or cell by cell in an editor that knows `# %%`."""

# %% Two classes that no plane separates: on two rings.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from okbench.estimators import NORMA, SVMD, Pegasos, load_estimator

X, y = make_circles(3000, noise=0.15, factor=0.5, random_state=0)
X, X_test, y, y_test = train_test_split(X.astype(np.float32), y, random_state=0)

# %% An online learner sees every row once, in a drawn order.
learner = SVMD(gamma=2.0, buffer=200).fit(X, y)
print(f"SVMD: {learner.score(X_test, y_test):.3f} of the test rows are right")
print(f"{len(learner.support_vectors_)} support vectors, {learner.kernel_evaluations_}")

# %% A kernel width and a parameter, found by cross validation behind a scaler.
chain = make_pipeline(StandardScaler(), SVMD(buffer=200))
search = GridSearchCV(chain, {"svmd__gamma": [0.1, 1.0, 10.0], "svmd__mu": [0.01, 0.1]}, cv=3).fit(X, y)
print(f"best of {len(search.cv_results_['params'])}: {search.best_params_}, {search.score(X_test, y_test):.3f}")

# %% A stream: chunks as they come, of any size. The learner keeps its buffer alone, and predicts at any time.
streams = {
    "SVMD": SVMD(gamma=2.0, buffer=200),
    "NORMA, the online SVM": NORMA(gamma=2.0, buffer=200, tau=10.0),
    "Pegasos": Pegasos(gamma=2.0, lambda_=0.001, batch=10),
}
for begin in range(0, len(X), 250):
    rows = slice(begin, begin + 250)
    for one in streams.values():
        one.partial_fit(X[rows], y[rows], classes=[0, 1])

# %% What is saved goes on later, or elsewhere, with the same bits.
streams["SVMD"].save("svmd.learner")
again = load_estimator("svmd.learner")
assert np.array_equal(again.decision_function(X_test), streams["SVMD"].decision_function(X_test))

# %% The trace: a row a step, or a round.
trace = streams["SVMD"].trace_
print(trace[["step", "mistakes", "support_vectors", "kernel_requested"]].tail(3).to_string(index=False))

# %% The average error against what it cost.
figure, axes = plt.subplots(figsize=(6, 4), constrained_layout=True)
for name, one in streams.items():
    trace = one.trace_
    examples = trace["step"] * getattr(one, "batch", 1)
    axes.plot(trace["kernel_requested"], 100 * trace["mistakes"] / examples, label=name)
axes.set_xscale("log")
axes.set_xlim(left=100)
axes.set_ylim(0, 60)
axes.set_xlabel("requested kernel evaluations (count)")
axes.set_ylabel("average error before each step (%)")
axes.legend()
figure.savefig("average-error.png", dpi=120)
