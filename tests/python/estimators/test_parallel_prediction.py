"""Large batches are predicted on all cores, with the scores and counts of one thread."""

import _thread
import signal
import threading
import time

import numpy as np
import pytest

import okbench

SEEDED = np.random.default_rng(5)
TRAIN = SEEDED.standard_normal((1500, 8))
LABELS = (TRAIN[:, 0] * TRAIN[:, 1] > 0).astype(int)
ROWS = SEEDED.standard_normal((12000, 8))  # times 1500 vectors: above the work that one thread does alone


def in_slices(model, rows):
    return np.concatenate([model.decision_function(part) for part in np.array_split(rows, 60)])


@pytest.mark.parametrize(
    "model",
    [
        okbench.KernelOGD(gamma=0.3),
        okbench.KernelOGD(kernel="poly", degree=2),
        okbench.FOGD(gamma=0.3, features=1000),
        okbench.SFD(gamma=0.3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_scores_and_counts_do_not_depend_on_the_number_of_threads(model, monkeypatch):
    model.fit(TRAIN, LABELS)
    small = in_slices(model, ROWS)
    before = model.kernel_evaluations_
    many = model.decision_function(ROWS)
    after = model.kernel_evaluations_
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    serial_scores = model.decision_function(ROWS)
    last = model.kernel_evaluations_
    np.testing.assert_array_equal(many, small)
    np.testing.assert_array_equal(many, serial_scores)
    assert after.evaluation - before.evaluation == last.evaluation - after.evaluation


def test_several_threads_may_predict_at_once():
    model = okbench.KernelOGD(gamma=0.3).fit(TRAIN, LABELS)
    expected = model.decision_function(ROWS)
    predictions = [None] * 4

    def predict(k):
        predictions[k] = model.decision_function(ROWS)

    threads = [threading.Thread(target=predict, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for scores in predictions:
        np.testing.assert_array_equal(scores, expected)


def test_rows_with_other_features_are_one_error():
    model = okbench.KernelOGD(gamma=0.3).fit(TRAIN, LABELS)
    with pytest.raises(ValueError, match="features"):
        model.decision_function(np.zeros((12000, 3)))


def test_an_interrupt_ends_all_threads():
    # A process in the background may ignore SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupt_predictions()
    finally:
        signal.signal(signal.SIGINT, before)


def interrupt_predictions():
    model = okbench.KernelOGD(gamma=0.3).fit(TRAIN, LABELS)
    rows = np.tile(ROWS, (40, 1))
    timer = threading.Timer(0.05, _thread.interrupt_main)
    before = threading.active_count()
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(50):
            model.decision_function(rows)
    timer.join()
    assert threading.active_count() == before and time.monotonic() - start < 60
