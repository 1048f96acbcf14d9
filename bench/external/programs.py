"""Learners of LIBSVM, LIBLINEAR and dlib, run as programs of the build (target okbench_external)."""

import json
import os
import signal
import subprocess
from functools import partial
from itertools import product

import numpy as np
from scipy import sparse

from external.measuring import Outcome, OverLimit, Tool
from external.own import CACHE_MIB


def write_rows(path, matrix, labels):
    """Writes rows and labels in the format of bench/external_rows.h."""
    matrix = sparse.csr_matrix(matrix)
    head = [matrix.shape[0], matrix.shape[1], matrix.nnz]
    parts = ((head, "<i4"), (matrix.indptr, "<i4"), (matrix.indices, "<i4"), (matrix.data, "<f8"), (labels, "<i4"))
    path.write_bytes(b"".join(np.asarray(values).astype(kind).tobytes() for values, kind in parts))


class Programs:
    """The programs in a folder of the build, and their input files."""

    def __init__(self, folder, data, scratch):
        self.folder = folder
        self.train, self.test = scratch / "train.rows", scratch / "test.rows"
        write_rows(self.train, data.train, data.train_labels)
        write_rows(self.test, data.test, data.test_labels)

    def has(self, program):
        return (self.folder / program).is_file()

    def versions(self):
        """The version text of each program that is built."""
        programs = [self.folder / program for program, _ in LIBRARIES.values() if self.has(program)]
        return [subprocess.check_output([program, "--version"], text=True).strip() for program in programs]

    def run(self, program, arguments, requested, _, limit):
        """One run of a program. Returns an Outcome. Raises OverLimit and RuntimeError.

        `requested`: whether every requested kernel value is computed, so that both counts are equal.
        """
        done = subprocess.run(
            [str(word) for word in (self.folder / program, self.train, self.test, limit, *arguments)],
            capture_output=True,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        if done.returncode == -signal.SIGPROF:
            raise OverLimit
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr.strip() or done.returncode}")
        output = json.loads(done.stdout)
        times, values = (output["fit_seconds"], output["predict_seconds"]), output["fit_evaluations"]
        return Outcome(*times, output["wrong"], output["vectors"], values if requested else None, values)

    def tool(self, program, words, library, name, values, kind="rbf", size="", note="", requested=True):
        run = partial(self.run, program, words, requested)
        return Tool(library, name, values, kind, run, size, note, forked=False)


def libsvm_externals(programs, data):
    note = "counts computed values; requests to the solver's cache are not counted"
    for tolerance in (1e-3, 0.1):
        values = {"C": data.setting.c, "gamma": data.setting.gamma, "eps": tolerance, "cache": CACHE_MIB}
        words = (values["gamma"], values["C"], tolerance, CACHE_MIB)
        yield programs.tool("okbench_libsvm_external", words, "LIBSVM", "C-SVC", values, note=note, requested=False)


def liblinear_externals(programs, data):
    # The problem of okbench's LibLinear, and the default problem of LIBLINEAR's program in dual and primal form.
    # Tolerances: the program's defaults and looser ones.
    own = 1 / (1e-4 * data.count)
    for name, solver, c, tolerances in (
        ("L2R_L1LOSS_SVC_DUAL", 3, own, (0.1, 1)),
        ("L2R_L2LOSS_SVC_DUAL", 1, 1, (0.1, 1)),
        ("L2R_L2LOSS_SVC", 2, 1, (0.01, 0.1)),
    ):
        for tolerance, bias in product(tolerances, (-1, 1)):
            values, words = {"C": c, "eps": tolerance, "bias": bias}, (solver, c, tolerance, bias)
            yield programs.tool("okbench_liblinear_external", words, "LIBLINEAR", name, values, "linear", "weights")


def dlib_externals(programs, data):
    gamma = data.setting.gamma

    def tool(word, name, values, **more):
        words = (word, gamma, 0, *values.values())
        return programs.tool("okbench_dlib_external", words, "dlib", name, {"gamma": gamma, **values}, **more)

    note = "one epoch of regression on the labels; the sign is the prediction"
    for tolerance in (0.2, 0.5):
        yield tool("krls", "krls", {"tolerance": tolerance, "max_dictionary_size": 10**6}, note=note)
    for most in (40, 200):
        values = {"tolerance": 0.01, "max_num_sv": most, "lambda": data.lambda_of(data.setting.exact), "epochs": 2}
        yield tool("pegasos", "svm_pegasos", values)
    note = "counts calls of the kernel; requests to the solver's cache are not counted"
    for tolerance in (1e-3, 0.1):
        values = {"epsilon": tolerance, "cache_size": CACHE_MIB, "C": data.setting.c}
        yield tool("svm_c", "svm_c_trainer", values, note=note, requested=False)


LIBRARIES = {
    "LIBSVM": ("okbench_libsvm_external", libsvm_externals),
    "LIBLINEAR": ("okbench_liblinear_external", liblinear_externals),
    "dlib": ("okbench_dlib_external", dlib_externals),
}


def program_tools(data, programs):
    """(learners of the programs that are built, names of the libraries that are not built)."""
    tools, missing = [], []
    for library, (program, factory) in LIBRARIES.items():
        if programs.has(program):
            tools += factory(programs, data)
        else:
            missing.append(library)
    return tools, missing
