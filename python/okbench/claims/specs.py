"""The specs that claims are about: what their trials can be, without planning them.

A claim that names an experiment, learner, axis or value that no tier of a spec has could never be judged: it is an
error when it is read.
"""

import copy
import dataclasses
import itertools
import math
import pathlib

from ..errors import ODD_CONTENT, ClaimError, cause_of
from ..reading import files_like, read_toml
from ..traces.names import is_number, nearest, same_value, trial_name
from ..traces.plans import TIERS

LABELS = {"binary", "multiclass", "real"}  # values that go by labels have these keys
NOT_AXES = ("learner", "label", "grid", "tune")  # keys of [learners.KEY] that are no parameters


@dataclasses.dataclass(frozen=True)
class OverN:
    """A numerator over the number of examples, which a spec does not know."""

    numerator: float

    def fits(self, text):
        """Whether the quotient is an integer of examples, as far as the digits of the text tell."""
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


class Share(OverN):
    """A share of the number of examples, rounded to one."""

    def fits(self, text):
        return text.isdecimal() and int(text) >= 1

    def __str__(self):
        return f"{self.numerator:g} n"


def fits(value, text):
    return value.fits(text) if isinstance(value, OverN) else same_value(value, text)


def values_of(entry):
    """The values that an entry of a spec stands for."""
    if isinstance(entry, dict) and entry.keys() <= LABELS:
        return list(entry.values())
    if isinstance(entry, dict):
        over = entry.get("divide_by_n", False)
        plain = entry.get("values", []) + [2.0**power for power in entry.get("powers_of_two", [])]
        if is_number(over):
            plain.append(over)
        return [OverN(float(one)) if over else one for one in plain]
    return entry if isinstance(entry, list) else [entry]


def axes_of(content):
    """{learner: {axis: values}} of a spec as TOML; of one tier."""
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
    """The spec with the learners and lists of the file that it names, if it names one."""
    if not isinstance(content["learners"], str):
        return content
    shared = read_toml(folder / content["learners"])
    lists = of_tier({"lists": shared.get("lists", {}), "tiers": shared.get("tiers", {})}, tier)["lists"]
    return {**content, "learners": shared["learners"], "lists": {**lists, **content.get("lists", {})}}


def of_tier(content, tier):
    """The spec with a tier's values in place of its own."""
    content = copy.deepcopy(content)
    for path, value in content.get("tiers", {}).get(tier, {}).items():
        *tables, name = path.split(".")
        place = content
        for table in tables:
            place = place.setdefault(table, {})
        place[name] = value
    return content


class Specs:
    """The specs below folders of papers, read when the first claim asks."""

    def __init__(self, *folders):
        self.folders = [pathlib.Path(folder) for folder in folders]
        self.experiments = None

    def known(self):
        """{experiment: {learner: {axis: values of any tier}}}"""
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
        except (ClaimError, OSError, *ODD_CONTENT) as error:
            raise ClaimError(f"{path}: not a spec that claims can be checked against: {cause_of(error)}") from error

    def check(self, text, more_axes=()):
        """Raises ClaimError unless a spec has the trial, and its learner the axes besides."""
        name = trial_name(text)
        if name.experiment not in self.known():
            raise ClaimError(f"'{text}': there is no spec of {name.experiment}{nearest(name.experiment, self.known())}")
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


def nearest_value(text, values):
    """ "; the nearest is x": by distance between numbers, by spelling between names."""
    plain = [value for value in values if is_number(value)]
    try:
        close = min(plain, key=lambda value: abs(value - float(text)))
    except ValueError:
        return nearest(text, [str(one).lower() if isinstance(one, bool) else one for one in values])
    return f"; the nearest is '{close:g}'"
