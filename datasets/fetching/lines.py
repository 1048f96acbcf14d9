"""What is said: one line each, whatever servers and catalogues have in their names."""

LONGEST = 400


class FetchError(Exception):
    """Why nothing can be fetched, in one line."""


def one_line(text):
    """A text of others for a message: cut when it is long, '?' for what is not printable."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(str(text).split()))
    return line if len(line) <= LONGEST else line[:LONGEST] + "..."
