"""What can be concluded from a ranking over several data sets, in words."""

from .bayes import CERTAIN
from ..results.significance import ALPHA


def leading(ranking):
    """Learners whose mean rank is not significantly worse than the best one, that one included (Friedman, Nemenyi)."""
    rows, tests = ranking["learners"], ranking["tests"]
    if len(rows) < 2 or tests["sets"] < 2:
        return {row["learner"] for row in rows}
    friedman = tests["friedman"]
    same = friedman is not None and friedman["f_p"] >= ALPHA
    limit = float("inf") if same else rows[0]["mean_rank"] + tests["critical_difference"]
    return {row["learner"] for row in rows if row["mean_rank"] <= limit}


def over_sets(ranking):
    """Sentences on the JSON of standings.as_json, without full stops. Empty with fewer than two learners or data sets.

    They compare the learner of the smallest mean rank with each other one: by Nemenyi's test on mean ranks, and by the
    Bayesian signed-rank test on errors. Learners that share the smallest mean rank are named.
    """
    rows, tests = ranking["learners"], ranking["tests"]
    if len(rows) < 2 or tests["sets"] < 2:
        return []
    first, labels = rows[0]["learner"], {row["learner"]: row["label"] for row in rows}
    best = [row["label"] for row in rows if row["mean_rank"] == rows[0]["mean_rank"]]
    have, its = ("has", "Its") if len(best) == 1 else ("share", "This")
    said = [f"Over {tests['sets']} data sets, {listed(best)} {have} the best mean rank, {rows[0]['mean_rank']:.2f}"]
    friedman = tests["friedman"]
    if friedman is not None and friedman["f_p"] >= ALPHA:
        return said + [f"The learners do not differ significantly (Friedman, p = {friedman['f_p']:.3g})"]
    others = rows[len(best) :]
    near = [row["label"] for row in others if row["learner"] in leading(ranking)]
    told = len(others) - len(near)
    if told:
        said.append(
            f"{its} mean rank is significantly better than that of {told} of {len(others)} learners "
            f"(Nemenyi, {ALPHA:g})" + (f". It is not significantly better than that of {listed(near)}" if near else "")
        )
    else:
        said.append(f"No other mean rank is significantly worse (Nemenyi, {ALPHA:g})")
    name = "it" if len(best) == 1 else labels[first]
    return said + bayesian(first, name, labels, tests["bayes"])


def bayesian(first, name, labels, result):
    """Sentences on the posterior probabilities of the first learner, called `name`, against the others."""
    pairs = against(first, result["pairs"])
    rope = f"{100 * result['rope']:g} point{'' if result['rope'] == 0.01 else 's'}"
    groups = {
        f"On a further data set {name} is better by more than {rope} than": "better",
        f"{name[0].upper()}{name[1:]} is practically equal (within {rope}) to": "equal",
        f"{name[0].upper()}{name[1:]} is worse by more than {rope} than": "worse",
    }
    said, decided = [], set()
    for words, key in groups.items():
        sure = [other for other, pair in pairs.items() if pair[key] >= CERTAIN]
        decided |= set(sure)
        if sure:
            each = "each " if len(sure) > 1 else ""
            said.append(
                f"{words} {listed([labels[learner] for learner in sure])}, {each}with probability {CERTAIN:g} or more"
            )
    open_ = [labels[learner] for learner in pairs if learner not in decided]
    return said + ([f"These data do not decide between {name} and {listed(open_)}"] if open_ else [])


def against(first, pairs):
    """{other learner: {better, equal, worse, sets}} from the view of the first learner."""
    comparisons = {}
    for pair in pairs:
        learner, other = pair["learners"]
        if learner == first:
            comparisons[other] = pair
        elif other == first:
            comparisons[learner] = pair | {"better": pair["worse"], "worse": pair["better"]}
    return comparisons


def listed(names):
    """ "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
