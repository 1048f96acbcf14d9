"""Claims: what the papers state, as data beside the specs, judged on traces.

A claim's `value` is an expression, or a list of them; `expect` the comparison that must hold. Expressions are made of
numbers, + - * / and brackets (results/expressions.py), and of functions of trials (results/measures).
"""

import argparse
import dataclasses
import json
import pathlib
import re
import sys
import tomllib

import numpy as np

from .errors import ClaimError, NotRun, TraceFileError
from .results import Expression, Results

REPRODUCED, NOT_REPRODUCED, NOT_RUN = "reproduced", "not reproduced", "not run"


def numbers(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ClaimError(f"'{text}' must be a number or a list") from error


def holds(expect, values, paper):
    """Whether the values are as expected."""
    if expect == "increasing":
        return all(a < b for a, b in zip(values, values[1:]))
    if expect == "equal":
        return values == paper
    match = re.fullmatch(r"(all )?(<=|>=|within) (.+)", expect)
    if not match:
        raise ClaimError(f"'{expect}' is no comparison: increasing, equal, or [all] <=, >= or within")
    every, comparison, bound = match[1], match[2], numbers(match[3])
    if comparison == "within":
        ranges = bound if isinstance(bound[0], list) else [bound] * len(values)
        return len(ranges) == len(values) and all(low <= value <= high for value, (low, high) in zip(values, ranges))
    if len(values) > 1 and not every:
        raise ClaimError(f"'{expect}' needs 'all' for a list of values")
    return all(value <= bound if comparison == "<=" else value >= bound for value in values)


@dataclasses.dataclass
class Judged:
    """A claim with its verdict."""

    paper: str
    claim: dict
    verdict: str
    values: list
    reason: str = ""

    @property
    def expected(self):
        """The verdict recorded as expected; a claim that could not be judged is never a surprise."""
        return self.claim.get("expected", REPRODUCED)

    @property
    def surprising(self):
        return self.verdict != NOT_RUN and self.verdict != self.expected


FIELDS = {"id": str, "where": str, "statement": str, "value": (str, list), "expect": str, "tolerance": str, "note": str,
          "paper": (int, float, list, str), "expected": str, "tier": str}
NEEDED = ("id", "where", "statement", "value", "expect", "tolerance", "note")


def read(path):
    """(paper, claims) of one file; raises ClaimError with file and id."""
    try:
        content = tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ClaimError(f"{path}: {error}") from error
    if content.get("format") != 1 or not isinstance(content.get("paper"), str):
        raise ClaimError(f"{path}: needs format = 1 and the paper's name")
    seen = set()
    for claim in content.get("claims", []):
        name = claim.get("id", "?")
        for key, value in claim.items():
            if key not in FIELDS or not isinstance(value, FIELDS[key]):
                raise ClaimError(f"{path}: claim '{name}': key '{key}' is not known or of the wrong type")
        missing = [key for key in NEEDED if key not in claim]
        if missing:
            raise ClaimError(f"{path}: claim '{name}': key '{missing[0]}' is missing")
        if claim.get("expected", REPRODUCED) not in (REPRODUCED, NOT_REPRODUCED):
            raise ClaimError(f"{path}: claim '{name}': expected must be '{REPRODUCED}' or '{NOT_REPRODUCED}'")
        if name in seen:
            raise ClaimError(f"{path}: two claims are called '{name}'")
        seen.add(name)
    return content["paper"], content.get("claims", [])


def plain(value):
    """Python's own numbers, whatever an expression gave."""
    return [plain(one) for one in value] if isinstance(value, list) else value if isinstance(value, int) else float(value)


def judge(paper, claim, results):
    """The verdict on one claim."""
    texts = claim["value"] if isinstance(claim["value"], list) else [claim["value"]]
    results.tier = claim.get("tier")
    try:
        values = [plain(Expression(text, results).value()) for text in texts]
        if any(np.isnan(number) for value in values for number in (value if isinstance(value, list) else [value])):
            raise NotRun("these results are too few for a number")
        good = holds(claim["expect"], values, claim.get("paper"))
    except NotRun as reason:
        return Judged(paper, claim, NOT_RUN, [], str(reason))
    except ZeroDivisionError:
        return Judged(paper, claim, NOT_RUN, [], "these results leave nothing to divide by")
    except (ClaimError, TraceFileError, ValueError) as error:
        raise ClaimError(f"claim '{claim['id']}' of {paper}: {error}") from error
    return Judged(paper, claim, REPRODUCED if good else NOT_REPRODUCED, values)


# The verb `claims`.


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
    return {"paper": judged.paper, "id": claim["id"], "where": claim["where"], "statement": claim["statement"],
            "verdict": judged.verdict, "expected": judged.expected, "values": [finite(value) for value in judged.values], "expect": claim["expect"],
            "paper_value": claim.get("paper"), "tolerance": claim["tolerance"], "note": claim["note"], "reason": judged.reason}


def counts(judged):
    """"5 reproduced, 2 not reproduced, 1 not run"."""
    return ", ".join(f"{sum(one.verdict == verdict for one in judged)} {verdict}" for verdict in (REPRODUCED, NOT_REPRODUCED, NOT_RUN))


def print_text(judged):
    for paper in dict.fromkeys(one.paper for one in judged):
        mine = [one for one in judged if one.paper == paper]
        print(f"{paper}: {counts(mine)}")
        width = max(len(one.claim["id"]) for one in mine)
        for one in mine:
            values = ", ".join(map(shown, one.values)) or one.reason
            print(f"  {one.verdict:<15} {one.claim['id']:<{width}}  {values}" + (f"  (must be {one.claim['expect']})" if one.values else "")
                  + (f"  SURPRISE: recorded as {one.expected}" if one.surprising else ""))
            if one.verdict == NOT_REPRODUCED:
                print(f"  {'':<15} {'':<{width}}  {one.claim['note']}")
    print(f"all: {counts(judged)}")
    surprises = sum(one.surprising for one in judged)
    if surprises:
        print(f"{surprises} verdict{'s' if surprises > 1 else ''} not as recorded in claims.toml")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="okbench claims", description="Judges what the papers state on the traces.")
    parser.add_argument("--experiments", type=pathlib.Path, required=True, help="folder of papers with claims.toml")
    parser.add_argument("--results", type=pathlib.Path, required=True, help="result folder")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument("papers", nargs="*", help="papers; default: all")
    options = parser.parse_args(arguments)
    known = sorted(path.parent.name for path in options.experiments.glob("*/claims.toml"))
    unknown = [paper for paper in options.papers if paper not in known]
    if unknown:
        print(f"okbench: no claims of '{unknown[0]}'; there are {', '.join(known)}", file=sys.stderr)
        return 2
    if not options.results.is_dir():
        print(f"okbench: {options.results}: no such result folder; make experiments fills one", file=sys.stderr)
        return 2
    results = Results(options.results)
    try:
        judged = [judge(paper, claim, results) for name in options.papers or known
                  for paper, claims in [read(options.experiments / name / "claims.toml")] for claim in claims]
    except ClaimError as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"format": 1, "claims": [as_json(one) for one in judged]}, indent=1))
    else:
        print_text(judged)
    return 1 if any(one.surprising for one in judged) else 0


if __name__ == "__main__":
    sys.exit(main())
