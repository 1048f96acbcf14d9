"""Judging claims on results."""

import dataclasses
import warnings

import numpy as np

from ..errors import ODD_CONTENT, ClaimError, NotRun, WrongTier, cause_of
from ..measures import Expression
from .files import NOT_REPRODUCED, REPRODUCED, Claim

NOT_RUN = "not run"


@dataclasses.dataclass
class Judged:
    """A claim with its verdict."""

    claim: Claim
    verdict: str
    values: list
    reason: str = ""
    needed_tier: str = ""  # where the results are of a tier that the claim is not judged on
    tried: list = dataclasses.field(default_factory=list)  # (what, values, why there are none)

    @property
    def paper(self):
        return self.claim.paper

    @property
    def expected(self):
        """The verdict recorded as expected; a claim that could not be judged is never a surprise."""
        return self.claim.expected

    @property
    def surprising(self):
        return self.verdict != NOT_RUN and self.verdict != self.expected


def plain(value):
    """Python's own numbers, whatever an expression gave."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, (str, bytes)) or value is None:
        raise ClaimError(f"its value is {value!r}, no number")
    return value if isinstance(value, int) else float(value)


def judge(claim, results):
    """The verdict on one claim."""
    if claim.blocked_by:
        return Judged(claim, NOT_RUN, [], claim.blocked_by)
    judged = verdict(claim, results)
    judged.tried = [judge_tried(claim, tried, results) for tried in claim.tried]
    return judged


def judge_tried(claim, tried, results):
    """What came of a cause that was tried: (what, values, reason), the values empty where these results have none."""
    # A variant is run where it is worth its time, whatever the claim's own tier.
    results.tier = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            values = [
                plain(Expression(one, results, claim.numbers).value()) if isinstance(one, str) else one
                for one in tried.value
            ]
        return tried.what, values, ""
    except NotRun as reason:
        return tried.what, [], str(reason)
    except ClaimError as error:
        raise ClaimError(f"claim '{claim.id}' of {claim.paper}, tried '{tried.what}': {error}") from error
    except ODD_CONTENT as error:
        return tried.what, [], cause_of(error)


def verdict(claim, results):
    """The claim judged, without its tried causes."""
    results.tier = claim.tier
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # numpy's, of values that are refused below
            values = [plain(Expression(text, results, claim.numbers).value()) for text in claim.value]
        if any(np.isnan(number) for value in values for number in (value if isinstance(value, list) else [value])):
            raise NotRun("these results are too few for a number")
        good = claim.expect.holds(values)
    except WrongTier as reason:
        return Judged(claim, NOT_RUN, [], str(reason), reason.needed)
    except NotRun as reason:
        return Judged(claim, NOT_RUN, [], str(reason))
    except ZeroDivisionError:
        return Judged(claim, NOT_RUN, [], "these results leave nothing to divide by")
    except ClaimError as error:
        raise ClaimError(f"claim '{claim.id}' of {claim.paper}: {error}") from error
    except ODD_CONTENT as error:
        # The claim could be read: what a measure stumbles over lies in these traces, and ends nothing but its verdict.
        return Judged(claim, NOT_RUN, [], f"{claim.id} cannot be computed on these results: {cause_of(error)}")
    return Judged(claim, REPRODUCED if good else NOT_REPRODUCED, values)
