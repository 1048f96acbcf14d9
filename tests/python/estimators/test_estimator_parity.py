"""Estimators and the command line: the same traces, to the last bit, for the same rows in the same order.

LaSVM, BCFW and SampledCuts are excluded: they shuffle or draw examples with a seed derived from the names of experiment
and data set, which an estimator lacks. tests/program/test_external_tools.py compares methods with other programs.

Real targets come from a file written by this test. The catalog's sets are generated, and their traces measure errors
against noise-free targets, which an estimator does not know.
"""

import functools
import hashlib
import json
import subprocess

import numpy as np
import pytest

from okbench import _native, estimators
from okbench.estimators.defaults import of_specs
from okbench.estimators.registry import python_name

HEAD = """format = 2
experiment = "test/{name}"
precision = "{precision}"
[data]
name = "{data}"
{options}
order = "file"
batch = {batch}
[trace]
record_all_until = {dense}
[kernel]
{kernel}
"""
USPS = {
    "data": "usps",
    "rows": 600,
    "batch": 10,
    "kernel": 'name = "rbf"\nsigma = 8.0',
    "precision": "float32",
    "dense": 10000,
}
BINARY = {**USPS, "positive": [0, 1, 2, 3, 4], "scale": (0.0, 1.0)}
CLASSES = {**USPS, "positive": [], "scale": (0.0, 1.0)}
REAL = {**USPS, "data": "own", "positive": [], "scale": None, "kernel": 'name = "rbf"\ngamma = 0.5'}
ADULT = {**USPS, "data": "a8a", "positive": [], "scale": None, "kernel": 'name = "linear"'}
LONG = {**ADULT, "rows": 1500, "batch": 1, "dense": 1000}  # not every round has a row in the trace
POLYNOMIAL = {**BINARY, "kernel": 'name = "polynomial"\ndegree = 3\nscale = 0.5\noffset = 1.0', "rows": 300}
SETS = {
    "binary": BINARY,
    "double": {**BINARY, "precision": "float64", "rows": 300},
    "classes": CLASSES,
    "real": REAL,
    "adult": ADULT,
    "long": LONG,
    "polynomial": POLYNOMIAL,
}
KERNELS = {
    'name = "rbf"\nsigma = 8.0': {"kernel": "rbf", "sigma": 8.0},
    REAL["kernel"]: {"kernel": "rbf", "gamma": 0.5},
    'name = "linear"': {"kernel": "linear"},
    POLYNOMIAL["kernel"]: {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 1.0},
}
HINGE = {"loss": "hinge"}
# Key: set, estimator, parameters.
CASES = {
    "svmd": ("binary", "SVMD", {**HINGE, "buffer": 100, "c": 0.001}),
    "svmd-nu": (
        "binary",
        "SVMD",
        {**HINGE, "nu": 0.1, "fit_intercept": True, "dropped_terms": "subtracted", "buffer": 100},
    ),
    "norma": ("binary", "NORMA", {**HINGE, "tau": 50.0, "c": 0.01, "buffer": 100}),
    "norma-average": ("binary", "NORMA", {"loss": "logistic", "average": True, "buffer": 600}),
    "perceptron": ("binary", "Perceptron", {}),
    "perceptron-fixed": ("binary", "Perceptron", {"cache": "fixed", "budget": 30, "removal_rows": "cached"}),
    "pegasos": ("binary", "Pegasos", {"lambda_": 0.001}),
    "sfd": ("binary", "SFD", {}),
    "sfd2": ("binary", "SFD", {"schedule": "sfd2", "solver": "cutting-planes"}),
    "hindsight": ("binary", "Hindsight", {"c": 0.01}),
    "double-svmd": ("double", "SVMD", {**HINGE, "mu": 1.0}),
    "double-pegasos": ("double", "Pegasos", {"lambda_": 0.01, "average": "polynomial-decay"}),
    "mira": ("classes", "MIRA", {}),
    "mira-fixed": ("classes", "MIRA", {"cache": "fixed", "budget": 50}),
    "svmd-classes": ("classes", "SVMD", {"loss": "multiclass-hinge", "buffer": 200}),
    "multiclass-svm": ("classes", "MulticlassSVM", {"C": 10.0}),
    "structural-sfd": ("classes", "StructuralSFD", {}),
    "svm-struct": ("classes", "SVMStruct", {"lambda_": 0.01}),
    "norma-real": ("real", "NORMARegressor", {"loss": "eps-insensitive", "nu": 0.5, "margin_update": "additive"}),
    "svmd-real": ("real", "SVMDRegressor", {"loss": "huber", "margin": 0.5}),
    "linear": ("adult", "LinearOnlineSVM", {"lambda_": 0.001, "average": True, "fit_intercept": False}),
    "linear-long": ("long", "LinearOnlineSVM", {"average": True, "fit_intercept": False}),
    "liblinear": ("adult", "LibLinear", {"lambda_": 0.001, "fit_intercept": False}),
    "norma-sparse": ("adult", "NORMA", {**HINGE, "buffer": 50}),
    "norma-polynomial": ("polynomial", "NORMA", {**HINGE, "eta0": 0.01}),
}
# The whole training set at once: by their methods, or by a schedule or an average that is over its length.
WHOLE = ("hindsight", "multiclass-svm", "structural-sfd", "svm-struct", "liblinear", "norma-average", "sfd2")
MINI_BATCHES = ("pegasos", "sfd", "double-pegasos", "linear")


