"""Columns of a file as text, and what each of them is: numbers or categories.

The training file decides the kinds from the text of its fields. Every other file is read with these kinds.
"""

import itertools
import math
import re

import numpy as np

from . import spooled
from .csv_file import DELIMITERS, Survey, rows_of, sniff
from .table import MISSING, UNNAMED, AddError, check_like_names, check_names, column_text, is_index, number, shown

COMMA_NUMBER = re.compile(r"[+-]?\d[\d.' ]*,[\d.,' ]*")  # 2,5 or 1,204: a decimal comma or thousands


class Columns:
    """The fields of a file as text: `names`, `columns` (iterables of str), `lines` of the rows, and the `marks` of
    missing values in lower case.
    """

    types = None  # declared types of the columns

    def __init__(self, file, names, columns, lines, marks):
        self.file, self.names, self.columns, self.lines, self.marks = file, names, columns, lines, marks

    def place(self, row, at):
        """FILE:LINE: COLUMN, for messages."""
        return f"{self.file}:{self.lines[row]}: {column_text(at, self.names)}"

    def shown(self, text):
        """A text that marks a missing value, for messages."""
        return shown(text) if text else "empty"

    def missing(self, text):
        return text.lower() in self.marks

    def labels(self, at):
        """The labels in a column, a list. Raises AddError if one is missing. "none" may be a class."""
        labels, same = [], {}
        for row, text in enumerate(self.columns[at]):
            if text.lower() != "none" and self.missing(text):
                raise AddError(f"{self.place(row, at)}: the label is missing ({self.shown(text)}); remove the row")
            labels.append(same.setdefault(text, text))
        return labels


class Texts(Columns):
    """A CSV file. Its fields have no blanks around them. Columns without names are called column1, column2, ...

    `train`: the training file of a test file. Raises AddError for a file that is no table.
    """

    def __init__(self, source, wanted, marks, train=None):
        source.check_text()
        delimiter = sniff(source.name, source.content) if train is None else train.delimiter
        survey = Survey(source.name, source.content, delimiter)
        self.delimiter, self.header = delimiter, survey.has_header(wanted)
        first = [field.strip() for field in survey.first]
        if self.header:
            check_names(f"{source.name}:{survey.line}", first)
            if survey.rows == 1:
                raise AddError(f"{source.name}: has a header but no rows")
        names = first if self.header else [f"column{number}" for number in range(1, len(first) + 1)]
        texts, lines = spooled.TextRows(len(first)), spooled.Numbers("q")
        for line, fields in itertools.islice(rows_of(source.name, source.content, delimiter), int(self.header), None):
            texts.append([field.strip() for field in fields])
            lines.append(line)
        super().__init__(source.name, names, texts.columns(), lines.array(), marks)
        if train is not None:
            check_like_names(self, train)
            self.names = train.names

    def description(self):
        names = ", ".join(map(shown_name, self.names[:5])) + (", ..." if len(self.names) > 5 else "")
        return f"CSV with {DELIMITERS[self.delimiter]}, " + (f"a header: {names}" if self.header else "no header")


def shown_name(name):
    return shown(name)[1:-1] or "''"


def marks_of(words):
    """Texts that mark a missing value, in lower case: the usual ones and those that the user gives."""
    return {*MISSING, "#n/a", *(word.strip().lower() for word in words)}


def number_or_none(text):
    """The number of a field, or None for a word. Infinite values are numbers here."""
    try:
        return number(text)
    except ValueError:
        return None


def is_numeric(texts, at):
    """Whether a column of the training file has numbers. Raises AddError if its text contradicts itself."""
    if texts.types is not None:
        return declared_numeric(texts, at)
    known, numbers, first = 0, 0, None
    for row, text in enumerate(texts.columns[at]):
        if texts.missing(text):
            continue
        known += 1
        if number_or_none(text) is not None:
            numbers += 1
        elif COMMA_NUMBER.fullmatch(text):
            raise AddError(
                f"{texts.place(row, at)}: {shown(text)} has a comma; write numbers as 2.5 and 2500, as pandas does"
                f" after read_csv with decimal=',' (or, if they are codes, use --categories)"
            )
        elif first is None:
            first = row, text
    if first is None:
        return True
    if 2 * numbers <= known:
        return False
    row, text = first
    raise AddError(
        f"{texts.place(row, at)}: {shown(text)} is not a number, as {numbers} of {known} fields are; use"
        f" --missing-marks {shown(text)} if it marks a missing value, or --categories {shown(texts.names[at])}"
    )


def declared_numeric(texts, at):
    """Whether an attribute of an ARFF file is declared as numeric. Raises AddError for dates and strings."""
    kind = texts.types[at]
    if kind not in ("nominal", "numeric", "real", "integer"):
        raise AddError(f"{texts.file}: {column_text(at, texts.names)} is {kind}; leave it out with --drop")
    return kind != "nominal"


def row_numbers(texts):
    """How many first columns without names number the rows, as the index that pandas writes."""
    for at, column in enumerate(texts.columns):
        if at > 0 and not texts.header or texts.header and not UNNAMED.fullmatch(texts.names[at]):
            return at
        if not all(text.isdecimal() and len(text) < 19 for text in column):
            return at
        numbers = np.fromiter(map(int, column), dtype=np.int64, count=len(texts.lines))
        if not is_index(numbers, texts.header, len(texts.names) - 1):
            return at
    return len(texts.names)


def numbers_of(texts, at, missing):
    """The numbers of a column, NaN where one is missing. Raises AddError for other text."""
    values = spooled.Numbers("d")
    for row, text in enumerate(texts.columns[at]):
        if texts.missing(text):
            if missing == "error":
                what = texts.shown(text)
                raise AddError(
                    f"{texts.place(row, at)}: the value is missing ({what}); remove the row, or use --missing"
                )
            values.append(math.nan)
            continue
        value = number_or_none(text)
        if value is None:
            raise AddError(f"{texts.place(row, at)}: {shown(text)} is not a number, as in the training file")
        if not math.isfinite(value):
            raise AddError(f"{texts.place(row, at)}: {shown(text)} is not finite")
        values.append(value)
    return values.array()


def categories_of(texts, at):
    """The categories of a column as objects, None where one is missing. Equal texts share one object."""
    same = {}
    shared = (None if texts.missing(text) else same.setdefault(text, text) for text in texts.columns[at])
    return np.fromiter(shared, dtype=object, count=len(texts.lines))
