"""Reading files of TOML, and what lies in folders."""

import fnmatch
import os
import pathlib
import tomllib

from .errors import ClaimError


def read_toml(path):
    """The content of a file; raises ClaimError."""
    try:
        return tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ClaimError(f"{path}: is nested too deeply") from error
    except (OSError, ValueError) as error:
        raise ClaimError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def files_like(folder, *names):
    """Sorted paths of files below a folder, a pattern of names for each level: "*", "plan.json". None where there is no
    such folder; raises OSError where one cannot be read, which pathlib's glob passes over."""
    try:
        there = sorted(fnmatch.filter(os.listdir(folder), names[0]))
    except (FileNotFoundError, NotADirectoryError):
        return []
    paths = [pathlib.Path(folder, name) for name in there]
    if len(names) > 1:
        return [file for path in paths for file in files_like(path, *names[1:])]
    return [path for path in paths if path.is_file()]


def files_named(folder, name):
    """Sorted paths of all files below a folder whose names are like `name`; links to folders are not followed. None
    where there is no such folder; raises OSError where it, or one below it, cannot be read."""

    def stop(error):
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError)) and error.filename == os.fspath(folder)
        if not missing:
            raise error

    every = os.walk(folder, onerror=stop)
    return sorted(pathlib.Path(place, one) for place, _, names in every for one in fnmatch.filter(names, name))
