"""Loads figure scripts: Python files that register figures and tables when they are imported."""

import os
import pathlib

from ..home import home_folder
from ..reading import load_scripts


def load():
    """Imports every script of okbench's plots/ and of the folders in OKBENCH_FIGURES (colon-separated) once.

    Raises ScriptError, with the file name, if a script cannot be imported.
    """
    own = os.environ.get("OKBENCH_FIGURES", "").split(":")
    load_scripts([str(pathlib.Path(home_folder(), "plots")), *own])
