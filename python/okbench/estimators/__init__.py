"""Estimators with scikit-learn's conventions, one a method of the registry, and where it does these, one for regression
and one for novelty detection: `NORMA`, `NORMARegressor`, `NORMANoveltyDetector`, ... Nothing here names a method: a new
learner has its estimator as soon as the extension module is built with it.
"""

from .make import make_estimators
from .saved import load_estimator

ESTIMATORS = make_estimators(__name__)
globals().update(ESTIMATORS)
__all__ = [*ESTIMATORS, "load_estimator"]
