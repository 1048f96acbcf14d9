"""Reads CSV files with commas, semicolons or tabs as delimiters."""

import csv
import itertools
import math
import re

from .table import (
    LABEL_NAMES,
    MISSING,
    AddError,
    Builder,
    check_names,
    choose_label,
    column_text,
    finite,
    is_word,
    number,
    shown,
)

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
LETTER = re.compile(r"[^\W\d]")  # what a name starts with
SNIFFED_ROWS = 20
MOST_REMEMBERED = 10_000  # values of a column


def rows_of(file, content, delimiter):
    """Yields (line number, fields) of each row that is not blank. Raises AddError."""
    reader = csv.reader(content.lines(newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    line = 1
    try:
        for fields in reader:
            if len(fields) > 1 or (fields and fields[0].strip()):
                yield line, fields
            line = reader.line_num + 1
    except csv.Error as error:
        raise AddError(f"{file}:{line}: {error}; is it a CSV file?") from None


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
            raise AddError(
                f"{file}: has decimal commas, such as 2,5; write numbers as 2.5, as pandas does after read_csv with"
                " decimal=','"
            )
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

    `names`: columns whose first field is a word that does not occur again below. Raises AddError for rows of unequal
    length.
    """

    def __init__(self, file, content, delimiter):
        rows = rows_of(file, content, delimiter)
        self.line, self.first = next(rows)
        self.rows = 1
        self.file, self.words = file, set()
        self.first_words = {column for column, field in enumerate(self.first) if is_word(field)}
        # "y" may be a column name or the class of the first row. It is a class if it occurs again in its column.
        self.names = set(self.first_words)
        below = {column: set() for column in self.first_words}  # values until one repeats
        for line, fields in rows:
            self.rows += 1
            if len(fields) != len(self.first):
                raise AddError(f"{file}:{line}: has {len(fields)} fields, the first row has {len(self.first)}")
            try:
                list(map(float, fields))
            except ValueError:
                self.words.update(c for c, field in enumerate(fields) if c not in self.words and is_word(field))
                self.names = {column for column in self.names if fields[column] != self.first[column]}
            for column in [column for column, values in below.items() if fields[column] in values]:
                del below[column]
            for column, values in below.items():
                if len(values) < MOST_REMEMBERED:
                    values.add(fields[column])
        self.repeat = not below  # whether each of these columns repeats a value

    def has_header(self, wanted):
        """Whether the first row contains column names. Raises AddError if it may have names or values."""
        if wanted.header is not None:
            return wanted.header
        first = [field.strip() for field in self.first]
        train = wanted.header_of
        if train is not None:
            # A test file has the header of the training file, or none.
            same = train.header and train.names == first
            if not same and self.first_words - self.words and self.rows > 1:
                raise AddError(f"{self.file}:{self.line}: the first row is not the header of {train.file}")
            return same
        if wanted.like is not None and wanted.like.label_column is not None:
            same = wanted.like.names == first
            return same or bool(self.first_words - self.words - {wanted.like.label_column})
        # pandas writes 0, 1, 2, ... as the names of columns without names.
        if wanted.by_name or (len(first) > 2 and first == [str(column) for column in range(len(first))]):
            return True
        above = self.first_words - self.words  # words above columns of numbers
        numbers = [field for field in first if field and not is_word(field) and field.lower() not in MISSING]
        if above:
            if numbers or not all(LETTER.match(first[column]) for column in above):
                self._ambiguous()
            return True
        if any(first[column].lower() in LABEL_NAMES for column in self.names):
            return not numbers or self._ambiguous()
        if self.rows > 1 and len(self.words) == len(first) and self.names == self.first_words:
            self._ambiguous()  # text above text
        if len(numbers) > 1 and self.names == self.first_words:
            # Names of columns may be numbers: years, or 0, 1, 2, ... beside one word that is no class.
            if years(numbers) or self.first_words and self.repeat and increase(numbers):
                self._ambiguous()
        return False

    def _ambiguous(self):
        row = shown(",".join(self.first))
        raise AddError(
            f"{self.file}:{self.line}: the first row {row} may have names or values; use --header or --no-header"
        )


def increase(fields):
    """Whether the numbers of the fields increase."""
    return all(number(before) < number(field) for before, field in itertools.pairwise(fields))


def years(numbers):
    """Whether the fields are years in equal steps, which may be names of columns."""
    if not all(field.isdecimal() and 1800 <= int(field) <= 2200 for field in numbers):
        return False
    steps = {int(b) - int(a) for a, b in zip(numbers, numbers[1:])}
    return len(steps) == 1 and steps != {0}


def read_csv(file, content, wanted):
    """Reads a CSV file into a table. Raises AddError."""
    delimiter = sniff(file, content)
    survey = Survey(file, content, delimiter)
    if wanted.by_name and wanted.header is False:
        raise AddError(f"{file}: with --no-header columns have no names; use --label first or last")
    header = survey.has_header(wanted)
    names = [field.strip() for field in survey.first] if header else None
    if header:
        check_names(f"{file}:{survey.line}", names)
        if survey.rows == 1:
            raise AddError(f"{file}: has a header but no rows")
    words = survey.words if header else survey.words | survey.first_words
    label, why = choose_label(file, wanted, len(survey.first), names, words)
    builder = Builder(file)
    what = column_text(label, names)
    careful = content.has(b"_")  # float() accepts 1_000
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
