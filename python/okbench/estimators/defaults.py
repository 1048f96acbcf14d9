"""Defaults of the estimators that differ from those of specs, and what the defaults cannot do.

Specs have the papers' values, for streams that are seen once. `fit` gets small sets that can be seen many times.
"""

from .registry import python_name

# Parameters of novelty detectors. The margin must converge: additive nu-trick (norma-2001).
NOVELTY = {"nu": 0.1, "c": 0.01, "margin_update": "additive", "epochs": 20}
# {learner: {parameter: value}}. REAL holds the values of regressors, which override these.
DEFAULTS = {
    "aioli": {"nu": 0.1, "budget": 200},
    "bsgd": {"lambda_": 1e-3},
    "bpas": {"C": 0.1},
    "fogd": {"eta": 0.1},
    "hindsight": {"c": 1e-4},
    "fb-krls": {"lambda_": 0.1, "budget": 1000},
    "krls": {"nu": 0.1},
    "krls-t": {"lambda_": 1.0, "noise": 0.1, "jitter": 1e-4, "budget": 1000},
    "kap": {"eta": 0.2, "mu0": 0.9, "epsilon": 1.0},
    "knlms": {"eta": 0.5, "mu0": 0.9, "epsilon": 30.0},
    "pros-n-kons": {"budget": 100},
    "qklms": {"eta": 0.1, "epsilon": 1e-3},
    "raker": {"eta": 0.05, "ratio": 4.0},
    "sw-krls": {"c": 0.1, "budget": 1000},
    "linear": {"lambda_": 1e-3, "average": True, "projection": True},
    "linear-passive-aggressive": {"C": 0.1},
    "nogd": {"eta": 0.1},
    "norma": {"c": 1e-4, "buffer": 10000},
    "ogd": {"eta": 0.1},
    "passive-aggressive": {"C": 0.1},
    "pkawv": {"lambda_": 0.1},
    "pegasos": {"lambda_": 1e-3, "average": "polynomial-decay"},
    "svmd": {"c": 1e-4, "buffer": 10000},
}
REAL = {"norma": {"c": 1e-3, "margin": 0.1}, "svmd": {"c": 1e-3, "margin": 0.1}}
ONE_PASS = ("aioli", "fb-krls", "krls", "krls-t", "pkawv", "sw-krls")
PASSES = 20  # over the rows in `fit`, of methods that learn row by row or from mini-batches

LAST = "The last function predicts, and every mistake or margin error changes it: it is worse where classes overlap"
REST = (
    "One against the rest is worse than SVC's one against one for concentric classes. There SVC itself, one against "
    "the rest, is worse than this estimator"
)
SCALE = "The steps do not adapt to the scale of the features: standardise them"
OFFSET = "SVC has an intercept, which helps on small sets: `fit_intercept=True` comes closer"
# {estimator: why its defaults reach less than 97 % of SVC, SVR or, if linear, LinearSVC on some small sets}.
LIMITS = {
    "AIOLI": REST,
    "BCFW": "The default max_iter may end before the tolerance is reached, which gives a ConvergenceWarning",
    "BPAS": REST,
    "BSGD": REST,
    "FOGD": "The random features approximate the kernel: more `features` come closer",
    "FOGDRegressor": "Steps of gradient descent are slow for smooth targets: more `epochs` come closer",
    "Forgetron": LAST,
    "Hindsight": OFFSET,
    "KAPRegressor": "The steps follow the noise of the last rows: a smaller `eta` follows it less, and learns slower",
    "KRLSRegressor": "The least squares have no regulariser, so noise is fitted; a larger `nu` keeps fewer rows",
    "KNLMSRegressor": "Steps of gradient descent are slow for smooth targets: more `epochs` come closer",
    "KT": REST,
    "KernelOGD": REST,
    "LibLinear": "LinearSVC minimises the squared hinge loss",
    "LinearOnlineSVM": SCALE,
    "LinearPassiveAggressive": SCALE,
    "MIRA": LAST,
    "MulticlassSVM": REST.replace("One against the rest is", "One function per class is"),
    "NOGD": REST,
    "PassiveAggressive": REST,
    "Pegasos": REST,
    "Perceptron": LAST,
    "Projectron": LAST,
    "ProsNKons": "The squared error also punishes scores beyond the label, and learning starts again with every new "
    "support vector: a smaller `budget` ends this sooner",
    "QKLMSRegressor": "Steps of gradient descent are slow for smooth targets: more `epochs` come closer",
    "RBP": LAST,
    "Raker": "The random features approximate the kernels: more `features` come closer",
    "RakerRegressor": "The steps are large for some sets: a smaller `eta` with more `epochs` comes closer",
    "SFD": OFFSET,
    "SVMD": REST,
    "SVMDRegressor": "A feature with a thousand times the scale of the others hides them: standardise the features",
    "SVMStruct": OFFSET,
    "SampledCuts": OFFSET,
    "StructuralSFD": OFFSET,
}


def of_specs(estimator):
    """Parameters with which an estimator class learns as the program does with the defaults of specs, in one pass."""
    known = estimator._get_param_names()
    usual = {
        python_name(parameter["name"]): parameter["default"]
        for parameter in estimator._learner["parameters"]
        if parameter["name"] != "loss"
    }
    usual = {"fit_intercept": False, "standardize": False, "epochs": 1, **usual}
    return {name: value for name, value in usual.items() if name in known}


def default_of(learner, kinds, name, usual):
    """The default of an estimator's parameter; `usual` is that of specs."""
    if kinds == ("novelty",):
        return NOVELTY.get(name, usual)
    real = REAL.get(learner, {}) if kinds == ("real",) else {}
    return {**DEFAULTS.get(learner, {}), **real}.get(name, usual)


def passes(learner, kinds, usual):
    """The default number of passes over the rows in `fit`."""
    if kinds == ("novelty",):
        return NOVELTY["epochs"]
    # One pass of recursive least squares solves its problem; a solver stops by itself.
    solves = learner["tolerance"] or learner["protocol"] == "selection" or learner["name"] in ONE_PASS
    return usual if solves else PASSES
