"""What okbench's learners take beside a peer: the fastest that errs no more, and the claim about a given test error."""

AT_LEAST = 10  # times as fast as every peer that gets to the target: what is claimed
KINDS = ("linear", "rbf")


def fastest(rows, most_wrong, kind=None):
    """okbench's entry with the shortest fit among those with at most so many test errors; None if there is none."""
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
    """How many times okbench's fit the peer's is; None where okbench has none."""
    return own and {"learner": own["method"], "ratio": row["fit_seconds"] / own["fit_seconds"]}


def add_ratios(rows):
    """To each finished entry of another library: okbench's fastest with the same or fewer test errors."""
    for row in rows:
        if row["library"] != "okbench" and row["status"] == "ok":
            row["beside_fastest"] = beside(row, fastest(rows, row["wrong"]))
            row["beside_fastest_of_kind"] = beside(row, fastest(rows, row["wrong"], row["kind"]))


def entry(row, *more):
    return row and {key: row[key] for key in ("library", "method", "parameters", "kind", *more)}


def verdict(own, against, reached, chosen):
    """Whether one of okbench's learners is AT_LEAST times as fast as each of the chosen peers; None without any."""
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
    """Of the peers with a test error of at most `target` percent: how many times the fit of okbench's fastest such
    learner theirs takes, of all and of the peer's own kind, and whether it is AT_LEAST."""
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
        verdict(best[None], "every peer", reached, lambda row: True),
        verdict(best["rbf"], "LIBSVM", reached, libsvm),
        verdict(best["rbf"], "every peer with the RBF kernel", reached, lambda row: row["kind"] == "rbf"),
        verdict(best["linear"], "every linear peer", reached, lambda row: row["kind"] == "linear"),
    ]
    return {
        "target": target,
        "at_least": AT_LEAST,
        # One that does not hold settles it, whatever is open.
        "met": False if False in (verdicts[0]["met"], verdicts[1]["met"]) else verdicts[0]["met"],
        "best": entry(best[None], *numbers),
        "best_of_kind": {kind: entry(best[kind], *numbers) for kind in KINDS},
        "peers": reached,
        "verdicts": verdicts,
        "unknown": [entry(row, "status") for row in others if row["status"] != "ok"],
    }
