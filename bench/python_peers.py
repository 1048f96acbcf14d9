#!/usr/bin/python3
"""Fits okbench's estimators and learners of other libraries on the data set a8a (Adult), in one run, and prints a
table of test error, processor time, kernel values and sizes of models. The other libraries are scikit-learn, LIBSVM and
dlib; those of the last two are programs (target okbench_peers). Where one is not built its learners are left out, and
the table says so. A whole run takes some ten minutes and 5 GB of memory."""

import argparse
import json
import os
import pathlib
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from fnmatch import fnmatchcase
from functools import partial
from typing import Callable, NamedTuple

import numpy as np
import scipy
import sklearn
from scipy import sparse
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC
from threadpoolctl import threadpool_info, threadpool_limits

from peer_table import BEGIN, END, markdown, update

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))

NAME = "a8a"
GAMMA = 0.05  # sfd-2013's for this set, as in experiments/sfd-2013/
CACHE_MIB = 2048  # of every learner with a cache of kernel rows
FEATURES = 1000  # of approximate feature maps


class Data(NamedTuple):
    """Compressed rows of 0 and 1, labels -1 and 1."""

    train: sparse.csr_matrix
    train_labels: np.ndarray
    test: sparse.csr_matrix
    test_labels: np.ndarray
    stand_in: bool


class Outcome(NamedTuple):
    """What one run of a peer came to. Kernel values are those of fitting, None where they are not counted."""

    fit_seconds: float
    predict_seconds: float
    wrong: int
    vectors: int
    requested: int | None
    computed: int | None


class Peer(NamedTuple):
    library: str
    name: str
    parameters: dict
    size: str  # what `vectors` counts
    run: Callable
    note: str = ""


def load(rows, stand_in):
    """a8a's training and test rows: the real ones, at most `rows` of each (0: all), or generated ones."""
    from okbench import _native

    parts = []
    for part in ("train", "test"):
        count = rows or 2000
        found, labels = _native.data(NAME, part, [], None, False, stand_in, count if stand_in else 0, False)
        matrix = sparse.csr_matrix(found[:3], shape=(len(labels), found[3]))
        parts += [matrix[: rows or None], labels[: rows or None]]
    return Data(*parts, stand_in)


