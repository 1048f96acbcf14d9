"""Costs of every learner in every experiment, for docs/results.md."""

import numpy as np

from .. import league
from ..reading import files_like
from ..results.table import ERRORS, PERCENT

KINDS = ("requested", "computed", "evaluation")


def rows(results):
    """One row per learner and experiment: error and kernel evaluations, or the missing trials.

    Leaves out the league, which has a separate page.
    """
    table_rows = []
    for plan in files_like(results.folder, "*", "*", "plan.json"):
        name = f"{plan.parent.parent.name}/{plan.parent.name}"
        if name.startswith(league.PREFIX):
            continue
        experiment = results.read(name)
        groups = {}
        for trial in experiment.trials:
            groups.setdefault((trial.learner_key, trial.grid_point), []).append(trial)
        table_rows += [
            {"experiment": experiment.name, "overridden": experiment.overridden, **row(of)} for of in groups.values()
        ]
    return table_rows


def row(trials):
    """The row of one learner at one grid point. Has no means if a seed is missing: they would not be comparable."""
    first, traces = trials[0], [trial.trace for trial in trials if trial.trace is not None]
    missing = [trial.missing for trial in trials if trial.missing]
    row = {
        "learner": first.label,
        "grid": first.grid_point,
        "method": traces[0].spec["learner"] if traces else "",
        "data": traces[0].data_set if traces else first.data_set,
        "synthetic": any(trace.synthetic for trace in traces),
        "seeds": f"{len(traces)} of {len(trials)}" if missing else len(traces),
        "missing": missing,
    }
    return row if missing else {**row, **means(traces)}


def means(traces):
    measure = next(name for name in ERRORS if traces[0].summary.get(name) is not None)
    error = float(np.mean([trace.summary[measure] for trace in traces]))
    return {
        "measure": measure.replace("_", " "),
        "error": error,
        "shown_error": f"{100 * error:.2f} %" if measure in PERCENT else f"{error:.3g}",
        "support_vectors": float(np.mean([trace.summary["support_vectors"] for trace in traces])),
        **{kind: float(np.mean([trace.cost(kind) for trace in traces])) for kind in KINDS},
    }
