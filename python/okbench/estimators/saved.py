"""Saves and loads estimators: `estimator.save(path)` and `load_estimator(path)`.

A file has a format version and a digest, and contains no code. A loaded estimator continues bit-identically on any
machine.
"""

import json
import pathlib

import numpy as np
from sklearn.base import clone, is_classifier

from ..errors import CONTENT_ERRORS, cause_of
from ..native import module as _native
from ..writing import write_bytes
from .layout import Layout
from .rows import plain


FITTED = ("classes_", "feature_names_in_")  # arrays beside the learning state


def save_estimator(estimator, path):
    """Writes a fitted estimator with its parameters and learning state. The trace is not saved.

    Raises ValueError if a parameter or class is neither a number nor a string.
    """
    session = estimator._fitted()
    fitted = {}
    for name in FITTED:
        if hasattr(estimator, name):
            values = getattr(estimator, name)
            fitted[name] = {"dtype": values.dtype.str, "values": values.tolist()}
    about = {
        "class": type(estimator).__name__,
        "parameters": parameters_of(clone(estimator).set_params(**estimator._learned_with)),
        "fitted": fitted,
        "n_features_in_": estimator.n_features_in_,
        "gamma_": getattr(estimator, "gamma_", None),
        "growing": getattr(estimator, "_arrivals", None),
        "compressed": estimator._layout.compressed,
        "left_out": estimator._left_out.tolist(),
    }
    try:
        text = json.dumps(about, allow_nan=False, default=plain)
    except (TypeError, ValueError) as error:
        raise ValueError(f"only numbers and strings can be saved as parameters and classes: {error}") from None
    write_bytes(path, session.save(text))


def parameters_of(estimator):
    """Parameters by name; an estimator among them as {"class", "parameters"}."""

    def plain_value(value):
        nested = hasattr(value, "get_params")
        return {"class": type(value).__name__, "parameters": parameters_of(value)} if nested else value

    return {name: plain_value(value) for name, value in estimator.get_params(deep=False).items()}


def unfitted(about):
    """The estimator of a class and parameters as parameters_of() gives them. Raises ValueError for unknown classes."""
    from . import ESTIMATORS, HedgedClassifier, HedgedRegressor

    known = ESTIMATORS | {wrapper.__name__: wrapper for wrapper in (HedgedClassifier, HedgedRegressor)}
    if about.get("class") not in known:
        raise ValueError(f"unknown estimator '{about.get('class', '')}'")
    parameters = dict(about["parameters"])
    if isinstance(parameters.get("estimator"), dict):
        parameters["estimator"] = unfitted(parameters["estimator"])
    return known[about["class"]](**parameters)


def load_estimator(path):
    """Reads an estimator that `save` has written.

    Raises ValueError if the file is damaged or has another format, or if the method's revision has changed since:
    results would differ.
    """
    content = pathlib.Path(path).read_bytes()
    try:
        session = _native.Session.load(content)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    try:
        return _estimator_of(json.loads(session.estimator or "{}"), session)
    except CONTENT_ERRORS as error:
        raise ValueError(f"{path}: not a saved estimator: {cause_of(error)}") from None


def _estimator_of(about, session):
    """The estimator that `about` describes. Raises CONTENT_ERRORS if it is not what `save_estimator` writes."""
    estimator = unfitted(about)
    if unknown := set(about["fitted"]) - set(FITTED):
        raise ValueError(f"unknown key '{min(unknown)}'")
    if is_classifier(estimator) and "classes_" not in about["fitted"]:
        raise ValueError("the classes are missing")
    for name, value in about["fitted"].items():
        dtype = np.dtype(value["dtype"])
        setattr(estimator, name, np.array(value["values"], dtype=dtype))
    estimator.n_features_in_ = about["n_features_in_"]
    if about["gamma_"] is not None:
        estimator.gamma_ = about["gamma_"]
    if about["growing"] is not None:
        estimator._arrivals, estimator._functions = about["growing"], max(2, len(about["growing"]))
        estimator._known_kind = "multiclass"
    estimator._layout = Layout.of(estimator, about["compressed"])
    estimator._session, estimator._saved_trace = session, None
    estimator._learned_with = estimator._parameters()
    estimator._left_out = np.array(about["left_out"], dtype=np.int64)
    estimator._scale = []
    return estimator
