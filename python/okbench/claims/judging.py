"""Judges claims on results."""

import dataclasses
import warnings

import numpy as np

from ..errors import CONTENT_ERRORS, ClaimError, NotRun, WrongTier, cause_of
from ..measures import Expression
from .files import NOT_REPRODUCED, REPRODUCED, Claim

NOT_RUN = "not run"
HOLDS, DOES_NOT_HOLD, UNDECIDED = "holds", "does not hold", "cannot be decided"
OUTCOMES = (HOLDS, DOES_NOT_HOLD, UNDECIDED, NOT_RUN)


@dataclasses.dataclass
class Judged:
    """A claim with its verdict and values."""

    claim: Claim
    verdict: str
    values: list
    reason: str = ""
    needed_tier: str = ""  # tier that the claim needs, if the results are of another tier
    tried: list = dataclasses.field(default_factory=list)  # (what, values, reason if there are no values)

    @property
    def paper(self):
        return self.claim.paper

    @property
    def expected(self):
        """The verdict recorded in the claims file."""
        return self.claim.expected

    @property
    def outcome(self):
        """One of OUTCOMES: as the verdict, but a claim that fails cannot be decided if the paper lacks what decides."""
        if self.verdict == NOT_REPRODUCED:
            return UNDECIDED if self.claim.undecided else DOES_NOT_HOLD
        return HOLDS if self.verdict == REPRODUCED else NOT_RUN

    @property
    def surprising(self):
        """Whether the verdict differs from the recorded one. Never for claims that are not run."""
        return self.verdict != NOT_RUN and self.verdict != self.expected


def plain(value):
    """Converts numpy numbers to Python numbers, in lists too. Raises ClaimError for other values."""
    if isinstance(value, list):
        return [plain(element) for element in value]
    if isinstance(value, (str, bytes)) or value is None:
        raise ClaimError(f"its value {value!r} must be a number")
    return value if isinstance(value, int) else float(value)


def judge(claim, results):
    """Judges one claim and its tried causes. Raises ClaimError if the claim is not valid on these results."""
    if claim.blocked_by:
        return Judged(claim, NOT_RUN, [], claim.blocked_by)
    judged = verdict(claim, results)
    judged.tried = [judge_tried(claim, tried, results) for tried in claim.tried]
    return judged


def judge_tried(claim, tried, results):
    """Evaluates a tried cause: (what, values, reason). If the results lack something, values is empty and reason says
    what."""
    # Tried causes may use results of any tier of Results.SIZED, even if the claim needs a specific tier.
    results.tier = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            values = [
                plain(Expression(expression, results, claim.numbers).value())
                if isinstance(expression, str)
                else expression
                for expression in tried.value
            ]
        return tried.what, values, ""
    except NotRun as reason:
        return tried.what, [], str(reason)
    except ClaimError as error:
        raise ClaimError(f"claim '{claim.id}' of {claim.paper}, tried '{tried.what}': {error}") from error
    except CONTENT_ERRORS as error:
        return tried.what, [], cause_of(error)


def verdict(claim, results):
    """Judges a claim without its tried causes."""
    results.tier, results.used_tiers = claim.tier, set()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # numpy warns about NaNs, which are rejected below
            values = [plain(Expression(text, results, claim.numbers).value()) for text in claim.value]
        if any(np.isnan(number) for value in values for number in (value if isinstance(value, list) else [value])):
            raise NotRun("a value is NaN: there are too few results")
        if any(np.isinf(number) for value in values for number in (value if isinstance(value, list) else [value])):
            return Judged(claim, NOT_RUN, values, "a value is infinite")
        if claim.timed:
            shown = ", ".join(f"{value:.3g}" for value in values)
            return Judged(claim, NOT_RUN, values, f"depends on the speed of the machine; here {shown}")
        good = claim.expect.holds(values)
    except WrongTier as reason:
        return Judged(claim, NOT_RUN, [], str(reason), reason.needed)
    except NotRun as reason:
        return Judged(claim, NOT_RUN, [], str(reason))
    except ZeroDivisionError:
        return Judged(claim, NOT_RUN, [], "division by zero on these results")
    except ClaimError as error:
        raise ClaimError(f"claim '{claim.id}' of {claim.paper}: {error}") from error
    except CONTENT_ERRORS as error:
        # The claim is valid, so the traces cause the error. It affects only this verdict.
        return Judged(claim, NOT_RUN, [], f"{claim.id} cannot be computed on these results: {cause_of(error)}")
    tiers = sorted(results.used_tiers)
    note = f"compares results of the tiers {' and '.join(tiers)}" if len(tiers) > 1 else ""
    return Judged(claim, REPRODUCED if good else NOT_REPRODUCED, values, note)
