"""Checks trial names in claims against the specs, without planning the trials.

A claim with an experiment, learner, axis or value that no tier of a spec has could never be judged. It is an error when
the claims file is read.
"""

import dataclasses
import math
import pathlib

from ..errors import ClaimError, nearest
from ..measures.expressions import Parser, calls
from ..native import module as _native
from ..reading import files_like
from ..results.names import is_number, same_value, trial_name


@dataclasses.dataclass(frozen=True)
class DividedByN:
    """The value numerator / n, where n is the number of examples, which the spec does not contain."""

    numerator: float

    def fits(self, text):
        """Whether numerator / value is an integer n within the precision of the text's digits."""
        try:
            value = float(text)
        except ValueError:
            return False
        if self.numerator == 0 or value == 0 or self.numerator / value < 0.5 or not math.isfinite(value):
            return self.numerator == value
        rows = self.numerator / value
        mantissa, _, exponent = text.lower().partition("e")
        half_a_digit = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        return abs(rows - round(rows)) <= rows * (half_a_digit / abs(value) + 1e-12)

    def __str__(self):
        return f"{self.numerator:g}/n"


class Share(DividedByN):
    """A batch size given as a share of the number of examples, rounded to an integer."""

    def fits(self, text):
        return text.isdecimal() and int(text) >= 1

    def __str__(self):
        return f"{self.numerator:g} n"


def fits(value, text):
    return value.fits(text) if isinstance(value, DividedByN) else same_value(value, text)


def value_of(entry):
    """A value of an axis: a number, a text, a bool, or one that depends on the number of examples."""
    if not isinstance(entry, dict):
        return entry
    return Share(entry["share"]) if "share" in entry else DividedByN(entry["divide_by_n"])


class Specs:
    """The specs below folders of papers, read on the first check."""

    def __init__(self, *folders):
        self.folders = [pathlib.Path(folder) for folder in folders]
        self.experiments = None

    def known(self):
        """{experiment: {learner: {axis: values of all tiers}}}. Raises ClaimError."""
        if self.experiments is None:
            paths = [path for folder in self.folders for path in files_like(folder, "*", "*.toml")]
            try:
                specs = _native.axes([path for path in paths if path.name != "claims.toml"])
            except ValueError as error:
                raise ClaimError(f"cannot check claims against an invalid spec: {error}") from error
            self.experiments = {
                spec["experiment"]: {
                    learner: {axis: [*map(value_of, values)] for axis, values in axes.items()}
                    for learner, axes in spec["learners"].items()
                }
                for spec in specs
            }
        return self.experiments

    def check(self, text, more_axes=()):
        """Raises ClaimError unless a spec has the trial, and its learner also has the axes `more_axes`."""
        name = trial_name(text)
        if name.experiment not in self.known():
            raise ClaimError(f"'{text}': no spec of {name.experiment}{nearest(name.experiment, self.known())}")
        learners = self.known()[name.experiment]
        if name.learner not in learners:
            raise ClaimError(f"'{text}': its spec has no learner '{name.learner}'{nearest(name.learner, learners)}")
        axes = learners[name.learner]
        for axis in (*name.axes, *more_axes):
            if axis not in axes:
                raise ClaimError(f"'{text}': its trials have no axis '{axis}'{nearest(axis, axes)}")
        for axis, value in name.axes.items():
            if not any(fits(axis_value, value) for axis_value in axes[axis]):
                raise ClaimError(f"'{text}': no tier has {axis} = {value}{nearest_value(value, axes[axis])}")

    def data_of(self, claim):
        """Names of the data sets of the trials in a claim's values. Trials of unknown experiments have none."""
        names = set()
        for trial in trials_of(claim.value):
            name = trial_name(trial)
            axes = self.known().get(name.experiment, {}).get(name.learner, {"data": []})
            names |= {name.axes["data"]} if "data" in name.axes else {*axes["data"]}
        return names


def trials_of(expressions):
    """Texts of the trials in expressions."""
    all_calls = [call for text in expressions for call in calls(Parser(text).tree())]
    pairs = [pair for call in all_calls for pair in zip(call.kinds, call.arguments)]
    return [kind.trial_of(text) for kind, text in pairs if kind is not None and kind.trial]


def nearest_value(text, values):
    """Suffix for an error message: "; the nearest is 'X'" for numbers, "; did you mean X?" for names."""
    plain = [value for value in values if is_number(value)]
    try:
        close = min(plain, key=lambda value: abs(value - float(text)))
    except ValueError:
        return nearest(
            text, [str(candidate).lower() if isinstance(candidate, bool) else candidate for candidate in values]
        )
    return f"; the nearest is '{close:g}'"
