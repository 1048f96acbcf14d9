"""Verdicts as text and as JSON."""

import shutil
import textwrap

import numpy as np

from ..measures import Parser, is_error_rate
from .differences import direction, explains
from .files import NOT_REPRODUCED, QUESTION, STATEMENT, VALUE_IN_NOTE
from .judging import DOES_NOT_HOLD, HOLDS, NOT_RUN, OUTCOMES, UNDECIDED
from .replacing import REPLACED_VERDICTS


PLURAL = {HOLDS: "hold", DOES_NOT_HOLD: "do not hold"}


def shown(value, percent=False):
    """Formats a value, or a list of values, with four digits; `percent`: as a percentage."""
    if isinstance(value, list):
        return "(" + ", ".join(shown(element, percent) for element in value) + ")"
    if percent:
        return f"{100 * value:.4g} %"
    return f"{value:.4g}" if abs(value) < 1e6 or value % 1 else f"{value:.3e}"


def in_percent(expressions):
    """For each expression, whether it is an error rate. False for a number in place of an expression."""
    return [isinstance(expression, str) and is_error_rate(Parser(expression).tree()) for expression in expressions]


def joined(values, expressions):
    return ", ".join(map(shown, values, in_percent(expressions)))


def shown_values(judged):
    """The values of a claim as text, with a note if there is one; or the reason why there is no verdict."""
    values = joined(judged.values, judged.claim.value)
    if judged.verdict == NOT_RUN or not values:
        return judged.reason
    return f"{values} ({judged.reason})" if judged.reason else values


def shown_tried(judged):
    """[(what, values as text or the reason why there are none, whether they explain the difference or "")]."""
    return [
        (what, joined(values, tried.value), explains(judged.claim, tried, values)) if values else (what, reason, "")
        for tried, (what, values, reason) in zip(judged.claim.tried, judged.tried)
    ]


def shown_difference(judged):
    """What a claim expects and the paper prints, and the direction of the difference; "" without values."""
    if not judged.values:
        return ""
    paper = "" if judged.claim.paper_value is None else f"paper {shown_paper(judged.claim)}"
    return "; ".join(filter(None, (f"must be {shown_expect(judged.claim)}", paper, direction(judged))))


def shown_note(judged):
    """The note of a claim, with its values in place of {INDEX.DECIMALS}; a dash for a value that is missing."""
    percent = in_percent(judged.claim.value)

    def value(match):
        index, decimals = map(int, match.groups())
        if index >= len(judged.values) or isinstance(judged.values[index], list):
            return "\u2013"
        return f"{judged.values[index] * (100 if percent[index] else 1):.{decimals}f}"

    return VALUE_IN_NOTE.sub(value, judged.claim.note)


def shown_range(span, percent):
    low, high = (f"{100 * end if percent else end:.12g}" for end in span)
    return f"[{low}, {high}]" + (" %" if percent else "")


def shown_expect(claim):
    """The comparison of a claim as text, with bounds in the units of the values."""
    expect, percent = claim.expect, in_percent(claim.value)
    if expect.kind in ("increasing", "equal") or not any(percent):
        return str(expect)
    every = "all " if expect.text.startswith("all ") else ""
    if expect.kind == "within":
        spans = list(map(shown_range, expect.bound, percent))
        return f"{every}within " + (spans[0] if len(set(spans)) == 1 else "[" + ", ".join(spans) + "]")
    return f"{every}{expect.kind} {100 * expect.bound:.12g} %" if all(percent) else str(expect)


def shown_paper(claim):
    """The paper's value as text, in the unit of the claim's values; a single value in the unit of the first."""
    value, percent = claim.paper_value, in_percent(claim.value)
    if value is None:
        return "\u2013"
    if isinstance(value, list):
        return ", ".join(map(shown, value, percent if len(percent) == len(value) else [False] * len(value)))
    return shown(value, percent[0])


def finite(value):
    """Replaces infinity and NaN, which JSON lacks, by None, in lists too."""
    return [finite(element) for element in value] if isinstance(value, list) else value if np.isfinite(value) else None


def as_json(judged, generalised=None):
    """A verdict for JSON; `generalised`: what the claim says on replacing data, if that was judged."""
    claim = judged.claim
    return {
        "paper": claim.paper,
        "id": claim.id,
        "kind": claim.kind,
        "where": claim.where,
        "statement": claim.statement,
        "verdict": judged.verdict,
        "outcome": judged.outcome,
        "undecided": claim.undecided,
        "expected": judged.expected,
        "values": [finite(value) for value in judged.values],
        "expect": str(claim.expect),
        "paper_value": claim.paper_value,
        "tolerance": claim.tolerance,
        "generalises": claim.generalises,
        "on_replacing_data": None
        if generalised is None
        else {
            "verdict": generalised.verdict,
            "values": [finite(value) for value in generalised.values],
            "reason": generalised.reason,
            "data": list(generalised.data),
        },
        "note": shown_note(judged),
        "reason": judged.reason,
        "direction": direction(judged),
        "tried": [
            {
                "what": what,
                "value": [finite(value) for value in values],
                "reason": reason,
                "explains": explains(claim, tried, values) if values else "",
            }
            for tried, (what, values, reason) in zip(claim.tried, judged.tried)
        ],
    }


def paper_as_json(paper):
    """Name and bibliographic data of a paper for JSON; None for missing keys."""
    about = paper.about or {}
    return {"paper": paper.name, **{key: about.get(key) for key in ("title", "authors", "venue", "doi", "url")}}


