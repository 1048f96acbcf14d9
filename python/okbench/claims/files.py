"""Reads and checks claims files. docs/reference/claims.md describes the format."""

import dataclasses
import fnmatch
import pathlib
import re

from ..errors import ClaimError, nearest
from ..home import experiment_folders
from ..reading import files_like, read_toml
from ..measures.expressions import Parser, calls, cancelling
from ..measures.registry import AXIS
from ..results.names import trial_name
from ..results.trials import SIZED
from .about import read_about
from .comparisons import Comparison, comparison
from .paper_numbers import Numbers, is_number
from .specs import Specs

REPRODUCED, NOT_REPRODUCED = "reproduced", "not reproduced"
STATEMENT, QUESTION = "statement", "question"  # of the paper, and of ours

VALUE_IN_NOTE = re.compile(r"\{(\d+)\.(\d)\}")  # {2.1}: the third value with one decimal, in percent for rates
SECTIONS = ("format", "paper", "about", "figures", "numbers", "claims")
FIELDS = {
    "id": str,
    "kind": str,
    "undecided": str,
    "where": str,
    "statement": str,
    "value": (str, list),
    "expect": str,
    "tolerance": str,
    "note": str,
    "paper": (int, float, list, str),
    "expected": str,
    "tier": str,
    "generalises": bool,
    "blocked_by": str,
    "tried": list,
    "plausible": list,
}
TIMED = ("seconds", "kernel_share")  # measures that depend on the speed of the machine
NEEDED = ("id", "where", "statement", "value", "expect", "tolerance", "note")


@dataclasses.dataclass
class Claim:
    """A statement of a paper or a question of ours, with the comparison that tests it (docs/reference/claims.md)."""

    paper: str
    numbers: Numbers
    id: str
    where: str
    statement: str
    value: list  # texts of expressions
    expect: Comparison
    tolerance: str
    note: str
    paper_value: object  # a number, a list, or None
    expected: str
    tier: str | None
    blocked_by: str | None = None  # reason why an experiment has no spec
    tried: list = dataclasses.field(default_factory=list)  # Tried: tested causes of a difference to the paper
    generalises: bool = False  # whether it is about behaviour, so that other data can confirm it
    plausible: list | None = None  # [low, high] of each value; None: from ranges.json (power.py)
    kind: str = STATEMENT
    undecided: str = ""  # what the paper does not print, so that a failing claim cannot be decided

    @property
    def timed(self):
        """Whether a value depends on the speed of the machine. Such a claim has values, but no verdict."""
        return any(call.name in TIMED for text in self.value for call in calls(Parser(text).tree()))


@dataclasses.dataclass
class Tried:
    """A tested cause of a difference to the paper, and the result."""

    what: str
    value: list  # texts of expressions, or numbers from runs without a spec


@dataclasses.dataclass
class Paper:
    """Content of a claims file."""

    name: str
    numbers: Numbers
    claims: list
    about: dict | None = None  # title, authors, venue, text, doi, url


def check_expressions(expressions, numbers, specs, blocked_by):
    """Parses expressions and checks that the names in them exist. Raises ClaimError.

    `specs`: None skips the check of trials. `blocked_by`: experiments without a spec are allowed, and at least one
    must be missing.
    """
    missing = False
    for call in [call for text in expressions for call in calls(Parser(text).tree())]:
        if call.name == "paper":
            numbers.value(call.arguments[0])
            continue
        axes = [text for kind, text in zip(call.kinds, call.arguments) if kind == AXIS]
        for kind, text in zip(call.kinds, call.arguments):
            if kind is None or not kind.trial or specs is None:
                continue
            trial = kind.trial_of(text)
            if blocked_by and trial_name(trial).experiment not in specs.known():
                missing = True
            else:
                specs.check(trial, axes)
    if blocked_by and specs is not None and not missing:
        raise ClaimError("has blocked_by, but every experiment in its value has a spec")


def check_can_fail(expressions):
    """Raises ClaimError if a claim's values do not depend on results."""
    trees = [Parser(text).tree() for text in expressions]
    if not any(kind and kind.trial for tree in trees for call in calls(tree) for kind in call.kinds):
        raise ClaimError("its value reads no result, so it cannot fail")
    for text, tree in zip(expressions, trees):
        if same := cancelling(tree):
            raise ClaimError(f"'{text}': both sides of '{same.mark}' are equal, so it cannot fail")