def processor_seconds():
    """Processor time so far, of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(call):
    begin = processor_seconds()
    result = call()
    return result, processor_seconds() - begin


# okbench ----------------------------------------------------------------------------------------------------------


def estimator_parameters(count):
    """Parameters by estimator, one table a variant, for so many training rows."""

    def over_n(power):
        return 2.0**power / count

    # One hundredth of the rows a round and two epochs, and each method's lambda: tables 5.2 and 5.3 of sfd-2013.
    rounds = {"gamma": GAMMA, "epochs": 2, "batch": max(1, round(count / 100))}
    online = {"gamma": GAMMA, "c": 1e-4, "buffer": 4096}
    exact = {"gamma": GAMMA, "lambda_": over_n(-2), "cache_mib": CACHE_MIB}
    return {
        "BCFW": [exact],
        "Hindsight": [{"gamma": GAMMA, "c": over_n(-2)}],
        "LaSVM": [{**exact, "epochs": 2}, {**exact, "epochs": 2, "gradients": "support-set"}],
        # As in experiments/linear-2010; LIBLINEAR with its own tolerance.
        "LibLinear": [{"lambda_": 1e-4, "tolerance": 0.1}],
        "LinearOnlineSVM": [{"lambda_": 1e-4, "epochs": 10, "batch": 1, "average": True}],
        "NORMA": [online],
        "Pegasos": [
            {**rounds, "lambda_": over_n(-2)},
            {**rounds, "lambda_": over_n(-3), "average": "polynomial-decay"},
        ],
        "Perceptron": [{"gamma": GAMMA}],
        "SFD": [rounds, {**rounds, "schedule": "sfd2"}],
        "StructuralSFD": [rounds],
        "SVMD": [online],
        "SVMStruct": [exact],
        "SampledCuts": [{**rounds, "lambda_": over_n(1)}],
    }


def binary_classifiers():
    from okbench.estimators import ESTIMATORS

    return {name: made for name, made in ESTIMATORS.items() if "binary" in made._kinds}


def outcome(data, fit, predict, size, counts):
    """Times fit() and predict(), and counts errors; in between asks for size() and counts(): (requested, computed)."""
    _, fitting = timed(fit)
    vectors, kernel_values = int(size()), counts()
    predicted, predicting = timed(predict)
    wrong = int((predicted != data.test_labels).sum())
    return Outcome(fitting, predicting, wrong, vectors, *kernel_values)


def run_estimator(made, values, data):
    """Fits and predicts with an estimator of okbench."""
    model = made(**values)
    return outcome(
        data,
        lambda: model.fit(data.train, data.train_labels),
        lambda: model.predict(data.test),
        lambda: model.coef_.size if hasattr(model, "coef_") else model.support_vectors_.shape[0],
        lambda: model.kernel_evaluations_[:2],
    )


def okbench_peers(data):
    parameters, peers = estimator_parameters(data.train.shape[0]), []
    for name, made in binary_classifiers().items():
        size = "weights" if made._learner["linear"] else ""
        for values in parameters.get(name, [{}]):
            peers.append(Peer("okbench", name, values, size, partial(run_estimator, made, values, data)))
    return peers


# scikit-learn -----------------------------------------------------------------------------------------------------


def run_svc(data, values):
    model, rows, test = SVC(**values), data.train.astype(float), data.test.astype(float)
    return outcome(
        data,
        lambda: model.fit(rows, data.train_labels),
        lambda: model.predict(test),
        lambda: model.n_support_.sum(),
        lambda: (None, None),
    )


def run_features(data, method, values, alpha):
    """A feature map, and the linear SVM by stochastic gradient descent on it."""
    features, model = method(**values, random_state=0), SGDClassifier(alpha=alpha, random_state=0)
    rows, test = data.train.astype(float), data.test.astype(float)
    # Of Nystroem: the kernel of its columns with each other, and with every row.
    width = values["n_components"]
    kernel_values = (width + rows.shape[0]) * width if method is Nystroem else 0
    return outcome(
        data,
        lambda: model.fit(features.fit_transform(rows), data.train_labels),
        lambda: model.predict(features.transform(test)),
        lambda: model.coef_.shape[1],
        lambda: (kernel_values, kernel_values),
    )


def sklearn_peers(data):
    count = data.train.shape[0]
    svc = {"C": 4, "gamma": GAMMA, "cache_size": CACHE_MIB}
    note = "not counted: a kernel given as a function is asked for whole matrices"
    peers = [Peer("scikit-learn", "SVC", svc, "", partial(run_svc, data, svc), note)]
    values, alpha = {"gamma": GAMMA, "n_components": min(FEATURES, count)}, 0.25 / count
    for method, note in ((RBFSampler, ""), (Nystroem, "kernel values as its definition has them")):
        name, parameters = f"{method.__name__}, SGDClassifier", {**values, "alpha": alpha}
        run = partial(run_features, data, method, values, alpha)
        peers.append(Peer("scikit-learn", name, parameters, "features", run, note))
    return peers


# Programs ---------------------------------------------------------------------------------------------------------


def write_rows(path, matrix, labels):
    """A file as bench/peer_rows.h describes it."""
    head = [matrix.shape[0], matrix.shape[1], matrix.nnz]
    parts = ((head, "<i4"), (matrix.indptr, "<i4"), (matrix.indices, "<i4"), (matrix.data, "<f8"), (labels, "<i4"))
    path.write_bytes(b"".join(np.asarray(values).astype(kind).tobytes() for values, kind in parts))


class Programs:
    """Programs of other libraries in a folder of the build, and the files that they read."""

    def __init__(self, folder, data, scratch):
        self.folder, self.data = folder, data
        self.train, self.test = scratch / "train.rows", scratch / "test.rows"
        write_rows(self.train, data.train, data.train_labels)
        write_rows(self.test, data.test, data.test_labels)
        self.versions = set()

    def has(self, program):
        return (self.folder / program).is_file()

    def run(self, program, arguments, requested):
        done = subprocess.run(
            [str(word) for word in (self.folder / program, self.train, self.test, *arguments)],
            capture_output=True,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        if done.returncode:
            sys.exit(f"python_peers: {program} failed: {done.stderr.strip() or done.returncode}")
        told = json.loads(done.stdout)
        self.versions.add(told["library"])
        values = told["fit_evaluations"]
        return Outcome(
            told["fit_seconds"],
            told["predict_seconds"],
            told["wrong"],
            told["vectors"],
            values if requested else None,
            values,
        )


def program_peers(data, programs):
    """(peers of the programs that are there, names of the libraries of those that are not)."""
    peers, missing = [], []
    if programs.has("okbench_libsvm_peer"):
        values = {"C": 4, "gamma": GAMMA, "eps": 1e-3, "cache": CACHE_MIB}
        run = partial(programs.run, "okbench_libsvm_peer", (GAMMA, 4, 1e-3, CACHE_MIB), False)
        note = "counted where its library computes a value; what its solver asks the cache for is not"
        peers.append(Peer("LIBSVM", "C-SVC", values, "", run, note))
    else:
        missing.append("LIBSVM")
    if not programs.has("okbench_dlib_peer"):
        return peers, [*missing, "dlib"]
    values = {"tolerance": 0.2, "max_dictionary_size": 10**6}
    settings = [("krls", "krls", values, "one epoch of regression on the labels, and the sign predicts")]
    for most in (40, 200):
        values = {"tolerance": 0.01, "max_num_sv": most, "lambda": 0.25 / data.train.shape[0], "epochs": 2}
        settings.append(("pegasos", "svm_pegasos", values, ""))
    for word, name, values, note in settings:
        run = partial(programs.run, "okbench_dlib_peer", (word, GAMMA, 0, *values.values()), True)
        peers.append(Peer("dlib", name, {"gamma": GAMMA, **values}, "", run, note))
    return peers, missing


# Measuring and telling --------------------------------------------------------------------------------------------


def measure(peers, runs):
    """The outcomes of each peer. Rounds over all of them, so that a slow spell of the machine is no peer's own."""
    outcomes = [[] for _ in peers]
    for _ in range(runs):
        for peer, mine in zip(peers, outcomes):
            mine.append(peer.run())
            print(f"{peer.library} {peer.name}: {mine[-1].fit_seconds:.3f} s", file=sys.stderr, flush=True)
            if mine[-1][2:] != mine[0][2:]:
                sys.exit(f"python_peers: {peer.library} {peer.name}: another result in another run")
    return outcomes