def class_of(key):
    return getattr(estimators, CASES[key][1])


def spec_of(name):
    data_set = SETS[name]
    options = "" if not data_set["positive"] else f"positive = {data_set['positive']}\n"
    options += "" if data_set["scale"] is None else f"scale = {list(data_set['scale'])}\n"
    options += "" if name == "real" else f"synthetic = true\nsynthetic_rows = {data_set['rows']}"
    text = HEAD.format(**{**data_set, "name": name, "options": options})
    for key, (of, _, parameters) in CASES.items():
        if of == name:
            text += f'[learners.{key}]\nlearner = "{class_of(key)._learner["name"]}"\n'
            for parameter, value in parameters.items():
                names = {python_name(option["name"]): option["name"] for option in class_of(key)._learner["parameters"]}
                if parameter in names:
                    text += f"{names[parameter]} = {json.dumps(value)}\n"
    return text


def own_rows():
    """Rows and real targets with few digits: the same in binary and as text."""
    draws = np.random.default_rng(3)
    X = np.round(draws.normal(size=(600, 3)) * 64) / 64
    return X.astype(np.float32), np.round((np.sin(X[:, 0]) + 0.3 * draws.standard_t(2, size=600)) * 64) / 64


def own_catalog(folder):
    X, y = own_rows()
    text = "".join(",".join(repr(float(v)) for v in (target, *row)) + "\n" for target, row in zip(y, X))
    (folder / "own.csv").write_text(text)
    (folder / "catalog.toml").write_text(
        "[own]\ntitle='own'\nformat='csv'\nfeatures=3\nrange=[-9.0,9.0]\nkind='real'\nterms=''\n"
        "synthetic={generator='waves'}\n[own.train]\nrows=600\nfiles=[{name='own.csv', "
        f"sha256='{hashlib.sha256(text.encode()).hexdigest()}'}}]\n"
    )
    return {"OKBENCH_CATALOG": str(folder / "catalog.toml"), "OKBENCH_MIRROR": str(folder)}


@pytest.fixture(scope="module")
def summaries(binary, tmp_path_factory):
    """{key: row of `okbench summary`} of all cases, run by the program."""
    folder = tmp_path_factory.mktemp("parity")
    base = {"OKBENCH_CACHE": str(folder / "none"), "PATH": "/usr/bin:/bin"}
    for name in SETS:
        (folder / f"{name}.toml").write_text(spec_of(name))
    specs = [f"{name}.toml" for name in SETS if name != "real"]
    rows = {}
    for out, specs, more in (("r", specs, {}), ("s", ["real.toml"], own_catalog(folder))):
        options = {"check": True, "cwd": folder, "env": {**base, **more}}
        subprocess.run([binary, "run", *specs, "--quiet", "--out", out], **options)
        done = subprocess.run([binary, "summary", out, "--json"], capture_output=True, **options)
        rows |= {row["key"]: row for row in json.loads(done.stdout)["trials"]}
    assert rows.keys() == CASES.keys()
    return rows


