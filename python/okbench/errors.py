"""The package's errors; each message is one line."""

# What code stumbles over where traces, plans or specs are whole, and yet not what it expects.
ODD_CONTENT = (ArithmeticError, LookupError, ValueError, TypeError, AttributeError, StopIteration, RecursionError)


def cause_of(error):
    """Kind and text of any exception, in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


class TraceFileError(Exception):
    """A trace file or plan that cannot be read."""


class ClaimError(Exception):
    """A claim that cannot be read."""


class NotRun(Exception):
    """There is nothing to judge a claim on, and why."""


class WrongTier(NotRun):
    """The results are of a tier that the claim is not judged on."""

    def __init__(self, needed, given):
        super().__init__(f"needs the {needed} tier, these results are of the {given} tier")
        self.needed = needed


class WriteError(OSError):
    """A file that cannot be written."""
