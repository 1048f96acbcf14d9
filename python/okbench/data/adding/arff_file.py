"""Reads ARFF files: attributes with names and types, then rows, dense or sparse ({index value, ...})."""

import itertools
import math
import re

from . import spooled
from .table import (
    AddError,
    Builder,
    check_like_names,
    check_names,
    choose_label,
    column_text,
    finite,
    shown,
)
from .text_columns import Columns

# Commas and blanks separate fields. An unclosed quote becomes a separate token.
TOKEN = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|%.*|[^\s,'"%{}]+|[{}'"]""")
ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.*)""", re.IGNORECASE)
NUMERIC = ("numeric", "real", "integer")


def unquoted(token):
    """A token without its quotes and backslashes."""
    return re.sub(r"\\(.)", r"\1", token[1:-1]) if len(token) > 1 and token[0] in "'\"" else token


def tokens_of(place, line):
    """The fields of a line with their quotes, without comments. Raises AddError for an unclosed quote."""
    if not any(mark in line for mark in "'\"%{}"):
        return line.replace(",", " ").split()
    tokens = [token for token in TOKEN.findall(line) if token[0] != "%"]
    if "'" in tokens or '"' in tokens:
        raise AddError(f"{place}: a quote is not closed")
    return tokens


class Attributes:
    """The attributes declared in the header of an ARFF file."""

    def __init__(self, file):
        self.file, self.names, self.lines, self.classes, self.types = file, [], [], [], []

    def add(self, place, line, text):
        match = ATTRIBUTE.fullmatch(text)
        kind = match[2].partition("%")[0].strip() if match and not match[2].startswith("{") else "{"
        if not match or not kind:
            raise AddError(f"{place}: {shown(text)} is not @attribute NAME TYPE")
        tokens = tokens_of(place, match[2]) if kind == "{" else []
        if kind == "{" and (len(tokens) < 3 or tokens[-1] != "}"):
            raise AddError(f"{place}: the classes must be on one line, in braces")
        self.names.append(unquoted(match[1]))
        self.lines.append(line)
        self.types.append("nominal" if kind == "{" else shown(kind.split()[0].lower())[1:-1])
        self.classes.append([unquoted(token) for token in tokens[1:-1]])

    def choose(self, wanted):
        """(index, reason) of the label attribute. Raises AddError if another attribute is not numeric."""
        check_names(f"{self.file}:{self.lines[-1] if self.lines else 1}", self.names)
        words = {column for column, kind in enumerate(self.types) if kind not in NUMERIC}
        label, why = choose_label(self.file, wanted, len(self.names), self.names, words)
        for column in sorted(words):
            if column != label or self.types[column] in ("date", "relational"):
                raise AddError(
                    f"{self.file}:{self.lines[column]}: attribute {shown(self.names[column])} is {self.types[column]}; "
                    + ("use --missing to encode it" if self.types[column] == "nominal" else "leave it out with --drop")
                )
        return label, why


def sparse_pairs(place, tokens, count):
    """{index: text} of a sparse row; indices start at 0 and increase. Raises AddError."""
    inner = tokens[1:-1]
    if tokens[-1] != "}" or len(inner) % 2:
        raise AddError(f"{place}: the row is not {{index value, ...}}")
    indices = [int(token) if token.isascii() and token.isdigit() else count for token in inner[::2]]
    if any(index >= count for index in indices) or any(a >= b for a, b in zip(indices, indices[1:])):
        raise AddError(f"{place}: indices must increase and be integers from 0 to {count - 1}")
    return dict(zip(indices, inner[1::2]))


def read_arff(file, content, wanted):
    """Reads an ARFF file into a table; sparse if the rows are. Raises AddError."""
    head, builder, label, sparse = Attributes(file), Builder(file), None, None
    for line, text in enumerate(content.lines(), 1):
        text, place = text.strip(), f"{file}:{line}"
        if not text or text.startswith("%"):
            continue
        if label is None:
            keyword = text.split()[0].lower()
            if keyword == "@attribute":
                head.add(place, line, text)
            elif keyword == "@data":
                require_bare(place, text)
                label, why = head.choose(wanted)
                what, classes = column_text(label, head.names), head.classes[label]
            elif keyword != "@relation":
                raise AddError(f"{place}: {shown(text)} is not @relation, @attribute or @data")
            continue
        tokens, count = tokens_of(place, text), len(head.names)
        if sparse is None:
            sparse = tokens[:1] == ["{"]
        if sparse != (tokens[:1] == ["{"]):
            raise AddError(f"{place}: mixes dense and sparse rows")
        if sparse:
            given = sparse_pairs(place, tokens, count)
            # An omitted value is 0; for the label this means the first class.
            text_of_label = given.pop(label, classes[0] if classes else "0")
        else:
            if len(tokens) != count:
                raise AddError(f"{place}: has {len(tokens)} fields, expected {count}")
            given = dict(enumerate(tokens))
            text_of_label = given.pop(label)
        name = unquoted(text_of_label)
        if classes and name not in classes and name != "?":
            raise AddError(f"{place}: {what}: the label {shown(name)} is not a class of the attribute")
        builder.label(name, line, what)
        try:
            values = list(map(float, given.values()))
            good = "_" not in text and math.isfinite(sum(values))
        except ValueError:
            good = False
        if not good:
            values = [finite(field, f"{place}: {column_text(c, head.names)}") for c, field in given.items()]
        if sparse:
            builder.sparse((column - (column > label), value) for column, value in zip(given, values))
        else:
            builder.dense(values)
    if label is None:
        raise AddError(f"{file}: has no @data")
    if not builder.labels:
        raise AddError(f"{file}: has no rows")
    return builder.table(
        len(head.names) - 1,
        sparse,
        source="ARFF, sparse" if sparse else "ARFF",
        label_description=f"{what}, {why}",
        names=head.names,
        label_column=label,
        nominal=head.types[label] not in NUMERIC,
    )


def require_bare(place, text):
    """Raises AddError for text behind @data."""
    if text.partition("%")[0].split()[1:]:
        raise AddError(f"{place}: {shown(text)} has text behind @data; rows start on the next line")


class ArffTexts(Columns):
    """The fields of a dense ARFF file as text. `types`: "nominal", or the declared type of each attribute.

    An unquoted ? is missing; a quoted one is a value. Raises AddError.
    """

    def __init__(self, source, train=None):
        source.check_text()
        head, rows, lines = Attributes(source.name), None, spooled.Numbers("q")
        for line, text in enumerate(source.content.lines(), 1):
            text, place = text.strip(), f"{source.name}:{line}"
            if not text or text.startswith("%"):
                continue
            keyword = text.split()[0].lower()
            if rows is None and keyword == "@attribute":
                head.add(place, line, text)
            elif rows is None and keyword == "@data":
                require_bare(place, text)
                rows = spooled.TextRows(max(1, len(head.names)))
            elif rows is None and keyword != "@relation":
                raise AddError(f"{place}: {shown(text)} is not @relation, @attribute or @data")
            elif rows is not None:
                tokens = tokens_of(place, text)
                if tokens[:1] == ["{"]:
                    raise AddError(f"{place}: is sparse; sparse ARFF has no --missing, --scale or --drop")
                if len(tokens) != len(head.names):
                    raise AddError(f"{place}: has {len(tokens)} fields, expected {len(head.names)}")
                fields = ["" if token == "?" else unquoted(token).strip() for token in tokens]
                rows.append(fields)
                lines.append(line)
                for at, field in enumerate(fields):
                    if head.classes[at] and field and field not in (category.strip() for category in head.classes[at]):
                        what = column_text(at, head.names)
                        raise AddError(f"{place}: {what}: {shown(field)} is not a value of the attribute")
        if not len(lines):
            raise AddError(f"{source.name}: has no {'@data' if rows is None else 'rows'}")
        check_names(f"{source.name}:{head.lines[-1]}", head.names)
        super().__init__(source.name, head.names, rows.columns(), lines.array(), {""})
        self.types, self.header = head.types, True
        if train is not None:
            check_like_names(self, train)

    def description(self):
        return "ARFF"


def is_sparse(content):
    """Whether the first row of an ARFF file is sparse."""
    lines = (line.strip() for line in content.lines() if line.strip() and not line.lstrip().startswith("%"))
    behind = itertools.dropwhile(lambda line: line.split()[0].lower() != "@data", lines)
    return next(itertools.islice(behind, 1, None), "").startswith("{")
