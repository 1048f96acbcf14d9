"""What the tests of estimators share: small data, and the learners that go on with settings that try their parts."""

import numpy as np
from scipy import sparse

from okbench.estimators import ESTIMATORS

FEATURES = ["FOGD", "FOGDRegressor", "Raker", "RakerRegressor"]  # random ones, of RBF kernels: no kernel evaluations
RESUMABLE = {
    name: estimator_class for name, estimator_class in ESTIMATORS.items() if estimator_class._learner["resumable"]
}

# Buffers that overflow, budgets with removal, margins that move, averages: whatever has a state of its own.
SETTINGS = {
    "NOGD": [{"budget": 10}, {"budget": 10, "start": "zero"}],
    "MIRA": [{}]
    + [
        {"cache": cache, "budget": 20, "removal_rows": row}
        for cache in ("fixed", "adaptive")
        for row in ("recompute", "cached")
    ],
    "Perceptron": [{}]
    + [
        {"cache": cache, "budget": 20, "beta": 0.1, "removal_rows": row}
        for cache in ("fixed", "adaptive")
        for row in ("recompute", "cached")
    ],
    "NORMA": [
        {"buffer": 15, "dropped_terms": "subtracted", "fit_intercept": True, "nu": 0.2, "c": 0.01},
        {"buffer": 15, "loss": "logistic"},
    ],
    "SVMD": [
        {"buffer": 15, "dropped_terms": "subtracted", "fit_intercept": True, "nu": 0.2, "c": 0.01},
        {"buffer": 15, "loss": "logistic", "factor": "exponential"},
        {"adapt_margin": False, "nu": 0.1, "trace_decay": 0.0},
    ],
    "NORMARegressor": [
        {"buffer": 15, "nu": 0.3, "margin_update": "additive", "fit_intercept": True},
        {"loss": "squared", "eta0": 0.2},
    ],
    "SVMDRegressor": [
        {"buffer": 15, "nu": 0.3, "margin_update": "additive", "fit_intercept": True},
        {"loss": "huber", "dropped_terms": "subtracted"},
    ],
    "NORMANoveltyDetector": [{"buffer": 15}, {"nu": 0.2, "margin_update": "exponential"}],
    "SVMDNoveltyDetector": [{"buffer": 15}, {"nu": 0.2, "adapt_margin": False}],
    "FOGD": [{}, {"average": True}],
    "Pegasos": [{"lambda_": 0.01}, {"lambda_": 0.1, "average": "polynomial-decay", "projection": False}],
    "RBP": [{"budget": 15}],
    "Forgetron": [{"budget": 15}],
    "BPAS": [{"budget": 15}, {"budget": 15, "C": 0.1}],
    "LinearOnlineSVM": [{"lambda_": 0.01}, {"average": True, "projection": True}],
    "SFD": [
        {},
        {"rho_min": -0.5},
        {"solver": "cutting-planes", "schedule": "c/k"},
        {"schedule": "c*t^exponent", "exponent": 0.5, "bounded_below": False},
    ],
}
# Over the length of the whole stream: fitted at once, and kept, but not gone on with.
WHOLE = [
    ("NORMA", {"average": True, "buffer": 500, "epochs": 1}),
    ("NORMA", {"truncation_error": 0.5, "c": 0.1, "schedule": "constant", "eta0": 0.5}),
    ("SFD", {"schedule": "sfd2"}),
    ("SFD", {"schedule": "c*t/N"}),
]


def settings():
    """(class, parameters) of all that have partial_fit; a new one has its defaults, and a width, so that it learns from
    the first row on."""
    return [
        (estimator_class, parameters if estimator_class._learner["linear"] else {"gamma": 0.2, **parameters})
        for name, estimator_class in RESUMABLE.items()
        for parameters in SETTINGS.get(name, [{}])
    ]


def kind(estimator_class):
    return estimator_class._kinds[0]


def rows_for(estimator_class, rows, seed=0, classes=2, features=6, dtype=np.float64, compressed=False):
    """(X, y): clusters, one a class, that overlap; real targets; or rows alone."""
    draws = np.random.default_rng(seed)
    labels = draws.integers(classes, size=rows)
    X = draws.normal(size=(rows, features)) + 2 * draws.normal(size=(classes, features))[labels]
    if compressed:
        X[draws.random(X.shape) < 0.5] = 0
    y = {"real": np.sin(X[:, 0]) + 0.1 * X[:, 1], "novelty": None}.get(kind(estimator_class), labels)
    X = X.astype(dtype)
    return (sparse.csr_matrix(X) if compressed else X), y


def partial_fit_rows(estimator, X, y, begin, end):
    """partial_fit with rows begin .. end - 1, all classes known."""
    rows = X[begin:end]
    if y is None:
        return estimator.partial_fit(rows)
    if kind(type(estimator)) == "real" or hasattr(estimator, "_session"):
        return estimator.partial_fit(rows, y[begin:end])
    return estimator.partial_fit(rows, y[begin:end], classes=np.unique(y))


def scores(estimator, X):
    return (
        estimator.predict(X)
        if kind(type(estimator)) == "real"
        else np.ascontiguousarray(estimator.decision_function(X))
    )
