"""Estimators are made of the registry: names, signatures, documentation, and errors about parameters."""

import inspect
import json
import re
import subprocess

import numpy as np
import pytest
from estimator_cases import rows_for
from sklearn.base import clone

import okbench
from okbench.estimators import ESTIMATORS
from okbench.estimators.defaults import DEFAULTS, REAL
from okbench.estimators.registry import python_name

OURS = {
    "kernel": {"kernel", "gamma", "sigma", "degree", "coef0"},
    "shown": {"order", "epochs", "max_iter", "batch", "random_state", "standardize", "class_weight", "fit_intercept"},
}


@pytest.fixture(scope="module")
def registry(binary):
    done = subprocess.run([binary, "help", "learners", "--json"], check=True, capture_output=True)
    return {learner["name"]: learner for learner in json.loads(done.stdout)}


def one_line(error):
    text = str(error.value)
    assert text and "\n" not in text
    return text


def parameters(estimator_class):
    return {name: parameter.default for name, parameter in inspect.signature(estimator_class).parameters.items()}


def test_estimators_are_exactly_the_learners_of_rows(registry):
    registry = {name: learner for name, learner in registry.items() if not learner["title"].startswith("Baseline: ")}
    named = {
        learner["estimator"]["name"] for learner in registry.values() if set(learner["labels"]) - {"structured", "real"}
    }
    real = {learner["estimator"]["name"] + "Regressor" for learner in registry.values() if "real" in learner["labels"]}
    losses = [
        learner
        for learner in registry.values()
        if any(parameter["name"] == "loss" for parameter in learner["parameters"])
    ]
    novelty = {learner["estimator"]["name"] + "NoveltyDetector" for learner in losses if "real" in learner["labels"]}
    assert set(ESTIMATORS) == named | real | novelty
    assert len(ESTIMATORS) >= 18
    for name, estimator_class in ESTIMATORS.items():
        assert (
            getattr(okbench, name) is estimator_class
            and estimator_class.__name__ == name
            and estimator_class.__module__ == "okbench.estimators"
        )


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_signature_is_the_registry_s(name, registry):
    estimator_class = ESTIMATORS[name]
    learner, have = registry[estimator_class._learner["name"]], parameters(ESTIMATORS[name])
    theirs = {python_name(parameter["name"]): parameter["default"] for parameter in learner["parameters"]}
    ours = set(have) - set(theirs)
    assert ours <= OURS["kernel"] | OURS["shown"]
    assert bool(ours & OURS["kernel"]) != learner["linear"] and "random_state" in ours
    assert ("standardize" in ours) == name.endswith("Regressor")
    assert ("batch" in ours) == bool(learner["estimator"]["batch"])
    assert bool(ours & {"epochs", "max_iter"}) == (learner["protocol"] != "solver")
    assert ("class_weight" in ours) == (learner["weights"] and estimator_class._kinds[0] in ("binary", "multiclass"))
    if name.endswith("NoveltyDetector"):
        assert set(theirs) - set(have) == {"loss"}
        assert have["nu"] > 0
        return
    assert set(theirs) <= set(have)
    own = {**DEFAULTS.get(learner["name"], {}), **(REAL.get(learner["name"], {}) if "standardize" in have else {})}
    assert set(own) <= set(theirs)
    assert all(have[key] == own.get(key, default) for key, default in theirs.items() if key != "loss")
    assert have.get("loss", "auto") == "auto"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_documentation_has_every_parameter(name):
    estimator_class = ESTIMATORS[name]
    doc = inspect.getdoc(estimator_class)
    text = " ".join(doc.split())
    assert (
        estimator_class._learner["title"] in text
        and estimator_class._learner["update"] in text
        and estimator_class._learner["paper"] in text
    )
    described = re.findall(r"^(\w+) : .+, default=(.*)\n    \S", doc, re.M)
    assert described == [(key, repr(default)) for key, default in parameters(estimator_class).items()]
    for attribute in ("support_vectors_", "dual_coef_", "intercept_", "kernel_evaluations_", "trace_digest_"):
        assert attribute in text and hasattr(estimator_class, attribute)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_clone_and_set_params(name):
    estimator_class = ESTIMATORS[name]
    defaults = parameters(estimator_class)
    estimator = estimator_class()
    assert estimator.get_params() == defaults
    changed = {"random_state": 7, **{key: "x" for key in defaults if key in ("kernel", "loss")}}
    assert estimator.set_params(**changed) is estimator
    copy = clone(estimator)
    assert (
        copy is not estimator
        and copy.get_params() == {**defaults, **changed} == estimator_class(**changed).get_params()
    )
    with pytest.raises(ValueError, match="Invalid parameter 'wrong'"):
        estimator.set_params(wrong=1)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_unknown_parameters_are_reported(name):
    with pytest.raises(TypeError) as error:
        ESTIMATORS[name](wrong=1)
    text = one_line(error)
    assert text.startswith(f"{name} has no parameter 'wrong'") and all(
        key in text for key in parameters(ESTIMATORS[name])
    )


