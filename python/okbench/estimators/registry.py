"""Learners and losses of the compiled module's registry."""

import functools
import json

from ..native import module as _native

# Parameters whose names are keywords of Python, or differ in scikit-learn.
RENAMED = {"lambda": "lambda_", "tolerance": "tol", "max_rounds": "max_iter", "offset": "fit_intercept"}


@functools.cache
def learners():
    """{name: entry} of the learners that have an estimator."""
    return {learner["name"]: learner for learner in json.loads(_native.learners()) if learner["estimator"]}


@functools.cache
def losses():
    return json.loads(_native.losses())


def python_name(parameter):
    """The Python name of a learner's parameter."""
    return RENAMED.get(parameter, parameter)


def losses_for(learner, kind):
    """Losses of a learner for labels of a kind: "binary", "multiclass", "real" or "novelty". The default comes first.

    Empty for a learner without the parameter `loss`. Losses with a label tree or graph are left out, because
    only specs support them.
    """
    if not any(parameter["name"] == "loss" for parameter in learner["parameters"]):
        return []
    if kind == "novelty":
        return [loss["name"] for loss in losses() if loss["labels"] == "any"]
    fitting = [
        loss for loss in losses() if loss["labels"] == kind and loss["name"] not in ("tree-hinge", "graph-hinge")
    ]
    # Losses with a bounded derivative come first: with others a learner may diverge.
    return [loss["name"] for loss in sorted(fitting, key=lambda loss: loss["slope"] is None)]
