"""Compute measures of streams from recorded predictions, without another run.

The spec must have [trace] predictions = true. `okbench help measures` defines the measures; OKBENCH_MEASURES adds
functions. NAME@1000 is over the last 1000 steps. One row per learner, with the mean and standard deviation over seeds
at the end of the stream, and rows of predictions without learning.
"""

import csv
import fnmatch
import io
import json
import pathlib

import numpy as np

from ..errors import NotRun
from ..escaping import cell
from ..results import results_below, streams
from ..results.marks import bracketed
from ..text_tables import aligned
from ..writing import write_text

EXAMPLE = "okbench measure results/mine --measure kappa-temporal@1000 --measure auc@1000"


def add_options(parser):
    parser.add_argument("results", help="result folder")
    parser.add_argument(
        "--measure", action="append", required=True, metavar="NAME[@WINDOW]", help="a measure; may be repeated"
    )
    parser.add_argument("--only", default="*", help="use only trials whose name matches this glob")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--curves", metavar="FILE", help="also write values at up to 500 steps as CSV")


def recorded(folder, only):
    """Yields (result folder, experiment, data set, name, seed, Stream) of all trials, and of predictions without
    learning. Copies of a result count once.

    Synthetic data is marked in the name of the data set. Raises NotRun if a trial has no result.
    """
    seen = set()
    for results, name in results_below(folder):
        experiment = results.read(name)
        if fnmatch.filter(experiment.unplanned, only):
            raise NotRun(experiment.unplanned_note)
        shown = set()
        for trial in experiment.trials:
            if not fnmatch.fnmatchcase(trial.name, only) or (trial.id, trial.learner_key) in seen:
                continue
            seen.add((trial.id, trial.learner_key))
            if trial.trace is None:
                raise NotRun(trial.missing)
            stream = streams.stream_of(trial.trace)
            data, seed = trial.trace.data_set, trial.repetition
            # The table has a column for the data set.
            grid = ",".join(setting for setting in trial.grid_point.split(",") if setting != f"data={data}")
            data += bracketed(trial.trace.data_mark)
            if (data, seed) not in shown:
                shown.add((data, seed))
                for baseline, predictions in streams.baselines(stream).items():
                    yield results.folder, name, data, baseline, seed, predictions
            yield results.folder, name, data, trial.learner_key + (f"[{grid}]" if grid else ""), seed, stream


def run(options):
    wanted = [streams.parse(text) for text in options.measure]
    rows, curves = {}, []
    for folder, experiment, data, learner, seed, stream in recorded(options.results, options.only):
        ends = [streams.last(stream, name, window) for name, window in wanted]
        rows.setdefault((str(folder), experiment, data, learner), []).append(ends)
        if options.curves:
            series = [streams.measured(stream, name, window) for name, window in wanted]
            curves += [
                [experiment, cell(data), cell(learner), seed, step, *values, cell(str(folder))]
                for step, *values in zip(series[0][0].tolist(), *(values.tolist() for _, values in series))
            ]
    if not rows:
        raise NotRun(f"no trial matches '{options.only}'")
    if options.curves:
        several = len({folder for folder, *_ in rows}) > 1
        head = ["experiment", "data", "learner", "seed", "step", *options.measure, "folder"]
        text = io.StringIO()
        csv.writer(text).writerows(line if several else line[:-1] for line in [head, *curves])
        write_text(pathlib.Path(options.curves), text.getvalue())
    table = [
        {
            "folder": folder,
            "experiment": experiment,
            "data": data,
            "learner": learner,
            "seeds": len(values),
            **{name: float(mean) for name, mean in zip(options.measure, np.mean(values, axis=0))},
            **{f"{name} deviation": float(deviation) for name, deviation in zip(options.measure, spread(values))},
        }
        for (folder, experiment, data, learner), values in rows.items()
    ]
    print(json.dumps(finite(table), indent=1, allow_nan=False) if options.json else shown(table, options.measure))


def spread(values):
    return np.std(values, axis=0, ddof=1) if len(values) > 1 else np.zeros(len(values[0]))


def finite(table):
    return [
        {key: None if isinstance(value, float) and not np.isfinite(value) else value for key, value in row.items()}
        for row in table
    ]


def shown(table, measures):
    """The table as aligned text."""
    names = ["experiment", "data", "learner", "seeds"]
    if len({row["folder"] for row in table}) > 1:
        names.insert(0, "folder")
    cells = [[*names, *measures]]
    for row in table:
        deviations = [f" ± {row[f'{name} deviation']:.4f}" if row["seeds"] > 1 else "" for name in measures]
        values = [f"{row[name]:.4f}{deviation}" for name, deviation in zip(measures, deviations)]
        cells.append([*(str(row[name]) for name in names), *values])
    return "\n".join(aligned(cells))
