"""Counts of kernel evaluations."""

from typing import NamedTuple


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
