"""okbench's estimators as learners of the comparison."""

from functools import partial
from itertools import product

from external.measuring import Tool, outcome

MATRIX_ROWS = 40_000  # rows up to which a method may store the whole kernel matrix
CACHE_MIB = 2048  # cache size of every learner with a cache of kernel rows, also in other libraries


def estimator_parameters(data):
    """{estimator: list of parameter tables, one per variant}."""
    setting, gamma = data.setting, data.setting.gamma
    # Rounds of 1 % of the rows, two epochs, and the lambda of each method: tables 5.2 and 5.3 of sfd-2013.
    rounds = {"gamma": gamma, "epochs": 2, "batch": max(1, round(data.count / 100))}
    online = {"gamma": gamma, "c": 1e-4, "buffer": 4096}
    averaged = {"lambda_": 1e-4, "batch": 1, "average": True}
    averaged_features = [
        {"gamma": gamma, "features": features, "eta": eta, "average": True}
        for features, eta in product((100, 400, 2000), (1, 10))
    ]
    schedules = [{}, {"decay": 3}, *({"schedule": "eta0/sqrt(t)", "eta0": eta0} for eta0 in (0.1, 1, 10))]
    exact = {"gamma": gamma, "lambda_": data.lambda_of(setting.exact), "cache_mib": CACHE_MIB}
    drawn = {**exact, "gradients": "support-set", "selection": "random"}
    return {
        "BCFW": [exact],
        # Each frequency gives two features. RBFSampler has 100, 300 and 1000 features.
        "FOGD": [{"gamma": gamma}, {"gamma": gamma, "features": 2000, "epochs": 2}, *averaged_features],
        "Hindsight": [{"gamma": gamma, "c": data.lambda_of(setting.exact)}] if data.count <= MATRIX_ROWS else [],
        "LaSVM": [
            {**exact, "epochs": 2},
            {**exact, "epochs": 2, "gradients": "support-set"},
            *({**drawn, "epochs": n, "tol": tol} for n, tol in ((2, 1e-3), (1, 1e-3), (1, 0.1))),
        ],
        # As in experiments/linear-2010, with LIBLINEAR's default tolerance.
        "LibLinear": [{"lambda_": 1e-4, "tol": 0.1, "fit_intercept": intercept} for intercept in (False, True)],
        "LinearOnlineSVM": [
            {**averaged, "epochs": epochs, "fit_intercept": intercept, **schedule}
            for epochs, intercept, schedule in product((10, 5, 2, 1), (False, True), schedules)
        ],
        "NORMA": [online],
        "Pegasos": [
            {**rounds, "lambda_": data.lambda_of(setting.pegasos)},
            {**rounds, "lambda_": data.lambda_of(setting.averaged), "average": "polynomial-decay"},
        ],
        "Perceptron": [{"gamma": gamma, "epochs": epochs} for epochs in (1, 3)],
        "SFD": [rounds, {**rounds, "schedule": "sfd2"}, {**rounds, "epochs": 1}],
        "StructuralSFD": [rounds],
        "SVMD": [online],
        "SVMStruct": [exact],
        "SampledCuts": [
            {"gamma": gamma, "max_iter": 2, "batch": rounds["batch"], "lambda_": data.lambda_of(setting.cuts)}
        ],
    }


def variants(name, estimator, data):
    """The parameter tables of an estimator: those above, else the data set's gamma if it has this parameter."""
    known = estimator_parameters(data).get(name)
    if known is not None:
        return known
    return [{"gamma": data.setting.gamma} if "gamma" in estimator._get_param_names() else {}]


def binary_classifiers():
    from okbench.estimators import ESTIMATORS

    return {name: estimator for name, estimator in ESTIMATORS.items() if "binary" in estimator._kinds}


def run_estimator(estimator, values, data, limit):
    """One run of an estimator with the defaults of specs. Returns an Outcome."""
    from okbench.estimators.defaults import of_specs

    model = estimator(**{**of_specs(estimator), **values})
    return outcome(
        data,
        limit,
        lambda: model.fit(data.train, data.train_labels),
        lambda: model.predict(data.test),
        lambda: model.coef_.size if hasattr(model, "coef_") else model.support_vectors_.shape[0],
        lambda: model.kernel_evaluations_[:2],
    )


def okbench_external_tools(data):
    tools = []
    for name, estimator in binary_classifiers().items():
        linear = estimator._learner["linear"]
        kind, size = ("linear", "weights") if linear else ("rbf", "")
        for values in variants(name, estimator, data):
            tools.append(Tool("okbench", name, values, kind, partial(run_estimator, estimator, values), size))
    return tools
