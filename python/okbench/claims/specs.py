"""Checks trial names in claims against the specs, without planning the trials.

A claim with an experiment, learner, axis or value that no tier of a spec has could never be judged. It is an error when
the claims file is read.
"""

import copy
import dataclasses
import itertools
import math
import pathlib

from ..errors import CONTENT_ERRORS, ClaimError, cause_of
from ..measures.expressions import Parser, calls
from ..reading import files_like, read_toml
from ..results.names import is_number, nearest, same_value, trial_name
from ..results.plans import TIERS

LABELS = {"binary", "multiclass", "real"}  # keys of per-label values
NOT_AXES = ("learner", "label", "grid", "tune")  # keys of [learners.KEY] that are not parameters


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


def values_of(entry):
    """List of the values of an entry of a spec."""
    if isinstance(entry, dict) and entry.keys() <= LABELS:
        return list(entry.values())
    if isinstance(entry, dict):
        over = entry.get("divide_by_n", False)
        plain = entry.get("values", []) + [2.0**power for power in entry.get("powers_of_two", [])]
        if is_number(over):
            plain.append(over)
        return [DividedByN(float(one)) if over else one for one in plain]
    return entry if isinstance(entry, list) else [entry]


def axes_of(content):
    """{learner: {axis: values}} of a parsed spec with the values of one tier."""
    data = content["data"]
    shared = {"data": values_of(data["name"]), "repetition": list(range(content.get("repetitions", 1)))}
    if "batch" in data:
        shared["batch"] = [one if isinstance(one, int) else Share(one) for one in values_of(data["batch"])]
    for key, entry in content.get("kernel", {}).items():
        if isinstance(entry, dict):
            for part in ("grid", "tune"):
                if part in entry:
                    shared[f"kernel.{key}"] = values_of(entry[part])
    lists = content.get("lists", {})
    return {
        key: {
            **shared,
            **{
                axis: values_of(lists[entry] if axis in chosen and isinstance(entry, str) else entry)
                for axis, entry in itertools.chain(
                    ((axis, entry) for axis, entry in table.items() if axis not in NOT_AXES),
                    *(table.get(part, {}).items() for part in ("grid", "tune")),
                )
            },
        }
        for key, table in content["learners"].items()
        for chosen in [{axis for part in ("grid", "tune") for axis in table.get(part, {})}]
    }


def with_shared(content, folder, tier):
    """The spec with the learners and lists of its shared learners file, if it has one."""
    if not isinstance(content["learners"], str):
        return content
    shared = read_toml(folder / content["learners"])
    lists = of_tier({"lists": shared.get("lists", {}), "tiers": shared.get("tiers", {})}, tier)["lists"]
    return {**content, "learners": shared["learners"], "lists": {**lists, **content.get("lists", {})}}


def of_tier(content, tier):
    """Copy of the spec with the values of a tier applied."""
    content = copy.deepcopy(content)
    for path, value in content.get("tiers", {}).get(tier, {}).items():
        *tables, name = path.split(".")
        place = content
        for table in tables:
            place = place.setdefault(table, {})
        place[name] = value
    return content


class Specs:
    """The specs below directories of papers, read on the first check."""

    def __init__(self, *folders):
        self.folders = [pathlib.Path(folder) for folder in folders]
        self.experiments = None

    def known(self):
        """{experiment: {learner: {axis: values of all tiers}}}. Raises ClaimError."""
        if self.experiments is None:
            self.experiments = {}
            for folder in self.folders:
                for path in files_like(folder, "*", "*.toml"):
                    if path.name != "claims.toml":
                        self.read(path)
        return self.experiments

    def read(self, path):
        try:
            content = read_toml(path)
            learners = self.experiments.setdefault(content["experiment"], {})
            for tier in TIERS:
                for key, axes in axes_of(of_tier(with_shared(content, path.parent, tier), tier)).items():
                    for axis, values in axes.items():
                        all_values = learners.setdefault(key, {}).setdefault(axis, [])
                        all_values += [value for value in values if value not in all_values]
        except (ClaimError, OSError, *CONTENT_ERRORS) as error:
            raise ClaimError(f"{path}: invalid spec, cannot check claims: {cause_of(error)}") from error

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
            if not any(fits(one, value) for one in axes[axis]):
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
    found = [call for text in expressions for call in calls(Parser(text).tree())]
    pairs = [pair for call in found for pair in zip(call.kinds, call.arguments)]
    return [kind.trial_of(text) for kind, text in pairs if kind is not None and kind.trial]


def nearest_value(text, values):
    """Suffix for an error message: "; the nearest is 'X'" for numbers, "; did you mean X?" for names."""
    plain = [value for value in values if is_number(value)]
    try:
        close = min(plain, key=lambda value: abs(value - float(text)))
    except ValueError:
        return nearest(text, [str(one).lower() if isinstance(one, bool) else one for one in values])
    return f"; the nearest is '{close:g}'"
