"""Estimators with scikit-learn's conventions, generated from the registry of learners.

Each learner has a class for every task that it supports: classification (`NORMA`), regression (`NORMARegressor`) and
novelty detection (`NORMANoveltyDetector`). No class is written by hand: a learner that is compiled into the extension
module gets its estimators automatically.
"""

from .hedged import Hedged, HedgedClassifier, HedgedRegressor
from .make import make_estimators
from .saved import load_estimator

ESTIMATORS = make_estimators(__name__)
globals().update(ESTIMATORS)
__all__ = [*ESTIMATORS, "Hedged", "HedgedClassifier", "HedgedRegressor", "load_estimator"]
