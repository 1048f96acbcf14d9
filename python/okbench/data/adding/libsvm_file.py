"""Reads LIBSVM text: `label index:value ...`, indices from 1."""

import itertools
import re

from .table import AddError, Builder, finite, shown

LARGEST_INDEX = 100_000_000  # as in datasets/catalog/catalog.cpp
ROW = re.compile(r"\S+(\s+(qid|\d+):[^\s,;:]+)*\s*(#.*)?")


def looks_like_libsvm(content):
    """Whether the first ten lines have this format and contain at least one index:value."""
    lines = (line.strip() for line in content.lines())
    first = list(itertools.islice((line for line in lines if line and not line.startswith("#")), 10))
    return all(ROW.fullmatch(line) for line in first) and any(re.search(r"\s\d+:", line) for line in first)


def pairs_of(place, fields):
    """Yields (index from 0, value) of a row's fields. Raises AddError."""
    last = 0
    for field in fields:
        index, colon, text = field.partition(":")
        if index == "qid":
            raise AddError(f"{place}: 'qid' is for ranking; ranking data are not supported")
        if not colon or not (index.isascii() and index.isdigit()):
            raise AddError(f"{place}: {shown(field)} is not index:value")
        number = int(index[:12])
        if not 1 <= number <= LARGEST_INDEX:
            raise AddError(f"{place}: feature index {index[:12]} is outside 1..{LARGEST_INDEX}")
        if number <= last:
            raise AddError(f"{place}: feature index {number} follows {last}; indices must increase")
        last = number
        yield number - 1, finite(text, f"{place}: feature {number}")


def read_libsvm(file, content, wanted):
    """Reads a LIBSVM file into a sparse table. The largest index is the number of features. Raises AddError."""
    if wanted.label not in (None, "first"):
        raise AddError(f"{file}: in LIBSVM text the label is the first field; omit --label")
    builder = Builder(file)
    features = 0
    for line, text in enumerate(content.lines(), 1):
        fields = text.partition("#")[0].split()
        if not fields:
            continue
        place = f"{file}:{line}"
        if ":" in fields[0]:
            raise AddError(f"{place}: the row has no label")
        if "," in fields[0]:
            raise AddError(f"{place}: {shown(fields[0])} are several labels; multi-label data are not supported")
        builder.label(fields[0], line)
        pairs = list(pairs_of(place, fields[1:]))
        if pairs:
            features = max(features, pairs[-1][0] + 1)
        builder.sparse(pairs)
    if not builder.labels:
        raise AddError(f"{file}: is empty")
    return builder.table(features, True, source="LIBSVM text", label_description="the first field of a row")
