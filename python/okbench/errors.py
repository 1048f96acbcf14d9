"""The package's errors; each message is one line."""


class TraceFileError(Exception):
    """A trace file or plan that cannot be read."""


class ClaimError(Exception):
    """A claim that cannot be read."""


class NotRun(Exception):
    """There is nothing to judge a claim on, and why."""
