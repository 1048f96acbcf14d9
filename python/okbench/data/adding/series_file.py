"""Reads a time series: text with one step a line, one or several numbers each."""

import math
import re

import numpy as np

from .table import AddError, lines_of, shown

SEPARATORS = re.compile(r"[,;\s]+")


class Series:
    """The values of a series, shape (steps, inputs), with the fields that okbench stores as rows of a data set."""

    sparse, delays = False, None

    def __init__(self, file, content, embedding, horizon):
        self.embedding, self.horizon = embedding, horizon
        self.values = np.array(steps(file, content))
        if len(self.values) <= horizon:
            raise AddError(f"{file}: has {len(self.values)} steps; a series needs more than its horizon, {horizon}")

    def entry(self):
        """The keys of the catalog that describe the series."""
        low, high = float(self.values.min()), float(self.values.max())
        inputs = self.values.shape[1]
        entry = {"format": "series", "features": self.embedding * inputs, "range": [low, high], "kind": "real"}
        if inputs > 1:
            entry["inputs"] = inputs
        return entry | ({"horizon": self.horizon} if self.horizon > 1 else {})


def steps(file, content):
    """The numbers of each line that is not blank. A first line of words is a header. Raises AddError."""
    found = []
    for number, line in enumerate(lines_of(content), 1):
        fields = [field for field in SEPARATORS.split(line.strip()) if field]
        if not fields:
            continue
        try:
            values = [float(field) for field in fields]
        except ValueError:
            if not found and not any(map(is_number, fields)):
                continue
            bad = next(field for field in fields if not is_number(field))
            raise AddError(f"{file}:{number}: {shown(bad)} is not a number") from None
        if not all(map(math.isfinite, values)):
            raise AddError(f"{file}:{number}: a value is not finite")
        if found and len(values) != len(found[0]):
            raise AddError(f"{file}:{number}: has {len(values)} values, the first step has {len(found[0])}")
        found.append(values)
    if not found:
        raise AddError(f"{file}: has no numbers")
    return found


def is_number(field):
    try:
        float(field)
    except ValueError:
        return False
    return True
