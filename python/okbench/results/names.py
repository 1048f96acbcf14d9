"""Parses and compares names of trials and values of their parameters."""

import dataclasses
import re

from ..errors import ClaimError


@dataclasses.dataclass(frozen=True)
class TrialName:
    """A parsed name: EXPERIMENT/LEARNER for all trials, EXPERIMENT/LEARNER[AXIS=VALUE,...] for a subset."""

    text: str
    experiment: str
    learner: str
    axes: dict  # {axis: value as text}


def trial_name(text):
    """Parses a trial name. Raises ClaimError."""
    match = re.fullmatch(r"([\w-][\w.-]*(?:/[\w-][\w.-]*)*)/([\w-]+)(?:\[([^\[\]]*)\])?", text, re.ASCII)
    if not match:
        raise ClaimError(f"'{text}' is not a trial name; write experiment/learner[axis=value,...]")
    axes = {}
    for pair in match[3].split(",") if match[3] is not None else []:
        axis, mark, value = (part.strip() for part in pair.partition("="))
        if not (axis and mark and value):
            raise ClaimError(f"'{text}' is not a trial name: '{pair.strip()}' must be axis=value")
        if axis in axes:
            raise ClaimError(f"'{text}' is not a trial name: axis '{axis}' occurs twice")
        axes[axis] = value
    return TrialName(text, match[1], match[2], axes)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same_value(value, text):
    """Whether a value equals its text in a claim. Numbers match within a relative difference of 1e-5."""
    if is_number(value):
        try:
            wanted = float(text)
        except ValueError:
            return False
        return abs(wanted - float(value)) <= 1e-5 * abs(float(value))
    return text == (str(value).lower() if isinstance(value, bool) else value)