def read_tried(entry, numbers, specs):
    """Reads the key `tried` of a claim. Raises ClaimError."""
    tried = []
    for cause in entry.get("tried", []):
        if not isinstance(cause, dict) or set(cause) != {"what", "value"} or not isinstance(cause["what"], str):
            raise ClaimError("tried must be tables { what = TEXT, value = EXPRESSION or NUMBER }")
        values = cause["value"] if isinstance(cause["value"], list) else [cause["value"]]
        if not values or not all(isinstance(value, str) or is_number(value) for value in values):
            raise ClaimError(f"tried '{cause['what']}': value must be an expression, a number, or a list of them")
        check_expressions([value for value in values if isinstance(value, str)], numbers, specs, None)
        tried.append(Tried(cause["what"], values))
    return tried


def read_plausible(entry, count):
    """Reads the key `plausible` of a claim: a [LOW, HIGH] per value, or None without the key. Raises ClaimError."""
    if "plausible" not in entry:
        return None
    ranges = entry["plausible"]
    ranges = [ranges] * count if all(map(is_number, ranges)) else ranges
    good = len(ranges) == count and all(
        isinstance(interval, list)
        and len(interval) == 2
        and all(map(is_number, interval))
        and interval[0] < interval[1]
        for interval in ranges
    )
    if not good:
        raise ClaimError("plausible must be [LOW, HIGH] with LOW < HIGH, or a list with one of them per value")
    return ranges


def make_claim(paper, entry, numbers, specs=None):
    """Makes a Claim from its table in the file. Checks trials against `specs` if given. Raises ClaimError."""
    for key, value in entry.items():
        if key not in FIELDS or not isinstance(value, FIELDS[key]):
            raise ClaimError(f"{key}: unknown key, or a value of the wrong type{nearest(key, FIELDS)}")
    missing = [f"'{key}'" for key in NEEDED if key not in entry]
    if missing:
        raise ClaimError(f"key{'s' * (len(missing) > 1)} {', '.join(missing)} {'are' if missing[1:] else 'is'} missing")
    expected = entry.get("expected", REPRODUCED)
    if expected not in (REPRODUCED, NOT_REPRODUCED):
        raise ClaimError(f"expected must be '{REPRODUCED}' or '{NOT_REPRODUCED}'")
    expressions = entry["value"] if isinstance(entry["value"], list) else [entry["value"]]
    if not expressions or not all(isinstance(text, str) for text in expressions):
        raise ClaimError("value must be an expression or a list of them")
    if entry.get("kind", STATEMENT) not in (STATEMENT, QUESTION):
        raise ClaimError(f"kind must be '{STATEMENT}' (of the paper) or '{QUESTION}' (of ours)")
    if entry.get("tier", SIZED[0]) not in SIZED:
        raise ClaimError(f"tier must be '{SIZED[0]}' or '{SIZED[1]}'")
    if not entry.get("blocked_by", "why"):
        raise ClaimError("blocked_by must state a reason")
    for place in VALUE_IN_NOTE.findall(entry["note"]):
        if int(place[0]) >= len(expressions):
            raise ClaimError(f"note: {{{'.'.join(place)}}} is not one of the {len(expressions)} values")
    check_expressions(expressions, numbers, specs, entry.get("blocked_by"))
    tried = read_tried(entry, numbers, specs)
    if expected == NOT_REPRODUCED and not tried:
        raise ClaimError(f"is recorded as {NOT_REPRODUCED}, but has no 'tried': add a tested cause")
    stated = entry.get("paper")
    claim = Claim(
        paper=paper,
        numbers=numbers,
        value=expressions,
        expect=comparison(entry["expect"], len(expressions), stated, numbers),
        paper_value=None if stated is None else numbers.resolved(stated),
        expected=expected,
        tier=entry.get("tier"),
        generalises=entry.get("generalises", False),
        blocked_by=entry.get("blocked_by"),
        tried=tried,
        plausible=read_plausible(entry, len(expressions)),
        kind=entry.get("kind", STATEMENT),
        undecided=entry.get("undecided", ""),
        **{key: entry[key] for key in ("id", "where", "statement", "tolerance", "note")},
    )
    if claim.timed and "expected" in entry:
        raise ClaimError(f"has no verdict, because {' and '.join(TIMED)} depend on the machine: remove 'expected'")
    return claim


