"""Writes files atomically: a reader sees the complete new file or the old one."""

import contextlib
import os
import pathlib
import secrets
import socket

from .errors import WriteError

TEMPORARY = ".tmp-"  # part of the names of temporary files, the same as in the C++ program


def write_bytes(path, data, folders=False):
    """Writes a file atomically: writes a temporary file in the same folder, flushes it to disk and renames it.

    Removes the temporary file on failure. `folders`: create missing parent folders. Raises WriteError.
    """
    try:
        # Replace the target of a link, not the link.
        whole = pathlib.Path(os.path.realpath(path))
        if folders:
            whole.parent.mkdir(parents=True, exist_ok=True)
        if whole.exists() and not whole.is_file():
            whole.write_bytes(data)  # a device cannot be replaced by renaming
        else:
            replace(whole, data)
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from error


def namespace():
    """Number of the namespace of process ids: containers may have the host name and process ids of another."""
    try:
        return "".join(filter(str.isdigit, os.readlink("/proc/self/ns/pid")))
    except OSError:
        return ""


def replace(path, data):
    """Replaces a file atomically. REQUIRES: `path` contains no links and its folder exists."""
    temporary = path.with_name(
        f"{path.name}{TEMPORARY}{socket.gethostname()}-{namespace()}-{os.getpid()}-{secrets.randbelow(2**32)}"
    )
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def write_text(path, text, folders=False):
    """Writes text atomically, like write_bytes, as UTF-8 in any locale. Writes "?" for invalid characters."""
    write_bytes(path, text.encode("utf-8", "replace"), folders)
