"""Expressions of claims: numbers, + - * / and brackets, and functions of trials (measures)."""

import re

from ..errors import ClaimError
from .measures import FUNCTIONS

TOKEN = re.compile(r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<mark>[-+*/()\[\],]))")


def split(text):
    """Arguments between commas outside brackets."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


class Expression:
    """One expression, evaluated while it is read; `numbers` are the paper's, for paper(path)."""

    def __init__(self, text, results, numbers=None):
        self.text, self.results, self.numbers, self.place = text, results, numbers, 0

    def value(self):
        value = self.sum()
        if self.text[self.place :].strip():
            self.fail()
        return value

    def fail(self):
        raise ClaimError(f"'{self.text}' cannot be read from '{self.text[self.place:]}' on")

    def peek(self, marks):
        rest = self.text[self.place :]
        stripped = rest.lstrip()
        if stripped and stripped[0] in marks:
            self.place += len(rest) - len(stripped) + 1
            return stripped[0]
        return None

    def sum(self):
        value = self.product()
        while mark := self.peek("+-"):
            other = self.product()
            value = value + other if mark == "+" else value - other
        return value

    def product(self):
        value = self.factor()
        while mark := self.peek("*/"):
            other = self.factor()
            value = value * other if mark == "*" else value / other
        return value

    def factor(self):
        if self.peek("-"):
            return -self.factor()
        if self.peek("("):
            value = self.sum()
            if not self.peek(")"):
                self.fail()
            return value
        match = TOKEN.match(self.text, self.place)
        if not match or match["mark"]:
            self.fail()
        self.place = match.end()
        if match["number"]:
            return float(match["number"])
        if not self.peek("("):
            self.fail()
        start, depth = self.place, 1
        while depth and self.place < len(self.text):
            depth += {"(": 1, ")": -1}.get(self.text[self.place], 0)
            self.place += 1
        if depth:
            self.fail()
        return self.call(match["name"], split(self.text[start : self.place - 1]))

    def call(self, name, arguments):
        if name == "paper" and self.numbers is not None:
            return self.numbers.value(",".join(arguments))
        if name not in FUNCTIONS:
            raise ClaimError(f"'{self.text}' calls the unknown function '{name}'")
        try:
            return FUNCTIONS[name](self.results, *[self.argument(text) for text in arguments])
        except (TypeError, KeyError) as error:
            raise ClaimError(f"'{self.text}': {name}: {error}") from error

    def argument(self, text):
        """A number, a list of numbers, a nested call, or the name of a trial, data set, column or kind."""
        if text.startswith("["):
            return [Expression(part, self.results, self.numbers).value() for part in split(text[1:-1])]
        if re.match(r"[A-Za-z_]\w*\(", text) or re.fullmatch(r"-?[\d.]+(e-?\d+)?", text):
            return Expression(text, self.results, self.numbers).value()
        return text