def contents(path):
    """Returns (parsed TOML, Numbers) of a claims file after checking [numbers] and [about]. Raises ClaimError."""
    content = read_toml(path)
    if content.get("format") != 1 or not isinstance(content.get("paper"), str):
        raise ClaimError(f"{path}: needs format = 1 and paper = NAME")
    for key in content:
        if key not in SECTIONS:
            raise ClaimError(f"{path}: {key}: unknown key; allowed are {', '.join(SECTIONS)}")
    try:
        read_about(content)
        return content, Numbers(content.get("numbers", {}))
    except ClaimError as error:
        raise ClaimError(f"{path}: {error}") from error


def read(path, specs=None):
    """Reads the Paper of a claims file and checks it against `specs` (default: all specs of the folder of papers).

    Raises ClaimError; the message has the file and the claim's id.
    """
    path = pathlib.Path(path)
    content, numbers = contents(path)
    specs = specs or Specs(path.parent.parent)
    claims = {}
    entries = content.get("claims", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ClaimError(f"{path}: claims must be an array of tables [[claims]]")
    for entry in entries:
        name = entry.get("id", "?")
        try:
            claim = make_claim(content["paper"], entry, numbers, specs)
        except ClaimError as error:
            raise ClaimError(f"{path}: claim '{name}': {error}") from error
        if name in claims:
            raise ClaimError(f"{path}: two claims have the id '{name}'")
        claims[name] = claim
    return Paper(content["paper"], numbers, list(claims.values()), content.get("about"))


def read_papers(folders, names=()):
    """[(folder of its claims file, Paper)] of the named papers below folders (default: all).

    A name PAPER/PART selects the claims of a figure or table, or one claim. Raises ClaimError.
    """
    files = claims_files(folders)
    unknown = [name for name in names if name.partition("/")[0] not in files]
    if unknown:
        known = ", ".join(sorted(files))
        raise ClaimError(f"no claims of '{unknown[0]}'{nearest(unknown[0], files)}; papers with claims: {known}")
    specs, papers = Specs(*folders), []
    for whole in names or sorted(files):
        name, _, part = whole.partition("/")
        paper = read(files[name], specs)
        if part:
            paper = dataclasses.replace(paper, claims=claims_of(files[name], paper, whole))
        for claim in paper.claims:
            try:
                check_can_fail(claim.value)
            except ClaimError as error:
                raise ClaimError(f"{files[name]}: claim '{claim.id}': {error}") from error
        papers.append((files[name].parent, paper))
    return papers


def claims_of(path, paper, name):
    """The claims of a figure or table PAPER/FIGURE, or the claim PAPER/ID. Raises ClaimError."""
    part = name.partition("/")[2]
    figures = {figure.get("name"): figure.get("claims", []) for figure in contents(path)[0].get("figures", [])}
    patterns = figures.get(name, [part])
    claims = [claim for claim in paper.claims if any(fnmatch.fnmatchcase(claim.id, pattern) for pattern in patterns)]
    if not claims:
        known = [figure for figure in figures if figures[figure]] + [
            f"{paper.name}/{claim.id}" for claim in paper.claims
        ]
        raise ClaimError(f"no claims of '{name}'{nearest(name, known)}")
    return claims


def numbers(paper):
    """Numbers of a paper, given its short name. Raises ClaimError."""
    places = [pathlib.Path(folder, paper, "claims.toml") for folder in experiment_folders()]
    return contents(next((place for place in places if place.is_file()), places[0]))[1]


def claims_files(folders):
    """{paper: path of its claims file} below folders of papers. Raises ClaimError for two papers of one name."""
    files = {}
    for folder in folders:
        for path in files_like(folder, "*", "claims.toml"):
            if path.parent.name in files:
                raise ClaimError(f"{path}: same paper name as {files[path.parent.name]}")
            files[path.parent.name] = path
    return files
