"""Costs of every learner in every experiment, for the report."""

import numpy as np

from .. import league
from ..reading import files_like
from ..measures.steps import cost_until

KINDS = ("requested", "computed", "evaluation")
# Columns of counts in the table: (key of a row, title of the column). Kernel evaluations also have a bar.
COUNTS = (("support_vectors", "support vectors"), *((kind, kind) for kind in KINDS))
MEASURES = ("test_error", "test_rmse", "error_rate", "rmse")


def rows(results):
    """One row per learner and experiment: error and kernel evaluations, or the missing trials.

    Leaves out the league, which has a separate page.
    """
    made = []
    for plan in files_like(results.folder, "*", "*", "plan.json"):
        name = f"{plan.parent.parent.name}/{plan.parent.name}"
        if name.startswith(league.PREFIX):
            continue
        experiment = results.read(name)
        groups = {}
        for trial in experiment.trials:
            groups.setdefault((trial.learner_key, trial.grid_point), []).append(trial)
        own = [
            {"experiment": experiment.name, "overridden": experiment.overridden, **row(of)} for of in groups.values()
        ]
        add_cost_to_target(own, list(groups.values()))
        made += own
    most = max((one[kind] for one in made if not one["missing"] for kind in KINDS), default=1)
    for one in made:
        if not one["missing"]:
            one["bars"] = {kind: 100 * np.log10(one[kind]) / np.log10(most) if one[kind] > 1 else 0 for kind in KINDS}
    return made


def follows_stream(trace):
    """Whether the average error of a trace is over the stream of examples, each predicted before it is learned."""
    return trace.provenance.get("counted") == "examples shown" and trace.summary.get("error_rate") is not None


def just_above(error):
    """The smallest number with three digits above an error: a learner that ends at the error gets below it."""
    digit = 10.0 ** (np.floor(np.log10(max(error, 1e-4))) - 2)
    return float(f"{(np.floor(error / digit) + 1) * digit:.6g}")


def add_cost_to_target(made, groups):
    """Adds `target` and `reaching` to the rows of one experiment.

    target: the smallest error that all stream learners on this data set end below.
    reaching: kernel evaluations requested until the average error stays below the target.
    Both are None for learners that do not follow a stream.
    """
    ends = {}
    for one, trials in zip(made, groups):
        for trial in trials:
            if trial.trace is not None and follows_stream(trial.trace):
                ends.setdefault(one["data"], []).append(trial.trace.average_error[-1])
    for one, trials in zip(made, groups):
        target = just_above(max(ends[one["data"]])) if one["data"] in ends else None
        traces = [trial.trace for trial in trials]
        one["target"] = one["reaching"] = None
        if target is None or one["missing"] or not all(map(follows_stream, traces)):
            continue
        cost = float(np.mean([cost_until(trace, target) for trace in traces]))
        if np.isfinite(cost):
            one["target"], one["reaching"] = f"{100 * target:.3g} %", cost


def row(trials):
    """The row of one learner at one grid point. Has no means if a seed is missing: they would not be comparable."""
    first, traces = trials[0], [trial.trace for trial in trials if trial.trace is not None]
    missing = [trial.missing for trial in trials if trial.missing]
    row = {
        "learner": first.label,
        "grid": first.grid_point,
        "method": traces[0].spec["learner"] if traces else "",
        "data": traces[0].data_set if traces else (first.axes or {}).get("data", ""),
        "synthetic": any(trace.synthetic for trace in traces),
        "seeds": f"{len(traces)} of {len(trials)}" if missing else len(traces),
        "missing": missing,
    }
    return row if missing else {**row, **means(traces)}


def means(traces):
    measure = next(name for name in MEASURES if traces[0].summary.get(name) is not None)
    error = float(np.mean([trace.summary[measure] for trace in traces]))
    return {
        "measure": measure.replace("_", " "),
        "error": error,
        "shown_error": f"{error:.3g}" if "rmse" in measure else f"{100 * error:.2f} %",
        "support_vectors": float(np.mean([trace.summary["support_vectors"] for trace in traces])),
        **{kind: float(np.mean([trace.cost(kind) for trace in traces])) for kind in KINDS},
    }
