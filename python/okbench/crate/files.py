"""The files of a crate and their properties."""

import hashlib
import os

from ..reading import files_named
from ..writing import TEMPORARY

# Fixed table, because the MIME tables of operating systems differ.
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
    """Whether a relative path is excluded from the crate: it is hidden or a temporary file."""
    return any(part.startswith(".") for part in path.parts) or TEMPORARY in path.name


def files_below(folder):
    """Sorted relative paths of all files below a folder that a crate contains. Does not follow links."""
    files = (path for path in files_named(folder, "*") if path.is_file() and not path.is_symlink())
    paths = [path.relative_to(folder) for path in files]
    return [path for path in paths if not is_hidden(path)]


def add_file(graph, identifier, path, **properties):
    """Adds a file with its digest and the given properties. Returns its size in bytes. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    graph.add(
        identifier,
        "File",
        # File names may be invalid UTF-8.
        **{"name": os.fsencode(path.name).decode("utf-8", "replace"), **properties},
        encodingFormat=FORMATS.get(path.suffix.lower(), "application/octet-stream"),
        contentSize=str(size),
        sha256=digest.hexdigest(),
    )
    return size
