"""Estimator: what all estimators share. A compiled session learns, predicts and counts; here is what scikit-learn's
users expect around it."""

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
    """Kernel values that a learner asked for, that were computed for it, and those of predicting; coordinates of its
    feature map, where it has one, computed for learning, and those of predicting."""

    requested: int
    computed: int
    evaluation: int
    features: int
    measured_features: int


class Estimator(BaseEstimator):
    """Not for itself: classes are made of the registry (make.py), which sets `_learner` and `_kinds`."""

    _learner: dict = {}
    _kinds: tuple = ()

    # Learning -----------------------------------------------------------------------------------------------------

    def _request(self, kind, classes):
        """What the compiled module is asked for."""
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
        }
        for name in ("order", "epochs", "batch"):
            if hasattr(self, name):
                request[name] = finite(name, getattr(self, name))
        try:
            return json.dumps(request, allow_nan=False, default=plain)
        except ValueError:
            raise ValueError("kernel: a number in it is not finite") from None

    def _kernel(self):
        """The kernel's table, with the width that "scale" came to."""
        if self._learner["linear"]:
            return {"name": "linear"}
        if isinstance(self.kernel, dict):
            return dict(self.kernel)
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
        if self._learner["linear"] or self.kernel != "rbf" or self.sigma is not None:
            return
        if isinstance(self.gamma, str) and self.gamma == "scale":
            variance = variance_of(X)
            # Six digits: the last ones of a sum differ between machines, and results should not.
            self.gamma_ = float(f"{1 / (X.shape[1] * variance):.6g}") if variance > 0 else 1.0
            return
        if isinstance(self.gamma, bool) or not isinstance(self.gamma, (int, float, np.integer, np.floating)):
            raise ValueError(f"gamma: must be a number > 0 or 'scale', not {self.gamma!r}")
        self.gamma_ = finite("gamma", float(self.gamma))

    def _learn(self, X, classes, targets, kind, count, anew):
        """Learns from nothing, or goes on; all that is set is set when it has worked."""
        if anew or not hasattr(self, "_session"):
            self._set_gamma(X)
            session = _native.Session(self._request(kind, count), X.dtype == np.float64)
            compressed = sparse.issparse(X)
        else:
            session, compressed = self._session, self._compressed
        dtype = np.float64 if session.double_precision else np.float32
        if not self._show(session, native_rows(X, dtype, compressed), classes, targets, anew):
            name = type(self).__name__
            warnings.warn(f"{name} stopped at a limit before it reached its tolerance", ConvergenceWarning)
        self._session, self._compressed = session, compressed
        return self

    def _append(self, X, classes, targets):
        """Goes on with rows that need no conversion. False where a value is not finite: nothing was learned."""
        try:
            self._show(self._session, X, classes, targets, False)
        except ValueError:
            if np.isfinite(X).all():
                raise
            return False
        return True

    def _show(self, session, rows, classes, targets, anew):
        """Shows rows to a session; whether it has converged. A trace from before is told no more once it may have
        learned: rows that are refused (ValueError) leave it, all else that ends learning does not."""
        try:
            converged = session.learn(rows, classes, targets, anew)
        except ValueError:
            raise
        except BaseException:
            if not anew:
                self._told = None
            raise
        self._told = None
        return converged

    # Predicting ---------------------------------------------------------------------------------------------------

    def _scores(self, X):
        """f of every row: one column an output."""
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
        """Rows with a coefficient, an array or compressed rows as X was; of linear methods none."""
        rows = self._fitted().model()["support_vectors"]
        if rows is None:
            return np.empty((0, self.n_features_in_))
        rows = python_rows(rows)  # sets of few features are kept dense, whatever X was
        return sparse.csr_matrix(rows) if self._compressed else rows

    @property
    def dual_coef_(self):
        """Their coefficients: a row an output."""
        return self._fitted().model()["dual_coef"]

    @property
    def intercept_(self):
        """What is added to the scores, one an output."""
        return self._fitted().model()["intercept"]

    @property
    def coef_(self):
        """Of linear methods: a weight a feature. Of random features: a weight a coordinate, a row an output."""
        weights = self._fitted().model()["coef"]
        if weights is None:
            raise AttributeError(f"{type(self).__name__} has support vectors in place of coef_")
        return weights if weights.ndim == 2 else weights.reshape(1, -1)

    @property
    def components_(self):
        """Of random features: the frequencies u, D rows; z(x) = (cos u'x, sin u'x) / sqrt(D), all cosines first."""
        components = self._fitted().model()["components"]
        if components is None:
            raise AttributeError(f"{type(self).__name__} has no random features")
        return python_rows(components)

    @property
    def kernel_evaluations_(self):
        """Kernel evaluations so far: requested, computed, evaluation; features, measured_features."""
        return KernelEvaluations(**self._fitted().counts())

    @property
    def trace_(self):
        """The learner's trace, a data frame with a row a recorded step: of `fit`, or of all `partial_fit` since."""
        import pandas as pd

        return pd.DataFrame(self._trace()["tables"].get("trace", {}))

    @property
    def trace_digest_(self):
        """SHA-256 of the trace: the command line's for the same data, parameters and order."""
        return self._trace()["digest"]

    def _trace(self):
        session = self._fitted()
        return self._told or session.trace()

    # Keeping ------------------------------------------------------------------------------------------------------

    def __getstate__(self):
        state = dict(super().__getstate__())
        if "_session" in state:
            state["_told"] = self._trace()
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
            raise TypeError(f"{type(self).__name__} takes no sample_weight: the method weighs every example alike")
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
    """A parameter as Python has it; only its range is left to the learner."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not np.isfinite(value):
        raise ValueError(f"{name}: must be finite, not {value}")
    return value


def plain(value):
    """A number of NumPy's as Python has it, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise ValueError(f"a parameter must be a number, a text, or True or False, not {type(value).__name__}")


def check_partial(estimator):
    """Whether an estimator has partial_fit."""
    return estimator._learner["resumable"]
