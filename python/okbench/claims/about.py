"""What a claims file says of its paper, [about]: title, authors, venue, a text, and where the paper is to be found."""

import re

from ..errors import ClaimError
from ..traces.names import nearest

TEXTS = ("title", "authors", "venue", "text")
ADDRESSES = {
    "doi": (re.compile(r"10\.\d{4,9}/[\x21-\x7e]+"), "a DOI alone, such as 10.1000/182"),
    "url": (re.compile(r"https?://[\x21-\x7e]+"), "an address that begins with http:// or https://"),
}


def read_about(content):
    """The table [about] of a claims file, checked; None where there is none. Raises ClaimError."""
    if "about" not in content:
        return None
    about = content["about"]
    if not isinstance(about, dict):
        raise ClaimError("about must be a table")
    known = (*TEXTS, *ADDRESSES)
    for key, value in about.items():
        if key not in known or not isinstance(value, str):
            raise ClaimError(f"about: key '{key}' is not known or no text{nearest(key, known)}")
    for key in TEXTS:
        if key not in about:
            raise ClaimError(f"about.{key} is missing")
    for key, (pattern, what) in ADDRESSES.items():
        if key in about and not pattern.fullmatch(about[key]):
            raise ClaimError(f"about.{key} must be {what}")
    return about


def address(about):
    """Where the paper is to be found: its DOI as an address, else its address; None where the file has neither."""
    return f"https://doi.org/{about['doi']}" if "doi" in about else about.get("url")
