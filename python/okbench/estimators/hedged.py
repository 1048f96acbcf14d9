"""Hedged: one estimator with several kernel widths, which vote."""

import itertools
import json

import numpy as np
from sklearn.base import clone

from . import kernels
from .keeping import kept
from .kinds import Classifier, Regressor
from .registry import python_name
from .saved import save_estimator

WIDTHS = (0.0, 1 / 4, 1.0, 4.0, 16.0, 64.0, 256.0)
DISCOUNTS = (0.01, 0.001, 0.0001)
LINEAR = {"name": "polynomial", "degree": 1, "scale": 1.0, "offset": 1.0}


def Hedged(estimator, *, widths=WIDTHS, param_grid=None, beta=0.9, discounts=DISCOUNTS):
    """A Hedge over several kernel widths of an estimator, which needs no tuning of the width.

    One learner for each width sees every row. They vote with weights w: w <- w^(1 - discount) beta^z, z = 1 for a wrong
    prediction (real targets: the squared error over the largest so far, and the prediction is the weighted mean).
    Hoi, Jin, Zhao and Yang, Machine Learning 90, 2013. The discount follows streams that change. There are weights for
    each discount; the discounts have weights of the same kind, so that the best one decides. It costs as much as all
    its learners.

    Parameters
    ----------
    estimator : estimator of a stream method with the RBF kernel, such as `okbench.BPAS()`
        The widths multiply its gamma. It is not changed.
    widths : list of float >= 0
        Factors of gamma. 0 is the kernel <x, x'> + 1.
    param_grid : dict of str to list, or None
        Values of further parameters of the estimator, such as {"C": [0.5, 2]}; every combination learns.
    beta : float, > 0 and < 1, default=0.9
        Factor of a weight for a wrong prediction.
    discounts : list of float >= 0 and < 1, default=(0.01, 0.001, 0.0001)
        Discounts of old losses at each row; 0 for none.

    Returns
    -------
    HedgedClassifier or HedgedRegressor
        It has the methods of the estimator, and `weights_`. It has no coefficients.

    Raises ValueError for an estimator that is no classifier or regressor of a stream method with a kernel width.

    Examples
    --------
    >>> import okbench
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(400, noise=0.1, random_state=0)
    >>> model = okbench.Hedged(okbench.BPAS(budget=64)).fit(X, y)
    >>> model.predict(X[:2]).shape
    (2,)
    """
    wrapper = HedgedRegressor if isinstance(estimator, Regressor) else HedgedClassifier
    return wrapper(estimator, widths=widths, param_grid=param_grid, beta=beta, discounts=discounts)


def numbers(name, values):
    """The values as floats. Raises ValueError unless they are a list of finite numbers."""
    try:
        floats = [float(value) for value in values]
    except (TypeError, ValueError):
        floats = [np.nan]
    if not np.isfinite(floats).all():
        raise ValueError(f"{name}: must be a list of numbers, not {values!r}")
    return floats


class Hedging:
    """What both kinds have in common; see `Hedged`. Other parameters are those of `estimator`."""

    def __init__(self, estimator, *, widths=WIDTHS, param_grid=None, beta=0.9, discounts=DISCOUNTS):
        self.estimator = estimator
        self.widths = widths
        self.param_grid = param_grid
        self.beta = beta
        self.discounts = discounts

    def __getattr__(self, name):
        estimator = self.__dict__.get("estimator")
        learned = name.endswith("_") and name not in getattr(estimator, "get_params", dict)()  # lambda_ is a parameter
        if estimator is None or learned or name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'")
        return getattr(estimator, name)

    @property
    def _learner(self):
        return self.estimator._learner

    @property
    def _kinds(self):
        return self.estimator._kinds

    def _loss(self, kind):
        return self.estimator._loss(kind)

    def _parameters(self):
        """All parameters, those of the estimator included."""
        return {name: kept(value) for name, value in self.get_params().items() if name != "estimator"}

    def _check_unchanged(self):
        now = self._parameters()
        before = self.__dict__.get("_learned_with", {})
        differ = [name for name, value in before.items() if now.get(name) is not value]
        changed = [name for name in differ if not np.array_equal(now.get(name), before[name])]  # may be arrays
        if changed:
            raise ValueError(f"{', '.join(sorted(changed))} changed after learning started: call fit")

    def _request(self, kind, classes):
        learner, kernel = self._learner, getattr(self.estimator, "kernel", None)
        if learner["linear"] or learner["protocol"] != "stream" or not learner["resumable"]:
            raise ValueError(f"estimator: {type(self.estimator).__name__} has no kernel, or does not learn row by row")
        if kernel != "rbf":
            raise ValueError(f"kernel: must be 'rbf' to be hedged, not {kernel!r}")
        table = kernels.biased(self)
        gamma = table.pop("gamma", None) or 1 / (2 * table.pop("sigma") ** 2)
        names = list(self.param_grid or {})
        known = {python_name(parameter["name"]) for parameter in learner["parameters"]}
        for name in names:
            if name not in known:
                raise ValueError(
                    f"param_grid: {name!r} is no parameter of the method; it has {', '.join(sorted(known))}"
                )
        requests = []
        for values in itertools.product(*(self.param_grid[name] for name in names)):
            expert = clone(self.estimator).set_params(**dict(zip(names, values)))
            expert.gamma_ = gamma
            parameters = json.loads(expert._request(kind, classes))["parameters"]
            for width in numbers("widths", self.widths):
                kernel = {**table, "gamma": gamma * width} if width else LINEAR
                requests.append({"kernel": kernel, "parameters": parameters})
        request = json.loads(super()._request(kind, classes))
        discounts = numbers("discounts", self.discounts)
        request["hedge"] = {"beta": self.beta, "discounts": discounts, "learners": requests}
        return json.dumps(request, allow_nan=False)

    @property
    def weights_(self):
        """Weights of the votes, shape (combinations of param_grid * widths,): width by width of each combination."""
        return self._fitted().model()["votes"]

    def save(self, path):
        """Writes the fitted estimator; see okbench.load_estimator."""
        save_estimator(self, path)

    def _no_model(self):
        raise AttributeError(f"{type(self).__name__} combines several models and has no coefficients; see weights_")

    support_vectors_ = support_ = dual_coef_ = coef_ = intercept_ = components_ = property(_no_model)


class HedgedClassifier(Hedging, Classifier):
    """A classifier made by `Hedged`."""


class HedgedRegressor(Hedging, Regressor):
    """A regressor made by `Hedged`."""
