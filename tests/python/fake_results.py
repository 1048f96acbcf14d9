"""Results made up for tests: in memory, and as files."""

import hashlib
import io
import json
import pathlib

import h5py
import numpy as np

from okbench.results import Experiment, Planned, Results, Trace


def trace(key, x, error, synthetic=False, repetition=0, experiment="p/e"):
    return Trace(
        pathlib.Path(),
        {
            "parameters": {"x": x},
            "data": {"name": "set"},
            "experiment": experiment,
            "repetition": repetition,
            "learner": "norma",
        },
        {
            "test_error": error,
            "examples": 100,
            "support_vectors": 7,
            "kernel_evaluations": {"requested": 10, "computed": 8, "evaluation": 1},
            "tuned": {"kernel_evaluations": {"requested": 5}, "chosen": {"y": 2.5}},
        },
        {"learner_key": key, "synthetic": synthetic, "grid_point": f"x={x}", "label": key},
        {
            "trace": {
                "step": np.array([1, 2, 4]),
                "example": np.array([7, 8, 9]),
                "mistakes": np.array([1, 1, 2 - repetition]),
                "a": np.array([1.0, 2.0, 3.0]),
                "step_size": np.array([0.5, 0.4, 0.3]),
                "b": np.array([2.0, 2.0, 2.0]),
            },
            "checkpoints": {"examples": np.array([50, 100]), "test_error": np.array([0.5, error])},
        },
    )


def planned(fake_trace, failure=None, lost=False, axes=None, tuned=("y",)):
    """The trial of a trace; a lost one has none."""
    return Planned(
        fake_trace.name,
        fake_trace.provenance["learner_key"],
        fake_trace.provenance["grid_point"],
        fake_trace.label,
        fake_trace.spec["repetition"],
        fake_trace.planned_axes if axes is None else axes,
        failure,
        tuned,
        _trace=None if lost or failure else fake_trace,
    )


class FakeResults(Results):
    """Two repetitions of a learner with a grid over x, and one on generated data; `more` trials, too."""

    def __init__(self, *more, tier="default", overrides=()):
        super().__init__("/nonexistent")
        trials = [
            planned(trace("l", 1, 0.1)),
            planned(trace("l", 1, 0.3, repetition=1)),
            planned(trace("l", 0.5, 0.7)),
            planned(trace("s", 1, 0.1, True)),
        ]
        self.experiments["p/e"] = Experiment("p/e", "", tier, [*trials, *more], overrides)
        self.experiments["p/f"] = None


def digest_of(tables):
    digest = hashlib.sha256()
    for name, columns in tables.items():
        digest.update(f"{name}:{len(next(iter(columns.values())))}\n".encode())
        for column, values in columns.items():
            if column != "kernel_computed":
                digest.update(f"{column}:{values.dtype.name}\n".encode() + values.tobytes())
    return digest.hexdigest()


def spec_text(repetition, learner=None):
    """The spec of a trial of p/e/l. Without `learner` it lacks what every real spec has."""
    spec = {"experiment": "p/e", "repetition": repetition, "data": {"name": "set"}, "parameters": {"margin": 1.0}}
    whole = {**spec, "learner": learner} if learner else spec
    return json.dumps(whole, sort_keys=True, separators=(",", ":"))  # the id is the hash of this form


def id_of(spec):
    """The trial id of a spec's text."""
    return hashlib.sha256(spec.encode()).hexdigest()[:16]


def trace_file(change=None, key="l", repetition=0, learner=None):
    """The bytes of a trace file; `change` may alter the open HDF5 file before its user block is made."""
    tables = {
        "trace": {
            "step": np.array([1, 2, 3]),
            "loss": np.array([0.5, 0.25, 0.125]),
            "kernel_computed": np.array([1, 2, 4]),
        },
        "checkpoints": {"step": np.array([3]), "test_error": np.array([0.25])},
    }
    texts = {
        "spec": spec_text(repetition, learner),
        "summary": json.dumps({"test_error": 0.25}),
        "provenance": json.dumps({"learner_key": key, "grid_point": "margin=1", "label": key, "synthetic": False}),
        "trace_digest": digest_of(tables),
        "trial_id": id_of(spec_text(repetition, learner)),
        "tables": ",".join(tables),
    }
    buffer = io.BytesIO()
    with h5py.File(buffer, "w", userblock_size=512) as file:
        file.attrs["format"] = np.int64(2)
        for name, text in texts.items():
            file.attrs[name] = np.bytes_(text)
        whole = "\n".join((texts["spec"], texts["summary"], texts["trial_id"], texts["trace_digest"]))
        file.attrs["content_digest"] = np.bytes_(hashlib.sha256(whole.encode()).hexdigest())
        for name, columns in tables.items():
            group = file.create_group(name)
            group.attrs["columns"] = np.bytes_(",".join(columns))
            for column, values in columns.items():
                data = group.create_dataset(column, data=values, compression="gzip", shuffle=True)
                data.attrs["deterministic"] = np.int64(column != "kernel_computed")
        if change:
            change(file)
    data = buffer.getvalue()
    head = b"okbench-trace 2\n" + hashlib.sha256(data[512:]).hexdigest().encode() + b"\n"
    return head.ljust(512, b"\0") + data[512:]


def plan_file(learner=None, **changes):
    """The text of a plan of two repetitions of p/e/l."""
    trials = []
    for repetition in range(2):
        trial = {
            "id": id_of(spec_text(repetition, learner)),
            "name": f"p/e/l[margin=1]/r{repetition}",
            "file": f"l-r{repetition}.h5",
            "label": "l",
            "learner_key": "l",
            "grid_point": "margin=1",
            "repetition": repetition,
            "fold": None,
            "needs": [],
            "axes": {"data": "set", "batch": None, "repetition": repetition, "margin": 1},
            "tuned": [],
        }
        trials.append(trial)
    plan = {"format": 2, "experiment": "p/e", "title": "t", "tier": "default", "overrides": [], "trials": trials}
    return {**plan, **changes}


def write_results(folder, plan=None, learner=None):
    """A result folder with the plan above and its traces; returns the experiment's folder."""
    home = folder / "p" / "e"
    home.mkdir(parents=True)
    (home / "plan.json").write_text(json.dumps(plan or plan_file(learner)))
    for repetition in range(2):
        (home / f"l-r{repetition}.h5").write_bytes(trace_file(repetition=repetition, learner=learner))
    return home
