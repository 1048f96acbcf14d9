"""Compares fitting times of okbench with external learners at equal test error, and evaluates the speed claim."""

AT_LEAST = 10  # claimed speed-up over every external learner that reaches the target test error
KINDS = ("linear", "rbf")


def fastest(rows, most_wrong, kind=None):
    """okbench's entry with the shortest fit among those with at most `most_wrong` test errors, or None."""
    reached = [
        row
        for row in rows
        if row["library"] == "okbench"
        and row["status"] == "ok"
        and row["wrong"] <= most_wrong
        and kind in (None, row["kind"])
    ]
    return min(reached, key=lambda row: row["fit_seconds"], default=None)


def beside(row, own):
    """{learner, ratio}: ratio of an external fit time to okbench's; None without an okbench entry."""
    return own and {"learner": own["method"], "ratio": row["fit_seconds"] / own["fit_seconds"]}


def add_ratios(rows):
    """Adds to each finished external entry the comparison with okbench's fastest at no more test errors."""
    for row in rows:
        if row["library"] != "okbench" and row["status"] == "ok":
            row["beside_fastest"] = beside(row, fastest(rows, row["wrong"]))
            row["beside_fastest_of_kind"] = beside(row, fastest(rows, row["wrong"], row["kind"]))


def entry(row, *more):
    return row and {key: row[key] for key in ("library", "method", "parameters", "kind", *more)}


def verdict(own, against, reached, chosen):
    """The verdict whether okbench's learner is AT_LEAST times as fast as each chosen external learner.

    `met` is None if no external learner is chosen.
    """
    rows = [one for one in reached if chosen(one)]
    slower = [{**one, "ratio": one["fit_seconds"] / own["fit_seconds"]} for one in rows] if own else []
    missed = [one for one in slower if one["ratio"] < AT_LEAST]
    return {
        "learner": own and own["method"],
        "against": against,
        "compared": len(rows),
        "missed": missed,
        "met": None if not rows else bool(own) and not missed,
    }


def claim_of(rows, target, tested):
    """Evaluates the claim among learners with a test error of at most `target` percent.

    Compares each external learner with okbench's fastest one, overall and with the same kind of kernel. `tested`:
    number of test rows.
    """
    most_wrong = max((wrong for wrong in range(tested + 1) if 100 * wrong <= target * tested), default=-1)
    numbers = ("test_error", "fit_seconds")
    best = {kind: fastest(rows, most_wrong, kind) for kind in (None, *KINDS)}
    others = [row for row in rows if row["library"] != "okbench"]
    there = [row for row in others if row["status"] == "ok" and row["wrong"] <= most_wrong]
    reached = [
        {**entry(row, *numbers), "beside_best": beside(row, best[None]), "beside_kind": beside(row, best[row["kind"]])}
        for row in there
    ]

    def libsvm(row):
        return row["library"] == "LIBSVM"

    verdicts = [
        verdict(best[None], "LIBSVM", reached, libsvm),
        verdict(best[None], "every external learner", reached, lambda row: True),
        verdict(best["rbf"], "LIBSVM", reached, libsvm),
        verdict(best["rbf"], "every external learner with the RBF kernel", reached, lambda row: row["kind"] == "rbf"),
        verdict(best["linear"], "every linear external learner", reached, lambda row: row["kind"] == "linear"),
    ]
    return {
        "target": target,
        "at_least": AT_LEAST,
        # A verdict that does not hold decides, even if the other is open.
        "met": False if False in (verdicts[0]["met"], verdicts[1]["met"]) else verdicts[0]["met"],
        "best": entry(best[None], *numbers),
        "best_of_kind": {kind: entry(best[kind], *numbers) for kind in KINDS},
        "tools": reached,
        "verdicts": verdicts,
        "unknown": [entry(row, "status") for row in others if row["status"] != "ok"],
    }
