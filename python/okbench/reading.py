"""Reads TOML files, lists files in folders and imports scripts."""

import fnmatch
import importlib.util
import os
import pathlib
import sys
import tomllib

from .errors import ClaimError, ScriptError, cause_of


def read_toml(path):
    """Parses a TOML file. Raises ClaimError if it cannot be read or parsed."""
    try:
        return tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ClaimError(f"{path}: nested too deeply") from error
    except (OSError, ValueError) as error:
        raise ClaimError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def files_like(folder, *names):
    """Sorted paths of the files below a folder that match one name pattern per level, such as "*", "plan.json".

    Returns [] if the folder does not exist. Raises OSError if a folder cannot be read; pathlib's glob would skip
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
    """Sorted paths of all files below a folder, at any depth, whose names match the pattern `name`.

    Does not follow links to folders. Returns [] if the folder does not exist. Raises OSError if it or a
    subdirectory cannot be read.
    """

    def stop(error):
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError)) and error.filename == os.fspath(folder)
        if not missing:
            raise error

    every = os.walk(folder, onerror=stop)
    return sorted(pathlib.Path(place, match) for place, _, names in every for match in fnmatch.filter(names, name))


def load_scripts(folders):
    """Imports every *.py of these folders, each once. Returns the modules. Empty names are left out.

    Raises ScriptError, with the file name, if a script cannot be imported.
    """
    modules = []
    for folder in filter(None, folders):
        if not os.path.isdir(folder):
            raise ScriptError(f"{folder}: no such folder")
        try:
            paths = files_like(folder, "*.py")
        except OSError as error:
            raise ScriptError(f"{folder}: {error.strerror}") from error
        modules += map(_load_script, paths)
    return modules


def _load_script(path):
    name = f"okbench_script_{path.resolve().as_posix()}"
    if name in sys.modules:
        return sys.modules[name]
    specification = importlib.util.spec_from_file_location(name, path)
    script = importlib.util.module_from_spec(specification)
    sys.modules[name] = script
    try:
        specification.loader.exec_module(script)
    except Exception as error:  # a user's script can raise anything
        del sys.modules[name]
        raise ScriptError(f"{path}: cannot be imported: {cause_of(error)}") from error
    return script
