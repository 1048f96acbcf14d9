"""Memory, threads and signals: rows are not copied, other threads go on, and Ctrl-C ends a long fit."""

import concurrent.futures
import functools
import os
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from estimator_cases import RESUMABLE, rows_for, scores
from sklearn.exceptions import NotFittedError

from okbench.estimators import ESTIMATORS, FOGD, NORMA, SVMD, LinearOnlineSVM


def run(code, **options):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **options,
    )


GROWTH = """
import resource, numpy as np
from okbench.estimators import {name}
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
draws = np.random.default_rng(0)
X = np.empty(({rows}, 100), dtype=np.float32)  # 200 MB
for begin in range(0, len(X), 5000):
    X[begin : begin + 5000] = draws.random((5000, 100), dtype=np.float32)
y = (X[:, 0] > 0.5).astype(np.int32)
{name}({parameters}).fit(X[:500], y[:500])  # libraries are loaded, threads made
before = peak()
{call}
print(X.nbytes, peak() - before)
"""
CHUNKS = """
estimator = NORMA(buffer=2, gamma=0.1)
for i in range(0, len(X), 50000):
    estimator.partial_fit(X[i : i + 50000], y[i : i + 50000], classes=[0, 1])
"""
CALLS = {
    "fit": ("NORMA", "order='file', buffer=2", "NORMA(order='file', buffer=2, epochs=1).fit(X, y)"),
    "linear": (
        "LinearOnlineSVM",
        "",
        "LinearOnlineSVM(fit_intercept=False, order='file', epochs=1, batch=100).fit(X, y)",
    ),
    "chunks": ("NORMA", "buffer=2", CHUNKS),
    "predict": ("NORMA", "buffer=2", "NORMA(buffer=2).fit(X[:500], y[:500]).predict(X)"),
}


@pytest.mark.parametrize("what", CALLS)
def test_rows_are_not_copied(what):
    name, parameters, call = CALLS[what]
    out, errors = run(GROWTH.format(name=name, parameters=parameters, call=call, rows=500_000)).communicate(timeout=120)
    assert errors == ""
    size, growth = map(int, out.split())
    assert size == 200_000_000
    assert growth < size / 2, f"{growth / 1e6:.0f} MB more"


@pytest.mark.parametrize("compressed", (False, True))
@pytest.mark.parametrize("name", ESTIMATORS)
def test_changing_rows_later_does_not_change_the_model(name, compressed):
    estimator_class = ESTIMATORS[name]
    X, y = rows_for(estimator_class, 80, 3, dtype=np.float32, compressed=compressed)
    others, _ = rows_for(estimator_class, 40, 9, dtype=np.float32)
    reference = estimator_class().fit(X.copy(), y)
    two = estimator_class().fit(X, y)
    values = X.data if compressed else X
    if not compressed and name in RESUMABLE:
        # And of what came in a chunk.
        more = X.copy()
        reference.partial_fit(X.copy(), y) if y is not None else reference.partial_fit(X.copy())
        two.partial_fit(more, y) if y is not None else two.partial_fit(more)
        more[:] = 9
    values[:] = 7
    np.testing.assert_array_equal(scores(reference, others), scores(two, others))


def long_rows(rows=30_000, features=200):
    draws = np.random.default_rng(0)
    X = draws.normal(size=(rows, features)).astype(np.float32)
    return X, draws.integers(2, size=rows)


def test_other_threads_run_during_a_fit():
    X, y = long_rows(6000)
    learning = threading.Thread(target=lambda: NORMA(buffer=4000, gamma=0.001).fit(X, y))
    turns = 0
    learning.start()
    while learning.is_alive():
        time.sleep(0.001)
        turns += 1
    assert turns >= 20  # with the lock held there would be a handful, before and after


