"""One module a paper; importing the package registers all figures, and those of the user's own folders."""

import importlib
import importlib.util
import os
import pkgutil
import sys

from okbench.reading import files_like

for module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{module.name}")


def load_own():
    """Imports every *.py of the folders in OKBENCH_FIGURES (a colon-separated list); ends with one line where one
    cannot be imported."""
    for folder in os.environ.get("OKBENCH_FIGURES", "").split(":"):
        try:
            own_files = files_like(folder, "*.py") if folder else []
        except OSError as error:
            sys.exit(f"okplots: {folder}: {error.strerror}")
        for path in own_files:
            name = f"{__name__}.own_{path.stem}"
            specification = importlib.util.spec_from_file_location(name, path)
            own = importlib.util.module_from_spec(specification)
            sys.modules[name] = own
            try:
                specification.loader.exec_module(own)
            except Exception as error:  # whatever a user's file does
                sys.exit(f"okplots: {path}: cannot be imported: {type(error).__name__}: {error}")


load_own()
