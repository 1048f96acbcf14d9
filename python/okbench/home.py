"""Where okbench's own files lie: experiments, the catalogue of data sets, references, and the program."""

import os
import pathlib
import site
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent


def beside() -> str:
    """The home folder that goes with this package, whatever OKBENCH_HOME says; raises FileNotFoundError."""
    # That of a wheel, of the sources or a plain `cmake --install`, and of a Debian package.
    places = (PACKAGE / "share" / "okbench", PACKAGE.parents[1], PACKAGE.parents[3] / "share" / "okbench")
    for folder in places:
        if (folder / "datasets" / "catalog.toml").is_file():
            return str(folder)
    raise FileNotFoundError(f"okbench: {PACKAGE} is without its data; no datasets/catalog.toml in any of {places}")


def home_folder() -> str:
    """Folder with experiments/ and datasets/: OKBENCH_HOME, else the one beside the package."""
    return os.environ.get("OKBENCH_HOME") or beside()


def program() -> str:
    """Path of the program `okbench` that goes with this package; raises FileNotFoundError."""
    home = pathlib.Path(beside())
    places = (PACKAGE / "bin", home.parents[1] / "bin", home / "build" / "release")
    for folder in places:
        if (folder / "okbench").is_file():
            return str(folder / "okbench")
    raise FileNotFoundError("okbench: the program is not built; run make build")


def main() -> None:
    """The command `okbench` of a wheel: becomes the program."""
    try:
        path = program()
    except FileNotFoundError as error:
        sys.exit(str(error))
    # Its verbs that are written in Python find this interpreter, and this package where it is not among its own.
    os.environ.setdefault("OKBENCH_PYTHON", sys.executable)
    if str(PACKAGE.parent) not in (*site.getsitepackages(), site.getusersitepackages()):
        inherited = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = f"{PACKAGE.parent}:{inherited}" if inherited else str(PACKAGE.parent)
    os.execv(path, [path, *sys.argv[1:]])
