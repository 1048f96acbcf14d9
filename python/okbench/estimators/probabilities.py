"""Probabilities from scores: the logistic losses give them directly, other stream methods by a fitted scale."""

import numpy as np
from scipy.optimize import minimize_scalar

LOGISTIC = ("logistic", "multiclass-logistic")


def probabilities(scores):
    """exp(f_r) / sum_s exp(f_s) of scores f of shape (rows, classes). One column stands for the scores (0, f)."""
    if scores.shape[1] == 1:
        scores = np.column_stack([np.zeros(len(scores)), scores])
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def fitted_scale(labels, scores):
    """The scale a > 0 for which probabilities(a scores) fit the labels best; 1 without labels.

    labels: -1 and 1 with one column of scores, else columns of scores. Minimises the log loss with the smoothed targets
    of Platt (1999): (n_c + 1) / (n_c + K) for the true class c of n_c labels among K classes. His sigmoid has an offset
    too; without it the class with the largest probability is the predicted one.
    """
    if len(labels) == 0:
        return 1.0
    places = (labels + 1) // 2 if scores.shape[1] == 1 else labels
    classes = max(2, scores.shape[1])
    counts = np.bincount(places, minlength=classes)[places]
    targets = np.repeat((1 / (counts + classes))[:, None], classes, axis=1)
    targets[np.arange(len(places)), places] = (counts + 1) / (counts + classes)
    spread = np.abs(scores).max()
    if not spread > 0:
        return 1.0

    def loss(log_scale):
        predictions = probabilities(np.exp(log_scale) / spread * scores)
        return -(targets * np.log(np.maximum(predictions, 1e-300))).sum()

    best = minimize_scalar(loss, bounds=(-10, 10), method="bounded")
    return float(np.exp(best.x) / spread)
