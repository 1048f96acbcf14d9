"""The table [about] of a claims file: title, authors, venue, description, and DOI or URL of the paper.

`programs = true` marks claims of programs' documentation, which follow the papers in the report.
"""

import re

from ..errors import ClaimError, nearest

TEXTS = ("title", "authors", "venue", "text")
ADDRESSES = {
    "doi": (re.compile(r"10\.\d{4,9}/[\x21-\x7e]+"), "a bare DOI, such as 10.1000/182"),
    "url": (re.compile(r"https?://[\x21-\x7e]+"), "a URL that starts with http:// or https://"),
}


def read_about(content):
    """Returns the checked table [about] of a claims file, or None if it has none. Raises ClaimError."""
    if "about" not in content:
        return None
    about = content["about"]
    if not isinstance(about, dict):
        raise ClaimError("about must be a table")
    known = (*TEXTS, *ADDRESSES)
    if not isinstance(about.get("programs", False), bool):
        raise ClaimError("about.programs must be true or false")
    for key, value in about.items():
        if key != "programs" and (key not in known or not isinstance(value, str)):
            raise ClaimError(f"about.{key}: unknown key, or not a text{nearest(key, known)}")
    for key in TEXTS:
        if key not in about:
            raise ClaimError(f"about.{key} is missing")
    for key, (pattern, what) in ADDRESSES.items():
        if key in about and not pattern.fullmatch(about[key]):
            raise ClaimError(f"about.{key} must be {what}")
    return about


def address(about):
    """URL of the paper: its DOI as a URL if there is one, else `url`; None if [about] has neither."""
    return f"https://doi.org/{about['doi']}" if "doi" in about else about.get("url")