def test_two_threads_learn_the_models_of_one():
    X, y = long_rows(1500, 50)
    alone = [SVMD(buffer=200, random_state=seed).fit(X, y).trace_digest_ for seed in range(4)]
    digests = [None] * 4

    def learn(seed):
        digests[seed] = SVMD(buffer=200, random_state=seed).fit(X, y).trace_digest_

    threads = [threading.Thread(target=learn, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert digests == alone


# The parent sends the signal when the child says that it begins.
INTERRUPTED = """
import os, signal, sys, threading, time, numpy as np
from okbench.estimators import {name}
draws = np.random.default_rng(0)
X = draws.normal(size=({rows}, 50)).astype(np.float32)
y = draws.integers(2, size={rows})
few = X[:100], y[:100]
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
estimator = {name}({parameters})
{before}
def later():
    time.sleep(0.3)
    global sent
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=later).start()
try:
    {call}
    print("ended too early")
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - sent)
{after}
estimator.fit(*few)
assert len(estimator.predict(few[0])) == 100
print("usable")
"""
LONG = {
    "SVMD": ("gamma=0.01, buffer=20000, epochs=1000", 50_000),
    "NORMA": ("gamma=0.01, buffer=20000, epochs=1000", 50_000),
    "Perceptron": ("gamma=0.01, epochs=1000", 50_000),
    "MIRA": ("gamma=0.01, epochs=1000", 50_000),
    "Pegasos": ("gamma=0.01, lambda_=1e-6, epochs=1000", 50_000),
    "LinearOnlineSVM": ("epochs=100", 200_000),
    "SFD": ("gamma=0.01, epochs=1000", 50_000),
    "LaSVM": ("gamma=0.01, lambda_=1e-6, epochs=100", 20_000),
    "MulticlassSVM": ("gamma=0.01, C=1000.0, tol=1e-9", 5000),
    "SVMStruct": ("gamma=0.01, lambda_=1e-6, tol=1e-6", 5000),
    "BCFW": ("gamma=0.01, lambda_=1e-6, tol=1e-9, max_iter=100000", 5000),
    "SampledCuts": ("gamma=0.01, lambda_=1e-6, tol=1e-6, max_iter=100000", 5000),
    "StructuralSFD": ("gamma=0.01, epochs=1000", 20_000),
}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_a_long_fit(name):
    parameters, rows = LONG[name]
    few = "estimator.set_params(epochs=1)" if "epochs" in ESTIMATORS[name]().get_params() else ""
    few += "\nestimator.set_params(tol=0.001)" if "tol=" in parameters else ""
    child = run(
        INTERRUPTED.format(
            name=name, parameters=parameters, rows=rows, before="", call="estimator.fit(X, y)", after=few
        )
    )
    require_interrupted(child)


def require_interrupted(child):
    try:
        out, errors = child.communicate(timeout=120)
    finally:
        child.kill()
    assert "usable" in out, out + errors
    word, seconds = out.splitlines()[0].rsplit(" ", 1)
    assert word == "interrupted" and float(seconds) < 30


def test_ctrl_c_in_a_chunk_keeps_the_model():
    child = run(
        INTERRUPTED.format(
            name="SVMD",
            parameters="gamma=0.01, buffer=20000",
            rows=100_000,
            before="estimator.partial_fit(*few, classes=[0, 1])",
            call="estimator.partial_fit(X, y)",
            after="estimator.partial_fit(*few)\nassert estimator.trace_['step'].iloc[-1] > 200",
        )
    )
    require_interrupted(child)


def test_a_fit_that_failed_leaves_the_one_before():
    X, y = rows_for(SVMD, 50)
    estimator = SVMD().fit(X, y)
    before = estimator.decision_function(X)
    with pytest.raises(ValueError):
        estimator.set_params(mu=-1.0).fit(X, y)
    np.testing.assert_array_equal(estimator.decision_function(X), before)
    with pytest.raises(NotFittedError):
        SVMD().predict(X)


def run_threads(*functions):
    """Runs functions at the same time; raises what the first of them raised."""
    with concurrent.futures.ThreadPoolExecutor(len(functions)) as pool:
        for call in [pool.submit(function) for function in functions]:
            call.result()


@pytest.mark.parametrize("kind", [NORMA, FOGD, LinearOnlineSVM], ids=["kernel", "random-features", "linear"])
def test_concurrent_predictions_are_those_of_one_thread(kind):
    X, y = long_rows(1200, 20)
    model = kind().fit(X, y)
    alone = [model.decision_function(X[part::4]) for part in range(4)]
    before = model.kernel_evaluations_

    def predict(part):
        for _ in range(50):
            np.testing.assert_array_equal(model.decision_function(X[part::4]), alone[part])

    run_threads(*(functools.partial(predict, part) for part in range(4)))
    after = model.kernel_evaluations_
    assert after.evaluation - before.evaluation == 50 * len(X) * len(model.support_vectors_)


def test_a_prediction_beside_partial_fit_uses_a_model_between_two_chunks():
    X, y = long_rows(600, 20)
    chunks = [slice(start, start + 20) for start in range(0, 600, 20)]
    model, possible = NORMA(), []
    for chunk in chunks:
        model.partial_fit(X[chunk], y[chunk], classes=[0, 1])
        possible.append(model.decision_function(X[:50]).tobytes())
    model = NORMA().partial_fit(X[chunks[0]], y[chunks[0]], classes=[0, 1])
    seen = [model.decision_function(X[:50]).tobytes()]
    learned = threading.Event()

    def learn():
        for chunk in chunks[1:]:
            model.partial_fit(X[chunk], y[chunk])
        learned.set()

    def watch():
        while not learned.is_set():
            seen.append(model.decision_function(X[:50]).tobytes())
            pickle.dumps(model)

    run_threads(learn, watch, watch)
    assert set(seen) <= set(possible)
    assert model.decision_function(X[:50]).tobytes() == possible[-1]
