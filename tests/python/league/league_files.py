"""Result folders of a league made up for tests: as traces in memory, and as files."""

import hashlib
import io
import json
import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from fake_results import digest_of, id_of, planned  # noqa: E402

from okbench.results import Experiment, Trace  # noqa: E402


def content(experiment, key, order, mistakes, requested, parameters=None, more=None, **output):
    """(spec, summary, provenance, tables) of a run that recorded every 100th step.

    mistakes, requested: counts so far at these steps. more: further columns of the trace. output: entries to override.
    """
    mistakes, requested = np.asarray(mistakes, dtype=np.int64), np.asarray(requested, dtype=np.int64)
    steps = output.get("steps", 100 * np.arange(1, len(mistakes) + 1))
    parameters = parameters or {}
    budget = [f"{name}={value}" for name, value in parameters.items() if name in ("budget", "buffer", "features")]
    spec = {
        "experiment": experiment,
        "repetition": order,
        "learner": output.get("method", key),
        "parameters": parameters,
        "data": {
            "name": output.get("data", "generated"),
            "digest": "d",
            "part": "train",
            "order": output.get("sequence", "permutation"),
        },
        "kernel": {"name": "rbf", "gamma": 1.0},
    }
    summary = {
        "examples": int(steps[-1]),
        "mistakes": int(mistakes[-1]),
        "error_rate": float(mistakes[-1] / steps[-1]),
        "test_error": None,
        "margin_errors": int(mistakes[-1]),
        "mean_loss": 1.0,
        "support_vectors": output.get("support_vectors", 10),
        "kernel_evaluations": {"requested": int(requested[-1]), "computed": int(requested[-1]), "evaluation": 0},
    }
    summary |= {name: output[name] for name in ("tuned", "rmse") if name in output}
    provenance = {
        "learner_key": key,
        "label": key,
        "grid_point": output.get("grid_point", ",".join(budget)),
        "synthetic": output.get("synthetic", False),
        "counted": "examples shown",
        "data_shape": {"classes": output.get("classes", 2), "features": 3, "train": int(steps[-1]), "test": 0},
        "kernel": "RBF, gamma = 1",
        "git_commit": "0123456789abcdef",
        "git_dirty": False,
        "cpu": "none",
        "compiler": "none",
        "target": "none",
        "start_time": "2026-01-01T00:00:00Z",
        "wall_seconds": 1.0,
    }
    if "changes" in output:
        provenance["changes"] = output["changes"]
    trace = {
        "step": np.asarray(steps, dtype=np.int64),
        "example": np.asarray(steps, dtype=np.int64),
        "mistakes": mistakes,
        "support_vectors": np.full(len(steps), summary["support_vectors"]),
        "kernel_requested": requested,
        "kernel_computed": requested,
        "seconds": requested / 1e6,
    }
    return spec, summary, provenance, {"trace": {**trace, **(more or {})}}


def run(*arguments, failure=None, **output):
    """The planned trial of such a run, with its trace, or with its failure."""
    spec, summary, provenance, tables = content(*arguments, **output)
    trace = Trace(pathlib.Path(), spec, summary, provenance, tables)
    return planned(trace, failure=failure, axes=trace.planned_axes)


def experiment(name, *runs, **more):
    return Experiment(name, "", more.pop("tier", "default"), list(runs), **more)


def as_text(spec):
    """The text whose hash is the trial's id."""
    return json.dumps(spec, sort_keys=True, separators=(",", ":"))


def trace_bytes(spec, summary, provenance, tables):
    """A trace file of format 2."""
    texts = {"spec": as_text(spec), "summary": json.dumps(summary), "provenance": json.dumps(provenance)}
    texts |= {"trace_digest": digest_of(tables), "trial_id": id_of(texts["spec"]), "tables": ",".join(tables)}
    whole = "\n".join(texts[name] for name in ("spec", "summary", "trial_id", "trace_digest"))
    texts["content_digest"] = hashlib.sha256(whole.encode()).hexdigest()
    buffer = io.BytesIO()
    with h5py.File(buffer, "w", userblock_size=512) as file:
        file.attrs["format"] = np.int64(2)
        for name, text in texts.items():
            file.attrs[name] = np.bytes_(text.encode())
        for name, columns in tables.items():
            group = file.create_group(name)
            group.attrs["columns"] = np.bytes_(",".join(columns))
            for column, values in columns.items():
                data = group.create_dataset(column, data=values)
                data.attrs["deterministic"] = np.int64(column != "kernel_computed")
    data = buffer.getvalue()[512:]
    return (b"okbench-trace 2\n" + hashlib.sha256(data).hexdigest().encode() + b"\n").ljust(512, b"\0") + data


