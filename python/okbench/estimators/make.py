"""Creates the estimator classes from the registry: signature, docstring and supported tasks."""

import functools
import inspect
import textwrap

from .defaults import LIMITS, default_of, passes
from .kernels import OWN_OFFSET, WITHOUT_OFFSET
from .kinds import Classifier, GaussianProcess, NoveltyDetector, Regressor
from .registry import learners, losses_for, python_name
from .saved import save_estimator

WIDTH = 79
# Parameters of every kernel estimator, besides those of its learner: (name, default, type, documentation).
KERNEL = (
    (
        *("kernel", "rbf", "{'rbf', 'poly', 'linear', 'histogram-intersection', 'precomputed'}, dict or callable"),
        "Kernel. A dict has the keys of the table [kernel] of a spec, for example a sum of kernels. A callable f(A, B) "
        "returns the matrix k(a_i, b_j). Precomputed: X holds kernel values, of shape (rows, rows) in "
        "`fit` and (rows, rows of `fit`) in `predict`.",
    ),
    (
        *("gamma", "scale", "float > 0, 'scale' or 'median'"),
        "RBF: k(x, x') = exp(-gamma ||x - x'||^2). 'scale' is 1 / (n_features * X.var()). 'median' is 1 / (2 m^2) with "
        "the median distance m of the first 1000 rows. `partial_fit` takes both from the first 30 rows: it collects "
        "them, and `predict` is that of an untrained model until they have come. A number learns at once.",
    ),
    ("sigma", None, "float > 0 or None", "RBF: replaces gamma by 1 / (2 sigma^2)."),
    ("degree", 3, "int, 1 to 64", "Poly: k(x, x') = (gamma <x, x'> + coef0)^degree."),
    ("coef0", 0.0, "float >= 0", "Offset of the poly kernel."),
)
CLASS_WEIGHT = (
    *("class_weight", None, "dict, 'balanced' or None"),
    "Weights of the losses by class: {class: weight}, 'balanced' for n_samples / (n_classes * count), or None for 1.",
)
INTERCEPT = (
    *("fit_intercept", True, "bool"),
    "Add a constant feature 1, for kernel methods to the kernel: k(x, x') + 1. Its weight is `intercept_`; it is "
    "regularised, as in LIBLINEAR. The papers' kernel methods have none, and it changes with every update.",
)
# Earlier names of parameters of estimators, besides those of the registry.
OLD_NAMES = {"kernel_scale": "gamma", "kernel_offset": "coef0"}
ORDERS = {
    "stream": "file (the order of X), permutation (a new one per epoch) or uniform (each row drawn from all)",
    "mini-batches": "uniform (each mini-batch drawn from all rows), permutation, file or sliding",
}
CLASSES = {
    "": (Classifier, "Classifier."),
    "Regressor": (Regressor, "Regressor."),
    "NoveltyDetector": (NoveltyDetector, "Novelty detector."),
}


def make_estimators(module):
    """{name: class} of all estimators, sorted by name. `module`: name of the module that exports them."""
    estimators = {}
    for learner in learners().values():
        name = learner["estimator"]["name"]
        for suffix, kinds in kinds_of(learner).items():
            estimators[name + suffix] = make(module, name + suffix, suffix, learner, kinds)
    return dict(sorted(estimators.items()))


def kinds_of(learner):
    """{suffix of the class: kinds of labels that the class accepts} of a learner."""
    labels = learner["labels"]
    kinds = {"": tuple(kind for kind in labels if kind in ("binary", "multiclass"))}
    if "real" in labels:
        kinds["Regressor"] = ("real",)
    if losses_for(learner, "novelty"):
        kinds["NoveltyDetector"] = ("novelty",)
    return {suffix: kind for suffix, kind in kinds.items() if kind}


def type_of(allowed):
    """The type of a parameter in the style of scikit-learn, from the range that the registry states."""
    if allowed.startswith("one of "):
        return "{" + ", ".join(map(repr, allowed.removeprefix("one of ").split(", "))) + "}"
    if allowed == "true or false":
        return "bool"
    for words, kind in (("a real number", "float"), ("an integer", "int")):
        if allowed.startswith(words):
            bounds = allowed.removeprefix(words).split(" and ")
            # Upper bounds of a million or more only guard against overflow.
            return f"{kind} " + " and ".join(
                bound.strip() for bound in bounds if "<=" not in bound or "e+" not in bound
            )
    return allowed