def tally(judged, outcomes=OUTCOMES):
    """{outcome: number of claims}."""
    return {outcome: sum(judgement.outcome == outcome for judgement in judged) for outcome in outcomes}


def statements(judged):
    return [judgement for judgement in judged if judgement.claim.kind == STATEMENT]


def questions(judged):
    return [judgement for judgement in judged if judgement.claim.kind == QUESTION]


def summed(judged):
    """Counts of the papers' statements, such as "of 7 statements judged, 5 hold and 2 do not; 1 was not run"."""
    number = tally(statements(judged))
    run = sum(number.values()) - number[NOT_RUN]
    parts = [f"{number[HOLDS]} hold{'s' * (number[HOLDS] == 1)}"]
    if number[DOES_NOT_HOLD]:
        parts.append(f"{number[DOES_NOT_HOLD]} {'does' if number[DOES_NOT_HOLD] == 1 else 'do'} not")
    if number[UNDECIDED]:
        parts.append(f"{number[UNDECIDED]} cannot be decided")
    said = f"of {run} statement{'s' * (run != 1)} judged, {listed(parts)}"
    left = number[NOT_RUN]
    return said + (f"; {left} {'were' if left > 1 else 'was'} not run" if left else "")


def listed(parts):
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def print_table(title, judged, outcomes):
    """Prints a table of outcomes: one line per paper, and the total."""
    papers = dict.fromkeys(judgement.claim.paper for judgement in judged)
    width = max(map(len, [*papers, title]))
    print("  ".join([title.ljust(width), *outcomes]))
    for name in [*papers, "all"]:
        mine = [judgement for judgement in judged if name in ("all", judgement.claim.paper)]
        cells = (str(number).rjust(len(outcome)) for outcome, number in tally(mine, outcomes).items())
        print("  ".join([name.ljust(width), *cells]))


def print_brief(judged, generalised=()):
    """Prints the tables of statements, of our questions and of replacing data, and the surprising verdicts."""
    print_table("statements of the papers", statements(judged), OUTCOMES)
    if questions(judged):
        print_table("our questions", questions(judged), OUTCOMES)
    if generalised:
        print_table("on replacing data", generalised, REPLACED_VERDICTS)
    for judgement in judged:
        if judgement.surprising:
            print(
                f"not as recorded: {judgement.paper}: {judgement.claim.id}: {judgement.verdict},"
                f" recorded as {judgement.expected}"
            )


def wrapped(text, width, first, others):
    """A paragraph as lines, indented by `first` and `others` blanks."""
    return textwrap.fill(
        text,
        max(width, 40),
        initial_indent=" " * first,
        subsequent_indent=" " * others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def print_claim(judgement, other, width):
    """Prints a verdict: statement, values, bounds and direction; of a claim that fails, the reason and tried causes."""
    claim = judgement.claim
    kind = "our question: " if claim.kind == QUESTION else ""
    print(wrapped(f"{judgement.verdict}: {claim.id} ({claim.where}): {kind}{claim.statement}", width, 2, 4))
    lines = [f"ours {shown_values(judgement)}; {shown_difference(judgement)}" if judgement.values else judgement.reason]
    if judgement.surprising:
        lines.append(f"SURPRISE: recorded as {judgement.expected}")
    if other and other.claim.generalises:
        values = other.reason or f"{joined(other.values, claim.value)}; must be {shown_expect(claim)}"
        lines.append(f"replaced data: {other.verdict}: {values}")
    if judgement.outcome == UNDECIDED:
        lines.append(f"cannot be decided: {claim.undecided}")
    if judgement.verdict == NOT_REPRODUCED:
        lines.append(shown_note(judgement))
    for what, values, explained in shown_tried(judgement):
        fails = judgement.verdict == NOT_REPRODUCED
        lines.append(
            f"{'tried' if fails else 'also'}: {what}: {values}" + (f" ({explained})" * bool(fails and explained))
        )
    for line in lines:
        print(wrapped(line, width, 6, 8))


def print_text(judged, generalised=()):
    """Prints each claim with its verdict at the width of the terminal, and below it the verdict on replacing data."""
    width = shutil.get_terminal_size().columns
    other = {(generalisation.claim.paper, generalisation.claim.id): generalisation for generalisation in generalised}
    for paper in dict.fromkeys(judgement.paper for judgement in judged):
        mine = [judgement for judgement in judged if judgement.paper == paper]
        asked = len(questions(mine))
        more = f"; {asked} question{'s' * (asked > 1)} of ours" if asked else ""
        print(f"{paper}: {summed(mine)}{more}")
        for judgement in mine:
            print_claim(judgement, other.get((paper, judgement.claim.id)), width)
    todo = any(judgement.needed_tier == "default" for judgement in judged)
    print(f"all: {summed(judged)}" + ("; to get the missing results, run: make experiments" if todo else ""))
    if generalised:
        number = tally(generalised, REPLACED_VERDICTS)
        said = (
            f"{count} {outcome if count == 1 else PLURAL.get(outcome, outcome)}" for outcome, count in number.items()
        )
        print(f"on replacing data: {', '.join(said)}")
    surprises = sum(judgement.surprising for judgement in judged)
    if surprises:
        print(f"{surprises} verdict{'s' if surprises > 1 else ''} not as recorded in claims.toml")
