"""Table: the rows of a file with their line numbers. Also helpers that all readers share."""

import dataclasses
import math
import re

import numpy as np

from ...errors import RequestError
from .spooled import Numbers, release

LABEL_NAMES = ("label", "class", "target", "y")  # usual names of a label column, in upper or lower case
MISSING = ("", "?", "na", "n/a", "nan", "null", "none")
NO_LABEL = ("", "?", "na", "n/a", "#n/a", "nan", "null")  # "none" may be a class
INFINITE = ("inf", "infinity")
UNNAMED = re.compile(r"(Unnamed: \d+(\.\d+)?)?")  # names of the index columns that pandas writes
BLOCK = 1 << 20  # values that are looked at together


class AddError(RequestError):
    """A file cannot be added as a data set."""


def shown(text, longest=40):
    """A text for a message: quoted, cut after `longest` characters, with '?' for unprintable characters."""
    cut = text if len(text) <= longest else text[:longest] + "..."
    return "'" + "".join(c if c.isprintable() else "?" for c in cut) + "'"


def plain(value):
    """The shortest text that reads back as this float64; integers have no ".0"."""
    return repr(value).removesuffix(".0")


def number(text):
    """The float of a text. Raises ValueError, also for underscores (1_000), which float() accepts."""
    if "_" in text:
        raise ValueError(text)
    return float(text)


def is_word(text):
    """Whether a field is neither a number nor a missing value."""
    if text.strip().lower() in MISSING:
        return False
    try:
        number(text)
    except ValueError:
        return True
    return False


def finite(text, place):
    """The finite number in a feature's field. Raises AddError that starts with `place`."""
    if text.strip().lower() in MISSING:
        what = shown(text) if text.strip() else "empty"
        raise AddError(f"{place}: the value is missing ({what}); remove the row, or use --missing with a CSV file")
    try:
        value = number(text)
    except ValueError:
        raise AddError(f"{place}: {shown(text)} is not a number; encode it, or use --missing with a CSV file") from None
    if not math.isfinite(value):
        raise AddError(f"{place}: {shown(text)} is not finite")
    return value


def is_index(values, header, features):
    """Whether the values of a column without a name number the rows.

    They count up; without a header only from 0 or 1, in more than two rows, and if the column is not the only feature.
    With a header and at least ten rows, different whole numbers are enough: pandas keeps the index of rows that it
    sorts or leaves out.
    """
    values = np.asarray(values)
    if not len(values) or not header and (values[0] not in (0, 1) or len(values) < 3 or features == 1):
        return False
    if np.all(values == values[0] + np.arange(len(values))):
        return True
    return header and len(values) > 9 and bool(np.all(values == np.rint(values))) and len(set(values)) == len(values)