def row_of(peer, outcomes, tested):
    last = outcomes[-1]
    return {
        "library": peer.library,
        "method": peer.name,
        "parameters": peer.parameters,
        "test_error": 100 * last.wrong / tested,
        "fit_seconds": statistics.median(one.fit_seconds for one in outcomes),
        "fit_seconds_of_runs": [one.fit_seconds for one in outcomes],
        "predict_seconds_per_row": statistics.median(one.predict_seconds for one in outcomes) / tested,
        "requested": last.requested,
        "computed": last.computed,
        "vectors": last.vectors,
        "vectors_are": peer.size or "vectors",
        "note": peer.note,
    }


def processor():
    try:
        found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1].strip() if found else platform.machine()


def versions(programs):
    from okbench import _native

    blas = [f"{one['internal_api']} {one['version']}" for one in threadpool_info() if one["user_api"] == "blas"]
    libraries = [f"{one.__name__} {one.__version__}" for one in (sklearn, np, scipy)]
    told = [_native.version(), *libraries, *sorted(programs.versions), *sorted(set(blas) or {"reference BLAS"})]
    return [f"Python {platform.python_version()}", *told]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=0, help="at most so many rows a part (all; 2000 if generated)")
    parser.add_argument("--stand-in", action="store_true", help="generated rows in place of the data set")
    parser.add_argument("--runs", type=int, default=3, help="runs of each, of which the median counts (3)")
    parser.add_argument("--only", metavar="GLOB", default="*", help="of LIBRARY and METHOD: 'okbench *', '* SVC'")
    parser.add_argument(
        "--programs", type=pathlib.Path, default=ROOT / "build" / "release", help="where the programs lie"
    )
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write all of it to this file")
    parser.add_argument("--update", type=pathlib.Path, metavar="FILE", help=f"put the table between {BEGIN} and {END}")
    options = parser.parse_args()
    if options.rows < 0 or options.runs < 1:
        parser.error("--rows must be at least 0, and --runs at least 1")
    try:
        data = load(options.rows, options.stand_in)
    except ImportError as error:
        sys.exit(f"python_peers: {error}; `make peers` builds the module")
    except ValueError as error:
        sys.exit(f"python_peers: {error}")
    count, tested = data.train.shape[0], data.test.shape[0]
    with tempfile.TemporaryDirectory() as scratch, threadpool_limits(1):
        programs = Programs(options.programs, data, pathlib.Path(scratch))
        others, missing = program_peers(data, programs)
        peers = [*okbench_peers(data), *sklearn_peers(data), *others]
        peers = [peer for peer in peers if fnmatchcase(f"{peer.library} {peer.name}", options.only)]
        outcomes = measure(peers, options.runs)
        told = {
            "format": 1,
            "data": {
                "name": NAME,
                "stand_in": data.stand_in,
                "train": count,
                "test": tested,
                "features": data.train.shape[1],
            },
            "machine": processor(),
            "versions": versions(programs),
            "runs": options.runs,
            "peers": [row_of(peer, mine, tested) for peer, mine in zip(peers, outcomes)],
            "missing": missing,
        }
    if options.json:
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    block = markdown(told)
    if options.update:
        update(options.update, block)
    print(block)


if __name__ == "__main__":
    main()
