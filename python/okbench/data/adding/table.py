"""Table: the rows of a file as its reader found them, and where they stood."""

import array
import dataclasses
import io
import math

import numpy as np

from ...errors import RequestError

LABEL_NAMES = ("label", "class", "target", "y")  # of a label column, in any case
MISSING = ("", "?", "na", "n/a", "nan", "null", "none")
NO_LABEL = ("", "?", "na", "nan")  # "none" may well be a class
INFINITE = ("inf", "infinity")


class AddError(RequestError):
    """A file that cannot be added as a data set."""


def lines_of(content, newline=None):
    """The lines of UTF-8 text, decoded on the way: a str of it all would take more memory than the file."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline=newline)


def shown(text, longest=40):
    """A piece of a file for a message: quoted, cut when it is long, '?' for what is not printable."""
    cut = text if len(text) <= longest else text[:longest] + "..."
    return "'" + "".join(c if c.isprintable() else "?" for c in cut) + "'"


def plain(value):
    """The shortest text that reads back as this float64; integers have no ".0"."""
    return repr(value).removesuffix(".0")


def number(text):
    """The float that a text writes; ValueError for others. float() alone takes 1_000, too."""
    if "_" in text:
        raise ValueError(text)
    return float(text)


def is_word(text):
    """Whether a field is neither a number nor a missing one."""
    if text.strip().lower() in MISSING:
        return False
    try:
        number(text)
    except ValueError:
        return True
    return False


def finite(text, place):
    """The finite number that a feature's field writes; AddError with the place otherwise."""
    if text.strip().lower() in MISSING:
        what = shown(text) if text.strip() else "empty"
        raise AddError(f"{place}: the value is missing ({what}); fill it in, or remove the row")
    try:
        value = number(text)
    except ValueError:
        raise AddError(
            f"{place}: {shown(text)} is no number; features must be numbers, words are not encoded"
        ) from None
    if not math.isfinite(value):
        raise AddError(f"{place}: {shown(text)} is not finite")
    return value


@dataclasses.dataclass
class Table:
    """Rows in the order of the file. Dense: values is a matrix, offsets are None. Sparse: values of compressed rows."""

    file: str
    source: str  # how the file was understood
    labels: list  # text of each row's label
    label_said: str  # which they are
    values: np.ndarray
    features: int
    lines: array.array | None = None  # of the file, from 1; None: the file has rows alone
    offsets: np.ndarray | None = None
    indices: np.ndarray | None = None  # from 0
    names: list | None = None  # of all columns, the label's among them
    label_column: int | None = None  # from 0
    nominal: bool = False  # the file says that labels are classes

    @property
    def sparse(self):
        return self.offsets is not None

    def __len__(self):
        return len(self.labels)

    def where(self, row):
        """The place of a row, for messages."""
        return f"{self.file}:{self.lines[row]}" if self.lines else f"{self.file}: row {row + 1}"

    def whole(self):
        """Whether the rows are dense, of integers of at most 16 bits that are more than 0 and 1."""
        if self.sparse or not len(self.values):
            return False
        low, high = self.extent()
        return -32767 <= low and 1 < high <= 32767 and bool(np.all(self.values == np.rint(self.values)))

    def extent(self):
        """The least and the largest value, zeros that a sparse file leaves out among them."""
        low, high = (float(self.values.min()), float(self.values.max())) if self.values.size else (0.0, 0.0)
        if self.sparse and self.values.size < len(self) * self.features:
            low, high = min(low, 0.0), max(high, 0.0)
        return low + 0.0, high + 0.0  # no -0.0


@dataclasses.dataclass
class Wanted:
    """What is known of the columns before the file is read."""

    label: str | None = None  # first, last or a column's name
    header: bool | None = None
    like: Table | None = None  # the training rows, whose columns the file must have; then the label is theirs

    @property
    def by_name(self):
        return self.label is not None and self.label not in ("first", "last")


class Builder:
    """Collects rows of a text file, in little memory."""

    def __init__(self, file):
        self.file = file
        self.labels, self.lines, self.values = [], array.array("q"), array.array("d")
        self.offsets, self.indices = array.array("q", [0]), array.array("q")
        self._same = {}

    def label(self, text, line, column=None):
        """Begins a row with its label; equal ones are kept once."""
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
        """Ends a row with pairs of index, from 0 and increasing, and value; zeros are left out."""
        for index, value in pairs:
            if value != 0:
                self.indices.append(index)
                self.values.append(value)
        self.offsets.append(len(self.values))

    def table(self, features, sparse, **more):
        """The table of all rows."""
        values = np.frombuffer(self.values, dtype=np.float64) if self.values else np.zeros(0)
        indices = np.frombuffer(self.indices, dtype=np.int64) if self.indices else np.zeros(0, dtype=np.int64)
        return Table(
            file=self.file,
            labels=self.labels,
            lines=self.lines,
            features=features,
            values=values if sparse else values.reshape(len(self.labels), features),
            offsets=np.frombuffer(self.offsets, dtype=np.int64) if sparse else None,
            indices=indices if sparse else None,
            **more,
        )


def column_text(column, names):
    """A column for messages: "column 3 ('width')"."""
    name = names[column] if names else ""
    return f"column {column + 1}" + (f" ({shown(name)})" if name else "")


def choose_label(file, wanted, count, names, words):
    """(index, why) of the label column. `words`: the columns that are not numeric."""
    if wanted.like is not None and wanted.like.label_column is not None:
        check_like(file, wanted.like, count, names)
        return wanted.like.label_column, "as in the training file"
    if count < 2:
        raise AddError(f"{file}: has one column only; a label and at least one feature are needed")
    if wanted.by_name:
        if not names:
            name = shown(wanted.label)
            raise AddError(f"{file}: has no names of columns, so that none is {name}; --label first or last")
        if wanted.label not in names:
            known = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
            raise AddError(f"{file}: no column is {shown(wanted.label)}; the columns are {known}")
        return names.index(wanted.label), "as asked for"
    if wanted.label is not None:
        return (0 if wanted.label == "first" else count - 1), "as asked for"
    if words:
        return max(words), "the last that is not numeric"
    named = [column for column, name in enumerate(names or []) if name.lower() in LABEL_NAMES]
    return (named[-1], "by its name") if named else (count - 1, "the last")


def check_like(file, train, count, names):
    """The columns must be those of the training rows, by name where both have names."""
    if count != train.features + 1:
        raise AddError(f"{file}: has {count} columns, {train.file} has {train.features + 1}")
    for column, (one, other) in enumerate(zip(train.names or [], names or [])):
        if one != other:
            raise AddError(f"{file}: {column_text(column, names)} is {shown(one)} in {train.file}")


def check_names(file, line, names):
    """Two columns of one name are refused: a name must tell which is the label."""
    seen = {}
    for column, name in enumerate(names):
        if name and name in seen:
            raise AddError(f"{file}:{line}: columns {seen[name] + 1} and {column + 1} are both {shown(name)}")
        seen[name] = column
