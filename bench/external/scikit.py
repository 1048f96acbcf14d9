"""scikit-learn's learners for the comparison."""

from functools import partial
from itertools import product

from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC

from external.measuring import Tool, outcome, outcome_of
from external.own import CACHE_MIB

FEATURES = (1000, 300, 100)  # dimensions of approximate feature maps
# Parameters of SGDClassifier for one, two and five passes with averaging.
AVERAGED = [{"max_iter": passes, "tol": None, "average": True} for passes in (1, 2, 5)]
MAX_VALUES = 500_000_000  # values of a feature map, which are stored twice in double precision: 8 GB


def run_svc(values, data, limit):
    model, rows, test = SVC(**values), data.train.astype(float), data.test.astype(float)
    return outcome_of(model, rows, test, lambda: model.n_support_.sum(), (None, None), data, limit)


def run_features(method, values, descent, data, limit):
    """One run of a linear SVM, fitted by stochastic gradient descent on a feature map. Returns an Outcome."""
    features, model = method(**values, random_state=0), SGDClassifier(**descent, random_state=0)
    rows, test = data.train.astype(float), data.test.astype(float)
    # Nystroem evaluates the kernel between its columns, and between columns and rows.
    width = values["n_components"]
    kernel_values = (width + rows.shape[0]) * width if method is Nystroem else 0
    return outcome(
        data,
        limit,
        lambda: model.fit(features.fit_transform(rows), data.train_labels),
        lambda: model.predict(features.transform(test)),
        lambda: model.coef_.shape[1],
        lambda: (kernel_values, kernel_values),
    )


def run_descent(values, data, limit):
    """One run of a linear SVM, fitted by stochastic gradient descent. Returns an Outcome."""
    model, rows, test = SGDClassifier(**values, random_state=0), data.train.astype(float), data.test.astype(float)
    return outcome_of(model, rows, test, lambda: model.coef_.shape[1], (0, 0), data, limit)


def sklearn_tools(data):
    setting, tools = data.setting, []
    note = "not counted: scikit-learn calls a kernel function only with whole matrices"
    for tolerance in (1e-3, 0.1):
        values = {"C": setting.c, "gamma": setting.gamma, "tol": tolerance, "cache_size": CACHE_MIB}
        tools.append(Tool("scikit-learn", "SVC", values, "rbf", partial(run_svc, values), "", note))
    alpha = data.lambda_of(setting.exact)
    for method, note in ((RBFSampler, ""), (Nystroem, "kernel values computed from the definition")):
        fitting = [width for width in FEATURES if width * data.count <= MAX_VALUES]
        widths = sorted({min(width, data.count) for width in fitting}, reverse=True)
        # With its default tolerance the descent makes at least six passes.
        for width, more in product(widths, ({}, *AVERAGED)):
            values = {"gamma": setting.gamma, "n_components": width}
            descent = {"alpha": alpha, **more}
            run = partial(run_features, method, values, descent)
            name, parameters = f"{method.__name__}, SGDClassifier", {**values, **descent}
            tools.append(Tool("scikit-learn", name, parameters, "rbf", run, "features", note))
    # The lambda of okbench's linear learners: with default settings, and some epochs with averaging.
    for values in ({"alpha": 1e-4, **more} for more in ({}, *AVERAGED)):
        tools.append(Tool("scikit-learn", "SGDClassifier", values, "linear", partial(run_descent, values), "weights"))
    return tools
