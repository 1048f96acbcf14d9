"""Weights of classes and constants of kernels in specs: the program learns as the estimators do."""

import json

import numpy as np
import pytest

import okbench as package

SPEC = """
format = 2
experiment = "test/weights"
repetitions = 1
[data]
name = "wine"
positive = [1]
synthetic = true
synthetic_rows = 90
order = "file"
class_weights = [0.5, 3.0]
[kernel]
name = "rbf"
gamma = 0.7
bias = 1.0
[learners.pa]
learner = "passive-aggressive"
C = 0.3
"""


def test_weights_and_bias_are_those_of_the_estimators(okbench, tmp_path):
    (tmp_path / "weights.toml").write_text(SPEC)
    okbench("run", "weights.toml", "--out", "r", "--quiet", check=0)
    trial = json.loads(okbench("summary", "r", "--json", check=0).stdout)["trials"][0]
    X, y = package.load_data("wine", positive=[1], synthetic=True, rows=90)
    parameters = {"gamma": 0.7, "C": 0.3, "order": "file", "epochs": 1, "fit_intercept": True}
    model = package.PassiveAggressive(**parameters, class_weight={-1: 0.5, 1: 3.0}).fit(X, y)
    assert trial["trace_digest"] == model.trace_digest_
    plain = package.PassiveAggressive(**parameters).fit(X, y)
    assert not np.array_equal(plain.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[0.5, 3.0]", "[0.5]", "data.class_weights must have one number for each of the 2 classes"),
        ("[0.5, 3.0]", "[0.5, 0]", "data.class_weights: must be numbers > 0"),
        ('"passive-aggressive"\nC = 0.3', '"kt"', "does not weight losses; remove data.class_weights"),
        ("bias = 1.0", "bias = -1.0", "kernel.bias"),
    ],
)
def test_mistakes_are_one_line(old, new, message, okbench, tmp_path):
    (tmp_path / "weights.toml").write_text(SPEC.replace(old, new))
    done = okbench("plan", "weights.toml", check=2)
    assert message in done.stderr and done.stderr.count("\n") == 1
