"""Reads TOML files and lists files in directories."""

import fnmatch
import os
import pathlib
import tomllib

from .errors import ClaimError


def read_toml(path):
    """Parses a TOML file. Raises ClaimError if it cannot be read or parsed."""
    try:
        return tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ClaimError(f"{path}: nested too deeply") from error
    except (OSError, ValueError) as error:
        raise ClaimError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def files_like(folder, *names):
    """Sorted paths of the files below a directory that match one name pattern per level, such as "*", "plan.json".

    Returns [] if the directory does not exist. Raises OSError if a directory cannot be read; pathlib's glob would skip
    it silently.
    """
    try:
        there = sorted(fnmatch.filter(os.listdir(folder), names[0]))
    except (FileNotFoundError, NotADirectoryError):
        return []
    paths = [pathlib.Path(folder, name) for name in there]
    if len(names) > 1:
        return [file for path in paths for file in files_like(path, *names[1:])]
    return [path for path in paths if path.is_file()]


def files_named(folder, name):
    """Sorted paths of all files below a directory, at any depth, whose names match the pattern `name`.

    Does not follow links to directories. Returns [] if the directory does not exist. Raises OSError if it or a
    subdirectory cannot be read.
    """

    def stop(error):
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError)) and error.filename == os.fspath(folder)
        if not missing:
            raise error

    every = os.walk(folder, onerror=stop)
    return sorted(pathlib.Path(place, one) for place, _, names in every for one in fnmatch.filter(names, name))
