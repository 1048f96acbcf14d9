"""Determines the kind of labels (two classes, several classes, real targets) and their text in canonical files."""

import re

import numpy as np

from .table import AddError, number, plain, shown

MAX_CLASSES = 1000  # maximum number of classes without --kind
EXACT = 2.0**53  # integers below this are exact in float64
SHOWN_CLASSES = 12
FEW_ROWS = 9  # in which every label may be different


# A number with a decimal comma, separators of thousands, a percent sign or the minus sign of typesetting.
UNUSUAL = re.compile(r"(?=.*[,%\u2212])[+\u2212-]?\d[\d.,' ]*%?")
CODE = re.compile(r"[+-]?0\d+")  # a code such as 01, which is another label than 1


def as_numbers(labels, kind=None):
    """{text: number} of distinct labels; None if one is not a number.

    Codes such as 01, and integers above 2^53, which are not exact as numbers, are words, except for kind "real".
    """
    if kind != "real" and any(CODE.fullmatch(text) or is_long(text) for text in labels):
        return None
    try:
        return {text: number(text) + 0.0 for text in labels}
    except ValueError:
        return None


def is_long(text):
    """Whether a text is an integer that float64 cannot hold exactly."""
    digits = text.lstrip("+-")
    return len(digits) > 15 and digits.isdecimal() and int(digits) > EXACT


def check_words(table, distinct):
    """Raises AddError if labels that are no numbers are no classes either.

    Some are then like numbers, or are the exception among numbers with fractions, or each row has another label.
    """
    remedy = "; correct it, or use --kind multiclass (okbench league: --classification)"
    plain_numbers = [text for text in distinct if as_numbers([text], "real")]
    unusual = {text for text in distinct if UNUSUAL.fullmatch(text)}
    odd = unusual
    if not unusual and any(not number(text).is_integer() for text in plain_numbers):
        odd = distinct.difference(plain_numbers)
    if odd and 2 * len(unusual.union(plain_numbers)) > len(distinct):
        row = next(row for row, text in enumerate(table.labels) if text in odd)
        raise AddError(f"{table.where(row)}: the label {shown(table.labels[row])} is not a number, as most are{remedy}")
    if FEW_ROWS < len(distinct) == len(table.labels) <= MAX_CLASSES:
        raise AddError(
            f"{table.file}: {table.label_description}, has another text in every row; choose the label with --label"
        )


class Classes:
    """The classes of the training rows. `positive`: label of the positive class of two; default: the larger one, or the
    last in the order of the alphabet. Raises AddError.

    kind: "binary", "multiclass" or "real".
    labels: texts of class 0, 1, ... in the files; empty for real targets.
    names: names of the classes if the files contain class numbers instead; else None.
    """

    def __init__(self, table, kind=None, positive=None):
        distinct = set(table.labels)
        self.numbers = as_numbers(distinct, kind)
        values = sorted(set(self.numbers.values())) if self.numbers else sorted(distinct)
        if len(values) < 2:
            raise AddError(f"{table.file}: every label is {shown(min(distinct))}; at least two are needed")
        if kind is None and not self.numbers and not table.nominal:
            check_words(table, distinct)
        self.kind = kind or self._default(table, values)
        self._check(table, values)
        if positive is not None:
            values = self._with_positive(values, positive)
        self.labels, self.names, self._index = [], None, {}
        if self.kind == "real":
            return
        self._index = {value: index for index, value in enumerate(values)}
        if self.numbers:
            self.labels = [plain(value) for value in values]
        else:
            self.labels, self.names = [str(index) for index in range(len(values))], values

    def _with_positive(self, values, positive):
        """The two classes with the positive one last. Raises AddError."""
        if self.kind != "binary":
            raise AddError(f"--positive: is for two classes, not for kind {self.kind}")
        numbers = as_numbers([positive.strip()]) if self.numbers else {positive: positive.strip()}
        chosen = next(iter((numbers or {}).values()), None)
        if chosen not in values:
            known = ", ".join(map(plain if self.numbers else str, values))
            raise AddError(f"--positive {shown(positive)}: no row has this label; labels are {known}")
        return [value for value in values if value != chosen] + [chosen]

    def _default(self, table, values):
        if self.numbers and not table.nominal:
            whole = all(value.is_integer() and abs(value) < EXACT for value in values)
            if not whole or len(values) > MAX_CLASSES:
                return "real"
        elif len(values) > MAX_CLASSES:
            raise AddError(
                f"{table.file}: {table.label_description}, has {len(values)} different words, too many for classes;"
                " choose the label with --label, or use --kind multiclass (okbench league: --classification)"
            )
        return "binary" if len(values) == 2 else "multiclass"

    def _check(self, table, values):
        if self.kind == "real" and not self.numbers:
            row = next(row for row, text in enumerate(table.labels) if as_numbers([text], "real") is None)
            raise AddError(
                f"{table.where(row)}: the label {shown(table.labels[row])} is not a number; --kind real needs numbers"
            )
        if self.kind == "binary" and len(values) > 2:
            few = ", ".join(map(plain if self.numbers else str, values[:5])) + (", ..." if len(values) > 5 else "")
            raise AddError(f"{table.file}: has {len(values)} different labels ({few}); --kind binary needs two")

    def of(self, table):
        """Class numbers or real targets of the rows. Raises AddError for a label that no training row has."""
        known = {}
        for row, text in enumerate(table.labels):
            if text in known:
                continue
            numbers = as_numbers([text], "real") if self.numbers else {text: text}
            value = numbers[text] if numbers else None
            if value is None or (self.kind != "real" and value not in self._index):
                cause = "does not occur among the training rows" if self.kind != "real" else "is not a number"
                raise AddError(f"{table.where(row)}: the label {shown(text)} {cause}")
            known[text] = value if self.kind == "real" else self._index[value]
        of_label = float if self.kind == "real" else np.int64
        return np.fromiter((known[text] for text in table.labels), of_label, len(table.labels))

    def written(self, targets):
        """The texts of class numbers or real targets in canonical files."""
        if self.kind == "real":
            return [plain(value) for value in targets.tolist()]
        return [self.labels[index] for index in targets.tolist()]

    def counts(self, targets):
        """The classes with their counts, or the range of real targets, as text."""
        if self.kind == "real":
            return f"from {plain(float(targets.min()))} to {plain(float(targets.max()))}"
        count = np.bincount(targets, minlength=len(self.labels)).tolist()
        sign = [" (negative)", " (positive)"] if self.kind == "binary" else [""] * len(count)
        names = [shown(name)[1:-1] for name in self.names or self.labels]
        texts = [f"{name}{what} {rows}" for name, what, rows in zip(names, sign, count)]
        more = len(texts) - SHOWN_CLASSES
        return ", ".join(texts[:SHOWN_CLASSES]) + (f", and {more} more" if more > 0 else "")

    def stand_together(self, targets):
        """Whether rows are grouped by class, so that the first rows are not representative."""
        if self.kind == "real" or len(targets) < 4 * len(self.labels):
            return False
        return np.count_nonzero(np.diff(targets)) + 1 == len(self.labels)
