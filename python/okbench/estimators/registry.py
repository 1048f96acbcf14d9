"""What there is of learners and losses, as the compiled module has it."""

import functools
import json

from .. import _native

# Names that Python keeps for itself.
RENAMED = {"lambda": "lambda_"}


@functools.cache
def learners():
    """The learners that have an estimator, by name."""
    return {one["name"]: one for one in json.loads(_native.learners()) if one["estimator"]}


@functools.cache
def losses():
    return json.loads(_native.losses())


def python_name(parameter):
    """What a parameter of a learner is called in Python."""
    return RENAMED.get(parameter, parameter)


def losses_for(learner, kind):
    """Losses of a learner that fit labels of a kind ("binary", "multiclass", "real", "novelty"), the usual one first;
    none for a learner whose loss cannot be chosen. Those that ask for a label tree are for specs."""
    if not any(parameter["name"] == "loss" for parameter in learner["parameters"]):
        return []
    if kind == "novelty":
        return [loss["name"] for loss in losses() if loss["labels"] == "any"]
    fitting = [loss for loss in losses() if loss["labels"] == kind and "tree" not in loss["name"]]
    # Without a bounded derivative a learner may diverge.
    return [loss["name"] for loss in sorted(fitting, key=lambda loss: loss["slope"] is None)]
