"""The league's table (ranks, targets, costs, memory, seconds and error of every learner) and its tests."""

import numpy as np

from . import bayes, ranks, single
from .costs import KINDS
from .curves import curve


def errors(league, **choice):
    """(learners, values to rank by as an array of data sets x learners), each at the best budget of the choice.

    Smaller is better. Values are NaN if there is no result. Learners without any result are excluded.
    """
    learners = [
        learner for learner in league.learners if any(league.taken(name, learner, **choice) for name in league.sets)
    ]
    rows = [
        [best.rank_by if (best := league.best(name, learner, **choice)) else np.nan for learner in learners]
        for name in league.sets
    ]
    return learners, np.array(rows, dtype=float).reshape(len(league.sets), len(learners))


def standings(league, kind="tuning", **choice):
    """Rows of the table, one per learner, smallest mean rank first.

    Keys: `learner`, `label`, `method`, `mean_rank`, `sets` (number of data sets with a result), `missing` (names of
    data sets without), `share` of the targets reached, `median_cost` and `gives_up` (Curve). At the best budget
    by the measure of the ranking: `memory` and `seconds` (medians over the data sets), `error` (mean) and, if another
    measure ranks, its mean `value`.
    """
    learners, table = errors(league, **choice)
    mean_ranks = ranks.ranked(table).mean(axis=0) if len(learners) else []
    rows = []
    for place, learner in enumerate(learners):
        learner_curve = curve(league, learner, kind, **choice)
        best = [best_entry for name in league.sets if (best_entry := league.best(name, learner, **choice))]
        rows.append(
            {
                "learner": learner,
                "label": league.learners[learner].label,
                "method": league.learners[learner].method,
                "mean_rank": float(mean_ranks[place]),
                "sets": len(best),
                "missing": [name for name in league.sets if not league.taken(name, learner, **choice)],
                "share": learner_curve.share if learner_curve else 0.0,
                "median_cost": learner_curve.median if learner_curve else float("inf"),
                "gives_up": learner_curve.gives_up if learner_curve else float("inf"),
                **{of: float(np.median([entry.spread(lambda run: run.cost(of))[0] for entry in best])) for of in HELD},
                "error": float(np.mean([entry.error for entry in best])),
                **({"value": float(np.mean([entry.value for entry in best]))} if league.measure else {}),
            }
        )
    return sorted(rows, key=lambda row: (row["mean_rank"], row["learner"]))


HELD = ("memory", "seconds")


def significance(league, rope=bayes.ROPE, **choice):
    """Results of the tests: {sets, learners, friedman, critical_difference, groups, pairs, bayes}.

    `groups`: learners that do not differ significantly by Nemenyi's test. `pairs`: ranks.compared. `bayes`: {rope,
    pairs}, bayes.compared. Tests that need more learners or data sets are None.
    """
    learners, table = errors(league, **choice)
    results = {"sets": len(league.sets), "learners": len(learners)}
    results |= {"friedman": None, "critical_difference": None, "groups": []}
    if len(learners) > 1 and league.sets:
        ranked = ranks.ranked(table)
        means = ranked.mean(axis=0)
        order = [learners[place] for place in np.argsort(means, kind="stable")]
        difference = ranks.critical_difference(len(learners), len(league.sets))
        results["friedman"] = ranks.friedman(ranked)
        results["critical_difference"] = difference
        results["groups"] = [order[first : last + 1] for first, last in ranks.groups(means, difference)]
    pairs = bayes.compared(learners, table, rope) if len(league.sets) > 1 else []
    return results | {"pairs": ranks.compared(learners, table), "bayes": {"rope": rope, "pairs": pairs}}


def regressions(league):
    """Rows of the regression table: one per learner and budget on each data set with real targets.

    Keys: `set`, `learner`, `method`, `budget`, `rmse` and its `deviation` over the `orders` (0 for one order), and the
    means over the orders of `memory` (largest number of coefficients), `requested`, `tuning` and `seconds`. Sorted by
    data set, then by rmse.
    """
    rows = []
    for entry in league.entries.values():
        if entry.set not in league.regression:
            continue
        rmse, deviation = entry.spread(lambda run: run.trace.summary["rmse"])
        means = {
            kind: entry.spread(lambda run: run.cost(kind))[0] for kind in ("memory", "requested", "tuning", "seconds")
        }
        method = league.learners[entry.learner].method
        identity = {"set": entry.set, "learner": entry.learner, "method": method, "budget": entry.budget}
        rows.append({**identity, "rmse": rmse, "deviation": deviation, "orders": len(entry.runs), **means})
    return sorted(rows, key=lambda row: (row["set"], row["rmse"], row["learner"]))


def one_set(league, kind="tuning", **choice):
    """{set, real, rows}: the ranking (single.rows) if the results are of one data set; else None."""
    names = [*league.sets, *league.regression]
    if len(names) != 1:
        return None
    return {"set": names[0], "real": bool(league.regression), "rows": single.rows(league, names[0], kind, **choice)}


def real_targets(league, kind, rope, **choice):
    """{targets, learners, tests} of the data sets with real targets; None without any. Errors are squared ones."""
    if not league.regression:
        return None
    of = league.on_real_targets
    rows = [{key: value for key, value in row.items() if key != "error"} for row in standings(of, kind, **choice)]
    return {"targets": of.ladders, "learners": rows, "tests": significance(of, rope, **choice)}


def finite(value):
    """Replaces infinity and NaN, which JSON lacks, by None, in dictionaries and lists too."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def as_json(league, kind="tuning", rope=bayes.ROPE, **choice):
    """The JSON of `okbench league --json`: standings, tests, regressions, targets, and notes on what is excluded."""
    return finite(
        {
            "format": 1,
            "tiers": league.tiers,
            "synthetic": bool(league.data_mark),
            "cost": kind,
            "cost_is": KINDS[kind].label,
            "measure": league.measure,
            "budget_at_most": choice.get("at_most"),
            "targets": league.ladders,
            "learners": standings(league, kind, **choice),
            "tests": significance(league, rope, **choice),
            "regression": regressions(league),
            "real": real_targets(league, kind, rope, **choice),
            "one_set": one_set(league, kind, **choice),
            "notes": league.notes,
        }
    )
