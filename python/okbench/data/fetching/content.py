"""Finds files of data sets and verifies their digests."""

import hashlib
import os
import pathlib

from ...home import data_folder
from .. import unpacking


def cache_folder():
    """The cache folder: OKBENCH_CACHE, else XDG_CACHE_HOME/okbench, else ~/.cache/okbench."""
    if os.environ.get("OKBENCH_CACHE"):
        return pathlib.Path(os.environ["OKBENCH_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "okbench"


def expected(entry):
    """The digest of the file or of its content in the catalog; empty for files that are not public."""
    return entry.get("file_sha256") or entry.get("file_md5") or entry.get("sha256", "")


def fault(path, entry):
    """The reason why a file does not match the catalog's digest; None if it matches.

    `file_sha256` and `file_md5` are digests of the file as published, `sha256` of its decompressed content.
    """
    digest = hashlib.md5() if entry.get("file_md5") else hashlib.sha256()
    whole = entry.get("file_sha256") or entry.get("file_md5")
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            # Upstream and mirror may use different compression, so `sha256` covers the decompressed content.
            for piece in iter(lambda: file.read(unpacking.PIECE), b"") if whole else unpacking.pieces(file, size):
                digest.update(piece)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    except unpacking.UnpackError as error:
        return str(error)
    if digest.hexdigest() == expected(entry):
        return None
    what, kind = "file" if whole else "content", "md5" if entry.get("file_md5") else "sha256"
    return f"the {what} has {kind} {digest.hexdigest()}, expected {expected(entry)}"


def find(entry, cache):
    """The path of an existing file in the cache, the data folder, the mirror or an installed package, or None."""
    places = [cache / entry["name"], pathlib.Path(data_folder()) / entry["name"]]
    mirror = os.environ.get("OKBENCH_MIRROR")
    if mirror:
        places += [pathlib.Path(mirror) / entry["name"], pathlib.Path(mirror) / pathlib.Path(entry["name"]).name]
    if entry.get("installed"):
        places.append(pathlib.Path(entry["installed"]))
    return next((place for place in places if os.path.isfile(place)), None)
