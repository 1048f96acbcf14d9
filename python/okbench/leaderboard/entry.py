"""An entry: a folder with entry.toml and the source of one learner."""

import dataclasses
import pathlib
import re
import tomllib

from .. import home
from ..errors import RequestError
from ..league import PREFIX
from ..reading import read_toml

# The data sets of the leaderboard: generated, or from a Debian package, so nothing is downloaded.
SETS = ("digits", "hyperplane", "led", "random-rbf", "sea", "stagger")
KEYS = {"format", "name", "title", "author", "source", "object", "blas", "parameters", "tune", "grid"}
NEEDED = ("format", "name", "title", "author", "source")
KINDS = {"blas": bool, "parameters": dict, "tune": dict, "grid": dict}  # other keys are texts
EXPECTED = {bool: "true or false", dict: "a table", str: "a text"}
MAX_CHARACTERS = 80  # of title and author
MAX_TUNED, MAX_BUDGETS, MAX_BUDGET = 5, 4, 1024
BUDGETS = ("budget", "buffer", "features")
SUFFIXES = {".cpp": "C++", ".py": "Python"}


@dataclasses.dataclass
class Entry:
    """The content of entry.toml. docs/howto/enter-the-leaderboard.md describes the keys."""

    folder: pathlib.Path
    name: str  # key of the learner in specs and, for C++, its name in the registry
    title: str
    author: str
    source: str  # file name: learner.cpp or learner.py
    object: str = ""  # Python: the class or function
    blas: bool = False  # Python: uses BLAS, whose last bits depend on the processor
    parameters: dict = dataclasses.field(default_factory=dict)
    tune: dict = dataclasses.field(default_factory=dict)
    grid: dict = dataclasses.field(default_factory=dict)

    @property
    def language(self):
        return SUFFIXES[pathlib.PurePath(self.source).suffix]

    def learner(self):
        """The table [learners.NAME] of the entry's specs."""
        tables = {key: value for key, value in (("tune", self.tune), ("grid", self.grid)) if value}
        return {**self.parameters, **tables, "learner": self.name, "label": self.title}

    def specs(self):
        """{data set: spec as a table}: the league's specs with this learner alone.

        Specs of a Python learner have no learners, because the run adds it. Raises RequestError.
        """
        spec_tables = {}
        for name in SETS:
            path = pathlib.Path(home.home_folder(), "experiments", "league", f"{name}.toml")
            spec = {key: value for key, value in read_toml(path).items() if key != "learners"}
            if self.language == "C++":
                spec["learners"] = {self.name: self.learner()}
            spec_tables[name] = spec
        return spec_tables

    def experiments(self):
        return [PREFIX + name for name in SETS]


def read(folder):
    """The Entry of a folder. Raises RequestError with the file and the key."""
    path = pathlib.Path(folder) / "entry.toml"
    if not path.is_file():
        raise RequestError(f"{path}: no such file; docs/howto/enter-the-leaderboard.md describes it")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise RequestError(f"{path}: {error}") from None
    unknown = sorted(content.keys() - KEYS)
    if unknown:
        raise RequestError(f"{path}: unknown key '{unknown[0]}'; keys are {', '.join(sorted(KEYS))}")
    for key in NEEDED:
        if key not in content:
            raise RequestError(f"{path}: {key}: missing")
    if content.pop("format") != 1:
        raise RequestError(f"{path}: format: must be 1")
    for key, value in content.items():
        kind = KINDS.get(key, str)
        if not isinstance(value, kind):
            raise RequestError(f"{path}: {key}: expected {EXPECTED[kind]}")
    entry = Entry(pathlib.Path(folder), **content)
    check(path, entry)
    return entry


def check(path, entry):
    """Raises RequestError for invalid values, and for more tuning than the league allows."""
    for key in ("title", "author"):
        text = getattr(entry, key)
        if not text.strip() or not text.isprintable() or len(text) > MAX_CHARACTERS:
            raise RequestError(f"{path}: {key}: expected one line of at most {MAX_CHARACTERS} characters")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", entry.name):
        raise RequestError(f"{path}: name: use small letters, digits and -")
    if not re.fullmatch(r"[\w-]+(\.cpp|\.py)", entry.source, re.ASCII):
        raise RequestError(f"{path}: source: expected a file of this folder that ends with .cpp or .py")
    if not (entry.folder / entry.source).is_file():
        raise RequestError(f"{path}: source: there is no file {entry.source} in this folder")
    if entry.language == "Python":
        if not entry.object.isidentifier():
            raise RequestError(f"{path}: object: name the class or function of {entry.source}")
        if entry.parameters or entry.tune or entry.grid:
            raise RequestError(f"{path}: a Python learner has no parameters, tune or grid")
    if entry.blas and entry.language != "Python":
        raise RequestError(f"{path}: blas: is for learners in Python; code in C++ must give equal bits")
    for key in entry.parameters.keys() & {"learner", "label", "tune", "grid"}:
        raise RequestError(f"{path}: parameters.{key}: is not a parameter")
    if len(entry.tune) > 1 or not all(isinstance(v, list) and len(v) <= MAX_TUNED for v in entry.tune.values()):
        raise RequestError(f"{path}: tune: the league allows one parameter with a list of at most {MAX_TUNED} values")
    budgets = [value for values in entry.grid.values() for value in (values if isinstance(values, list) else [None])]
    good = all(isinstance(value, int) and 0 < value <= MAX_BUDGET for value in budgets)
    if len(entry.grid) > 1 or not entry.grid.keys() <= {*BUDGETS} or len(budgets) > MAX_BUDGETS or not good:
        allowed = f"{', '.join(BUDGETS)} with up to {MAX_BUDGETS} integers up to {MAX_BUDGET}"
        raise RequestError(f"{path}: grid: expected one of {allowed}")
