"""The other programs: their learners and settings.

A learner is tried with every setting on the first tenth of a stream. Then it learns the whole stream with the best one.
A runner tests on every row before it learns it, and returns the predictions.
"""

import itertools
import warnings
from typing import Callable, NamedTuple

import numpy as np


class Program(NamedTuple):
    """make(stream, **setting) returns a learner. run(learner, prepare(stream), y) returns its predictions of the first
    len(y) rows."""

    library: str
    name: str
    settings: list
    make: Callable
    prepare: Callable
    run: Callable

    @property
    def title(self):
        return f"{self.library} {self.name}"


def grid(**values):
    return [dict(zip(values, point)) for point in itertools.product(*values.values())]


# River


def dicts(stream):
    return [dict(enumerate(row)) for row in stream.X.tolist()]


def run_river(model, rows, y):
    predictions = []
    for x, label in zip(rows, y.tolist()):
        predictions.append(model.predict_one(x))
        model.learn_one(x, label)
    return predictions


def one_vs_rest(stream, model):
    from river.multiclass import OneVsRestClassifier

    return model if stream.classes == 2 else OneVsRestClassifier(model)


def river_classifiers():
    from river import forest, linear_model, neighbors, optim, tree

    def logistic(stream, rate):
        return one_vs_rest(stream, linear_model.LogisticRegression(optim.SGD(rate)))

    def passive(stream, C):
        return one_vs_rest(stream, linear_model.PAClassifier(C=C, mode=1))

    def alma(stream, alpha, C):
        return one_vs_rest(stream, linear_model.ALMAClassifier(alpha=alpha, C=C))

    def knn(stream, k):
        return neighbors.KNNClassifier(k, engine=neighbors.LazySearch(window_size=1000))

    def hoeffding(stream, **setting):
        return tree.HoeffdingTreeClassifier(**setting)

    def adaptive(stream, **setting):
        return forest.ARFClassifier(n_models=10, seed=1, **setting)

    return [
        ("logistic regression", grid(rate=np.logspace(-3, 1, 9).tolist()), logistic),
        ("PA-I", grid(C=np.logspace(-4, 1, 9).tolist()), passive),
        ("ALMA", grid(alpha=[0.5, 0.7, 0.9, 0.95], C=[0.5, 1, 2**0.5, 2]), alma),
        ("kNN, 1000 rows", grid(k=[1, 3, 5, 10]), knn),
        ("Hoeffding tree", grid(grace_period=[50, 200], delta=[1e-7, 1e-4, 1e-2]), hoeffding),
        ("adaptive random forest, 10", grid(grace_period=[50, 200], lambda_value=[1, 6]), adaptive),
    ]


def river_regressors():
    from river import forest, linear_model, neighbors, optim, tree

    def linear(stream, rate):
        return linear_model.LinearRegression(optim.SGD(rate))

    def passive(stream, C):
        return linear_model.PARegressor(C=C, mode=1)

    def knn(stream, k):
        return neighbors.KNNRegressor(k, engine=neighbors.LazySearch(window_size=1000))

    def hoeffding(stream, **setting):
        return tree.HoeffdingAdaptiveTreeRegressor(seed=1, **setting)

    def adaptive(stream, **setting):
        return forest.ARFRegressor(n_models=10, seed=1, **setting)

    return [
        ("linear regression", grid(rate=np.logspace(-4, 0, 9).tolist()), linear),
        ("PA-I", grid(C=np.logspace(-4, 1, 9).tolist()), passive),
        ("kNN, 1000 rows", grid(k=[1, 3, 5, 10]), knn),
        ("Hoeffding adaptive tree", grid(grace_period=[50, 200]), hoeffding),
        ("adaptive random forest, 10", grid(grace_period=[50, 200], lambda_value=[1, 6]), adaptive),
    ]


# MOA


def moa_stream(stream):
    from capymoa.stream import NumpyStream

    kind = "numeric" if stream.classes == 0 else "categorical"
    return NumpyStream(stream.X, stream.y, target_type=kind)


def run_moa(make, rows, y):
    from capymoa.evaluation import prequential_evaluation

    evaluation = prequential_evaluation(
        rows, make(rows.get_schema()), max_instances=len(y), window_size=len(y), store_predictions=True
    )
    return evaluation.predictions()[: len(y)]


def moa(names):
    """(name, settings, make) for CapyMOA's classes; `make` returns a function of the schema."""
    import capymoa.classifier
    import capymoa.regressor

    def maker(kind, fixed):
        learner = getattr(capymoa.classifier, kind, None) or getattr(capymoa.regressor, kind)
        return lambda stream, **setting: lambda schema: learner(schema, **fixed, **setting)

    return [(name, settings, maker(kind, fixed)) for name, kind, fixed, settings in names]


