"""Estimator: base class of all estimators.

A compiled session learns, predicts and counts kernel evaluations. This class adds scikit-learn's conventions.
"""

import json
import warnings
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .. import _native
from ..rows import python_rows
from .registry import losses_for, python_name
from .rows import native_rows, validated, variance_of

SEEDS = 2**31 - 1


class KernelEvaluations(NamedTuple):
    """Evaluation counters of a fitted estimator.

    requested: kernel values that the learner requested.
    computed: kernel values that were computed for the learner.
    evaluation: kernel values that were computed for prediction.
    features: feature map coordinates computed for learning; 0 without a feature map.
    measured_features: feature map coordinates computed for prediction; 0 without a feature map.
    """

    requested: int
    computed: int
    evaluation: int
    features: int
    measured_features: int


class Estimator(BaseEstimator):
    """Abstract base class. make.py derives the concrete classes and sets `_learner` and `_kinds`.

    `_learner` is the learner's entry in the registry. `_kinds` are the kinds of labels that the class accepts.
    """

    _learner: dict = {}
    _kinds: tuple = ()

    # Learning -----------------------------------------------------------------------------------------------------

    def set_params(self, **params):
        """Sets parameters, like scikit-learn. They take effect with the next `fit`.

        Until then `partial_fit` raises ValueError, because the learner in progress has the old parameters.
        """
        before = self.get_params(deep=False)
        super().set_params(**params)
        if hasattr(self, "_session"):
            changed = [
                name
                for name, value in self.get_params(deep=False).items()
                if not (value is before[name] or value == before[name])
            ]
            self._changed = sorted({*getattr(self, "_changed", ()), *changed})
        return self

    def _check_unchanged(self):
        """Raises ValueError if a parameter was set after learning had started."""
        if getattr(self, "_changed", ()):
            raise ValueError(f"{', '.join(self._changed)} changed after learning started: call fit")

    def _request(self, kind, classes):
        """The JSON request that creates a session of the compiled module. Raises ValueError."""
        parameters = {}
        for parameter in self._learner["parameters"]:
            name = parameter["name"]
            value = self._loss(kind) if name == "loss" else getattr(self, python_name(name))
            parameters[name] = finite(name, value)
        seed = self.random_state
        if not isinstance(seed, (int, np.integer)):
            seed = check_random_state(seed).randint(SEEDS)
        request = {
            "learner": self._learner["name"],
            "parameters": parameters,
            "kernel": self._kernel(),
            "labels": "binary" if kind == "novelty" else kind,
            "classes": int(classes),
            "seed": int(seed),
            **self.__dict__.get("_recorded", {}),  # measures and delay of a prequential evaluation
        }
        for name in ("order", "epochs", "batch", "standardize"):
            if hasattr(self, name):
                request[name] = finite(name, getattr(self, name))
        try:
            return json.dumps(request, allow_nan=False, default=plain)
        except ValueError:
            raise ValueError("kernel: contains a number that is not finite") from None

    def _kernel(self):
        """The kernel as a table of a spec; gamma="scale" is replaced by its value `gamma_`."""
        if self._learner["linear"]:
            return {"name": "linear"}
        if isinstance(self.kernel, dict):
            return dict(self.kernel)
        if not isinstance(self.kernel, str):
            raise ValueError(
                "kernel: must be a name or a table {'name': ...}; okbench computes the kernels of its list"
            )
        if self.kernel == "rbf":
            return (
                {"name": "rbf", "sigma": finite("sigma", self.sigma)}
                if self.sigma is not None
                else {"name": "rbf", "gamma": self.gamma_}
            )
        if self.kernel == "polynomial":
            return {
                "name": "polynomial",
                "degree": self.degree,
                "scale": finite("kernel_scale", self.kernel_scale),
                "offset": finite("kernel_offset", self.kernel_offset),
            }
        return {"name": self.kernel}

    def _set_gamma(self, X):
        if self._learner["linear"] or self.kernel != "rbf":
            return
        if self.sigma is not None and not (isinstance(self.gamma, str) and self.gamma == "scale"):
            raise ValueError("gamma and sigma: set only one of them; gamma = 1 / (2 sigma^2)")
        if self.sigma is not None:
            return
        if isinstance(self.gamma, str) and self.gamma == "scale":
            variance = variance_of(X)
            # Rounded to six digits: the last digits of a sum differ between machines.
            self.gamma_ = float(f"{1 / (X.shape[1] * variance):.6g}") if variance > 0 else 1.0
            return
        if isinstance(self.gamma, bool) or not isinstance(self.gamma, (int, float, np.integer, np.floating)):
            raise ValueError(f"gamma: must be a number > 0 or 'scale', not {self.gamma!r}")
        self.gamma_ = finite("gamma", float(self.gamma))

    def _learn(self, X, classes, targets, kind, count, anew):
        """Fits from scratch (`anew`) or continues with the current session.

        Attributes change only after learning has succeeded. Warns with ConvergenceWarning on early termination.
        """
        if anew or not hasattr(self, "_session"):
            self._set_gamma(X)
            session = _native.Session(self._request(kind, count), X.dtype == np.float64)
            compressed = sparse.issparse(X)
        else:
            self._check_unchanged()
            session, compressed = self._session, self._compressed
        dtype = np.float64 if session.double_precision else np.float32
        if not self._show(session, native_rows(X, dtype, compressed), classes, targets, anew):
            warnings.warn(self._early_stop(), ConvergenceWarning)
        if anew and getattr(self, "finishing", True) is False:
            warnings.warn(
                f"{type(self).__name__} stopped after its online passes: "
                f"finishing=True continues until tau={self.tau:g}",
                ConvergenceWarning,
            )
        self._session, self._compressed, self._changed = session, compressed, ()
        model = session.model() if anew and not self._learner["linear"] else None
        if model and model["coef"] is None and model["dual_coef"].size == 0:
            warnings.warn(f"{type(self).__name__} has no support vectors: no example caused an update")
        return self

    def _early_stop(self):
        """Why a solver stopped before its tolerance, and what to change."""
        name, tolerance = type(self).__name__, python_name(self._learner["tolerance"])
        limit = next((limit for limit in ("epochs", "max_rounds") if hasattr(self, limit)), None)
        stopped = f"at {limit}={getattr(self, limit)}" if limit else "at the limit of its library"
        change = f"raise {limit}" if limit else "scale the features"
        return (
            f"{name} stopped {stopped} before it reached {tolerance}={getattr(self, tolerance):g}: {change}, or raise "
            f"{tolerance}"
        )

    def _append(self, X, classes, targets):
        """Continues with rows that need no conversion. Returns False, without learning, if a value is not finite."""
        self._check_unchanged()
        try:
            self._show(self._session, X, classes, targets, False)
        except ValueError:
            if np.isfinite(X).all():
                raise
            return False
        return True

    def _show(self, session, rows, classes, targets, anew):
        """Passes rows to a session; returns whether it has converged.

        Discards `_saved_trace`, the trace of a loaded session, as soon as the session may have learned. A ValueError
        means that the session rejected the rows, so the trace stays valid.
        """
        try:
            converged = session.learn(rows, classes, targets, anew)
        except ValueError:
            raise
        except BaseException:
            if not anew:
                self._saved_trace = None
            raise
        self._saved_trace = None
        return converged

    # Predicting ---------------------------------------------------------------------------------------------------

    def _scores(self, X):
        """Scores f(x), shape (rows, outputs). Raises FloatingPointError if a score is not finite."""
        check_is_fitted(self, "_session")
        X = validated(self, X, reset=False)
        dtype = np.float64 if self._session.double_precision else np.float32
        scores = self._session.predict(native_rows(X, dtype, sparse.issparse(X)))
        if not np.isfinite(scores).all():
            raise FloatingPointError("a score is not finite: the learner has diverged")
        return scores

    # What has been learned ----------------------------------------------------------------------------------------

    def _fitted(self):
        check_is_fitted(self, "_session")
        return self._session

    @property
    def support_vectors_(self):
        """Support vectors, shape (support vectors, features): an array, or CSR if X was sparse; empty if linear."""
        rows = self._fitted().model()["support_vectors"]
        if rows is None:
            return np.empty((0, self.n_features_in_))
        rows = python_rows(rows)  # data with few features are stored dense, even if X was sparse
        return sparse.csr_matrix(rows) if self._compressed else rows

    @property
    def dual_coef_(self):
        """Coefficients of the support vectors, shape (outputs, support vectors)."""
        return self._fitted().model()["dual_coef"]

    @property
    def intercept_(self):
        """Offsets that are added to the scores, shape (outputs,)."""
        return self._fitted().model()["intercept"]

    @property
    def coef_(self):
        """Weights, shape (outputs, features) for linear methods, (outputs, coordinates) for random features.

        Raises AttributeError for methods with support vectors.
        """
        weights = self._fitted().model()["coef"]
        if weights is None:
            raise AttributeError(f"{type(self).__name__} has support vectors in place of coef_")
        return weights if weights.ndim == 2 else weights.reshape(1, -1)

    @property
    def components_(self):
        """Frequencies u of the random features, shape (D, features).

        The feature map is z(x) = (cos u'x, sin u'x) / sqrt(D), all cosines first. Raises AttributeError for methods
        without random features.
        """
        components = self._fitted().model()["components"]
        if components is None:
            raise AttributeError(f"{type(self).__name__} has no random features")
        return python_rows(components)

    @property
    def kernel_evaluations_(self):
        """Kernel evaluations so far, as KernelEvaluations."""
        return KernelEvaluations(**self._fitted().counts())

    @property
    def trace_(self):
        """The learner's trace: a data frame with one row per recorded step of `fit` and later `partial_fit` calls."""
        import pandas as pd

        return pd.DataFrame(self._trace()["tables"].get("trace", {}))

    @property
    def trace_digest_(self):
        """SHA-256 of the trace. The command line gives the same digest for the same data, parameters and order.

        Regressors: with standardize=False.
        """
        return self._trace()["digest"]

    def _trace(self):
        session = self._fitted()
        return self._saved_trace or session.trace()

    # Keeping ------------------------------------------------------------------------------------------------------

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_session" in state:
            state["_saved_trace"] = self._trace()
            state["_session"] = self._session.save()
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        if isinstance(self.__dict__.get("_session"), bytes):
            self._session = _native.Session.load(self._session)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_session")

    def _refuse(self, unknown):
        if "sample_weight" in unknown:
            raise TypeError(f"{type(self).__name__} does not support sample_weight; all examples have equal weight")
        if unknown:
            raise TypeError(f"unknown argument '{next(iter(unknown))}'")

    def _loss(self, kind):
        if self.loss == "auto":
            return losses_for(self._learner, kind)[0]
        fitting = [loss for one in self._kinds for loss in losses_for(self._learner, one)]
        if self.loss not in fitting:
            raise ValueError(f"loss: must be one of auto, {', '.join(fitting)}, not {self.loss!r}")
        return self.loss


def finite(name, value):
    """A parameter's value as a Python object. Raises ValueError if it is not finite; the learner checks its range."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not np.isfinite(value):
        raise ValueError(f"{name}: must be finite, not {value}")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"{name}: {value} is out of range")
    return value


def plain(value):
    """A NumPy number as a Python number, for JSON. Raises ValueError for other types."""
    if isinstance(value, np.generic):
        return value.item()
    raise ValueError(f"a parameter must be a number, a string or a bool, not {type(value).__name__}")


def check_partial(estimator):
    """Whether an estimator supports partial_fit."""
    return estimator._learner["resumable"]
