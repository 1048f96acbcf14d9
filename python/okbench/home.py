"""Locations of okbench's files: experiments, catalogs, references, and the program."""

import os
import pathlib
import site
import sys

from .errors import OkbenchError

PACKAGE = pathlib.Path(__file__).resolve().parent


def package_home() -> str:
    """The home folder of this package, whatever OKBENCH_HOME says; raises OkbenchError."""
    # In this order: a wheel, the source tree or a CMake installation, a Debian package.
    # A package near the root of the file system has fewer parents.
    installed = [folder / "share" / "okbench" for folder in PACKAGE.parents[3:4]]
    places = (PACKAGE / "share" / "okbench", *PACKAGE.parents[1:2], *installed)
    for folder in places:
        if (folder / "datasets" / "catalog.toml").is_file():
            return str(folder)
    raise OkbenchError(f"{PACKAGE} is without its data; no datasets/catalog.toml in any of {[*map(str, places)]}")


def home_folder() -> str:
    """Folder with experiments/ and datasets/: OKBENCH_HOME, else the one beside the package."""
    return os.environ.get("OKBENCH_HOME") or package_home()


def program() -> str:
    """Path of the program `okbench` of this package; raises OkbenchError."""
    home = pathlib.Path(package_home())
    installed = [folder / "bin" for folder in home.parents[1:2]]
    places = (PACKAGE / "bin", *installed, home / "build" / "release")
    for folder in places:
        if (folder / "okbench").is_file():
            return str(folder / "okbench")
    raise OkbenchError("the program is not built; run make build")


def become_program(words: list[str]) -> None:
    """Replaces this process by the program. Its verbs that are written in Python use this interpreter."""
    try:
        path = program()
    except OkbenchError as error:
        sys.exit(f"okbench: {error}")
    os.environ.setdefault("OKBENCH_PYTHON", sys.executable)
    # The package may be outside the interpreter's search path.
    if str(PACKAGE.parent) not in (*site.getsitepackages(), site.getusersitepackages()):
        inherited = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = f"{PACKAGE.parent}:{inherited}" if inherited else str(PACKAGE.parent)
    os.execv(path, [path, *words])


def main() -> None:
    """The command `okbench` of a wheel."""
    become_program(sys.argv[1:])


def catalog_paths() -> list[str]:
    """Catalogs of data sets: okbench's, that of `okbench data add`, and those of OKBENCH_CATALOG."""
    own = pathlib.Path(data_folder(), "catalog.toml")
    more = [path for path in os.environ.get("OKBENCH_CATALOG", "").split(":") if path]
    return [str(pathlib.Path(home_folder(), "datasets", "catalog.toml")), *([str(own)] if own.exists() else []), *more]


def replacements_path() -> str:
    """Catalog of the real data sets in place of the papers'."""
    return str(pathlib.Path(home_folder(), "datasets", "replacements.toml"))


def data_folder() -> str:
    """Where `okbench data add` stores data sets: OKBENCH_DATA, else XDG_DATA_HOME/okbench."""
    shared = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local" / "share"
    return os.environ.get("OKBENCH_DATA") or str(pathlib.Path(shared, "okbench"))


def experiment_folders() -> list[str]:
    """Folders of papers: okbench's experiments/, then those of OKBENCH_EXPERIMENTS."""
    more = [path for path in os.environ.get("OKBENCH_EXPERIMENTS", "").split(":") if path]
    return [str(pathlib.Path(home_folder(), "experiments")), *more]
