"""The ranking on one data set: every learner with an interval, and what can be concluded."""

import numpy as np

from ..results.intervals import bootstrap
from ..results.significance import ALPHA, not_worse
from . import tuned

# Keys of the shared specs.
BASELINES = ("majority", "last-label", "running-mean", "last-value", "knn")
BASELINES += ("linear-passive-aggressive", "least-squares")
BLOCKS = 10  # blocks of a single order for tests and intervals
FEWEST = 30  # examples of a block
CLOSE = 1.1  # "almost the lowest error": at most this times the lowest


def value_of(run, real):
    """The error of a run: the root mean squared error for real targets, else the measure of the ranking."""
    return float(run.trace.summary["rmse"]) if real else run.value


def blocks(run):
    """Mean errors, or mean squared errors, of equally long blocks of a stream, in its order; [] for a short stream.

    Recorded steps are the borders, so blocks differ in length by less than the steps between two recorded ones.
    """
    steps, sums = np.asarray(run.trace["step"], dtype=float), np.asarray(run.error_sums, dtype=float)
    last = np.searchsorted(steps, steps[-1] * np.arange(1, BLOCKS + 1) / BLOCKS)
    lengths = np.diff(steps[last], prepend=0)
    return [] if min(lengths) < FEWEST else np.diff(sums[last], prepend=0) / lengths


def compared_by(entry, real):
    """What the runs of an entry are compared by: {order: error}, or {block: error} if there is one order.

    Smaller is better. Only errors have blocks: other measures are no means over examples.
    """
    if len(entry.runs) > 1 or entry.runs[0].measure:
        return {run.order: sign(entry, real) * value_of(run, real) for run in entry.runs}
    return dict(enumerate(blocks(entry.runs[0])))


def interval(entry, real):
    """Bootstrap interval at 95 % of the error over the orders, or over the blocks of a single one; None without."""
    if len(entry.runs) > 1:
        return bootstrap([value_of(run, real) for run in entry.runs])
    bounds = bootstrap(list(compared_by(entry, real).values()))
    return tuple(float(np.sqrt(bound)) for bound in bounds) if bounds and real else bounds


def rows(league, name, kind="tuning", **choice):
    """Rows of the ranking on the data set `name`, smallest error first; each learner at its best budget.

    Keys: `learner`, `label`, `method`, `budget`, `error` (mean over the orders), `interval` (bootstrap, at 95 %; None
    for a short stream in one order), `orders`, `blocks` (0 without), `cost`, `memory`, `seconds` (means),
    `baseline`, `ends` (tuned.ends), and `best`: not significantly worse than the best learner that is no baseline
    (significance.not_worse).
    """
    real, best_entries = name in league.regression, []
    for learner in league.learners.values():
        taken = league.taken(name, learner.id, **choice)
        if not taken:
            continue
        entry = min(taken, key=lambda candidate: mean(candidate, real) if real else candidate.rank_by)
        best_entries.append((learner, entry))
    parts = {learner.id: compared_by(entry, real) for learner, entry in best_entries}
    learning = {contender.id: parts[contender.id] for contender, _ in best_entries if contender.id not in BASELINES}
    best = not_worse(learning) if all(len(of) > 1 for of in learning.values()) else {}
    table = [
        {
            "learner": learner.id,
            "label": learner.label,
            "method": learner.method,
            "budget": entry.budget,
            "error": mean(entry, real),
            "interval": interval(entry, real),
            "orders": len(entry.runs),
            "blocks": len(parts[learner.id]) if len(entry.runs) < 2 and not entry.runs[0].measure else 0,
            **{
                key: entry.spread(lambda run, key=key: run.cost(kind if key == "cost" else key))[0]
                for key in ("cost", "memory", "seconds")
            },
            "best": best.get(learner.id, False),
            "baseline": learner.id in BASELINES,
            "ends": tuned.ends(entry),
        }
        for learner, entry in best_entries
    ]
    order = {learner.id: sign(entry, real) * mean(entry, real) for learner, entry in best_entries}
    return sorted(table, key=lambda row: (order[row["learner"]], row["learner"]))


def mean(entry, real):
    return float(np.mean([value_of(run, real) for run in entry.runs]))


def sign(entry, real):
    """1, or -1 if larger values of the measure are better."""
    return 1 if real or entry.rank_by == entry.value else -1


def conclusions(table, shown, measure="error"):
    """Sentences on the rows: the best, those that cannot be told from it, the cheapest of almost the same error.

    `shown`: formats an error. `measure`: its name.
    """
    learners = [row for row in table if not row["baseline"]]
    if not learners:
        return []
    first = learners[0]
    low = f", 95 % interval {shown(first['interval'][0])} to {shown(first['interval'][1])}" if first["interval"] else ""
    said = [f"{titled(first)} has the best {measure}: {shown(first['error'])}{low}"]
    several = len(learners) > 1
    if several and first["orders"] < 2 and first["blocks"] < 2:
        short = measure in ("error", "rmse")
        needs = f"{BLOCKS} blocks of {FEWEST} rows, or several orders" if short else f"several orders for {measure}"
        said.append(f"Whether learners differ cannot be told: the test needs {needs}")
    elif several:
        equal = [row for row in learners[1:] if row["best"]]
        over = f"{first['orders']} random orders of the same rows"
        if first["orders"] < 2:
            over = f"{first['blocks']} blocks of the stream"
        test = f"paired t-tests over {over}, Holm's correction, {ALPHA:g}"
        if equal:
            said.append(f"Not significantly worse ({test}): {', '.join(map(titled, equal))}")
        else:
            said.append(f"Every other learner is significantly worse ({test})")
    baseline = min((row for row in table if row["baseline"]), key=table.index, default=None)
    if baseline is not None:
        place = table.index(baseline)
        behind = [row for row in learners if table.index(row) > place or row["error"] == baseline["error"]]
        name = baseline["label"]
        beaten = f"Not better than the {name} ({shown(baseline['error'])}): {', '.join(map(titled, behind))}"
        best = f"Every learner beats the best baseline, the {name} ({shown(baseline['error'])})"
        none = f"No learner is better than the {name} ({shown(baseline['error'])})"
        said.append(none if len(behind) == len(learners) else beaten if behind else best)
    if baseline is not None and baseline["learner"] == "last-value" and baseline is table[0]:
        said.append("The last value predicts best: --order file --lags 1 gives it to the learners as a column")
    good = [row for row in learners if row["best"] or row is first]
    ends = [f"{titled(row)}: {values_text(row['ends'])}" for row in good if row["ends"]]
    if ends:
        said.append(f"Tuned to an end of the range, so a value beyond it may be better: {', '.join(ends)}")
    if measure in ("error", "rmse"):
        close = [row for row in learners if row["error"] <= CLOSE * first["error"]]
        cheapest = min(close, key=lambda row: row["cost"])
        if cheapest is not first and first["cost"] > 0:
            share = 100 * cheapest["cost"] / first["cost"]
            said.append(
                f"{titled(cheapest)} costs least within {100 * (CLOSE - 1):.0f} % of the best {measure}: "
                f"{shown(cheapest['error'])} at {share:.0f} % of the cost"
            )
    return said


def values_text(values):
    return " and ".join(f"{name} = {value:.4g}" for name, value in values.items())


def titled(row):
    """Label and budget of a row: "NORMA (64)", "BSGD (merging, 64)"."""
    label, budget = row["label"], row["budget"]
    if budget is None:
        return label
    return f"{label[:-1]}, {budget})" if label.endswith(")") else f"{label} ({budget})"
