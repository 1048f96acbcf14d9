"""Compares fitting times of okbench and other libraries at equal test error, and judges the claims on speed.

Equal: at most the target error of the data set and kind of kernel. RBF: test error of the exact SVM, as LIBSVM solves
it, plus two standard errors. Linear, or if LIBSVM did not finish: the lowest test error of that kind plus two standard
errors.
"""

import math
from typing import NamedTuple


class Claim(NamedTuple):
    """okbench's fastest learner of this kind needs at most 1 / `times` of the time of each of these methods."""

    text: str
    kind: str
    times: float
    methods: tuple


CLAIMS = (
    Claim(
        "10 times as fast as LIBSVM, scikit-learn's SVC, oneDAL and dlib's trainers",
        "rbf",
        10,
        ("C-SVC", "SVC", "svm_c_trainer", "svm_pegasos", "krls"),
    ),
    Claim(
        "3 times as fast as Nyström or random features with stochastic gradient descent",
        "rbf",
        3,
        ("Nystroem, SGDClassifier", "RBFSampler, SGDClassifier"),
    ),
    Claim(
        "linear methods as fast as LIBLINEAR, oneDAL and scikit-learn's SGDClassifier",
        "linear",
        1,
        ("SGDClassifier", "LogisticRegression", "L2R_L1LOSS_SVC_DUAL", "L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVC"),
    ),
)


def target_of(rows, kind, tested):
    """(target error in percent, where it comes from); None if nothing of this kind finished. `tested`: test rows."""
    done = [row for row in rows if row["kind"] == kind and row["status"] == "ok"]
    if not done:
        return None
    exact = [row for row in done if row["library"] == "LIBSVM"]
    # The rows of LIBSVM start with the smallest tolerance.
    base, source = (exact[0], "LIBSVM") if exact else (min(done, key=lambda row: row["wrong"]), "lowest")
    share = base["wrong"] / tested
    return 100 * (share + 2 * math.sqrt(share * (1 - share) / tested)), source


def fastest(rows, target, tested):
    """The entry with the shortest fit among finished ones with at most the target error, or None."""
    reached = [row for row in rows if row["status"] == "ok" and 100 * row["wrong"] <= target * tested]
    return min(reached, key=lambda row: row["fit_seconds"], default=None)


def compared(rows, own, target, tested, limit):
    """The comparison of one method's variants with okbench's fastest learner.

    {"state": "reached", "missed" or "stopped", "ratio", "row"}. reached: ratio is that of the fastest variant at the
    target. stopped: no variant reached the target and one exceeded the limit, so that the ratio is a lower bound.
    """
    best = fastest(rows, target, tested)
    if best:
        return {"state": "reached", "ratio": own and best["fit_seconds"] / own["fit_seconds"], "row": best}
    if any(row["status"] == "over" for row in rows):
        return {"state": "stopped", "ratio": own and limit / own["fit_seconds"], "row": None}
    return {"state": "missed", "ratio": None, "row": None}


def kind_summary(rows, kind, tested, limit):
    """{"target", "source", "own", "others": {"LIBRARY METHOD": comparison}} of one kind; None without a target."""
    criterion = target_of(rows, kind, tested)
    if not criterion:
        return None
    target, source = criterion
    mine = [row for row in rows if row["kind"] == kind]
    own = fastest([row for row in mine if row["library"] == "okbench"], target, tested)
    others = {}
    for row in mine:
        if row["library"] != "okbench":
            others.setdefault(f"{row['library']} {row['method']}", []).append(row)
    return {
        "target": target,
        "source": source,
        "own": own,
        "own_stopped": not own and any(row["library"] == "okbench" and row["status"] == "over" for row in mine),
        "others": {name: compared(variants, own, target, tested, limit) for name, variants in others.items()},
    }


def summary(rows, tested, limit):
    """{kind: kind_summary} of the rows of a data set. limit: seconds after which fits were stopped; 0: never."""
    return {kind: kind_summary(rows, kind, tested, limit) for kind in ("rbf", "linear")}


def judged(claim, set_summary):
    """{"met", "compared", "least": {"name", "ratio"}, "open"} of a claim on a data set's summary.

    met: True if every method that reached the target, or was stopped before it, took `times` as long. None if no
    method did, if that of a stopped one is open, or if okbench's learners were stopped. least: the smallest ratio.
    """
    mine = set_summary[claim.kind]
    if not mine:
        return {"met": None, "compared": 0, "least": None, "open": []}
    others = {name: comparison for name, comparison in mine["others"].items() if name.split(" ", 1)[1] in claim.methods}
    if not mine["own"]:
        reached = [name for name, comparison in others.items() if comparison["state"] == "reached"]
        left = [name for name, comparison in others.items() if comparison["state"] == "stopped"]
        if mine["own_stopped"]:  # its limit may be lower than that of the others
            left += reached
        failed = reached and not mine["own_stopped"]
        return {"met": False if failed else None, "compared": 0, "least": None, "open": left}
    ratios = {name: comparison["ratio"] for name, comparison in others.items() if comparison["state"] == "reached"}
    bounds = {name: comparison["ratio"] for name, comparison in others.items() if comparison["state"] == "stopped"}
    left = [name for name, ratio in bounds.items() if ratio < claim.times]
    every = ratios | {name: ratio for name, ratio in bounds.items() if ratio >= claim.times}
    least = min(every.items(), key=lambda item: item[1], default=None)
    failed = any(ratio < claim.times for ratio in ratios.values())
    return {
        "met": False if failed else None if left or not every else True,
        "compared": len(every),
        "least": least and {"name": least[0], "ratio": least[1]},
        "open": left,
    }