@dataclasses.dataclass
class Table:
    """Rows in the order of the file, dense (`values` is a matrix, `offsets` is None) or in CSR format."""

    file: str
    source: str  # description of the file format
    labels: list  # text of each row's label
    label_description: str  # description of the label column
    values: np.ndarray
    features: int
    lines: np.ndarray | None = None  # line number of each row, from 1; None for formats without lines
    offsets: np.ndarray | None = None
    indices: np.ndarray | None = None  # feature of each value, from 0
    names: list | None = None  # names of all columns, including the label
    label_column: int | None = None  # from 0
    nominal: bool = False  # whether the file declares the labels as classes
    delays: np.ndarray | None = None  # steps until each label becomes known

    @property
    def sparse(self):
        return self.offsets is not None

    def __len__(self):
        return len(self.labels)

    def where(self, row):
        """The position of a row, for messages."""
        return f"{self.file}:{self.lines[row]}" if self.lines is not None else f"{self.file}: row {row + 1}"

    def take_delays(self, column):
        """Removes the column of this name, and keeps its values as the delays of the labels. Raises AddError."""
        if self.sparse or self.names is None or column not in self.names:
            raise AddError(f"{self.file}: --delay {shown(column)}: no column has this name")
        place = self.names.index(column)
        if place == self.label_column:
            raise AddError(f"{self.file}: --delay {shown(column)}: is the column of the label")
        before = self.label_column is not None and self.label_column < place
        at = place - before
        values = self.values[:, at]
        wrong = np.flatnonzero((values < 0) | (values != np.rint(values)) | (values >= 2**32))
        if len(wrong):
            raise AddError(f"{self.where(wrong[0])}: {column}: a delay must be an integer >= 0")
        self.delays = values.astype(np.int64)
        self.values = np.delete(self.values, at, axis=1)
        self.features -= 1
        self.names = self.names[:place] + self.names[place + 1 :]
        if self.label_column is not None and self.label_column > place:
            self.label_column -= 1

    def drop_row_numbers(self):
        """Removes first columns without names that number the rows, as pandas writes them. Returns how many."""
        count = 0
        while not self.sparse and self.label_column not in (0, None) and (self.names or not count):
            if self.names and not UNNAMED.fullmatch(self.names[0]):
                break
            if not is_index(self.values[:, 0], bool(self.names), self.features):
                break
            self.values, self.names = self.values[:, 1:], self.names and self.names[1:]
            self.features, self.label_column, count = self.features - 1, self.label_column - 1, count + 1
        return count

    def blocks(self):
        """Yields the values in blocks of rows, or of values if the rows are sparse."""
        step = max(1, BLOCK // (1 if self.sparse else max(1, self.features)))
        for start in range(0, len(self.values), step):
            yield self.values[start : start + step]
            release(self.values)

    def whole(self):
        """Whether the rows are dense 16-bit integers, in [-32767, 32767], with a maximum above 1."""
        if self.sparse or not len(self.values):
            return False
        low, high = self.extent()
        return -32767 <= low and 1 < high <= 32767 and all(np.all(block == np.rint(block)) for block in self.blocks())

    def extent(self):
        """The minimum and maximum value, including the implicit zeros of sparse rows."""
        low, high = 0.0, 0.0
        if self.values.size:
            low, high = np.inf, -np.inf
            for block in self.blocks():
                low, high = min(low, float(block.min())), max(high, float(block.max()))
        if self.sparse and self.values.size < len(self) * self.features:
            low, high = min(low, 0.0), max(high, 0.0)
        return low + 0.0, high + 0.0  # no -0.0


@dataclasses.dataclass
class Wanted:
    """The user's choices about columns."""

    label: str | None = None  # "first", "last" or a column name; None: automatic
    header: bool | None = None  # None: automatic
    like: Table | None = None  # training rows; the file must have the same columns and label column
    header_of: object = None  # training file, with `file`, `names` and `header`: the file has this header or none

    @property
    def by_name(self):
        return self.label is not None and self.label not in ("first", "last")


class Builder:
    """Collects the rows of a text file. Values may exceed the memory."""

    def __init__(self, file):
        self.file = file
        self.labels, self.lines, self.values = [], Numbers("q"), Numbers("d")
        self.offsets, self.indices = Numbers("q", [0]), Numbers("q")
        self._same = {}

    def label(self, text, line, column=None):
        """Begins a row with its label. Equal texts share one string. Raises AddError for a missing label."""
        text = text.strip()
        low = text.lower()
        if low in NO_LABEL or low.lstrip("+-") in INFINITE:
            place = f"{self.file}:{line}: " + (f"{column}: " if column else "")
            cause = f"is missing ({shown(text) if text else 'empty'})" if low in NO_LABEL else "is not finite"
            raise AddError(f"{place}the label {cause}")
        self.labels.append(self._same.setdefault(text, text))
        self.lines.append(line)

    def dense(self, values):
        self.values.extend(values)

    def sparse(self, pairs):
        """Ends a row with (index, value) pairs. Indices start at 0 and increase. Zeros are dropped."""
        for index, value in pairs:
            if value != 0:
                self.indices.append(index)
                self.values.append(value)
        self.offsets.append(len(self.values))

    def table(self, features, sparse, **more):
        """The table of all rows. `more`: further fields of Table."""
        values = self.values.array()
        return Table(
            file=self.file,
            labels=self.labels,
            lines=self.lines.array(),
            features=features,
            values=values if sparse else values.reshape(len(self.labels), features),
            offsets=self.offsets.array() if sparse else None,
            indices=self.indices.array() if sparse else None,
            **more,
        )


def column_text(column, names):
    """A column for messages, e.g. "column 3 ('width')"."""
    name = names[column] if names else ""
    return f"column {column + 1}" + (f" ({shown(name)})" if name else "")


def choose_label(file, wanted, count, names, words):
    """(index, reason) of the label column. `words`: the columns that are not numeric. Raises AddError.

    Without --label: the last column that is not numeric, else a column with a usual name, else the last column.
    """
    if wanted.like is not None and wanted.like.label_column is not None:
        check_like(file, wanted.like, count, names)
        return wanted.like.label_column, "as in the training file"
    if count < 2:
        raise AddError(f"{file}: has only one column; a label and at least one feature are needed")
    if wanted.by_name:
        if not names:
            name = shown(wanted.label)
            raise AddError(f"{file}: has no column names, so no column {name}; use --label first or last")
        if wanted.label not in names:
            known = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
            raise AddError(f"{file}: has no column {shown(wanted.label)}; the columns are {known}")
        return names.index(wanted.label), "as requested"
    if wanted.label is not None:
        return end_of(file, wanted.label, names or [None] * count), "as requested"
    if words:
        return max(words), "the last that is not numeric"
    named = [column for column, name in enumerate(names or []) if name.lower() in LABEL_NAMES]
    return (named[-1], "by its name") if named else (count - 1, "the last")


def end_of(file, label, names):
    """The position of the first or last column, for --label "first" or "last". Raises AddError if a column elsewhere
    has this name."""
    place = 0 if label == "first" else len(names) - 1
    if label in names and names[place] != label:
        raise AddError(f"{file}: --label {label}: may be the column of this name or the {label} one; rename the column")
    return place


def check_like(file, train, count, names):
    """Raises AddError if the columns differ from those of the training rows in number or name."""
    if count != train.features + 1:
        raise AddError(f"{file}: has {count} columns, {train.file} has {train.features + 1}")
    for column, (train_name, other) in enumerate(zip(train.names or [], names or [])):
        if train_name != other:
            raise AddError(f"{file}: {column_text(column, names)} is {shown(train_name)} in {train.file}")


def check_like_names(other, train):
    """Raises AddError if a test file has other columns than the training file. Both have `file` and `names`."""
    if len(other.names) != len(train.names):
        raise AddError(f"{other.file}: has {len(other.names)} columns, {train.file} has {len(train.names)}")
    for column, (test_name, name) in enumerate(zip(other.names, train.names)):
        if other.header and train.header and test_name != name:
            raise AddError(f"{other.file}: {column_text(column, other.names)} is {shown(name)} in {train.file}")


def check_names(place, names):
    """Raises AddError if two columns have the same name."""
    seen = {}
    for column, name in enumerate(names):
        if name and name in seen:
            raise AddError(f"{place}: columns {seen[name] + 1} and {column + 1} are both {shown(name)}")
        seen[name] = column
