"""The kernel of an estimator: its table in a request, its width, and the rows of precomputed kernels."""

import numpy as np
from scipy import sparse

from ..rows import squared_median_distance
from .rows import finite, variance_of

KERNELS = ("rbf", "poly", "linear", "histogram-intersection", "precomputed")
BIAS = 1.0
OWN_OFFSET = ("lasvm", "norma", "svmd")  # methods with an offset of the scores
# Methods that need the plain RBF kernel or standardised targets.
WITHOUT_OFFSET = ("fb-krls", "fogd", "kap", "knlms", "krls", "krls-t", "kt", "pkawv", "qklms", "raker", "sw-krls")
SAMPLE = 1000  # first rows whose distances give gamma="median"


def check_kernel(kernel):
    """Raises ValueError unless `kernel` is a name, a table or a callable."""
    if isinstance(kernel, dict) or callable(kernel) or (isinstance(kernel, str) and kernel in KERNELS):
        return
    if isinstance(kernel, str) and kernel == "polynomial":
        raise ValueError("kernel: use 'poly'")
    known = ", ".join(KERNELS)
    raise ValueError(f"kernel: must be one of {known}, a table {{'name': ...}} or a callable, not {kernel!r}")


def function_of(kernel):
    """The kernel that the native module needs beside the request: a callable, "precomputed" or None."""
    if isinstance(kernel, str):
        return kernel if kernel == "precomputed" else None
    return kernel if callable(kernel) else None


def has_width(kernel):
    """Whether the kernel uses gamma or sigma."""
    return isinstance(kernel, str) and kernel in ("rbf", "poly")


def width(estimator, X):
    """gamma of an estimator for the rows X. None if sigma replaces it. Raises ValueError.

    "scale" is 1 / (features * variance of all cells), "median" is 1 / (2 m^2) with the median distance m of at most the
    first 1000 rows. Both are rounded to six digits, because the last digits of a sum differ between machines.
    """
    gamma, sigma = estimator.gamma, estimator.sigma
    if sigma is not None:
        if not (isinstance(gamma, str) and gamma == "scale"):
            raise ValueError("gamma and sigma: set only one of them; gamma = 1 / (2 sigma^2)")
        if estimator.kernel == "poly":
            raise ValueError("sigma: the kernel 'poly' has gamma in place of it")
        return None
    if isinstance(gamma, str) and gamma == "scale":
        spread = X.shape[1] * variance_of(X)
    elif isinstance(gamma, str) and gamma == "median":
        spread = 2 * squared_median_distance(X[:SAMPLE])
    elif isinstance(gamma, bool) or not isinstance(gamma, (int, float, np.integer, np.floating)):
        raise ValueError(f"gamma: must be a number > 0, 'scale' or 'median', not {gamma!r}")
    else:
        return finite("gamma", float(gamma))
    if not np.isfinite(spread):
        raise ValueError(f"gamma={gamma!r}: the values of X are too large; standardise them, or pass a number")
    return float(f"{1 / spread:.6g}") if spread > 0 else 1.0


def table(estimator):
    """The kernel as a table of a spec; `gamma_` replaces gamma="scale"."""
    kernel = estimator.kernel
    check_kernel(kernel)
    if function_of(kernel) is not None:
        return {"name": "function"}
    if isinstance(kernel, dict):
        return dict(kernel)
    if kernel == "rbf":
        if estimator.sigma is not None:
            return {"name": "rbf", "sigma": finite("sigma", estimator.sigma)}
        return {"name": "rbf", "gamma": estimator.gamma_}
    if kernel == "poly":
        if not estimator.gamma_ > 0:
            raise ValueError("gamma: must be a number > 0")
        offset = finite("coef0", estimator.coef0)
        return {"name": "polynomial", "degree": estimator.degree, "scale": estimator.gamma_, "offset": offset}
    return {"name": kernel}


def bias_of(estimator):
    """The constant that `fit` adds to kernel values; its feature has the intercept as its weight. 0 without intercept.

    Merging two support vectors needs the RBF kernel as it is.
    """
    own = estimator._learner["name"] in OWN_OFFSET or estimator._learner["linear"]
    own = own or getattr(estimator, "maintenance", None) == "merging"
    return BIAS if not own and getattr(estimator, "fit_intercept", False) else 0


def biased(estimator):
    """table() with the constant of the intercept."""
    bias = bias_of(estimator)
    return {**table(estimator), "bias": bias} if bias else table(estimator)


def precomputed_rows(X, fitting):
    """Rows [p, k(x, x_0), ...] of a precomputed kernel, where p is the training row, or -1. Raises ValueError."""
    X = X.toarray() if sparse.issparse(X) else X
    if fitting and X.shape[0] != X.shape[1]:
        raise ValueError(f"a precomputed kernel needs a square matrix X, not one of shape {X.shape}")
    places = np.arange(len(X)) if fitting else np.full(len(X), -1)
    return np.hstack([places[:, None].astype(X.dtype), X])
