"""Expressions of claims: numbers, + - * /, brackets, and calls of measures of trials.

The parser reads the whole expression before anything is evaluated. It checks that every called function exists and
that its arguments have the right kinds (measures/registry.py). Evaluation can therefore fail only because of the
results.
"""

import dataclasses
import math
import re
from numbers import Real

from ..errors import ClaimError, nearest
from .registry import FUNCTIONS
from .registry import NUMBER, NUMBERS, kinds_for
from ..results.names import trial_name

TOKEN = re.compile(r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<mark>[-+*/()\[\],]))")

LONGEST, MAX_DEPTH = 1000, 30  # limits: characters of an expression; nested brackets and signs (the parser recurses)


def split(text):
    """Splits a text at the commas outside brackets."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


@dataclasses.dataclass
class Call:
    """A function call. Arguments are trees, lists of trees, or texts; `kinds` has the Kind of each (None: any)."""

    name: str
    arguments: list
    kinds: list

    def evaluate(self, results, numbers):
        if self.name == "paper":
            return numbers.value(self.arguments[0])
        values = [
            [tree.evaluate(results, numbers) for tree in argument]
            if isinstance(argument, list)
            else argument
            if isinstance(argument, str)
            else argument.evaluate(results, numbers)
            for argument in self.arguments
        ]
        for kind, value in zip(self.kinds, values):
            listed = value if kind == NUMBERS and isinstance(value, list) else [value] if kind == NUMBER else None
            if kind in (NUMBER, NUMBERS) and not (listed and all(isinstance(element, Real) for element in listed)):
                raise ClaimError(f"{self.name}: {value} must be {kind.what}")
        return FUNCTIONS[self.name](results, *values)

    def parts(self):
        for argument in self.arguments:
            yield from argument if isinstance(argument, list) else [] if isinstance(argument, str) else [argument]


@dataclasses.dataclass
class Number:
    value: float

    def evaluate(self, results, numbers):
        return self.value

    def parts(self):
        return []


@dataclasses.dataclass
class Operation:
    """One of + - * /. A unary minus is 0 - x."""

    mark: str
    left: object
    right: object

    def evaluate(self, results, numbers):
        a, b = self.left.evaluate(results, numbers), self.right.evaluate(results, numbers)
        for value in (a, b):
            if isinstance(value, (list, str)) or value is None:
                raise ClaimError(f"'{self.mark}': {value} must be a number")
        return a + b if self.mark == "+" else a - b if self.mark == "-" else a * b if self.mark == "*" else a / b

    def parts(self):
        return [self.left, self.right]


def cancelling(tree):
    """The first part x - x or x / x of a tree; None if there is none."""
    if isinstance(tree, Operation) and tree.mark in "-/" and tree.left == tree.right:
        return tree
    return next((operation for part in tree.parts() if (operation := cancelling(part))), None)


def calls(tree):
    """All calls in a tree, outer before inner."""
    if isinstance(tree, Call):
        yield tree
    for part in tree.parts():
        yield from calls(part)


class Parser:
    """Recursive-descent parser of one expression. `papers`: allow paper(path). `depth`: nesting depth of the text in
    an enclosing expression."""

    def __init__(self, text, papers=True, depth=0):
        self.text, self.papers, self.place, self.depth = text, papers, 0, depth

    def tree(self):
        if len(self.text) > LONGEST:
            raise ClaimError(f"'{self.text[:40]}...' has {len(self.text)} characters; at most {LONGEST} are allowed")
        tree = self.sum()
        if self.text[self.place :].strip():
            self.fail()
        return tree

    def fail(self):
        raise ClaimError(f"'{self.text}': syntax error at '{self.text[self.place:]}'")

    def peek(self, marks):
        rest = self.text[self.place :]
        stripped = rest.lstrip()
        if stripped and stripped[0] in marks:
            self.place += len(rest) - len(stripped) + 1
            return stripped[0]
        return None

    def sum(self):
        tree = self.product()
        while mark := self.peek("+-"):
            tree = Operation(mark, tree, self.product())
        return tree

    def product(self):
        tree = self.factor()
        while mark := self.peek("*/"):
            tree = Operation(mark, tree, self.factor())
        return tree

    def factor(self):
        if self.depth > MAX_DEPTH:
            raise ClaimError(f"'{self.text}' is nested too deeply")
        if mark := self.peek("-("):
            self.depth += 1
            tree = Operation("-", Number(0.0), self.factor()) if mark == "-" else self.sum()
            if mark == "(" and not self.peek(")"):
                self.fail()
            self.depth -= 1
            return tree
        match = TOKEN.match(self.text, self.place)
        if not match or match["mark"]:
            self.fail()
        self.place = match.end()
        if match["number"]:
            if not math.isfinite(float(match["number"])):
                raise ClaimError(f"'{self.text}': {match['number']} is out of range")
            return Number(float(match["number"]))
        if not self.peek("("):
            self.fail()
        start, depth = self.place, 1
        while depth and self.place < len(self.text):
            depth += {"(": 1, ")": -1}.get(self.text[self.place], 0)
            self.place += 1
        if depth:
            self.fail()
        return self.call(match["name"], split(self.text[start : self.place - 1]))

    def call(self, name, texts):
        if name == "paper" and self.papers:
            if len(texts) != 1:
                raise ClaimError(f"'{self.text}': paper takes exactly one path")
            return Call(name, texts, [None])
        if name not in FUNCTIONS:
            raise ClaimError(f"'{self.text}': unknown function '{name}'{nearest(name, FUNCTIONS)}")
        kinds = kinds_for(name, len(texts))
        if kinds is None:
            raise ClaimError(f"'{self.text}': {name}: wrong number of arguments: {len(texts)}")
        try:
            return Call(name, [self.argument(*pair) for pair in zip(kinds, texts)], kinds)
        except ClaimError as error:
            raise ClaimError(f"'{self.text}': {name}: {error}") from error

    def argument(self, kind, text):
        """Parses an argument: returns a tree, a list of trees, or the text of a name."""
        if kind in (None, NUMBERS) and text.startswith("["):
            if not text.endswith("]"):
                raise ClaimError(f"'{text}' must end with ']'")
            return [self.inner(part) for part in split(text[1:-1])]
        if kind in (NUMBER, NUMBERS) or kind is None and re.match(r"[A-Za-z_]\w*\(|-?[\d.]+(e-?\d+)?$", text):
            return self.inner(text)
        if kind is not None and kind.choices and text not in kind.names:
            raise ClaimError(f"'{text}' is not {kind.what}{nearest(text, kind.names)}")
        if kind is not None and kind.trial:
            trial_name(kind.trial_of(text))
        elif kind is not None and not re.fullmatch(r"(kernel\.)?[A-Za-z_]\w*", text):
            raise ClaimError(f"'{text}' is not {kind.what}")
        return text

    def inner(self, text):
        return Parser(text, self.papers, self.depth + 1).tree()


class Expression:
    """An expression over results. `numbers`: the paper's Numbers, for paper(path). Raises ClaimError if it is not
    valid."""

    def __init__(self, text, results, numbers=None):
        self.tree, self.results, self.numbers = Parser(text, numbers is not None).tree(), results, numbers

    def value(self):
        return self.tree.evaluate(self.results, self.numbers)
