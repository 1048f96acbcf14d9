"""The package's errors; each message is one line."""

# What code stumbles over where traces, plans or specs are whole, and yet not what it expects.
ODD_CONTENT = (ArithmeticError, LookupError, ValueError, TypeError, AttributeError, StopIteration, RecursionError)

LONGEST = 1000  # characters of a message


def cause_of(error):
    """Kind and text of any exception, in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def one_line(text):
    """A text with texts of others in it, for a message: blanks for line ends, "?" for what is not printable; its
    middle left out when it is long."""
    line = "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in str(text))
    # Where it is stands in front, and why behind.
    return line if len(line) <= LONGEST else f"{line[:LONGEST // 2]} ... {line[-LONGEST // 2:]}"


class OneLine(Exception):
    """An error whose message is one line, whatever is in it."""

    def __init__(self, text=""):
        super().__init__(one_line(text))


class TraceFileError(OneLine):
    """A trace file or plan that cannot be read."""


class ClaimError(OneLine):
    """A claim that cannot be read."""


class NotRun(OneLine):
    """There is nothing to judge a claim on, and why."""


class WrongTier(NotRun):
    """The results are of a tier that the claim is not judged on."""

    def __init__(self, needed, given):
        super().__init__(f"needs the {needed} tier, these results are of the {given} tier")
        self.needed = needed


class WriteError(OSError):
    """A file that cannot be written."""
