"""The classes of estimators, made of the registry: signature, documentation and what each can do."""

import inspect

from .kinds import Classifier, NoveltyDetector, Regressor
from .registry import learners, losses_for, python_name
from .saved import save_estimator

# Every estimator has these beside its learner's parameters: name, default, meaning.
KERNEL = (
    ("kernel", "rbf", "rbf, polynomial, linear, histogram-intersection, or a dict: a kernel with its keys, sums too"),
    ("gamma", "scale", "of rbf, exp(-gamma ||x-x'||^2), > 0; 'scale': 1 / (features * variance of X), to six digits"),
    ("sigma", None, "of rbf in place of gamma, exp(-||x-x'||^2 / (2 sigma^2)), > 0"),
    ("degree", 2, "of polynomial, (scale <x,x'> + offset)^degree, 1 .. 64"),
    ("kernel_scale", 1.0, "of polynomial, > 0"),
    ("kernel_offset", 0.0, "of polynomial, >= 0"),
)
ORDERS = {
    "stream": "file (as X has them), permutation (a new one each epoch) or uniform (each drawn from all)",
    "mini-batches": "uniform (each mini-batch drawn from all), permutation, file or sliding",
}
# Of novelty detectors, whose margin has to settle: the additive nu-trick of norma-2001, and passes for small sets.
NOVELTY = {"nu": 0.1, "c": 0.01, "margin_update": "additive", "epochs": 20}
CLASSES = {
    "": (Classifier, "A classifier."),
    "Regressor": (Regressor, "A regressor."),
    "NoveltyDetector": (NoveltyDetector, "A novelty detector."),
}


def make_estimators(module):
    """All estimators, by name."""
    made = {}
    for learner in learners().values():
        name = learner["estimator"]["name"]
        for suffix, kinds in kinds_of(learner).items():
            made[name + suffix] = make(module, name + suffix, suffix, learner, kinds)
    return dict(sorted(made.items()))


def kinds_of(learner):
    """What a learner can be, by the suffix of its class: the kinds of labels that it then takes."""
    labels = learner["labels"]
    kinds = {"": tuple(kind for kind in labels if kind in ("binary", "multiclass"))}
    if "real" in labels:
        kinds["Regressor"] = ("real",)
    if losses_for(learner, "novelty"):
        kinds["NoveltyDetector"] = ("novelty",)
    return {suffix: kind for suffix, kind in kinds.items() if kind}


def parameters_of(learner, kinds):
    """[(name, default, documentation)] of an estimator."""
    rows = []
    for parameter in learner["parameters"]:
        default, name = parameter["default"], python_name(parameter["name"])
        text = f"{parameter['allowed']}. {sentence(parameter['description'])}"
        if parameter["unit"]:
            text += f" Unit: {parameter['unit']}."
        if parameter["symbol"] and parameter["symbol"] != parameter["name"]:
            text += f" The papers' {parameter['symbol']}."
        if name == "loss":
            if kinds == ("novelty",):
                continue
            fitting = [loss for kind in kinds for loss in losses_for(learner, kind)]
            usual = ", ".join(f"{losses_for(learner, kind)[0]} for {kind} labels" for kind in kinds)
            default, text = "auto", f"one of auto, {', '.join(fitting)}; auto: {usual}."
        if kinds == ("novelty",):
            default = NOVELTY.get(name, default)
        rows.append((name, default, text))
    if not learner["linear"]:
        rows += [(name, default, sentence(text)) for name, default, text in KERNEL]
    protocol, usual = learner["protocol"], learner["estimator"]
    if protocol in ORDERS:
        order = "uniform" if protocol == "mini-batches" else "permutation"
        rows.append(("order", order, f"in which `fit` shows the rows: {ORDERS[protocol]}; partial_fit: as X has them."))
    if protocol != "solver":
        epochs = NOVELTY["epochs"] if kinds == ("novelty",) else usual["epochs"]
        rows.append(("epochs", epochs, "passes over the rows in `fit`, at most; >= 1."))
    if usual["batch"]:
        rows.append(("batch", usual["batch"], "examples of a round; >= 1."))
    rows.append(
        ("random_state", 0, "seed of all draws: an integer repeats them; a RandomState, or None, draws the seed.")
    )
    return rows


def sentence(text):
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def documentation(what, learner, rows):
    lines = [
        f"{learner['title']}. {what}",
        "",
        f"    {learner['update']}",
        "",
        f"Source: {learner['paper']}.",
        "",
        "Parameters",
        "----------",
    ]
    for name, default, text in rows:
        lines += [f"{name} : default {default!r}", f"    {text}"]
    lines += ["", "Attributes", "----------"]
    attributes = [
        (
            "support_vectors_, dual_coef_, intercept_",
            "of the model: rows, coefficients and offsets (coef_ if linear; of random features coef_, components_).",
        ),
        ("kernel_evaluations_", "requested, computed, evaluation; features, measured_features: coordinates of a map."),
        ("trace_, trace_digest_", "the recorded steps as a data frame, and their SHA-256."),
        ("n_features_in_", "features of X."),
    ]
    for name, text in attributes:
        lines += [name, f"    {sentence(text)}"]
    return "\n".join(lines)


def make(module, name, suffix, learner, kinds):
    """A class whose signature is the parameters, as scikit-learn reads it."""
    base, what = CLASSES[suffix]
    rows = parameters_of(learner, kinds)
    defaults = {parameter: default for parameter, default, _ in rows}
    signature = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=value) for key, value in defaults.items()]
    )

    def __init__(self, **parameters):
        for parameter in parameters:
            if parameter not in defaults:
                raise TypeError(f"{name} has no parameter '{parameter}'; it has {', '.join(defaults)}")
        for parameter, default in defaults.items():
            setattr(self, parameter, parameters.get(parameter, default))

    __init__.__signature__ = signature
    __init__.__qualname__ = f"{name}.__init__"
    return type(
        name,
        (base,),
        {
            "__init__": __init__,
            "__doc__": documentation(what, learner, rows),
            "__module__": module,
            "_learner": learner,
            "_kinds": kinds,
            "save": save_estimator,
        },
    )