def write(folder, trials, tier="default"):
    """A result folder of planned trials: plans and trace files; a failed one has the record of its failure."""
    by_experiment = {}
    for trial in trials:
        by_experiment.setdefault(trial.name.rsplit("/", 2)[0], []).append(trial)
    for name, of in by_experiment.items():
        home = pathlib.Path(folder, name)
        home.mkdir(parents=True)
        entries = []
        for number, trial in enumerate(of):
            ident = id_of(as_text(trial.trace.spec)) if trial.trace else f"{number:016x}"
            file = home / f"{trial.learner_key}-r{trial.repetition}-{ident}.h5"
            if trial.failure:
                record = {"kind": trial.failure, "message": "m", "name": trial.name, "trial_id": ident}
                record |= {"experiment": name, "learner": trial.learner_key, "learner_key": trial.learner_key}
                record |= {"grid_point": trial.grid_point, "parameters": {}, "data_set": trial.data_set}
                record |= {"synthetic": False, "repetition": trial.repetition}
                file.with_suffix(".failed.json").write_text(json.dumps(record))
            else:
                trace = trial.trace
                file.write_bytes(trace_bytes(trace.spec, trace.summary, trace.provenance, trace.tables))
            entry = {
                name: getattr(trial, name)
                for name in ("name", "label", "learner_key", "grid_point", "repetition", "axes")
            }
            entries.append({**entry, "id": ident, "file": file.name, "fold": None, "needs": [], "tuned": []})
        plan = {"format": 2, "experiment": name, "title": "", "tier": tier, "trials": entries, "overrides": []}
        (home / "plan.json").write_text(json.dumps(plan))
    return pathlib.Path(folder)


def falling(rates, every=100):
    """Mistakes so far at every 100th step of a stream whose share of mistakes is given of each 100 examples."""
    return np.cumsum(np.round(np.asarray(rates) * every).astype(int))


SETS = {"a9a": (0.30, 0.15), "letter": (0.6, 0.1), "usps": (0.4, 0.05), "w8a": (0.2, 0.02)}
# Of each learner: how much worse than the best one, evaluations a step and row, and its budgets.
FIELD = {
    "rbp": (1.5, 1.0, (64, 256)),
    "bpa-s": (1.2, 2.0, (64, 256)),
    "ogd": (1.0, 1.0, (None,)),
    "fogd": (1.3, 0.0, (256, 1024)),
}


def whole_league(orders=3, steps=30):
    """Trials of four learners on four sets and two with real targets, one of which changes: fogd has features, ogd no
    budget, bpa-s is tuned and fails on usps, and rbp is for two classes alone."""
    trials = []
    for place, (name, (start, end)) in enumerate(SETS.items()):
        classes = 10 if name in ("letter", "usps") else 2
        for key, (worse, factor, budgets) in FIELD.items():
            if key == "rbp" and classes > 2:
                continue
            for budget in budgets:
                for order in range(orders):
                    trials.append(one_run(name, start, end, classes, key, worse, factor, budget, order, steps, place))
    for key in ("ogd", "fogd"):
        trials += [real_run("waves", key, order, steps) for order in range(orders)]
    changing = {"sequence": "file", "changes": [1000]}
    return trials + [real_run("channel", key, 0, steps, **changing) for key in ("ogd", "fogd")]


def one_run(name, start, end, classes, key, worse, factor, budget, order, steps, place):
    rows = 500 if budget is None else budget
    level = end * worse * (1 + 16 / rows)
    rates = level + (start - level) * np.exp(-np.arange(steps) / (4 + order + place))
    requested = (factor * rows * 100 * np.arange(1, steps + 1)).astype(int)
    parameters = {} if budget is None else {"features" if key == "fogd" else "budget": budget}
    more = {"feature_evaluations": rows * 100 * np.arange(1, steps + 1)} if key == "fogd" else {}
    output = {"classes": classes, "support_vectors": 0 if key == "fogd" else rows, "data": name}
    if key == "ogd":
        output["method"] = "norma"  # one that the registry knows
    if key == "bpa-s":
        chosen = {"C": 0.5 * (order + 1)}
        tuned = {"chosen": chosen, "candidate": 0, "validation_errors": [0.2, 0.3], "trials": 2}
        output["tuned"] = {
            **tuned,
            "kernel_evaluations": {"requested": 1000 * rows, "computed": 900 * rows, "evaluation": 0},
        }
    failure = "diverged" if (key, name, order) == ("bpa-s", "usps", 1) else None
    return run(f"league/{name}", key, order, falling(rates), requested, parameters, more, failure=failure, **output)


def real_run(name, key, repetition, steps, **more_output):
    requested = 300 * 100 * np.arange(1, steps + 1)
    rmse = 0.5 if key == "ogd" else 0.4
    squares = rmse**2 * (1 + 3 * np.exp(-np.arange(steps) / 5))
    more = {"squared_error_sum": 100 * np.cumsum(squares), "decibel@100": 10 * np.log10(squares)}
    parameters = {"features": 256} if key == "fogd" else {}
    output = {
        "method": "norma" if key == "ogd" else key,
        "rmse": rmse + 0.01 * repetition,
        "classes": 0,
        "support_vectors": 300,
    }
    return run(f"league/{name}", key, repetition, np.zeros(steps), requested, parameters, more, **output, **more_output)