def parameters_of(learner, kinds):
    """[(name, default, type, documentation)] of an estimator."""
    rows = []
    for parameter in learner["parameters"]:
        default, name = parameter["default"], python_name(parameter["name"])
        kind, text = type_of(parameter["allowed"]), sentence(parameter["description"])
        if parameter["unit"]:
            text += f" Unit: {parameter['unit']}."
        if parameter["symbol"] and parameter["symbol"] != parameter["name"]:
            text += f" Symbol in the papers: {parameter['symbol']}."
        if name == "loss":
            if kinds == ("novelty",):
                continue
            fitting = ["auto", *(loss for kind in kinds for loss in losses_for(learner, kind))]
            usual = ", ".join(f"'{losses_for(learner, kind)[0]}' for {kind} labels" for kind in kinds)
            default, kind, text = "auto", "{" + ", ".join(map(repr, fitting)) + "}", f"Loss. 'auto' is {usual}."
        default = default_of(learner["name"], kinds, name, default)
        rows.append((name, default, kind, text))
    rows += () if learner["linear"] else KERNEL
    if learner["name"] not in (*OWN_OFFSET, *WITHOUT_OFFSET):
        name, default, kind, text = INTERCEPT
        default = learner["linear"]
        merging = any(setting["name"] == "maintenance" for setting in learner["parameters"])
        rows.append((name, default, kind, text + (" Without effect on merging." if merging else "")))
    if learner["weights"] and kinds[0] in ("binary", "multiclass"):
        rows.append(CLASS_WEIGHT)
    protocol, usual = learner["protocol"], learner["estimator"]
    if protocol in ORDERS:
        order = "uniform" if protocol == "mini-batches" else "permutation"
        kind = (
            "{'uniform', 'permutation', 'file', 'sliding'}"
            if order == "uniform"
            else "{'permutation', 'uniform', 'file'}"
        )
        text = f"Order of the rows in `fit`: {ORDERS[protocol]}. `partial_fit` keeps the order of X."
        rows.append(("order", order, kind, text))
    if protocol != "solver":
        epochs = passes(learner, kinds, usual["epochs"])
        name = "max_iter" if learner["tolerance"] else "epochs"
        number = "Largest number" if learner["tolerance"] else "Number"
        rows.append((name, epochs, "int >= 1", f"{number} of passes over the rows in `fit`."))
    if usual["batch"]:
        rows.append(("batch", usual["batch"], "int >= 1", "Rows per round."))
    if kinds == ("real",):
        text = (
            "Standardise the targets by their running mean and deviation. Predictions have the units of y, `trace_` "
            "standardised units."
        )
        # KRLS interpolates old targets exactly, so their scale must not change.
        rows.append(("standardize", learner["name"] != "krls", "bool", text))
    text = "Seed of all draws. An integer gives the same bits in every call; None and a RandomState draw the seed."
    rows.append(("random_state", 0, "int, RandomState instance or None", text))
    return rows


def old_names(learner):
    """{earlier name of a parameter: its name} of an estimator."""
    names = dict(OLD_NAMES, epochs="max_iter")
    for parameter in learner["parameters"]:
        name = python_name(parameter["name"])
        names.update(
            {earlier: name for earlier in (parameter["name"], parameter["old_name"]) if earlier not in ("", name)}
        )
        names.update({python_name(parameter["old_name"]): name} if parameter["old_name"] else {})
    return names


def unweighted(method):
    """The method without the argument sample_weight."""

    @functools.wraps(method)
    def without(self, *arguments, **named):
        if named.get("sample_weight") is not None:
            self._refuse(named)
        return method(self, *arguments, **named)

    signature = inspect.signature(method)
    kept = [parameter for name, parameter in signature.parameters.items() if name != "sample_weight"]
    without.__signature__ = signature.replace(parameters=kept)
    return without


