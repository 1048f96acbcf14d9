"""Edits the catalog of a data folder as text, so that other entries keep their formatting and comments."""

import gzip
import json
import os
import pathlib
import re
import tomllib

import tomli_w

from .table import AddError, shown

HEAD = "# Data sets of your own; docs/howto/add-a-data-set.md says what the keys are.\n"
TABLE = re.compile(r"\s*\[\[?[^\[\],]+\]\]?\s*(#.*)?")
OWN_FILE = re.compile(r"((train|test)(-delays)?|columns)(-[0-9a-f]{8})?\.(csv|dat|jsonl|libsvm|txt)\.gz")


def entry_text(name, entry):
    """The TOML text of an entry."""
    return tomli_w.dumps({name: entry})


def without(text, name):
    """The text without the tables of an entry. Keeps comments before the next table."""
    own = re.compile(rf"""\s*\[\[?\s*(?:{name}|"{name}"|'{name}')\s*[.\]]""")
    kept, dropped, inside = [], [], False
    for line in text.splitlines(keepends=True):
        if TABLE.fullmatch(line.rstrip("\r\n")):
            if inside and not own.match(line):
                blank = not kept or not kept[-1].strip()
                kept += dropped[1:] if blank and dropped and not dropped[0].strip() else dropped
            inside, dropped = bool(own.match(line)), []
        if not inside:
            kept.append(line)
        elif not line.strip() or line.lstrip().startswith("#"):
            dropped.append(line)
        else:
            dropped = []
    return "".join(kept + dropped)


def files_of(entry):
    """The set of file names of an entry."""
    parts = (entry.get(part) for part in ("train", "test"))
    lists = (part.get(key) for part in parts if isinstance(part, dict) for key in ("files", "delays"))
    files = (file for files in lists if isinstance(files, list) for file in files)
    names = [file.get("name") for file in files if isinstance(file, dict)]
    source = entry.get("source")
    names.append(source.get("columns") if isinstance(source, dict) else None)
    return {name for name in names if isinstance(name, str)}


def columns_of(folder, entry):
    """What was done with the columns of an added data set: dicts, see TableEncoder.columns_. Raises OSError."""
    name = entry["source"].get("columns")
    if name is None:
        return []
    with gzip.open(pathlib.Path(folder, name), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Catalog:
    """The content of DATA_FOLDER/catalog.toml; no entries if there is no such file. Raises AddError."""

    def __init__(self, folder):
        self.path = pathlib.Path(os.path.realpath(pathlib.Path(folder) / "catalog.toml"))
        self.text = ""
        try:
            self.text = self.path.read_bytes().decode()
            self.entries = tomllib.loads(self.text)
        except FileNotFoundError:
            self.entries = {}
        except OSError as error:
            raise AddError(f"{self.path}: cannot be read: {error.strerror}") from None
        except ValueError as error:  # invalid TOML or UTF-8, or an integer with too many digits
            raise AddError(f"{self.path}: {error}") from None
        except RecursionError:
            raise AddError(f"{self.path}: is nested too deeply") from None

    def check(self, name, replace):
        """Raises AddError if the name is taken, unless `replace`."""
        if name in self.entries and not replace:
            raise AddError(f"{self.path}: data set '{name}' already exists; use --replace to replace it")

    def with_entry(self, name, entry):
        """The text with the entry appended and any entry of the same name removed. Raises AddError."""
        added = entry_text(name, entry)
        rest = without(self.text, name) if name in self.entries else self.text
        if not self.text:
            rest = HEAD
        text = rest.rstrip("\n") + "\n\n" + added if rest.strip() else added
        expected = {**self.entries, name: tomllib.loads(added)[name]}
        try:
            same = tomllib.loads(text) == expected
        except tomllib.TOMLDecodeError:
            same = False
        if not same:
            raise AddError(f"{self.path}: cannot edit the entry '{name}'; remove it by hand")
        return text

    def without_entry(self, name):
        """The text without an entry. Raises AddError if there is none, or if the text cannot be edited."""
        if name not in self.entries:
            known = f"; it has {', '.join(self.entries)}" if self.entries else ""
            raise AddError(f"{self.path}: has no data set {shown(name)}{known}")
        text = without(self.text, name)
        try:
            same = tomllib.loads(text) == {key: entry for key, entry in self.entries.items() if key != name}
        except tomllib.TOMLDecodeError:
            same = False
        if not same:
            raise AddError(f"{self.path}: cannot edit the entry '{name}'; remove it by hand")
        return text

    def superseded(self, name, text):
        """Files that add.py has written for this entry and that no entry of the new text refers to."""
        old = self.entries.get(name)
        if not isinstance(old, dict) or "source" not in old:
            return []
        still = set().union(*(files_of(entry) for entry in tomllib.loads(text).values() if isinstance(entry, dict)))
        own = {file for file in files_of(old) if OWN_FILE.fullmatch(file.removeprefix(name + "/"))}
        return sorted(file for file in own - still if file.startswith(name + "/"))
