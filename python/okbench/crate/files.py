"""The files of a crate: which there are, and what is told of each."""

import hashlib
import os

from ..reading import files_named
from ..writing import TEMPORARY

# A table of our own: those of systems differ.
FORMATS = {
    ".csv": "text/csv",
    ".h5": "application/x-hdf5",
    ".html": "text/html",
    ".json": "application/json",
    ".log": "text/plain",
    ".md": "text/markdown",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".toml": "application/toml",
    ".txt": "text/plain",
}


def is_hidden(path):
    """Whether a path below the folder is no part of the crate: hidden, or not whole."""
    return any(part.startswith(".") for part in path.parts) or TEMPORARY in path.name


def files_below(folder):
    """Paths of all files below a folder, relative to it, sorted; links to folders are not followed."""
    found = [path.relative_to(folder) for path in files_named(folder, "*") if path.is_file()]
    return [path for path in found if not is_hidden(path)]


def add_file(graph, identifier, path, **told):
    """Adds a file with its digest; `told` is what else is known of it."""
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    graph.add(
        identifier,
        "File",
        # Names of files may be no text.
        **{"name": os.fsencode(path.name).decode("utf-8", "replace"), **told},
        encodingFormat=FORMATS.get(path.suffix.lower(), "application/octet-stream"),
        contentSize=str(size),
        sha256=digest.hexdigest(),
    )
    return size
