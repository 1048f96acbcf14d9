"""Measures learners: each run in a separate process with a limit on processor time, in rounds over all learners."""

import multiprocessing
import resource
import signal
import statistics
import sys
import warnings
from typing import Callable, NamedTuple

WARM_ROWS = 1000  # rows of the warm-up fit; more than a mini-batch of any data set


class Outcome(NamedTuple):
    """The result of one run. Kernel values (requested, computed) are those of fitting; None if not counted."""

    fit_seconds: float
    predict_seconds: float
    wrong: int
    vectors: int
    requested: int | None
    computed: int | None


class OverLimit(Exception):
    """Fitting exceeded the limit on processor time."""


class Tool(NamedTuple):
    """A learner with its parameters. run(data, limit) returns an Outcome.

    `forked`: it runs in a fork of this process; otherwise `run` starts a program.
    """

    library: str
    name: str
    parameters: dict
    kind: str  # "linear", or "rbf", exact or approximated
    run: Callable
    size: str = ""  # unit of Outcome.vectors, if not vectors
    note: str = ""
    forked: bool = True

    @property
    def title(self):
        return f"{self.library} {self.name}"


def processor_seconds():
    """Processor seconds of this process and its finished children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def timed(call):
    begin = processor_seconds()
    result = call()
    return result, processor_seconds() - begin


def outcome(data, limit, fit, predict, size, counts):
    """Times fit() and predict(), and counts errors. Calls size() and counts() = (requested, computed) in between."""
    # Limits processor time. The signal kills this process, which only runs this learner.
    signal.setitimer(signal.ITIMER_PROF, limit)
    _, fitting = timed(fit)
    signal.setitimer(signal.ITIMER_PROF, 0)
    vectors, kernel_values = int(size()), counts()
    predicted, predicting = timed(predict)
    wrong = int((predicted != data.test_labels).sum())
    return Outcome(fitting, predicting, wrong, vectors, *kernel_values)


def outcome_of(model, rows, test, size, kernel_values, data, limit):
    """The outcome of a model with `fit` and `predict`. size(): see outcome(). kernel_values: (requested, computed)."""
    return outcome(
        data,
        limit,
        lambda: model.fit(rows, data.train_labels),
        lambda: model.predict(test),
        size,
        lambda: kernel_values,
    )


def _child(tool, data, limit, connection):
    try:
        # Warm-up: excludes imports and initialization from the measured fit.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tool.run(data.fewer(WARM_ROWS), 0)
        connection.send(tool.run(data, limit))
    except Exception as error:  # reported by the parent in one line
        connection.send(" ".join(f"{type(error).__name__}: {error}".split()))


def run_forked(tool, data, limit):
    """Runs a learner in a forked process. The limit also stops compiled code. Raises OverLimit and RuntimeError."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(tool, data, limit, sender))
    child.start()
    sender.close()
    try:
        result = receiver.recv()
    except EOFError:
        result = None
    child.join()
    if child.exitcode == -signal.SIGPROF:
        raise OverLimit
    if not isinstance(result, Outcome):
        raise RuntimeError(result or f"process ended with status {child.exitcode}")
    return result


class Measured(NamedTuple):
    """The finished runs of a learner, up to the first that failed or exceeded the limit."""

    outcomes: list
    status: str  # "ok", "over" (exceeded the limit) or "failed"
    message: str = ""


def _run(tool, data, limit, before):
    """Runs a learner once more. Returns ("ok", Outcome), ("over", None) or ("failed", reason)."""
    try:
        mine = run_forked(tool, data, limit) if tool.forked else tool.run(data, limit)
    except OverLimit:
        return "over", None
    except (RuntimeError, OSError) as error:
        return "failed", str(error)
    if before and mine[2:] != before[0][2:]:
        return "failed", "results differ between runs"
    return "ok", mine


def measure(tools, data, runs, limit, long, own_limit=None):
    """Measures every learner `runs` times. Returns a list of Measured.

    limit: processor seconds of a fit; 0: no limit. own_limit: limit for okbench's learners; None: `limit`.
    long: learners with longer fits run only once; 0: never.
    The runs are in rounds over all learners, so that a slow phase of the machine does not affect only one of them.
    A learner that fails or exceeds the limit is not run again.
    """
    measurements = [Measured([], "ok") for _ in tools]
    for _ in range(runs):
        for i, tool in enumerate(tools):
            before = measurements[i].outcomes
            if measurements[i].status != "ok" or (long and before and before[0].fit_seconds > long):
                continue
            allowed = limit if own_limit is None or tool.library != "okbench" else own_limit
            status, result = _run(tool, data, allowed, before)
            if status == "ok":
                before.append(result)
                text = f"{result.fit_seconds:.3f} s"
            else:
                text = f"over {allowed:g} s" if status == "over" else f"failed: {result}"
                measurements[i] = Measured(before, status, result or "")
            print(f"{data.name}: {tool.title}: {text}", file=sys.stderr, flush=True)
    return measurements


def row_of(tool, measured, tested):
    """A learner's entry for --json. Without status "ok", it has only the times of single runs. `tested`: test rows."""
    runs, done = measured.outcomes, measured.status == "ok"
    last = runs[-1] if done else Outcome(*[None] * len(Outcome._fields))
    return {
        "library": tool.library,
        "method": tool.name,
        "kind": tool.kind,
        "parameters": tool.parameters,
        "status": measured.status,
        "message": measured.message,
        "wrong": last.wrong,
        "test_error": 100 * last.wrong / tested if done else None,
        "fit_seconds": statistics.median(run.fit_seconds for run in runs) if done else None,
        "fit_seconds_of_runs": [run.fit_seconds for run in runs],
        "predict_seconds_per_row": statistics.median(run.predict_seconds for run in runs) / tested if done else None,
        "requested": last.requested,
        "computed": last.computed,
        "vectors": last.vectors,
        "vectors_are": tool.size or "vectors",
        "note": tool.note,
    }
