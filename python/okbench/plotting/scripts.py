"""Loads figure scripts: Python files that register figures and tables when they are imported."""

import importlib.util
import os
import pathlib
import sys

from ..errors import FigureError
from ..home import home_folder
from ..reading import files_like


def load():
    """Imports every script of okbench's plots/ and of the folders in OKBENCH_FIGURES (colon-separated) once.

    Raises FigureError, with the file name, if a script cannot be imported.
    """
    own = [folder for folder in os.environ.get("OKBENCH_FIGURES", "").split(":") if folder]
    for folder in [str(pathlib.Path(home_folder(), "plots")), *own]:
        try:
            paths = files_like(folder, "*.py")
        except OSError as error:
            raise FigureError(f"{folder}: {error.strerror}") from error
        for path in paths:
            load_script(path)


def load_script(path):
    """Imports one script, unless it was imported before."""
    name = f"okbench_figures_{path.resolve().as_posix()}"
    if name in sys.modules:
        return
    specification = importlib.util.spec_from_file_location(name, path)
    script = importlib.util.module_from_spec(specification)
    sys.modules[name] = script
    try:
        specification.loader.exec_module(script)
    except Exception as error:  # a user's script can raise anything
        del sys.modules[name]
        raise FigureError(f"{path}: cannot be imported: {type(error).__name__}: {error}") from error
