"""Writes a data set, canonical files and catalog entry, as one transaction.

Existing files are never overwritten: if a file differs, the new file gets a name with its digest. The catalog is
renamed last, so it always refers to the correct files.
"""

import contextlib
import fcntl
import filecmp
import gzip
import hashlib
import json
import os
import pathlib

from ...writing import write_text
from .catalog import Catalog
from .spooled import release
from .table import AddError

CHUNK = 1024  # rows per step
RELEASE = 64 * CHUNK  # rows after which memory is returned


def lines_of(table, rows, targets, written):
    """Yields the canonical lines of rows: CSV with the label first, or LIBSVM text. `written`: texts of some targets.

    Without targets the rows are steps of a series: numbers separated by blanks.
    """
    if targets is None:
        for values in table.values[rows].tolist():
            yield " ".join(map(repr, values)) + "\n"
        return
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        texts = written(targets[start : start + CHUNK])
        if table.sparse:
            for row, label in zip(chunk.tolist(), texts):
                span = slice(table.offsets[row], table.offsets[row + 1])
                pairs = zip(table.indices[span].tolist(), table.values[span].tolist())
                line = " ".join([label, *(f"{index + 1}:{value!r}" for index, value in pairs)])
                yield (line + " ").replace(".0 ", " ")[:-1] + "\n"
        else:
            for values, label in zip(table.values[chunk].tolist(), texts):
                line = ",".join([label, *map(repr, values)])
                yield (line + ",").replace(".0,", ",")[:-1] + "\n"
        if start % RELEASE == 0:
            release(table.values)


def write_packed(path, lines):
    """Writes a gzip file whose bytes depend only on the lines. Returns the SHA-256 of the lines."""
    digest = hashlib.sha256()
    with open(path, "wb") as file:
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=6) as packed:
            for line in lines:
                data = line.encode()
                digest.update(data)
                packed.write(data)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


@contextlib.contextmanager
def locked(folder):
    """Context with an exclusive lock on the folder: one process at a time edits the catalog."""
    place = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems do not support locks
            fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        with contextlib.suppress(OSError):  # nothing was written through this descriptor
            os.close(place)


def new_folders(folder):
    """Creates a folder and its parents. Returns those that did not exist, innermost first."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


class Transaction:
    """Files with temporary names. commit() gives all of them their final names; roll_back() removes them."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.catalog = Catalog(folder)
        self.text = None
        self.renames, self.placed = [], []

    def temporary(self, path):
        return path.with_name(f".{path.name}.new")

    def part(self, part, table, rows, targets, written):
        """Writes a part under temporary names. Returns its entry for the catalog."""
        suffix = "dat" if targets is None else "libsvm" if table.sparse else "csv"
        rows_file = self.file(f"{self.name}/{part}.{suffix}.gz", lines_of(table, rows, targets, written))
        entry = {"rows": len(rows) - (table.horizon if targets is None else 0), "files": [rows_file]}
        if table.delays is not None:
            lines = (f"{delay}\n" for delay in table.delays[rows].tolist())
            entry["delays"] = [self.file(f"{self.name}/{part}-delays.txt.gz", lines)]
        return entry

    def file(self, name, lines):
        """Writes a file under a temporary name. Returns its entry for the catalog."""
        temporary = self.temporary(self.folder / name)
        self.renames.append((temporary, None))
        sha256 = write_packed(temporary, lines)
        if (self.folder / name).exists() and not filecmp.cmp(temporary, self.folder / name, shallow=False):
            stem, dot, suffix = name.partition(".")
            name = f"{stem}-{sha256[:8]}{dot}{suffix}"
        self.renames[-1] = (temporary, self.folder / name)
        return {"name": name, "urls": [], "sha256": sha256}

    def commit(self, entry):
        """Renames the files and, last, the catalog. Then removes the files of a replaced entry."""
        path = self.catalog.path
        self.text = self.catalog.with_entry(self.name, entry)
        temporary = self.temporary(path)
        self.renames.append((temporary, path))
        with open(temporary, "wb") as file:
            file.write(self.text.encode())
            file.flush()
            os.fsync(file.fileno())
        for temporary, final in self.renames:
            if final != path and not final.exists():
                self.placed.append(final)
            os.replace(temporary, final)
        for file in self.catalog.superseded(self.name, self.text):
            with contextlib.suppress(OSError):
                (self.folder / file).unlink()

    def roll_back(self):
        """Removes the temporary files, and the final ones unless the catalog may already refer to them."""
        written = [temporary for temporary, _ in self.renames]
        with contextlib.suppress(OSError):
            if self.text is None or not self.committed():
                written += self.placed
        for path in written:
            with contextlib.suppress(OSError):
                path.unlink()

    def committed(self):
        """Whether the new catalog is already in place. Raises OSError."""
        try:
            return self.catalog.path.read_bytes() == self.text.encode()
        except FileNotFoundError:
            return False


def store(folder, name, parts, entry, replace, columns=(), written=None):
    """Writes the parts {part: (table, rows, targets)} and the entry. Returns the paths of the files.

    `written`: texts of some targets, see Classes.written. A series has no targets: None. `columns`: what was done with
    each column. They go to a separate file, one line of JSON each, because a table may have 100 000 columns.

    On an exception nothing of this call remains. Raises AddError and OSError.
    """
    folder = pathlib.Path(folder)
    new, transaction = new_folders(folder / name), None
    try:
        with locked(folder):
            transaction = Transaction(folder, name)
            transaction.catalog.check(name, replace)
            for left in (folder / name).glob(".*.gz.new"):  # left by a killed process
                left.unlink()
            stored = {part: transaction.part(part, *rows, written) for part, rows in parts.items()}
            if columns:
                lines = (json.dumps(column, ensure_ascii=False) + "\n" for column in columns)
                entry["source"]["columns"] = transaction.file(f"{name}/columns.jsonl.gz", lines)["name"]
            transaction.commit({**entry, **stored})
    except BaseException:
        if transaction is not None:
            transaction.roll_back()
        for place in new:
            with contextlib.suppress(OSError):
                place.rmdir()
        raise
    return [
        folder / file["name"] for part in stored.values() for key in ("files", "delays") for file in part.get(key, [])
    ]


def remove(folder, name):
    """Removes a data set: its entry in the catalog, then the files that add.py wrote. Returns the paths of the files.

    Raises AddError, also if the folder has no catalog, and OSError.
    """
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        raise AddError(f"{folder}: has no data sets")
    with locked(folder):
        catalog = Catalog(folder)
        text = catalog.without_entry(name)
        files = [folder / file for file in catalog.superseded(name, text)]
        write_text(catalog.path, text)
        for file in files:
            file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # the folder has files of somebody else
            (folder / name).rmdir()
    return [f"{catalog.path}: entry {name}", *map(str, files)]
