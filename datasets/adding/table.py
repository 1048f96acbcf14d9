"""Table: the rows of a file as its reader found them, and where they stood."""

import array
import dataclasses
import io
import math

import numpy as np

LABEL_NAMES = ("label", "class", "target", "y")  # of a label column, in any case
MISSING = ("", "?", "na", "n/a", "nan", "null", "none")
NO_LABEL = ("", "?", "na", "nan")  # "none" may well be a class
INFINITE = ("inf", "infinity")


class AddError(Exception):
    """Why a data set cannot be added, in one line."""


def lines_of(content, newline=None):
    """The lines of UTF-8 text, decoded on the way: a str of it all would take more memory than the file."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline=newline)


def shown(text, longest=40):
    """A piece of a file for a message: quoted, cut when it is long, '?' for what is not printable."""
    cut = text if len(text) <= longest else text[:longest] + "..."
    return "'" + "".join(c if c.isprintable() else "?" for c in cut) + "'"


def plain(value):
    """The shortest text that reads back as this float64; whole numbers have no ".0"."""
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
class Wanted:
    """What the command line says of the columns."""

    label: str | int | None = None  # first, last, a column's name, or an index from 0
    header: bool | None = None


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

    def extent(self):
        """The least and the largest value, zeros that a sparse file leaves out among them."""
        low, high = (float(self.values.min()), float(self.values.max())) if self.values.size else (0.0, 0.0)
        if self.sparse and self.values.size < len(self) * self.features:
            low, high = min(low, 0.0), max(high, 0.0)
        return low + 0.0, high + 0.0  # no -0.0


class Builder:
    """Collects rows of a text file, in little memory."""

    def __init__(self, file):
        self.file = file
        self.labels, self.lines, self.values = [], array.array("q"), array.array("d")
        self.offsets, self.indices = array.array("q", [0]), array.array("q")
        self._same = {}

    def label(self, text, line, what="the label"):
        """Begins a row with its label; equal ones are kept once."""
        text = text.strip()
        low = text.lower()
        if low in NO_LABEL:
            raise AddError(f"{self.file}:{line}: {what} is missing ({shown(text) if text else 'empty'})")
        if low.lstrip("+-") in INFINITE:
            raise AddError(f"{self.file}:{line}: {what}: {shown(text)} is not finite")
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
    if count < 2:
        raise AddError(f"{file}: has one column only; a label and at least one feature are needed")
    if isinstance(wanted, int):
        if wanted >= count:
            raise AddError(f"{file}: has {count} columns, the label of the training file is in column {wanted + 1}")
        return wanted, "as in the training file"
    if wanted in ("first", "last"):
        return (0 if wanted == "first" else count - 1), "as asked for"
    if wanted is not None:
        if not names:
            raise AddError(f"{file}: has no names of columns, so that none is {shown(wanted)}; --label first or last")
        if wanted not in names:
            known = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
            raise AddError(f"{file}: no column is {shown(wanted)}; the columns are {known}")
        return names.index(wanted), "as asked for"
    if words:
        return max(words), "the last that is not numeric"
    named = [column for column, name in enumerate(names or []) if name.lower() in LABEL_NAMES]
    return (named[-1], "by its name") if named else (count - 1, "the last")


def check_names(file, line, names):
    """Two columns of one name are refused: a name must tell which is the label."""
    seen = {}
    for column, name in enumerate(names):
        if name and name in seen:
            raise AddError(f"{file}:{line}: columns {seen[name] + 1} and {column + 1} are both {shown(name)}")
        seen[name] = column