MOA_CLASSIFIERS = (
    ("Hoeffding tree", "HoeffdingTree", {}, grid(grace_period=[50, 200], confidence=[1e-7, 1e-4, 1e-2])),
    ("kNN, 1000 rows", "KNN", {"window_size": 1000}, grid(k=[1, 3, 5, 10])),
    ("SAM-kNN", "SAMkNN", {}, grid(k=[1, 5])),
    (
        "adaptive random forest, 10",
        "AdaptiveRandomForestClassifier",
        {"ensemble_size": 10},
        grid(lambda_param=[1.0, 6.0]),
    ),
    ("leveraging bagging, 10", "LeveragingBagging", {"ensemble_size": 10}, [{}]),
    ("random patches, 10", "StreamingRandomPatches", {"ensemble_size": 10}, [{}]),
)
MOA_REGRESSORS = (
    ("FIMT-DD", "FIMTDD", {}, grid(grace_period=[50, 200])),
    ("kNN, 1000 rows", "KNNRegressor", {"window_size": 1000}, grid(k=[1, 3, 5, 10])),
    (
        "adaptive random forest, 10",
        "AdaptiveRandomForestRegressor",
        {"ensemble_size": 10},
        grid(lambda_param=[1.0, 6.0]),
    ),
    ("SOKNL, 10", "SOKNL", {"ensemble_size": 10}, [{}]),
)

# scikit-learn


def matrix(stream):
    return stream.X


def run_sklearn(parts, rows, y):
    """`parts`: a feature map or None, a linear learner, and the classes or None."""
    import sklearn

    sklearn.set_config(assume_finite=True, skip_parameter_validation=True)  # for one row at a time, they take longest
    features, learner, classes = parts
    predictions = []
    for i in range(len(y)):
        row = rows[i : i + 1] if features is None else features.transform(rows[i : i + 1])
        predictions.append(learner.predict(row)[0] if i else None)
        learner.partial_fit(row, y[i : i + 1], *([] if classes is None else [classes] if i == 0 else []))
    return predictions


def sklearn(name):
    from sklearn.kernel_approximation import Nystroem, RBFSampler
    from sklearn.linear_model import SGDClassifier, SGDRegressor
    from sklearn.metrics import pairwise_distances

    def make(stream, alpha, factor=None):
        known = stream.X[: stream.tuned_on]
        features = None
        if factor is not None:
            sample = known[:: max(1, len(known) // 300)]
            gamma = factor / np.median(pairwise_distances(sample)) ** 2
            kind = RBFSampler if name.startswith("RBFSampler") else Nystroem
            features = kind(gamma=gamma, n_components=min(256, len(known)), random_state=0).fit(known)
        learner = (SGDClassifier if stream.classes else SGDRegressor)(alpha=alpha, random_state=0)
        return features, learner, np.arange(stream.classes) if stream.classes else None

    if name == "SGD":
        return name, grid(alpha=[1e-6, 1e-5, 1e-4, 1e-3, 1e-2]), make
    return name, grid(alpha=[1e-4, 1e-2], factor=[0.25, 1, 4, 16]), make


# Vowpal Wabbit


def examples(stream):
    labels = stream.y if stream.classes == 0 else stream.y + 1 if stream.classes > 2 else 2 * stream.y - 1
    return [
        f"{label} |f " + " ".join(f"{j}:{value:.6g}" for j, value in enumerate(row) if value)
        for label, row in zip(labels.tolist(), stream.X.tolist())
    ]


def run_wabbit(parts, rows, y):
    workspace, classes = parts
    predictions = []
    for text in rows[: len(y)]:
        example = workspace.example(text)
        workspace.learn(example)  # also predicts, before its step
        predictions.append(
            example.get_multiclass_prediction() - 1 if classes > 2 else example.get_simplelabel_prediction()
        )
        workspace.finish_example(example)
    workspace.finish()
    return [int(score > 0) for score in predictions] if classes == 2 else predictions


def wabbit(name):
    from vowpalwabbit import Workspace

    def make(stream, rate=None, bandwidth=None, C=None):
        words = f"--quiet --random_seed 1 {'--interactions ff' if name == 'quadratic' else ''}"
        if bandwidth:
            words += f" --ksvm --kernel rbf --bandwidth {bandwidth} --l2 {1 / C}"
        else:
            words += f" -l {rate}"
            words += f" --oaa {stream.classes}" if stream.classes > 2 else ""
            words += " --loss_function logistic --binary" if stream.classes == 2 else ""
        return Workspace(words), stream.classes

    kernel = grid(bandwidth=[0.01, 0.1, 1], C=[100])
    return name, kernel if name == "kernel SVM" else grid(rate=[0.01, 0.05, 0.1, 0.5, 1, 5]), make


def programs(stream):
    """All programs that fit the stream and can be imported, and the names of the libraries that cannot."""
    real = stream.classes == 0
    known, missing = [], []
    families = (
        ("River", lambda: river_regressors() if real else river_classifiers(), dicts, run_river),
        ("MOA", lambda: moa(MOA_REGRESSORS if real else MOA_CLASSIFIERS), moa_stream, run_moa),
        (
            "scikit-learn",
            lambda: [sklearn(n) for n in ("SGD", "RBFSampler, SGD", "Nystroem, SGD")],
            matrix,
            run_sklearn,
        ),
        ("VW", lambda: [wabbit(n) for n in wabbit_names(stream)], examples, run_wabbit),
    )
    for library, learners, prepare, run in families:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                known += [Program(library, *learner, prepare, run) for learner in learners()]
        except ImportError:
            missing.append(library)
    return known, missing


def wabbit_names(stream):
    names = ["linear"]
    if stream.X.shape[1] <= 100:
        names.append("quadratic")
    return names + ["kernel SVM"] * (stream.classes == 2)
