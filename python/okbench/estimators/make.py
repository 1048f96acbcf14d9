"""Creates the estimator classes from the registry: signature, docstring and supported tasks."""

import inspect

from .kinds import Classifier, NoveltyDetector, Regressor
from .registry import learners, losses_for, python_name
from .saved import save_estimator

# Parameters of every kernel estimator, besides those of its learner: (name, default, documentation).
KERNEL = (
    ("kernel", "rbf", "rbf, polynomial, linear, histogram-intersection, or a dict with the keys of a spec's kernel"),
    ("gamma", "scale", "> 0. rbf: exp(-gamma ||x-x'||^2). 'scale': 1 / (features * variance of X), to six digits"),
    ("sigma", None, "> 0, replaces gamma. rbf: exp(-||x-x'||^2 / (2 sigma^2))"),
    ("degree", 2, "1 .. 64. polynomial: (kernel_scale <x,x'> + kernel_offset)^degree"),
    ("kernel_scale", 1.0, "> 0. Scale of the polynomial kernel"),
    ("kernel_offset", 0.0, ">= 0. Offset of the polynomial kernel"),
)
ORDERS = {
    "stream": "file (the order of X), permutation (a new one per epoch) or uniform (each row drawn from all)",
    "mini-batches": "uniform (each mini-batch drawn from all rows), permutation, file or sliding",
}
# Defaults of novelty detectors. The margin must converge: additive nu-trick (norma-2001), 20 passes for small data.
NOVELTY = {"nu": 0.1, "c": 0.01, "margin_update": "additive", "epochs": 20}
CLASSES = {
    "": (Classifier, "Classifier."),
    "Regressor": (Regressor, "Regressor."),
    "NoveltyDetector": (NoveltyDetector, "Novelty detector."),
}


def make_estimators(module):
    """{name: class} of all estimators, sorted by name. `module`: name of the module that exports them."""
    made = {}
    for learner in learners().values():
        name = learner["estimator"]["name"]
        for suffix, kinds in kinds_of(learner).items():
            made[name + suffix] = make(module, name + suffix, suffix, learner, kinds)
    return dict(sorted(made.items()))


def kinds_of(learner):
    """{suffix of the class: kinds of labels that the class accepts} of a learner."""
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
            text += f" Symbol in the papers: {parameter['symbol']}."
        if name == "loss":
            if kinds == ("novelty",):
                continue
            fitting = [loss for kind in kinds for loss in losses_for(learner, kind)]
            usual = ", ".join(f"{losses_for(learner, kind)[0]} for {kind} labels" for kind in kinds)
            default, text = "auto", f"One of auto, {', '.join(fitting)}. auto: {usual}."
        if kinds == ("novelty",):
            default = NOVELTY.get(name, default)
        rows.append((name, default, text))
    if not learner["linear"]:
        rows += [(name, default, sentence(text)) for name, default, text in KERNEL]
    protocol, usual = learner["protocol"], learner["estimator"]
    if protocol in ORDERS:
        order = "uniform" if protocol == "mini-batches" else "permutation"
        rows.append(("order", order, f"Row order in `fit`: {ORDERS[protocol]}. partial_fit uses the order of X."))
    if protocol != "solver":
        epochs = NOVELTY["epochs"] if kinds == ("novelty",) else usual["epochs"]
        rows.append(("epochs", epochs, ">= 1. Maximum number of passes over the rows in `fit`."))
    if usual["batch"]:
        rows.append(("batch", usual["batch"], ">= 1. Examples per round."))
    rows.append(
        ("random_state", 0, "Seed. An integer gives reproducible results; a RandomState or None draws the seed.")
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
            "support vectors, coefficients and offsets. Linear methods have coef_; random features coef_, components_.",
        ),
        ("kernel_evaluations_", "counters: requested, computed, evaluation, features, measured_features."),
        ("trace_, trace_digest_", "recorded steps as a data frame, and the SHA-256 of the trace."),
        ("n_features_in_", "number of features of X."),
    ]
    for name, text in attributes:
        lines += [name, f"    {sentence(text)}"]
    return "\n".join(lines)


def make(module, name, suffix, learner, kinds):
    """Creates an estimator class. Its constructor has one keyword per parameter, as scikit-learn requires."""
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
