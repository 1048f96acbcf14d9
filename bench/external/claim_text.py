"""The claim of peers.claim in Markdown."""

from external.words import KIND_NAMES, parameter_text, ratio_text, seconds_text, table

HEAD = ("library", "method", "kernel", ":test error, %", ":fit, s", ":times the fastest", ":times the same kernel's")


def named(one):
    return f"{one['library']} {one['method']} ({parameter_text(one['parameters'])})"


def learner_text(one):
    if not one:
        return "none"
    told = parameter_text(one["parameters"])
    return f"{one['method']} ({told}), {one['test_error']:.2f} % in {seconds_text(one['fit_seconds'])} s"


def verdict_line(one, times):
    if one["met"] is None:
        return f"- {one['against']}: there is none to compare with."
    who = f"{one['learner'] or 'no learner'} beside {one['against']}"
    if one["met"]:
        return f"- {who}: at least {times} times as fast as all {one['compared']}."
    if not one["learner"]:
        return f"- {who}: not met."
    slower, least = one["compared"] - len(one["missed"]), min(one["missed"], key=lambda peer: peer["ratio"])
    told = f"the least is {ratio_text(least)} times, beside {named(least)}"
    return f"- {who}: not met; at least {times} times for {slower} of {one['compared']}; {told}."


def claim_lines(claim):
    """The claim with what it rests on."""
    target, times, kinds = f"{claim['target']:g} %", claim["at_least"], claim["best_of_kind"]
    told = {True: "met", False: "not met", None: "not to be told here"}[claim["met"]]
    lines = [
        f"**Claim: to {target} test error, okbench's fastest learner is at least {times} times as fast as LIBSVM "
        f"and as every other peer that gets there: {told}.**",
        "",
        f"okbench's fastest with a test error of at most {target}: {learner_text(claim['best'])}; with the RBF kernel: "
        f"{learner_text(kinds['rbf'])}; linear: {learner_text(kinds['linear'])}.",
    ]
    if claim["peers"]:
        cells = [
            (
                *(one["library"], one["method"], KIND_NAMES[one["kind"]]),
                *(f"{one['test_error']:.2f}", seconds_text(one["fit_seconds"])),
                *(ratio_text(one["beside_best"]), ratio_text(one["beside_kind"])),
                parameter_text(one["parameters"]),
            )
            for one in claim["peers"]
        ]
        lines += [
            "",
            "The peers that get there, and their fits as multiples of these:",
            "",
            *table((*HEAD, "parameters"), cells),
        ]
    lines += ["", *dict.fromkeys(verdict_line(one, times) for one in claim["verdicts"])]
    if claim["unknown"]:
        lines.append(f"- Not measured to the end, and so not compared: {'; '.join(map(named, claim['unknown']))}.")
    return lines