def sentence(text):
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


ATTRIBUTES = (
    ("support_", "array of shape (n_support,)", "Row numbers of the support vectors in X, for batch methods."),
    ("support_vectors_", "array or CSR matrix of shape (n_support, n_features)", "Support vectors of kernel methods."),
    ("dual_coef_", "array of shape (n_outputs, n_support)", "Coefficients of the support vectors."),
    ("coef_", "array of shape (n_outputs, n_weights)", "Weights of linear methods and of random features."),
    ("intercept_", "array of shape (n_outputs,)", "Offsets of the scores."),
    (
        *("kernel_evaluations_", "named tuple of int"),
        "Counts `requested`, `computed`, `evaluation`, `features` and `measured_features`.",
    ),
    ("n_samples_seen_", "int", "Rows learned so far, each pass counted."),
    ("n_iter_", "int", "Passes over the rows, or rounds of a solver."),
    ("trace_", "DataFrame", "One row per recorded step: mistakes, support vectors, kernel evaluations, loss."),
    ("trace_digest_", "str", "SHA-256 of the trace, as okbench computes it."),
    ("n_features_in_", "int", "Number of features of X."),
)
# Function of sklearn.datasets and call that make the rows of the example.
EXAMPLES = {
    "": ("make_moons", "make_moons(400, noise=0.1, random_state=0)"),
    "Regressor": ("make_friedman1", "make_friedman1(400, random_state=0)"),
    "NoveltyDetector": ("make_moons", "make_moons(400, noise=0.1, random_state=0)"),
}


def wrapped(text, indent="    "):
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def example(name, suffix, kinds):
    """An executable example, in the lines of a docstring."""
    function, data = EXAMPLES[suffix]
    target = "" if suffix == "NoveltyDetector" else ", y"
    if kinds == ("multiclass",):
        function, data = "load_iris", "load_iris(return_X_y=True)"
    return [
        ">>> import okbench",
        f">>> from sklearn.datasets import {function}",
        f">>> X, y = {data}",
        f">>> model = okbench.{name}().fit(X{target})",
        ">>> model.predict(X[:2]).shape",
        "(2,)",
    ]


def documentation(name, suffix, learner, rows, kinds):
    """A docstring in the style of scikit-learn."""
    title = f"{learner['title']}. {CLASSES[suffix][1]}"
    lines = [*wrapped(title, ""), "", *wrapped(learner["update"]), "", f"Source: {learner['paper']}.", ""]
    lines += ["Parameters", "----------"]
    for parameter, default, kind, text in rows:
        lines += [f"{parameter} : {kind}, default={default!r}", *wrapped(text), ""]
    lines += ["Attributes", "----------"]
    for attribute, kind, text in ATTRIBUTES:
        lines += [f"{attribute} : {kind}", *wrapped(text), ""]
    if LIMITS.get(name):
        text = f"{LIMITS[name]}. See docs/default-scores.md."
        lines += ["Notes", "-----", *wrapped(text), ""]
    lines += ["Examples", "--------", *example(name, suffix, kinds)]
    return "\n".join(lines)


def make(module, name, suffix, learner, kinds):
    """Creates an estimator class. Its constructor has one keyword per parameter, as scikit-learn requires."""
    base = GaussianProcess if suffix == "Regressor" and learner["estimator"]["variance"] else CLASSES[suffix][0]
    rows = parameters_of(learner, kinds)
    defaults = {parameter: default for parameter, default, _, _ in rows}
    old = old_names(learner)
    signature = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, default=value) for key, value in defaults.items()]
    )

    def __init__(self, **parameters):
        for parameter in parameters:
            if parameter in defaults:
                continue
            if old.get(parameter) in defaults:
                raise TypeError(f"{name}: the parameter '{parameter}' is renamed to '{old[parameter]}'")
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
            "__doc__": documentation(name, suffix, learner, rows, kinds),
            "__module__": module,
            "_learner": learner,
            "_kinds": kinds,
            "save": save_estimator,
            **({} if learner["weights"] else {"fit": unweighted(base.fit)}),
        },
    )
