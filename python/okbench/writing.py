"""Writing files: whole, or not at all."""

import contextlib
import os
import pathlib
import socket

from .errors import WriteError

TEMPORARY = ".tmp-"  # in the names of files that are not whole, as the program has them


def write_bytes(path, data, folders=False):
    """Writes a file under another name in its folder, flushes it and gives it its own: nobody ever sees a part of it,
    and none stays. `folders`: those that are not there are made. Raises WriteError."""
    try:
        # A link stays one: the file that it leads to is replaced.
        whole = pathlib.Path(os.path.realpath(path))
        if folders:
            whole.parent.mkdir(parents=True, exist_ok=True)
        if whole.exists() and not whole.is_file():
            whole.write_bytes(data)  # a device has no other name
        else:
            replace(whole, data)
    except OSError as error:
        raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from error


def replace(path, data):
    """The same of a path without links, in a folder that is there."""
    temporary = path.with_name(f"{path.name}{TEMPORARY}{socket.gethostname()}-{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def write_text(path, text, folders=False):
    """The same of text, as UTF-8 whatever the locale; what is no character becomes a question mark."""
    write_bytes(path, text.encode("utf-8", "replace"), folders)
