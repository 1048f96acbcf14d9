"""Reads CSV files with commas, semicolons or tabs as delimiters."""

import csv
import itertools
import math
import re

from .table import (
    LABEL_NAMES,
    AddError,
    Builder,
    check_names,
    choose_label,
    column_text,
    finite,
    is_word,
    lines_of,
)

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
SNIFFED_ROWS = 20


def rows_of(file, content, delimiter):
    """Yields (line number, fields) of each row that is not blank. Raises AddError."""
    reader = csv.reader(lines_of(content, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    line = 1
    try:
        for fields in reader:
            if len(fields) > 1 or (fields and fields[0].strip()):
                yield line, fields
            line = reader.line_num + 1
    except csv.Error as error:
        raise AddError(f"{file}:{line}: {error}") from None


def sniff(file, content):
    """The delimiter for which the first rows have equally many fields and the most numbers. Raises AddError."""
    best, delimiter = None, None
    for candidate in DELIMITERS:
        try:
            rows = [fields for _, fields in itertools.islice(rows_of(file, content, candidate), SNIFFED_ROWS)]
        except AddError:
            continue
        if not rows:
            raise AddError(f"{file}: is empty")
        if len(rows[0]) < 2:
            continue
        if candidate != "," and all(any(map(DECIMAL_COMMA.fullmatch, fields)) for fields in rows[1:] or rows):
            raise AddError(f"{file}: has decimal commas, such as 2,5; use decimal points")
        same = all(len(fields) == len(rows[0]) for fields in rows)
        numbers = sum(not is_word(field) for fields in rows for field in fields)
        score = (same, numbers if same else 0, len(rows[0]))
        if best is None or score > best:
            best, delimiter = score, candidate
    if delimiter is None:
        list(rows_of(file, content, ","))  # an error about quotes is more helpful
        raise AddError(f"{file}: has only one column in its first row; separate fields by commas, semicolons or tabs")
    return delimiter


class Survey:
    """First pass over the file: the first row, and the columns with words (fields that are not numbers) below it.

    Raises AddError for rows of unequal length.
    """

    def __init__(self, file, content, delimiter):
        rows = rows_of(file, content, delimiter)
        self.line, self.first = next(rows)
        self.rows = 1
        self.words = set()
        first_words = {column for column, field in enumerate(self.first) if is_word(field)}
        # "y" may be a column name or the class of the first row. It is a class if it occurs again in its column.
        named = {column for column in first_words if self.first[column].strip().lower() in LABEL_NAMES}
        for line, fields in rows:
            self.rows += 1
            if len(fields) != len(self.first):
                raise AddError(f"{file}:{line}: has {len(fields)} fields, the first row has {len(self.first)}")
            try:
                list(map(float, fields))
            except ValueError:
                self.words.update(c for c, field in enumerate(fields) if c not in self.words and is_word(field))
                named = {column for column in named if fields[column] != self.first[column]}
        # pandas writes 0, 1, 2, ... as the names of columns without names.
        numbered = len(self.first) > 2 and self.first == [str(column) for column in range(len(self.first))]
        self.looks_like_header = bool(first_words - self.words or named or numbered)
        self.first_words = first_words

    def has_header(self, wanted):
        """Whether the first row contains column names."""
        if wanted.header is not None:
            return wanted.header
        if wanted.like is not None and wanted.like.label_column is not None:
            same = wanted.like.names == [field.strip() for field in self.first]
            return same or bool(self.first_words - self.words - {wanted.like.label_column})
        return wanted.by_name or self.looks_like_header


def read_csv(file, content, wanted):
    """Reads a CSV file into a table. Raises AddError."""
    delimiter = sniff(file, content)
    survey = Survey(file, content, delimiter)
    if wanted.by_name and wanted.header is False:
        raise AddError(f"{file}: with --no-header columns have no names; use --label first or last")
    header = survey.has_header(wanted)
    names = [field.strip() for field in survey.first] if header else None
    if header:
        check_names(file, survey.line, names)
        if survey.rows == 1:
            raise AddError(f"{file}: has a header but no rows")
    words = survey.words if header else survey.words | survey.first_words
    label, why = choose_label(file, wanted, len(survey.first), names, words)
    builder = Builder(file)
    what = column_text(label, names)
    careful = b"_" in content  # float() accepts 1_000
    for line, fields in itertools.islice(rows_of(file, content, delimiter), 1 if header else 0, None):
        builder.label(fields.pop(label), line, what)
        try:
            values = list(map(float, fields))
            good = not careful and math.isfinite(sum(values))
        except ValueError:
            good = False
        if not good:  # or all values are finite and only their sum is not
            values = [
                finite(field, f"{file}:{line}: {column_text(c + (c >= label), names)}")
                for c, field in enumerate(fields)
            ]
        builder.dense(values)
    return builder.table(
        len(survey.first) - 1,
        False,
        source=f"CSV with {DELIMITERS[delimiter]}, {'a' if header else 'no'} header",
        label_description=f"{what}, {why}",
        names=names,
        label_column=label,
    )
