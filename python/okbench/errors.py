"""The package's errors; each message is one line."""

import difflib

# Exceptions that readable but unexpected content of traces, plans or specs causes.
CONTENT_ERRORS = (ArithmeticError, LookupError, ValueError, TypeError, AttributeError, StopIteration, RecursionError)

LONGEST = 1000  # characters of a message


def cause_of(error):
    """Kind and text of any exception, in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def root_cause(error):
    """The last line of the first error of a chain, which ends at `from None`. NumPy wraps an error in forty lines."""
    while before := error.__cause__ or (None if error.__suppress_context__ else error.__context__):
        error = before
    return (str(error).strip().splitlines() or [type(error).__name__])[-1]


def one_line(text):
    """The text as one line for a message: spaces replace line ends, "?" replaces unprintable characters, and "..."
    replaces the middle of a long text."""
    line = "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in str(text))
    # A message starts with the place and ends with the cause.
    return line if len(line) <= LONGEST else f"{line[:LONGEST // 2]} ... {line[-LONGEST // 2:]}"


def nearest(name, known, otherwise=""):
    """End of a message about an unknown name: "; did you mean x?", whatever the case. `otherwise` if no name is close;
    without it, the nearest name is named in any case. Empty if nothing is known."""
    known = {str(candidate).casefold(): str(candidate) for candidate in known}
    close = difflib.get_close_matches(str(name).casefold(), known, 1, 0.6 if otherwise else 0)
    return f"; did you mean {known[close[0]]}?" if close else otherwise


class OkbenchError(Exception):
    """Base of the package's errors except WriteError. The message is one line. exit_status is the status of the
    command that ends with it: 1 for a failure, 2 for an invalid request."""

    exit_status = 1

    def __init__(self, text=""):
        super().__init__(one_line(text))


class RequestError(OkbenchError):
    """A request that cannot be met: a missing folder, an unknown name, a file in the wrong format."""

    exit_status = 2


class ClaimError(RequestError):
    """A claim, spec or expression that is not valid."""


class ScriptError(RequestError):
    """A user's script that cannot be imported."""


class FetchError(OkbenchError):
    """A data file or catalog that cannot be fetched or read."""


class TraceFileError(OkbenchError):
    """A trace or plan that cannot be read."""


class NotRun(OkbenchError):
    """Results that are needed are missing. The message says which."""


class WrongTier(NotRun):
    """The results are of a tier that the claim is not judged on."""

    def __init__(self, needed, given):
        super().__init__(f"needs the {needed} tier, these results are of the {given} tier")
        self.needed = needed


class ContentError(OkbenchError):
    """Results that are readable but lack something that the command needs."""


class WriteError(OSError):
    """A file that cannot be written. An OSError, not an OkbenchError. Commands exit with status 1."""
