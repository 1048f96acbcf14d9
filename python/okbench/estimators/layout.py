"""Layout: how an estimator turns X into the rows of the native module."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import kernels
from .rows import native_rows, with_ones


class Layout(NamedTuple):
    """Fixed by `fit`, or by the first `partial_fit`; parameters that are set later do not change a fitted model.

    function: the kernel if it is a callable or "precomputed", else None.
    constant: whether the rows get a constant feature 1, whose weight is the intercept of a linear method.
    bias: constant of the kernel, whose feature has the intercept as its weight; 0 without intercept.
    compressed: whether the rows are compressed (CSR).
    """

    function: Callable[[Any, Any], Any] | str | None
    constant: bool
    bias: float
    compressed: bool

    @classmethod
    def of(cls, estimator, compressed):
        """The layout for the parameters of an estimator. `compressed`: whether X is sparse."""
        linear = estimator._learner["linear"]
        function = None if linear else kernels.function_of(estimator.kernel)
        constant = bool(linear and estimator.fit_intercept)
        return cls(function, constant, kernels.bias_of(estimator), compressed and function != "precomputed")

    @property
    def precomputed(self):
        """Whether X holds kernel values."""
        return isinstance(self.function, str)

    def plain_rows(self, X):
        """Rows of the precision and layout of the session, for the native module: only a constant may be missing."""
        return np.ascontiguousarray(with_ones(X)) if self.constant else X

    def rows(self, X, double, compressed, fitting=False):
        """Rows for the native module. `double`: in double precision. `fitting`: X are the rows of `fit`."""
        if self.precomputed:
            X, compressed = kernels.precomputed_rows(X, fitting), False
        elif self.constant:
            X = with_ones(X)
        return native_rows(X, np.float64 if double else np.float32, compressed)
