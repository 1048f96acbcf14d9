"""Reads a time series: text with one step a line, one or several numbers each."""

import math
import re

import numpy as np

from .table import AddError, number, shown

SEPARATORS = re.compile(r"[,;\s]+")
COMMA = re.compile(r"[+-]?\d+,\d+")  # one number with a decimal comma, or two
COMMAS = re.compile(r"[+-]?\d[\d.]*,\d[\d.]*(e[+-]?\d+)?", re.I)  # so, also with thousands or an exponent
THOUSANDS = re.compile(r"[+-]?\d{1,3}( \d{3})+([.,]\d+)?")  # one number with blanks, or several
TIMES = ("year", "date", "time", "t", "ts", "timestamp")  # usual names of a column of times
DIGIT = re.compile(r"\d,\d|^[\W_]*\d")  # a first line that starts with a digit has values


class Series:
    """The values of a series, shape (steps, inputs), with the fields that okbench stores as rows of a data set."""

    sparse, delays = False, None

    def __init__(self, file, content, embedding, horizon, target=None):
        self.embedding, self.horizon = embedding, horizon
        read = Steps(file, content)
        self.time = read.take_time(target)
        if target is not None:
            read.choose(target)
        self.values, self.names = read.values, [read.name(at) for at in range(read.values.shape[1])]
        if len(self.values) <= horizon:
            raise AddError(f"{file}: has {len(self.values)} steps; a series needs more than its horizon, {horizon}")

    def entry(self):
        """The keys of the catalog that describe the series."""
        low, high = float(self.values.min()), float(self.values.max())
        inputs = self.values.shape[1]
        entry = {"format": "series", "features": self.embedding * inputs, "range": [low, high], "kind": "real"}
        if inputs > 1:
            entry["inputs"] = inputs
        return entry | ({"horizon": self.horizon} if self.horizon > 1 else {})


class Steps:
    """The numbers of a series: `values`, shape (steps, inputs), and `names` of the inputs, None without a header.

    One step a line. A first line of words has the names. Raises AddError for a blank line before the last step, which
    would hide a gap, and for commas that may separate inputs or be decimal commas.
    """

    def __init__(self, file, content):
        self.file, self.names, self.lines, self.values = file, None, [], []
        blank = None
        for line, text in enumerate(content.lines(), 1):
            if not text.strip():
                blank = blank or (line if self.values else None)
                continue
            if blank:
                raise AddError(f"{file}:{blank}: is blank, but a series has no gaps; remove the line or fill the step")
            self._add(line, text.strip())
        if not self.values:
            raise AddError(f"{file}: has no numbers")
        self._check_commas(content)
        self.values = np.array(self.values)

    def _add(self, line, text):
        fields = [field for field in SEPARATORS.split(text) if field]
        if not self.values and self.names is None and not any(map(is_number, fields)) and not DIGIT.search(text):
            self.names = fields
            return
        for field in fields:
            if not is_number(field):
                raise AddError(f"{self.file}:{line}: {shown(field)} is not a number")
        values = list(map(float, fields))
        if not all(map(math.isfinite, values)):
            raise AddError(f"{self.file}:{line}: a value is not finite")
        count, what = (len(self.names), "header") if self.names else (len((self.values or [values])[0]), "first step")
        if len(values) != count:
            raise AddError(f"{self.file}:{line}: has {len(values)} values, the {what} has {count}")
        self.lines.append(line)
        self.values.append(values)

    def _check_commas(self, content):
        """Raises AddError if commas may be decimal commas."""
        lines = [text.strip() for text in content.lines()]
        first = lines[self.lines[0] - 1]
        both = "," in first and re.search(r"[;\t ]", first)
        numbers = [lines[line - 1] for line in self.lines]
        if both and all(COMMA.search(text) for text in numbers) and not re.search(r",\s", first):
            raise AddError(f"{self.file}:{self.lines[0]}: {shown(first)} has decimal commas; use decimal points")
        alike = (COMMAS.fullmatch, THOUSANDS.fullmatch)
        if self.names is None and any(all(map(matches, numbers)) for matches in alike):
            raise AddError(
                f"{self.file}:{self.lines[0]}: {shown(first)} may be one number or two; write 2.5 for a number, or"
                " add a line with the names of the inputs"
            )

    def take_time(self, target):
        """Removes a first column that increases in equal steps, and returns its name; None if there is none.

        Raises AddError if most of its steps are equal and some are not, because rows are missing or unordered then; if
        it falls; and if a column with the name of a time has no equal steps.
        """
        if self.values.shape[1] < 2 or len(self.values) < 3 or target in (self.name(0), "1"):
            return None
        steps = np.diff(self.values[:, 0])
        usual = np.median(steps)
        odd = np.flatnonzero(~np.isclose(steps, usual, rtol=1e-6, atol=0))
        if usual == 0 or 2 * len(odd) >= len(steps):
            if self.name(0).lower() in TIMES:
                raise AddError(
                    f"{self.file}:{self.lines[0]}: {self.name(0)} has no equal steps; remove it, or use --target"
                )
            return None
        if usual < 0:
            raise AddError(
                f"{self.file}:{self.lines[1]}: {self.name(0)} falls; sort the lines, or use --target {self.name(0)} if"
                " it is an input"
            )
        if len(odd):
            before, after = (f"{self.values[odd[0] + place, 0]:g}" for place in (0, 1))
            raise AddError(
                f"{self.file}:{self.lines[odd[0] + 1]}: {self.name(0)} goes from {before} to {after} in steps of"
                f" {usual:g}; fill the gap, or use --target {self.name(0)} if it is an input"
            )
        name = self.name(0)
        self.values = self.values[:, 1:]
        self.names = self.names[1:] if self.names else [f"column{at + 2}" for at in range(self.values.shape[1])]
        return name

    def name(self, at):
        return self.names[at] if self.names else f"column{at + 1}"

    def choose(self, target):
        """Makes the input of this name the first. Raises AddError if there is none."""
        names = [self.name(at) for at in range(self.values.shape[1])]
        if target not in names:
            raise AddError(
                f"{self.file}: --target {shown(target)}: no input has this name; inputs are {', '.join(names)}"
            )
        order = [names.index(target), *(at for at, name in enumerate(names) if name != target)]
        self.values, self.names = self.values[:, order], [names[at] for at in order]


def is_number(field):
    try:
        number(field)
    except ValueError:
        return False
    return True