# Invalid values of each kind of parameter, by the first two words of the parameter's `allowed` text.
REFUSED = {
    "a real": [-1e300, 1e300, float("nan"), float("inf"), "wrong", None],
    "an integer": [0, 2**62, 0.5, "wrong"],
}
REFUSED |= {"one of": ["wrong", 1], "true or": ["wrong", 3]}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_values_out_of_range_are_reported_with_the_parameter(name):
    estimator_class = ESTIMATORS[name]
    X, y = rows_for(estimator_class, 20)
    known = parameters(estimator_class)
    for parameter in estimator_class._learner["parameters"]:
        key = parameter["name"].replace("lambda", "lambda_")
        if key not in known:
            continue
        for value in REFUSED[parameter["allowed"][:7].split(" ")[0] + " " + parameter["allowed"].split(" ")[1]]:
            if value == 0 and parameter["allowed"].startswith("an integer >= 0 "):
                continue
            estimator = estimator_class(**{key: value})
            with pytest.raises((ValueError, TypeError)) as error:
                estimator.fit(X, y)
            assert re.match(rf"{re.escape(parameter['name'])}\b", one_line(error)), (key, value, str(error.value))
            assert error.type is ValueError, (key, value, str(error.value))
            assert not hasattr(estimator, "classes_")


SHOWN = [
    ("epochs", 0),
    ("epochs", -1),
    ("epochs", 1.5),
    ("epochs", "two"),
    ("epochs", None),
    ("batch", 0),
    ("batch", -5),
]
SHOWN += [("batch", 2.5), ("order", "wrong"), ("order", 3), ("order", None), ("degree", 0), ("degree", 65)]
SHOWN += [
    ("degree", 2.5),
    ("coef0", -1),
    ("gamma", 0),
    ("gamma", -1),
]
SHOWN += [("gamma", "wrong"), ("gamma", float("nan")), ("gamma", None), ("gamma", [1]), ("sigma", 0), ("sigma", -2)]
SHOWN += [
    ("sigma", "x"),
    ("kernel", "rbff"),
    ("kernel", 3),
    ("kernel", None),
    ("kernel", {"name": "rbf"}),
    ("kernel", {}),
]
SHOWN += [("kernel", {"name": "sum"}), ("kernel", {"name": "sum", "terms": [{}]}), ("random_state", "x")]


@pytest.mark.parametrize("key, value", SHOWN)
@pytest.mark.parametrize("name", ("SVMD", "NORMARegressor", "Pegasos"))
def test_parameters_are_checked(name, key, value):
    estimator_class = ESTIMATORS[name]
    if key not in parameters(estimator_class):
        assert key == "batch"
        return
    X, y = rows_for(estimator_class, 20)
    kernel = {"kernel": "poly"} if key in ("degree", "coef0") else {}
    with pytest.raises(ValueError) as error:
        estimator_class(**kernel, **{key: value}).fit(X, y)
    if key != "random_state":
        word = {"coef0": "offset"}.get(key, key)
        assert word in one_line(error), str(error.value)


def test_numpy_s_numbers_are_numbers():
    estimator_class = ESTIMATORS["SVMD"]
    X, y = rows_for(estimator_class, 30)
    plain = estimator_class(gamma=0.5, buffer=10, mu=0.25, fit_intercept=True, random_state=3)
    numpy = estimator_class(
        gamma=np.float32(0.5),
        buffer=np.int64(10),
        mu=np.float32(0.25),
        fit_intercept=np.True_,
        random_state=np.int32(3),
    )
    assert numpy.fit(X, y).trace_digest_ == plain.fit(X, y).trace_digest_
