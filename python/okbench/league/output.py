"""Formats the result of standings.as_json as text."""

from . import conclusions, single
from ..results.significance import ALPHA
from .ranks import MIN_PAIRS


MAX_PAIRS = 10  # more pairs are counted, not listed


def number(value):
    """Formats a number with three digits, or as an integer in 100..1e5: 0.00123, 1.23, 123, 1.23e+06; "-" for None."""
    if value is None:
        return "-"
    return f"{value:.0f}" if 100 <= value < 1e5 else f"{value:.3g}"


def percent(value):
    return "-" if value is None else f"{100 * value:.2f} %"


def columns(rows):
    """Lines of a table of texts: the first column aligned left, the others right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        lines.append("  ".join(cells).rstrip())
    return lines


def table(ranking, measure=None):
    """Lines of the standings, one per learner. `measure`: what ranks besides the error."""
    sets = len(ranking["targets"])
    rows = [("learner", "rank", "sets", "targets", "median cost", "gives up", "coefficients", "seconds")]
    errors = any("error" in learner for learner in ranking["learners"])
    rows[0] = (*rows[0], *(["error"] if errors else []), *([measure] if measure else []))
    for learner in ranking["learners"]:
        rows.append(
            (
                learner["learner"],
                f"{learner['mean_rank']:.2f}",
                f"{learner['sets']} of {sets}",
                f"{100 * learner['share']:.0f} %",
                number(learner["median_cost"]),
                number(learner["gives_up"]),
                number(learner["memory"]),
                number(learner["seconds"]),
                *([percent(learner["error"])] if errors else []),
                *([number(learner["value"])] if measure else []),
            )
        )
    return columns(rows)


def tests(results):
    """Results of Friedman's test, Nemenyi's test and the signed-rank tests, one line each."""
    lines = []
    friedman = results["friedman"]
    if friedman is None:
        lines.append("Friedman: needs at least three learners, two data sets and unequal ranks")
    else:
        lines.append(
            f"Friedman over {results['sets']} data sets and {results['learners']} learners: chi-square "
            f"{friedman['chi_square']:.3g}, p = {friedman['p']:.3g}; Iman and Davenport's F "
            + ("infinite" if friedman["f"] is None else f"{friedman['f']:.3g}")
            + f", p = {friedman['f_p']:.3g}"
        )
    if results["critical_difference"] is not None:
        lines.append(f"Nemenyi's critical difference of mean ranks at {ALPHA:g}: {results['critical_difference']:.3g}")
    lines.append(signed_ranks(results["pairs"]))
    return lines


def signed_ranks(pairs):
    """One line on Wilcoxon's tests of all pairs of learners."""
    tested = [pair for pair in pairs if pair["p"] is not None]
    if not tested:
        return f"Wilcoxon: no two learners differ on {MIN_PAIRS} data sets or more, as the test requires"
    differ = [pair for pair in tested if pair["adjusted"] < ALPHA]
    names = "; ".join(f"{' and '.join(pair['learners'])} (p = {pair['adjusted']:.3g})" for pair in differ)
    if len(differ) > MAX_PAIRS:
        names = f"{len(differ)} differ significantly (--json lists them)"
    rest = len(pairs) - len(tested)
    few = f"; not tested: {rest} pairs that differ on fewer than {MIN_PAIRS} data sets" if rest else ""
    # For n differences of one sign, p = 2 / 2^n.
    least = 2 / 2 ** max(pair["sets"] for pair in tested)
    bound = f"; the smallest possible p is {least:.3g}, or {min(1, least * len(tested)):.3g} corrected"
    return (
        f"Wilcoxon with Holm's correction, {len(tested)} pair{'s' if len(tested) > 1 else ''}: "
        + (names or "no significant difference")
        + bound
        + few
    )


def best_of_sets(rows):
    """Lines with the best learner and the best baseline of each data set with real targets."""
    cells = [("set", "best learner", "budget", "rmse", "with tuning", "best baseline", "rmse")]
    for name in dict.fromkeys(row["set"] for row in rows):
        here = [row for row in rows if row["set"] == name]
        first = next((row for row in here if row["learner"] not in single.BASELINES), None)
        baseline = next((row for row in here if row["learner"] in single.BASELINES), None)
        if first is None:
            continue
        budget = "-" if first["budget"] is None else str(first["budget"])
        beside = ("-", "-") if baseline is None else (baseline["learner"], f"{baseline['rmse']:.4g}")
        cells.append((name, first["learner"], budget, f"{first['rmse']:.4g}", number(first["tuning"]), *beside))
    return columns(cells)


def on_one_set(ranking):
    """Lines of the ranking on one data set, with conclusions."""
    rows, real, measure = ranking["one_set"]["rows"], ranking["one_set"]["real"], ranking["measure"]
    shown = number if real or measure else percent
    name = "rmse" if real else measure or "error"
    cells = [("learner", "budget", name, "95 % interval", "cost", "coefficients", "seconds", "")]
    for row in rows:
        interval = "-" if row["interval"] is None else f"{shown(row['interval'][0])} to {shown(row['interval'][1])}"
        budget = "-" if row["budget"] is None else str(row["budget"])
        costs = (number(row[key]) for key in ("cost", "memory", "seconds"))
        cells.append((row["label"], budget, shown(row["error"]), interval, *costs, "*" if row["best"] else ""))
    lines = [
        f"Cost: {ranking['cost_is']}. * not significantly worse than the best, baselines not tested.",
        "",
        *columns(cells),
        "",
    ]
    return lines + [f"{sentence}." for sentence in single.conclusions(rows, shown, name)]


def text(ranking):
    """The complete text output of `okbench league`."""
    tiers, limit = ", ".join(ranking["tiers"]), ranking["budget_at_most"]
    budgets = "best of each learner's budgets" if limit is None else f"budgets of at most {limit}"
    lines = [f"The league ({tiers} tier{', GENERATED SYNTHETIC DATA' if ranking['synthetic'] else ''}; {budgets})"]
    if ranking["one_set"]:
        lines[0] = lines[0].replace("The league", f"The league on {ranking['one_set']['set']}", 1)
        lines += on_one_set(ranking)
    elif ranking["learners"]:
        lines += [f"Cost: {ranking['cost_is']}; the median is over all data sets and targets", ""]
        lines += [*table(ranking, ranking["measure"]), "", *tests(ranking["tests"])]
        lines += ["", *(f"{sentence}." for sentence in conclusions.over_sets(ranking))]
    if ranking["regression"] and not ranking["one_set"]:
        real = ranking["real"]
        lines += ["", "Real targets, ranked by mean squared error", "", *table(real), "", *tests(real["tests"])]
        lines += ["", *best_of_sets(ranking["regression"])]
    if ranking["notes"]:
        lines += ["", *(f"note: {note}" for note in ranking["notes"])]
    return "\n".join(lines)
