"""Where files lie, and whether they are what the catalogue says."""

import hashlib
import os
import pathlib

from ...home import data_folder
from .. import unpacking


def cache_folder():
    """okbench's cache: OKBENCH_CACHE, else XDG_CACHE_HOME/okbench, else ~/.cache/okbench."""
    if os.environ.get("OKBENCH_CACHE"):
        return pathlib.Path(os.environ["OKBENCH_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "okbench"


def expected(entry):
    """The catalogue's sha256 of the file or of its content; empty for files that are not public."""
    return entry.get("file_sha256") or entry.get("file_md5") or entry.get("sha256", "")


def fault(path, entry):
    """What is wrong with a file that should have the catalogue's digest, of its decompressed content or, where the
    catalogue has that (file_sha256, file_md5), of the file as it is; None when nothing is."""
    digest = hashlib.md5() if entry.get("file_md5") else hashlib.sha256()
    whole = entry.get("file_sha256") or entry.get("file_md5")
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            # Upstream and mirror may compress differently.
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
    """Where the file lies already, or None."""
    places = [cache / entry["name"], pathlib.Path(data_folder()) / entry["name"]]
    mirror = os.environ.get("OKBENCH_MIRROR")
    if mirror:
        places += [pathlib.Path(mirror) / entry["name"], pathlib.Path(mirror) / pathlib.Path(entry["name"]).name]
    return next((place for place in places if os.path.isfile(place)), None)
