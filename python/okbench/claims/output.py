"""Verdicts as text and as JSON."""

import numpy as np

from .files import NOT_REPRODUCED, REPRODUCED
from .judging import NOT_RUN


def shown(value):
    """A value for reading."""
    if isinstance(value, list):
        return "(" + ", ".join(map(shown, value)) + ")"
    return f"{value:.4g}" if abs(value) < 1e6 or value % 1 else f"{value:.3e}"


def finite(value):
    """A value for JSON, which has no infinity: null."""
    return [finite(one) for one in value] if isinstance(value, list) else value if np.isfinite(value) else None


def as_json(judged):
    claim = judged.claim
    return {
        "paper": claim.paper,
        "id": claim.id,
        "where": claim.where,
        "statement": claim.statement,
        "verdict": judged.verdict,
        "expected": judged.expected,
        "values": [finite(value) for value in judged.values],
        "expect": str(claim.expect),
        "paper_value": claim.paper_value,
        "tolerance": claim.tolerance,
        "note": claim.note,
        "reason": judged.reason,
        "tried": [
            {"what": what, "value": [finite(value) for value in values], "reason": reason}
            for what, values, reason in judged.tried
        ],
    }


def counts(judged):
    """ "5 reproduced, 2 not reproduced, 1 not run"."""
    verdicts = (REPRODUCED, NOT_REPRODUCED, NOT_RUN)
    return ", ".join(f"{sum(one.verdict == verdict for one in judged)} {verdict}" for verdict in verdicts)


def print_text(judged):
    for paper in dict.fromkeys(one.paper for one in judged):
        mine = [one for one in judged if one.paper == paper]
        print(f"{paper}: {counts(mine)}")
        width = max(len(one.claim.id) for one in mine)
        for one in mine:
            line = f"  {one.verdict:<15} {one.claim.id:<{width}}  {', '.join(map(shown, one.values)) or one.reason}"
            if one.values:
                line += f"  (must be {one.claim.expect})"
            if one.surprising:
                line += f"  SURPRISE: recorded as {one.expected}"
            print(line)
            if one.verdict == NOT_REPRODUCED:
                print(f"  {'':<15} {'':<{width}}  {one.claim.note}")
                for what, values, reason in one.tried:
                    print(f"  {'':<15} {'':<{width}}  tried: {what}: {', '.join(map(shown, values)) or reason}")
    todo = any(one.needed_tier == "default" for one in judged)
    print(f"all: {counts(judged)}" + ("; for results to judge, type: make experiments" if todo else ""))
    surprises = sum(one.surprising for one in judged)
    if surprises:
        print(f"{surprises} verdict{'s' if surprises > 1 else ''} not as recorded in claims.toml")
