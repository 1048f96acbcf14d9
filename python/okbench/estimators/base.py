"""Estimator: base class of all estimators.

A compiled session learns, predicts and counts kernel evaluations. This class adds scikit-learn's conventions.
"""

import json
import math
import warnings

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..native import module as _native
from ..rows import python_rows
from . import collected, kernels
from .checks import expected_failures
from .counts import KernelEvaluations
from .keeping import kept
from .layout import Layout
from .registry import losses_for, python_name
from .rows import as_learned, finite, plain, validated

SEEDS = 2**31 - 1


class Estimator(BaseEstimator):
    """Abstract base class. make.py derives the concrete classes and sets `_learner` and `_kinds`.

    `_learner` is the learner's entry in the registry. `_kinds` are the kinds of labels that the class accepts.
    """

    _learner: dict = {}
    _kinds: tuple = ()
    _left_out = np.empty(0, dtype=np.int64)  # rows of weight 0 among all rows, in order

    # Learning -----------------------------------------------------------------------------------------------------

    def _parameters(self):
        """Parameters by name, as they are now."""
        return {name: kept(value) for name, value in self.get_params(deep=False).items()}

    def _check_unchanged(self):
        """Raises ValueError if a parameter changed after learning had started: the learner has the old value."""
        changed, now = [], self.__dict__
        for name, value in now.get("_learned_with", {}).items():  # a loop, because it runs for every row of a stream
            if now.get(name) is not value and now.get(name) != value:
                changed.append(name)
        if changed:
            raise ValueError(f"{', '.join(sorted(changed))} changed after learning started: call fit")

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
            "kernel": {"name": "linear"} if self._learner["linear"] else kernels.biased(self),
            "labels": "binary" if kind == "novelty" else kind,
            "classes": int(classes),
            "seed": int(seed),
            **self.__dict__.get("_recorded", {}),  # measures and delay of a prequential evaluation
        }
        for name in ("order", "epochs", "batch", "standardize"):
            if hasattr(self, name):
                request[name] = finite(name, getattr(self, name))
        if "max_iter" in self.__dict__ and self._learner["protocol"] == "selection":
            request["epochs"] = finite("max_iter", self.max_iter)
        try:
            return json.dumps(request, allow_nan=False, default=plain)
        except ValueError:
            raise ValueError("kernel: contains a number that is not finite") from None

    def _rows_learned(self):
        """How many rows of weight > 0 have come since learning started."""
        return collected.count(self._collected) if "_collected" in self.__dict__ else self._session.rows

    def _learn(self, X, classes, targets, kind, count, restart, weights=None):
        """Fits from scratch (`restart`) or continues with the current session. Rows of weight 0 are left out.

        A continued call whose weights are all 0 changes nothing.
        Attributes change only after learning has succeeded. Warns with ConvergenceWarning on early termination.
        """
        left_out = self._left_out[: 0 if restart else None]
        if weights is not None and not weights.all():
            before = len(left_out) + (self._rows_learned() if self._started and not restart else 0)
            left_out = np.append(left_out, before + np.flatnonzero(weights == 0))
        if not restart and weights is not None and not weights.any():
            self._left_out = left_out
            return self
        first = restart or not hasattr(self, "_session")
        layout = Layout.of(self, sparse.issparse(X)) if first else self._layout
        if not restart and layout.precomputed:
            raise ValueError("a precomputed kernel has no values for new rows: call fit")
        if weights is not None and not weights.all():
            if layout.precomputed:
                raise ValueError("sample_weight: a precomputed kernel needs weights > 0")
            used = weights > 0
            X, weights = X[used], weights[used]
            classes, targets = (None if array is None else array[used] for array in (classes, targets))
        if first and not restart and collected.is_needed(self):
            part = collected.Part(
                *(None if array is None else array.copy() for array in (X, classes, targets, weights))
            )
            parts = [*self.__dict__.get("_collected", ()), part]
            if collected.count(parts) < collected.ROWS:
                if len(parts) == 1:
                    collected.check(self, kind, count, layout, parts[0])
                self._collected, self._left_out = parts, left_out
                return self
            X, classes, targets, weights = collected.joined(parts)
            layout = Layout.of(self, sparse.issparse(X))
        if first:
            if not self._learner["linear"] and kernels.has_width(self.kernel):
                self.gamma_ = kernels.width(self, X if restart else X[: collected.ROWS])
            session = _native.Session(self._request(kind, count), X.dtype == np.float64, layout.function)
        else:
            self._check_unchanged()
            session = self._session
        rows = layout.rows(X, session.double_precision, layout.compressed, restart)
        if not self._show(session, rows, classes, targets, restart, weights):
            warnings.warn(self._early_stop(), ConvergenceWarning)
        if restart and getattr(self, "finishing", True) is False:
            warnings.warn(
                f"{type(self).__name__} stopped after its online passes: "
                f"finishing=True continues until tol={self.tol:g}",
                ConvergenceWarning,
            )
        self._session, self._layout, self._left_out = session, layout, left_out
        self.__dict__.pop("_collected", None)
        if first:
            self._learned_with = self._parameters()
        model = session.model() if restart and not self._learner["linear"] else None
        if model and model["coef"] is None and model["dual_coef"].size + model["votes"].size == 0:
            warnings.warn(f"{type(self).__name__} has no support vectors: no example caused an update")
        return self

    def _add_features(self, count, sparse):
        """Adds features after the last one, which are 0 in every row so far. sparse: rows become sparse from now on.

        Raises ValueError if the method cannot continue.
        """
        if "_collected" in self.__dict__:
            wider = ((0, 0), (0, count))
            self._collected = [part._replace(X=np.pad(part.X, wider)) for part in self._collected]
        else:
            self._session.add_features(count, self.n_features_in_, sparse)
            self._layout = self._layout._replace(compressed=self._layout.compressed or sparse)
        self.n_features_in_ += count

    def _early_stop(self):
        """Why a solver stopped before its tolerance, and what to change."""
        limited = "max_iter" in self.__dict__
        stopped = f"at max_iter={self.max_iter}" if limited else "at the limit of its library"
        change = "raise max_iter" if limited else "scale the features"
        return f"{type(self).__name__} stopped {stopped} before it reached tol={self.tol:g}: {change}, or raise tol"

    def _append(self, X, classes, targets):
        """Continues with rows that need no conversion. Returns False, without learning, if a value is not finite."""
        self._check_unchanged()
        try:
            rows = self._layout.plain_rows(X)
            self._show(self._session, rows, classes, targets, False)
        except ValueError:
            if np.isfinite(X).all():
                raise
            return False
        return True

    def _show(self, session, rows, classes, targets, restart, weights=None):
        """Passes rows to a session; returns whether it has converged.

        Discards `_saved_trace` as soon as the session may have learned. A ValueError means that it rejected the rows.
        """
        try:
            self._scale = []
            converged = session.learn(rows, classes, targets, weights, restart)
        except ValueError:
            raise
        except BaseException:
            if not restart:
                self._saved_trace = None
            raise
        self._saved_trace = None
        return converged

    # Predicting ---------------------------------------------------------------------------------------------------

    def _scores(self, X):
        """Scores f(x), shape (rows, outputs). Raises FloatingPointError if a score is not finite."""
        scores = self._plain_scores(X) if as_learned(self, X) else None
        if scores is None:
            check_is_fitted(self)
            X = validated(self, X, reset=False)
            if "_collected" in self.__dict__:
                return collected.scores(self, X.shape[0])
            scores = self._session.predict(self._layout.rows(X, self._session.double_precision, sparse.issparse(X)))
        if not (math.isfinite(scores[0, 0]) if scores.size == 1 else np.isfinite(scores).all()):
            raise FloatingPointError(
                "a score is not finite, the learner diverged: scale the features or reduce the step size"
            )
        return scores

    def _plain_scores(self, X):
        """Scores of rows that need no conversion; None if a value is not finite."""
        try:
            return self._session.predict(self._layout.plain_rows(X))
        except ValueError:
            return None

    # What has been learned ----------------------------------------------------------------------------------------

    def _fitted(self):
        if "_collected" in self.__dict__:
            raise NotFittedError(collected.progress(self))
        check_is_fitted(self)
        return self._session

    @property
    def support_vectors_(self):
        """Support vectors, shape (support vectors, features): an array, or CSR if X was sparse.

        Empty for linear methods and precomputed kernels.
        """
        rows = self._fitted().model()["support_vectors"]
        if rows is None or self._layout.precomputed:
            return np.empty((0, self.n_features_in_))
        rows = python_rows(rows)  # data with few features are stored dense, even if X was sparse
        return sparse.csr_matrix(rows) if self._layout.compressed else rows

    @property
    def support_(self):
        """Indices of the support vectors in the rows of `fit` and later calls, shape (support vectors,).

        Raises AttributeError for stream methods, which copy their support vectors, unless the kernel is precomputed.
        """
        model = self._fitted().model()
        if self._layout.precomputed:
            return model["support_vectors"][:, 0].astype(np.int32)
        if model["support"] is None:
            raise AttributeError(f"{type(self).__name__} copies its support vectors: see support_vectors_")
        places = model["support"].astype(np.int64)
        # The k-th row left out moves all rows up that are learned after it.
        moved = np.searchsorted(self._left_out - np.arange(len(self._left_out)), places, side="right")
        return (places + moved).astype(np.int32)

    @property
    def n_iter_(self):
        """Passes over the rows of the last `fit`, or rounds of a solver with the parameter max_iter.

        Raises AttributeError for a solver that was loaded from a file, which has no trace.
        """
        self._fitted()
        if "max_iter" not in self.__dict__:
            return int(getattr(self, "epochs", 1))
        steps = self._trace()["tables"].get("trace", {}).get("step")
        if steps is None:
            raise AttributeError("n_iter_: the trace is not saved with an estimator")
        return int(steps[-1])

    @property
    def n_samples_seen_(self):
        """Rows learned so far, each pass counted; after Ctrl-C in partial_fit, those learned before it.

        Raises AttributeError for a solver that was loaded from a file, which has no trace.
        """
        examples = (json.loads(self._trace()["summary"] or "null") or {}).get("examples")
        if examples is None:
            raise AttributeError("n_samples_seen_: the trace is not saved with an estimator")
        return int(examples)

    def _by_output(self, values):
        """Values of a model, one row per output: for two classes one row, positive for classes_[1]."""
        return values

    @property
    def dual_coef_(self):
        """Coefficients of the support vectors, shape (outputs, support vectors). Two classes have one output."""
        return self._by_output(self._fitted().model()["dual_coef"])

    @property
    def intercept_(self):
        """Offsets of the scores, shape (outputs,)."""
        model = self._fitted().model()
        offsets = model["intercept"]
        if self._layout.constant:
            offsets = model["coef"][:, -1]
        elif self._layout.bias:
            offsets = offsets + self._layout.bias * model["dual_coef"].sum(axis=1)
        return self._by_output(offsets[:, None])[:, 0]

    @property
    def coef_(self):
        """Weights, shape (outputs, features) for linear methods, (outputs, coordinates) for random features.

        Raises AttributeError for methods with support vectors.
        """
        weights = self._fitted().model()["coef"]
        if weights is None:
            raise AttributeError(f"{type(self).__name__} has support vectors in place of coef_")
        if self._layout.constant:
            weights = weights[:, :-1]
        return self._by_output(weights)

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
        """The learner's trace: a data frame with one row per recorded step of `fit` and later `partial_fit` calls.

        The first 10 000 steps or 1000 mini-batches are recorded, then 1000 for each factor of ten, and the last one.
        """
        import pandas as pd

        return pd.DataFrame(self._trace()["tables"].get("trace", {}))

    @property
    def trace_digest_(self):
        """SHA-256 of the trace. The command line gives the same digest for the same data, parameters
        and order. With more than 1000 mini-batches, the spec needs `record_all_until = 1000`.

        A regressor needs standardize=False.
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
            self._session = _native.Session.load(self._session, self._layout.function)

    def __sklearn_is_fitted__(self):
        return self._started

    @property
    def _started(self):
        """Whether rows have come, by `fit` or `partial_fit`."""
        return "_session" in self.__dict__ or "_collected" in self.__dict__

    def _more_tags(self):
        """Tags of scikit-learn before 1.6."""
        return {"pairwise": Layout.of(self, False).precomputed, "_xfail_checks": expected_failures(self._learner)}

    def __sklearn_tags__(self):
        """Tags of scikit-learn from 1.6."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = Layout.of(self, False).precomputed
        return tags

    def _refuse(self, unknown):
        if "sample_weight" in unknown:
            raise TypeError(f"{type(self).__name__} does not support sample_weight; all examples have equal weight")
        if unknown:
            raise TypeError(f"unknown argument '{next(iter(unknown))}'")

    def _loss(self, kind):
        if self.loss == "auto":
            return losses_for(self._learner, kind)[0]
        fitting = [loss for label_kind in self._kinds for loss in losses_for(self._learner, label_kind)]
        if self.loss not in fitting:
            raise ValueError(f"loss: must be one of auto, {', '.join(fitting)}, not {self.loss!r}")
        return self.loss
