"""Results as pandas data frames with one row per trial."""

import pathlib

import pandas as pd

from ..errors import ClaimError
from .streams import last, stream_of
from .trace import read_trace
from .trials import results_below

# Columns that identify a trial. Parameters are further columns, param_NAME.
AXES = ("experiment", "learner", "data", "batch", "seed")
SUMMARY = (
    *("examples", "mistakes", "error_rate", "test_error", "rmse", "test_rmse", "task_loss", "test_task_loss"),
    *("mean_loss", "margin_errors", "support_vectors", "oracle_calls", "boxes_scored", "feature_evaluations"),
)
COUNTS = ("requested", "computed", "evaluation")


def load(path="results/default", measures=None):
    """Returns a data frame with one row per trial of a trace file, or of all results below a directory.

    Columns:

    - `experiment`, `learner` (the key in the spec), `method`, `label`, `grid_point`, `data`, `batch`, `seed`
    - `param_NAME` for every parameter, including those chosen by cross validation; the kernel's grid parameters are
      named like `param_kernel.sigma`
    - `kernel`, `synthetic`, `replacement` (title of a real data set in place of `data`), `tier`, `overridden`
    - `status`: "ok", or the reason why there is no result
    - the measures of the summary (`error_rate`, `test_error`, ...) and of [measures] (`auc`, `auc@1000`, ...); NaN if
      the trial does not have the measure
    - the names of `measures`: {name: function of labels and scores}; NaN without recorded predictions of a stream
    - `requested`, `computed`, `evaluation`: kernel evaluations, without cross validation
    - `tuning_requested`, `tuning_computed`, `tuning_evaluation`: kernel evaluations of cross validation
    - `seconds`, `kernel_share`, `id`, `digest`
    - `trace`: the Trace; its method `frame(table)` returns one of its tables as a data frame

    Verifies every digest. Raises ClaimError if there are no results, TraceFileError if a file cannot be read.
    """
    path = pathlib.Path(path)
    if path.is_file():
        rows = [row_of_trace(read_trace(path))]
    else:
        experiments = [results.read(name) for results, name in results_below(path)]
        rows = [row_of(experiment, trial) for experiment in experiments for trial in experiment.trials]
    for row in rows:
        for name, function in (measures or {}).items():
            recorded = row["trace"] is not None and "predictions" in row["trace"].tables
            row[name] = last(stream_of(row["trace"]), function) if recorded else None
    return frame_of(rows)


def frame_of(rows):
    """Builds the data frame: axes and parameters first, the trace last. Columns without gaps keep their integers."""
    frame = pd.DataFrame(rows)
    parameters = sorted(name for name in frame.columns if name.startswith("param_"))
    first = ["experiment", "learner", "method", "label", "grid_point", "data", "batch", "seed", *parameters]
    rest = [name for name in frame.columns if name not in first and name != "trace"]
    frame = frame.reindex(columns=[*first, *rest, "trace"])
    if "param_delay" in frame:
        frame["param_delay"] = frame["param_delay"].fillna(0)
    for name in (*SUMMARY, *COUNTS, *(f"tuning_{kind}" for kind in COUNTS), "seconds", "kernel_share"):
        if name in frame:
            frame[name] = pd.to_numeric(frame[name])
    return frame


def row_of(experiment, trial):
    """Row of a planned trial, with or without a result."""
    row = {"tier": experiment.tier, "overridden": " ".join(experiment.overrides), "status": "ok"}
    if trial.has_result:
        return {**row, **row_of_trace(trial.trace)}
    axes = dict(trial.axes)
    return {
        **row,
        "experiment": experiment.name,
        "learner": trial.learner_key,
        "label": trial.label,
        "grid_point": trial.grid_point,
        "data": axes.pop("data", None),
        "batch": axes.pop("batch", None),
        "seed": axes.pop("repetition", trial.repetition),
        **{f"param_{name}": value for name, value in axes.items()},
        "status": trial.missing,
        "trace": None,
    }


def row_of_trace(trace):
    """Row of a trial that has a result."""
    summary, provenance = trace.summary, trace.provenance
    tuning = summary.get("tuned", {}).get("kernel_evaluations", {})
    axes = trace.axes
    known = ("data", "batch", "repetition")
    return {
        "experiment": trace.spec["experiment"],
        "learner": provenance["learner_key"],
        "method": trace.spec["learner"],
        "label": trace.label,
        "grid_point": provenance.get("grid_point", ""),
        "data": trace.data_set,
        "batch": axes["batch"],
        "seed": axes["repetition"],
        **{f"param_{name}": value for name, value in axes.items() if name not in known},
        "kernel": provenance["kernel"],
        "synthetic": trace.synthetic,
        "replacement": trace.replacement,
        "status": "ok",
        **{name: summary.get(name) for name in SUMMARY},
        **summary.get("measures", {}),
        **{kind: summary["kernel_evaluations"][kind] for kind in COUNTS},
        **({"counted": summary["counted"]} if "counted" in summary else {}),
        **{f"tuning_{kind}": tuning.get(kind, 0) for kind in COUNTS},
        "seconds": provenance["wall_seconds"],
        "kernel_share": provenance.get("kernel_share"),
        "id": trace.trial_id,
        "digest": trace.digest,
        "trace": trace,
    }


def to_xarray(frame, measures=("error_rate", "test_error", "requested", "support_vectors")):
    """Returns the trials of a data frame as an xarray.Dataset.

    The axes and parameters that vary are its dimensions, the measures its variables. Raises ClaimError if two trials
    have the same coordinates.
    """
    axes = [name for name in frame.columns if name in AXES or name.startswith("param_")]
    varying = [name for name in axes if frame[name].astype(str).nunique() > 1] or ["experiment"]
    grid = frame[[*varying, *[name for name in measures if name in frame]]]
    if grid.duplicated(varying).any():
        raise ClaimError(f"two trials have the same {', '.join(varying)}: select rows by learner or experiment first")
    return grid.set_index(varying).to_xarray()
