"""The package's errors; each message is one line."""


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
