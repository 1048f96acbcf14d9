"""Columns of a file as text, and what each of them is: numbers or categories.

The training file decides the kinds from the text of its fields. Every other file is read with these kinds.
"""

import math
import re

import numpy as np

from .csv_file import DELIMITERS, Survey, rows_of, sniff
from .table import MISSING, UNNAMED, AddError, check_like_names, check_names, column_text, is_count, number, shown

COMMA_NUMBER = re.compile(r"[+-]?\d[\d.' ]*,[\d.,' ]*")  # 2,5 or 1,204: a decimal comma or thousands


class Columns:
    """The fields of a file as text: `names`, `columns` (lists of str), `lines` of the rows, and the `marks` of missing
    values in lower case.
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
        """The labels in a column. Raises AddError if one is missing. "none" may be a class."""
        for row, text in enumerate(self.columns[at]):
            if text.lower() != "none" and self.missing(text):
                raise AddError(f"{self.place(row, at)}: the label is missing ({self.shown(text)}); remove the row")
        return self.columns[at]


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
        rows = list(rows_of(source.name, source.content, delimiter))[1 if self.header else 0 :]
        columns = [[fields[at].strip() for _, fields in rows] for at in range(len(first))]
        super().__init__(source.name, names, columns, [line for line, _ in rows], marks)
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
    known = [(row, text) for row, text in enumerate(texts.columns[at]) if not texts.missing(text)]
    words = [(row, text) for row, text in known if number_or_none(text) is None]
    if not words:
        return True
    row, text = words[0]
    for row_of_comma, word in words:
        if COMMA_NUMBER.fullmatch(word):
            raise AddError(
                f"{texts.place(row_of_comma, at)}: {shown(word)} has a comma; write numbers as 2.5 and 2500,"
                f" or name the column in --categories"
            )
    numbers = len(known) - len(words)
    if 2 * numbers <= len(known):
        return False
    raise AddError(
        f"{texts.place(row, at)}: {shown(text)} is not a number, as {numbers} of {len(known)} fields are; use"
        f" --missing-marks {shown(text)} if it marks a missing value, or --categories {shown(texts.names[at])}"
    )


def declared_numeric(texts, at):
    """Whether an attribute of an ARFF file is declared as numeric. Raises AddError for dates and strings."""
    kind = texts.types[at]
    if kind not in ("nominal", "numeric", "real", "integer"):
        raise AddError(f"{texts.file}: {column_text(at, texts.names)} is {kind}; leave it out with --drop")
    return kind != "nominal"


def counts_rows(texts, at):
    """Whether a first column without a name counts the rows, as the index that pandas writes."""
    column = texts.columns[0]
    if at != 0 or texts.header and texts.names[0] not in UNNAMED or not all(text.isdecimal() for text in column):
        return False
    return is_count([int(text) for text in column], texts.header, len(texts.names) - 1)


def numbers_of(texts, at, missing):
    """The numbers of a column, NaN where one is missing. Raises AddError for other text."""
    values = np.empty(len(texts.lines))
    for row, text in enumerate(texts.columns[at]):
        if texts.missing(text):
            if missing == "error":
                what = texts.shown(text)
                raise AddError(
                    f"{texts.place(row, at)}: the value is missing ({what}); remove the row, or use --missing"
                )
            values[row] = math.nan
            continue
        value = number_or_none(text)
        if value is None:
            raise AddError(f"{texts.place(row, at)}: {shown(text)} is not a number, as in the training file")
        if not math.isfinite(value):
            raise AddError(f"{texts.place(row, at)}: {shown(text)} is not finite")
        values[row] = value
    return values


def categories_of(texts, at):
    """The categories of a column as objects, None where one is missing."""
    return np.array([None if texts.missing(text) else text for text in texts.columns[at]], dtype=object)
