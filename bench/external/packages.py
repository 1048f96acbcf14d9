"""Solvers of the package index: oneDAL by scikit-learn-intelex, and current LIBSVM and LIBLINEAR."""

import importlib.util
from functools import partial

import numpy as np
from scipy import sparse

from external.measuring import Tool, outcome, outcome_of
from external.own import CACHE_MIB


def installed(package):
    return importlib.util.find_spec(package) is not None


# The library of threads that oneDAL needs is newer than Debian's, which okbench's module would load first.
if installed("sklearnex"):
    import daal4py


def dense(matrix, kind):
    return (matrix.toarray() if sparse.issparse(matrix) else matrix).astype(kind)


def run_onedal_svc(values, kind, data, limit):
    """One run of oneDAL's SVC on the rows as they are (`kind` None) or on dense rows of this type."""
    from sklearnex.svm import SVC

    daal4py.daalinit(1)
    model = SVC(**values)
    rows, test = (m.astype(float) if kind is None else dense(m, kind) for m in (data.train, data.test))
    return outcome_of(model, rows, test, lambda: model.n_support_.sum(), (None, None), data, limit)


def run_onedal_logistic(values, data, limit):
    """One run of oneDAL's logistic regression on dense rows; it leaves sparse ones to scikit-learn."""
    from sklearnex.linear_model import LogisticRegression

    daal4py.daalinit(1)
    model, rows, test = LogisticRegression(**values), dense(data.train, float), dense(data.test, float)
    return outcome_of(model, rows, test, lambda: model.coef_.shape[1], (0, 0), data, limit)


def run_libsvm(words, data, limit):
    from libsvm.svmutil import svm_parameter, svm_predict, svm_problem, svm_train

    problem = svm_problem(data.train_labels.astype(float), sparse.csr_matrix(data.train.astype(float)))
    test, models = sparse.csr_matrix(data.test.astype(float)), []
    return outcome(
        data,
        limit,
        lambda: models.append(svm_train(problem, svm_parameter(words))),
        lambda: np.array(svm_predict(data.test_labels.astype(float), test, models[0], "-q")[0]),
        lambda: models[0].get_nr_sv(),
        lambda: (None, None),
    )


def run_liblinear(words, data, limit):
    from liblinear.liblinearutil import parameter, predict, problem, train

    bias = float(words.rpartition(" ")[2])
    rows = problem(data.train_labels.astype(float), sparse.csr_matrix(data.train.astype(float)), bias)
    test, models = sparse.csr_matrix(data.test.astype(float)), []
    return outcome(
        data,
        limit,
        lambda: models.append(train(rows, parameter(words))),
        lambda: np.array(predict(data.test_labels.astype(float), test, models[0], "-q")[0]),
        lambda: models[0].get_nr_feature(),
        lambda: (0, 0),
    )


def onedal_tools(data):
    setting = data.setting
    note = "not counted: its solver computes blocks of kernel rows"
    for tolerance in (1e-3, 0.1):
        values = {"C": setting.c, "gamma": setting.gamma, "tol": tolerance, "cache_size": CACHE_MIB}
        for kind, words in ((None, {}), (np.float32, {"rows": "dense float32"})):
            run = partial(run_onedal_svc, values, kind)
            yield Tool("oneDAL", "SVC", {**values, **words}, "rbf", run, "", note)
    for c in (1, 0.1):
        run = partial(run_onedal_logistic, {"C": c})
        yield Tool("oneDAL", "LogisticRegression", {"C": c, "rows": "dense"}, "linear", run, "weights")


def libsvm_tools(data):
    for tolerance in (1e-3, 0.1):
        values = {"C": data.setting.c, "gamma": data.setting.gamma, "eps": tolerance, "cache": CACHE_MIB}
        words = f"-q -c {values['C']} -g {values['gamma']} -e {tolerance} -m {CACHE_MIB}"
        yield Tool("libsvm-official", "C-SVC", values, "rbf", partial(run_libsvm, words), "", "not counted")


def liblinear_tools(data):
    # The default problems of LIBLINEAR's program in dual and primal form, as for the program of Debian's version.
    for name, solver, tolerance in (("L2R_L2LOSS_SVC_DUAL", 1, 0.1), ("L2R_L2LOSS_SVC", 2, 0.01)):
        for bias in (-1, 1):
            values = {"C": 1, "eps": tolerance, "bias": bias}
            run = partial(run_liblinear, f"-q -s {solver} -c 1 -e {tolerance} -B {bias}")
            yield Tool("liblinear-official", name, values, "linear", run, "weights")


# Package that is imported: its name in the index, its name in tables, its learners.
PACKAGES = {
    "sklearnex": ("scikit-learn-intelex", "oneDAL", onedal_tools),
    "libsvm": ("libsvm-official", "libsvm-official", libsvm_tools),
    "liblinear": ("liblinear-official", "liblinear-official", liblinear_tools),
}


def distributions():
    """Names in the package index of the packages that are installed."""
    return [distribution for package, (distribution, _, _) in PACKAGES.items() if installed(package)]


def package_tools(data):
    """(learners of the packages that are installed, names of the libraries that are not)."""
    tools, missing = [], []
    for package, (_, library, factory) in PACKAGES.items():
        if installed(package):
            tools += factory(data)
        else:
            missing.append(library)
    return tools, missing
