"""One run of a peer, in a process of its own and under a limit of processor time, and the rounds over all peers."""

import multiprocessing
import resource
import signal
import statistics
import sys
import warnings
from typing import Callable, NamedTuple

WARM_ROWS = 1000  # more than a mini-batch of any set


class Outcome(NamedTuple):
    """What one run of a peer came to. Kernel values are those of fitting, None where they are not counted."""

    fit_seconds: float
    predict_seconds: float
    wrong: int
    vectors: int
    requested: int | None
    computed: int | None


class OverLimit(Exception):
    """Fitting took more processor time than it was given."""


class Peer(NamedTuple):
    """A learner with its parameters. run(data, limit) gives its Outcome; `forked` ones run in this program's code."""

    library: str
    name: str
    parameters: dict
    kind: str  # "linear", or "rbf", exact or approximated
    run: Callable
    size: str = ""  # what `vectors` counts, if not vectors
    note: str = ""
    forked: bool = True

    @property
    def title(self):
        return f"{self.library} {self.name}"


def processor_seconds():
    """Processor time so far, of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(call):
    begin = processor_seconds()
    result = call()
    return result, processor_seconds() - begin


def outcome(data, limit, fit, predict, size, counts):
    """Times fit() and predict(), and counts errors; in between asks for size() and counts(): (requested, computed)."""
    # Of processor time. The signal ends the process, which has nothing else to do.
    signal.setitimer(signal.ITIMER_PROF, limit)
    _, fitting = timed(fit)
    signal.setitimer(signal.ITIMER_PROF, 0)
    vectors, kernel_values = int(size()), counts()
    predicted, predicting = timed(predict)
    wrong = int((predicted != data.test_labels).sum())
    return Outcome(fitting, predicting, wrong, vectors, *kernel_values)


def _child(peer, data, limit, connection):
    try:
        # What is imported or set up at a first fit is not what the second one takes.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer.run(data.fewer(WARM_ROWS), 0)
        connection.send(peer.run(data, limit))
    except Exception as error:  # sent on, to be told in one line
        connection.send(" ".join(f"{type(error).__name__}: {error}".split()))


def run_forked(peer, data, limit):
    """A run in a process of its own, which the limit can end in compiled code, too, and whose memory goes with it."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(peer, data, limit, sender))
    child.start()
    sender.close()
    try:
        told = receiver.recv()
    except EOFError:
        told = None
    child.join()
    if child.exitcode == -signal.SIGPROF:
        raise OverLimit
    if not isinstance(told, Outcome):
        raise RuntimeError(told or f"it ended with status {child.exitcode}")
    return told


class Measured(NamedTuple):
    """The runs of a peer, up to the one that failed or was over the limit if there is one."""

    outcomes: list
    status: str  # "ok", "over" the limit, or "failed"
    message: str = ""


def _run(peer, data, limit, before):
    """The peer's next run: ("ok", its Outcome), ("over", None) or ("failed", why)."""
    try:
        mine = run_forked(peer, data, limit) if peer.forked else peer.run(data, limit)
    except OverLimit:
        return "over", None
    except (RuntimeError, OSError) as error:
        return "failed", str(error)
    if before and mine[2:] != before[0][2:]:
        return "failed", "another result in another run"
    return "ok", mine


def measure(peers, data, runs, limit, long):
    """Each peer's Measured; limit: processor seconds of a fit, 0 for none. Rounds over all of the peers, so that a slow
    spell of the machine is no peer's own. A peer that fails or is over the limit is not run again, nor is one whose fit
    takes more than `long` seconds, 0 for any: it is its own average."""
    found = [Measured([], "ok") for _ in peers]
    for _ in range(runs):
        for i, peer in enumerate(peers):
            before = found[i].outcomes
            if found[i].status != "ok" or (long and before and before[0].fit_seconds > long):
                continue
            status, told = _run(peer, data, limit, before)
            if status == "ok":
                before.append(told)
                text = f"{told.fit_seconds:.3f} s"
            else:
                text = f"over {limit:g} s" if status == "over" else f"failed: {told}"
                found[i] = Measured(before, status, told or "")
            print(f"{data.name}: {peer.title}: {text}", file=sys.stderr, flush=True)
    return found


def row_of(peer, measured, tested):
    """A peer's entry in what is written. What was not measured to the end has no numbers but those of single runs."""
    runs, done = measured.outcomes, measured.status == "ok"
    last = runs[-1] if done else Outcome(*[None] * len(Outcome._fields))
    return {
        "library": peer.library,
        "method": peer.name,
        "kind": peer.kind,
        "parameters": peer.parameters,
        "status": measured.status,
        "message": measured.message,
        "wrong": last.wrong,
        "test_error": 100 * last.wrong / tested if done else None,
        "fit_seconds": statistics.median(one.fit_seconds for one in runs) if done else None,
        "fit_seconds_of_runs": [one.fit_seconds for one in runs],
        "predict_seconds_per_row": statistics.median(one.predict_seconds for one in runs) / tested if done else None,
        "requested": last.requested,
        "computed": last.computed,
        "vectors": last.vectors,
        "vectors_are": peer.size or "vectors",
        "note": peer.note,
    }
