#!/usr/bin/python3
"""Default scores of all classifiers and regressors on ten small data sets each, raw and standardised, relative to SVC,
SVR or LinearSVC, and their errors on streams with and without an intercept. Prints a table; `--update FILE` writes it
into a page. Takes three minutes."""

import argparse
import functools
import pathlib
import warnings

import numpy as np
from sklearn import datasets, svm
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import okbench
from okbench.estimators import ESTIMATORS
from okbench.writing import write_text

REACHED = 0.97  # share of the reference's score that counts as reached
BEGIN, END = "<!-- scores -->", "<!-- end of scores -->"


def some_digits():
    X, y = datasets.load_digits(return_X_y=True)
    return X[:600], y[:600]


def sine():
    draws = np.random.default_rng(0)
    X = draws.uniform(-3, 3, (500, 2))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 3 + 0.1 * draws.normal(size=500)


CLASSES = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "breast cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "digits": some_digits,
    "moons": lambda: datasets.make_moons(500, noise=0.2, random_state=0),
    "circles": lambda: datasets.make_circles(500, noise=0.1, factor=0.5, random_state=0),
    "blobs": lambda: datasets.make_blobs(500, centers=4, cluster_std=1.5, random_state=0),
    "classification": lambda: datasets.make_classification(500, n_informative=6, n_redundant=2, random_state=0),
    "quantiles": lambda: datasets.make_gaussian_quantiles(n_samples=500, n_features=4, n_classes=3, random_state=0),
    "hastie": lambda: datasets.make_hastie_10_2(1000, random_state=0),
}
TARGETS = {
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    "friedman1": lambda: datasets.make_friedman1(500, noise=1, random_state=0),
    "friedman2": lambda: datasets.make_friedman2(500, noise=100, random_state=0),
    "friedman3": lambda: datasets.make_friedman3(500, noise=0.1, random_state=0),
    "linear": lambda: datasets.make_regression(500, 10, noise=20, random_state=0),
    "sparse": lambda: datasets.make_sparse_uncorrelated(500, random_state=0),
    "low rank": lambda: datasets.make_regression(500, 20, effective_rank=5, noise=1, random_state=0),
    "swiss roll": lambda: datasets.make_swiss_roll(500, noise=0.1, random_state=0),
    "s-curve": lambda: datasets.make_s_curve(500, noise=0.1, random_state=0),
    "sine": sine,
}


def scores(make, kinds, names=None):
    """{(data set, standardised): accuracy or R2}, means over three folds. `kinds`: label kinds of the estimator.
    `names`: data sets; default: all."""
    real, mean_scores = kinds == ("real",), {}
    if make is svm.LinearSVC:
        make = functools.partial(make, random_state=0)
    sets = TARGETS if real else CLASSES
    for name in names or sets:
        X, y = sets[name]()
        model = OneVsRestClassifier(make()) if not real and kinds == ("binary",) and len(set(y)) > 2 else make()
        folds = (KFold if real else StratifiedKFold)(3, shuffle=True, random_state=0)
        for standardised in (False, True):
            chain = make_pipeline(StandardScaler(), model) if standardised else model
            mean_scores[name, standardised] = cross_val_score(chain, X, y, cv=folds, error_score="raise").mean()
    return mean_scores


def reference_of(estimator):
    """The estimator of scikit-learn that an estimator is compared with."""
    if estimator._kinds == ("real",):
        return svm.SVR
    return svm.LinearSVC if estimator._learner["linear"] else svm.SVC


@functools.cache
def reference_scores(reference, names=None):
    return scores(reference, ("real",) if reference is svm.SVR else ("multiclass",), names)


def shares(estimator, names=None):
    """{(data set, standardised): score divided by the score of the reference}. `names`: tuple of data sets."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        best = reference_scores(reference_of(estimator), names)
        own = scores(estimator, estimator._kinds, names)
    return {key: own[key] / best[key] if best[key] > 0 else 1.0 for key in best}


def compared():
    """The estimators of the table by name."""
    return {name: estimator for name, estimator in ESTIMATORS.items() if estimator._kinds != ("novelty",)}


STREAMS = ("sea", "hyperplane", "sine-recurring", "moving-border", "switching", "stagger")  # generated, of two classes


@functools.cache
def stream(name):
    X, y = okbench.load_data(name)
    return X[:10000], y[:10000]


def prequential_error(estimator, **parameters):
    """Mean error over STREAMS of an estimator that predicts each row before it learns it; None without partial_fit."""
    model = estimator(**parameters)
    learner = estimator._learner
    if not learner["resumable"] or learner["protocol"] != "stream" or "binary" not in estimator._kinds:
        return None
    return np.mean([okbench.prequential(model, stream(name)).frame["error"][0] for name in STREAMS])


def as_percent(error):
    return "–" if error is None else f"{100 * error:.1f} %"


def table():
    names = ("estimator", "reference", "sets reached", "smallest share", "on", "stream error", "with intercept")
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    for name, estimator in compared().items():
        score_shares = shares(estimator)
        least = min(score_shares, key=score_shares.get)
        reached = sum(share >= REACHED for share in score_shares.values())
        where = f"{least[0]}, standardised" if least[1] else least[0]
        reference = reference_of(estimator).__name__
        plain = as_percent(prequential_error(estimator))
        optional = "fit_intercept" in estimator._get_param_names() and not estimator._learner["linear"]
        other = as_percent(prequential_error(estimator, fit_intercept=True)) if optional else "–"
        cells = (
            name,
            reference,
            f"{reached} of {len(score_shares)}",
            f"{100 * score_shares[least]:.0f} %",
            where,
            plain,
            other,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", metavar="FILE", help="page to write the table into")
    chosen = parser.parse_args()
    lines = table()
    print(lines)
    if chosen.update:
        text = pathlib.Path(chosen.update).read_text()
        head, tail = text.split(BEGIN)[0], text.split(END)[1]
        write_text(chosen.update, f"{head}{BEGIN}\n\n{lines}\n\n{END}{tail}")


if __name__ == "__main__":
    main()
