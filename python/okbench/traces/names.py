"""Names of trials in claims, and what is nearest to a name that nobody has."""

import dataclasses
import difflib
import re

from ..errors import ClaimError


@dataclasses.dataclass(frozen=True)
class TrialName:
    """experiment/learner, or experiment/learner[axis=value,...] for some of its trials."""

    text: str
    experiment: str
    learner: str
    axes: dict  # texts of values


def trial_name(text):
    """The parts of a trial's name; raises ClaimError."""
    match = re.fullmatch(r"([\w-][\w.-]*(?:/[\w-][\w.-]*)*)/([\w-]+)(?:\[([^\[\]]*)\])?", text, re.ASCII)
    if not match:
        raise ClaimError(f"'{text}' names no trial: experiment/learner[axis=value,...]")
    axes = {}
    for pair in match[3].split(",") if match[3] is not None else []:
        axis, mark, value = (part.strip() for part in pair.partition("="))
        if not (axis and mark and value):
            raise ClaimError(f"'{text}' names no trial: '{pair.strip()}' is not axis=value")
        if axis in axes:
            raise ClaimError(f"'{text}' names no trial: it has the axis '{axis}' twice")
        axes[axis] = value
    return TrialName(text, match[1], match[2], axes)


def nearest(name, known):
    """ "; the nearest is 'x'", for an error's end."""
    known = [str(one) for one in known]
    close = difflib.get_close_matches(str(name), known, 1, 0)
    return f"; the nearest is '{close[0]}'" if close else ""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same_value(value, text):
    """Whether a value is the one that a claim's text means; numbers are given to five digits or more."""
    if is_number(value):
        try:
            wanted = float(text)
        except ValueError:
            return False
        return abs(wanted - float(value)) <= 1e-5 * abs(float(value))
    return text == (str(value).lower() if isinstance(value, bool) else value)
