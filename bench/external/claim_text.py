"""Formats the result of claim.claim_of() in Markdown."""

from external.words import parameter_text, ratio_text, seconds_text


def named(one):
    return f"{one['library']} {one['method']} ({parameter_text(one['parameters'])})"


def learner_text(one):
    if not one:
        return "none"
    parameters = parameter_text(one["parameters"])
    return f"{one['method']} ({parameters}), {one['test_error']:.2f} % in {seconds_text(one['fit_seconds'])} s"


def verdict_line(one, times):
    if one["met"] is None:
        return f"- {one['against']}: none to compare with."
    who = f"{one['learner'] or 'no learner'} against {one['against']}"
    if one["met"]:
        return f"- {who}: at least {times} times as fast as all {one['compared']}."
    if not one["learner"]:
        return f"- {who}: not met."
    slower, least = one["compared"] - len(one["missed"]), min(one["missed"], key=lambda tool: tool["ratio"])
    ratio = f"the smallest ratio is {ratio_text(least)}, against {named(least)}"
    return f"- {who}: not met; at least {times} times for {slower} of {one['compared']}; {ratio}."


def claim_lines(claim):
    """The claim and its evidence as lines of Markdown."""
    target, times, kinds = f"{claim['target']:g} %", claim["at_least"], claim["best_of_kind"]
    verdict = {True: "met", False: "not met", None: "undecided"}[claim["met"]]
    lines = [
        f"**Claim: to {target} test error, okbench's fastest learner is at least {times} times as fast as LIBSVM "
        f"and every other external learner that reaches it: {verdict}.**",
        "",
        f"okbench's fastest with a test error of at most {target}: {learner_text(claim['best'])}; with the RBF kernel: "
        f"{learner_text(kinds['rbf'])}; linear: {learner_text(kinds['linear'])}.",
    ]
    lines += ["", *dict.fromkeys(verdict_line(one, times) for one in claim["verdicts"])]
    if claim["unknown"]:
        lines.append(f"- Stopped or failed, so not compared: {'; '.join(map(named, claim['unknown']))}.")
    return lines