@pytest.fixture(scope="module")
def data():
    """{set: (X, y)} as learners see them."""

    def load(data, positive, scale, rows, precision, **_):
        return _native.data(data, "train", positive, scale, False, True, rows, precision == "float64")

    return {name: own_rows() if name == "real" else load(**data_set) for name, data_set in SETS.items()}


def rows_of(data, key):
    from okbench.rows import python_rows

    X, y = data[CASES[key][0]]
    return python_rows(X), y


def estimator_of(key, **more):
    name, _, parameters = CASES[key]
    known = class_of(key)().get_params()
    options = {
        **KERNELS[SETS[name]["kernel"]],
        "order": "file",
        "batch": SETS[name]["batch"],
        "epochs": 1,
        "fit_intercept": False,
    }
    if class_of(key)._learner["protocol"] == "selection":
        options["max_iter"] = 1  # epochs of the spec
    options = {**of_specs(class_of(key)), **options, **more, **parameters}
    return class_of(key)(**{option: value for option, value in options.items() if option in known})


def require_same(estimator, row):
    assert estimator.trace_digest_ == row["trace_digest"]
    counts, output = estimator.kernel_evaluations_, row["kernel_evaluations"]
    assert counts.requested == output["requested"] > 0 or estimator._learner["linear"]
    assert counts.evaluation == output["evaluation"]
    assert len(estimator.trace_) > 0


@pytest.mark.parametrize("key", CASES)
def test_fit_has_the_trace_of_the_command_line(key, summaries, data):
    X, y = rows_of(data, key)
    require_same(estimator_of(key).fit(X, y), summaries[key])


@pytest.mark.parametrize("chunk", (1, 7, 100, 600))
@pytest.mark.parametrize("key", [key for key in CASES if key not in WHOLE and key not in MINI_BATCHES])
def test_a_stream_in_chunks_has_it_for_any_of_them(key, chunk, summaries, data):
    require_same(in_chunks(key, chunk, data), summaries[key])


@pytest.mark.parametrize("chunk", (10, 70, 100, 600))
@pytest.mark.parametrize("key", MINI_BATCHES)
def test_mini_batches_have_it_for_chunks_of_whole_ones(key, chunk, summaries, data):
    require_same(in_chunks(key, chunk, data), summaries[key])


def in_chunks(key, chunk, data):
    X, y = rows_of(data, key)
    estimator = estimator_of(key)
    for begin in range(0, X.shape[0], chunk):
        more = {} if "real" in estimator._kinds else {"classes": np.unique(y)}
        estimator.partial_fit(X[begin : begin + chunk], y[begin : begin + chunk], **more)
    return estimator


def test_another_order_is_another_trace(data):
    X, y = rows_of(data, "svmd")
    digests = [
        estimator_of("svmd", order=order).fit(X, y).trace_digest_ for order in ("file", "permutation", "uniform")
    ]
    assert len(set(digests)) == 3
    seeds = [estimator_of("svmd", order="permutation", random_state=seed).fit(X, y).trace_digest_ for seed in (0, 0, 1)]
    assert seeds[0] == seeds[1] != seeds[2]


def test_a_regressors_trace_is_whole_where_the_last_step_has_no_row_of_its_own():
    """Steps beyond the first 10000 are recorded now and then; the last one always, with all its columns."""
    draws = np.random.default_rng(0)
    X = draws.random((10_007, 2))
    y = np.sin(6 * X[:, 0])
    factory = functools.partial(estimators.ESTIMATORS["NORMARegressor"], buffer=5, gamma=5.0, margin=0.1, order="file")
    factory = functools.partial(factory, standardize=False, epochs=1)
    chunks = factory()
    for begin in range(0, len(X), 1000):
        chunks.partial_fit(X[begin : begin + 1000], y[begin : begin + 1000])
    whole = factory().fit(X, y)
    trace = chunks.trace_
    assert trace["step"].iloc[-1] == len(X) and trace["target"].iloc[-1] == y[-1]
    assert chunks.trace_digest_ == whole.trace_digest_
