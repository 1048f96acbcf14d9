"""Runs each program on a stream in a separate process, and the league of okbench on the same rows."""

import json
import math
import multiprocessing
import os
import pathlib
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest.mock
import warnings

import numpy as np

from streams import programs
from streams.rows import AFTER

# Learners of okbench on the page, with their keys in the league. Learners with a budget hold 1024 vectors.
OWN_CLASSES = {
    "BPA-S": "bpas",
    "BPA-S, hedged": "bpas-hedged",
    "FOGD": "fogd",
    "Raker": "raker",
    "NOGD": "nogd",
    "PA-I": "passive-aggressive",
    "SVMD": "svmd",
    "AIOLI": "aioli",
    "linear": "linear-passive-aggressive",
}
OWN_TARGETS = {
    "KRLS-T": "krls-t",
    "KRLS-T, hedged": "krls-t-hedged",
    "PKAWV": "pkawv",
    "QKLMS": "qklms",
    "Raker": "raker",
    "linear": "least-squares",
}
LAST = ("last-label", "last-value")
BUDGET = 1024


def error_of(predictions, stream):
    """Share of wrong rows; for real targets the root mean squared error in deviations of the targets.

    A row without a prediction is wrong; for real targets its prediction is 0.
    """
    y = stream.y[: len(predictions)]
    if stream.classes:
        return float(np.mean([value is None or int(value) != label for value, label in zip(predictions, y)]))
    values = np.array([0.0 if value is None else value for value in predictions])
    return float(np.sqrt(np.mean((values - y) ** 2)) / stream.y.std())


def after_changes(predictions, stream):
    """The error of the AFTER rows that follow each change, as error_of(); None for a stream without known changes."""
    if not stream.changes:
        return None
    rows = [row for change in stream.changes for row in range(change, change + AFTER)]
    return error_of([predictions[row] for row in rows], stream._replace(y=stream.y[rows]))


def own_after_changes(trace, stream):
    """As after_changes(), from a trace of okbench."""
    if not stream.changes:
        return None
    borders = np.array([(change, change + AFTER) for change in stream.changes])
    places = np.searchsorted(trace["step"], borders)
    assert np.array_equal(trace["step"][places], borders), "a trace has steps at every change and AFTER rows later"
    return float(np.diff(np.asarray(trace["mistakes"], dtype=float)[places]).sum() / (AFTER * len(borders)))


def finite(value):
    return np.inf if np.isnan(value) else value


def run(program, stream):
    """Chooses the setting, learns the stream. Returns a dict with the numbers of the page."""
    rows = program.prepare(stream)
    few = stream._replace(X=stream.X[: stream.tuned_on], y=stream.y[: stream.tuned_on])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    errors = [0.0] * len(program.settings)
    if len(program.settings) > 1:
        errors = [
            finite(error_of(program.run(program.make(few, **setting), rows, few.y), few))
            for setting in program.settings
        ]
    setting = program.settings[int(np.argmin(errors))]
    tuned = time.process_time()
    predictions = program.run(program.make(stream, **setting), rows, stream.y)
    end = time.process_time()
    return {
        "error": error_of(predictions, stream),
        "after": after_changes(predictions, stream),
        "seconds": end - begin,
        "tuning": tuned - begin,
        "megabytes": max(0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
        "setting": setting,
        "tried": len(program.settings),
    }


def child(file, title, limit, sender):
    warnings.simplefilter("ignore")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        stream = pickle.loads(file.read_bytes())
        program = next(each for each in programs.programs(stream)[0] if each.title == title)
        # Imports and start-up are not measured.
        warm = stream._replace(X=stream.X[:200], y=stream.y[:200])
        program.run(program.make(warm, **program.settings[0]), program.prepare(warm), warm.y)
        used = math.ceil(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + limit, resource.RLIM_INFINITY))
        sender.send(run(program, stream))
    except Exception as error:  # one line on the page
        sender.send({"failed": " ".join(f"{type(error).__name__}: {error}".split())[:200]})


def measure(file, title, limit):
    """The numbers of a program on a pickled Stream; {"over": limit} if it needs more than `limit` processor seconds."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(file, title, limit, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        process.join()
        return {"over": limit} if process.exitcode == -signal.SIGXCPU else {"failed": "the process ended"}
    finally:
        if process.is_alive():
            process.join(2)
        if process.is_alive():
            os.kill(process.pid, signal.SIGKILL)
        process.join()


def league(okbench, stream, limit):
    """{title: numbers} of okbench's learners, the last label or value, by `okbench league FILE` in one process.

    {"over": limit} for a learner that needs more than `limit` seconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "stream.csv"
        columns = [f"x{j}" for j in range(stream.X.shape[1])]
        text = [",".join([*columns, "target"])]
        text += [",".join([*map(repr, row), str(y)]) for row, y in zip(stream.X.tolist(), stream.y.tolist())]
        file.write_text("\n".join(text) + "\n")
        kind = "--classification" if stream.classes else "--regression"
        words = [okbench, "league", file, "--label", "target", kind, "--header", "--order", "file", "--jobs", "1"]
        words += ["--scale", "none", "--budget", BUDGET, "--json", "--out", f"{folder}/results"]
        words += ["--learners", ",".join(own_of(stream).values()), "--timeout", limit]
        done = subprocess.run(
            list(map(str, words)),
            env={**os.environ, "OKBENCH_DATA": f"{folder}/data"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1):  # 1: some learners failed; the others are ranked
            sys.exit(f"bench_streams: okbench league failed on {stream.name}: {done.stderr.strip().splitlines()[-1]}")
        entries = json.loads(done.stdout)["one_set"]["rows"] if done.stdout else []
        trials = trials_of(folder)
        for entry in entries:
            trace = trials[entry["learner"]].trace
            entry["after"] = own_after_changes(trace, stream)
            entry["bytes"] = trace.provenance["learner_peak_bytes"]
        slow = {learner for learner, trial in trials.items() if trial.failure == "timeout"}
    return shown(entries, stream, slow, limit)


def own_of(stream):
    return OWN_CLASSES if stream.classes else OWN_TARGETS


def shown(entries, stream, slow, limit):
    """{title: numbers} of the rows of the league that are on the page. A learner without a row has failed.

    `slow`: the keys of those that were stopped at the limit.
    """
    own = own_of(stream)
    unit = 1 if stream.classes else stream.y.std()
    ranked = {entry["learner"] for entry in entries}
    measured = {
        f"okbench {title}": {"over": limit} if key in slow else {"failed": "no result"}
        for title, key in own.items()
        if key not in ranked
    }
    for title, key in own.items():
        for entry in entries:
            if entry["learner"] == key and entry["budget"] in (BUDGET, None):
                measured[f"okbench {title}"] = numbers(entry, unit)
    for entry in entries:
        if entry["learner"] in LAST:
            measured[f"the {entry['learner'].replace('-', ' ')}"] = numbers(entry, unit)
    return measured


def trials_of(folder):
    """{learner: trial} of the league on one stream, in one order and with one budget."""
    from okbench.results import Results

    with unittest.mock.patch.dict(os.environ, OKBENCH_DATA=f"{folder}/data"):
        trials = Results(pathlib.Path(folder, "results")).read("league/stream").trials
    by_learner = {trial.learner_key: trial for trial in trials}
    assert len(by_learner) == len(trials)
    return by_learner


def numbers(entry, unit):
    """The numbers of a row of the league. Its errors of real targets are in units of the file, not in deviations."""
    return {
        "error": entry["error"] / unit,
        "after": entry["after"],
        "seconds": entry["seconds"],
        "megabytes": entry["bytes"] / 2**20,
    }
