"""Writing a data set: canonical files and the catalogue's entry, all of it or nothing.

No file that is there is written over: where one differs, the new one's name has its digest. So the catalogue, which is
renamed last, never tells of another file than the one it means.
"""

import contextlib
import fcntl
import filecmp
import gzip
import hashlib
import os
import pathlib

from .catalogue import Catalogue

CHUNK = 1024  # rows


def lines_of(table, rows, labels):
    """Canonical lines of some rows: CSV with the label first, or LIBSVM text. `labels` are their texts."""
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        texts = labels[start : start + CHUNK]
        if table.sparse:
            for row, label in zip(chunk.tolist(), texts):
                one = slice(table.offsets[row], table.offsets[row + 1])
                pairs = zip(table.indices[one].tolist(), table.values[one].tolist())
                line = " ".join([label, *(f"{index + 1}:{value!r}" for index, value in pairs)])
                yield (line + " ").replace(".0 ", " ")[:-1] + "\n"
        else:
            for values, label in zip(table.values[chunk].tolist(), texts):
                line = ",".join([label, *map(repr, values)])
                yield (line + ",").replace(".0,", ",")[:-1] + "\n"


def write_packed(path, lines):
    """Writes gzip whose bytes depend on the lines alone; returns the sha256 of the content."""
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
    """Only one process at a time edits the catalogue."""
    place = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        with contextlib.suppress(OSError):  # nothing was written to it
            os.close(place)


def made(folder):
    """Makes a folder and those above it; returns the ones that were not there, the innermost first."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


class Transaction:
    """Files under temporary names that get their own together, or go."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.catalogue = Catalogue(folder)
        self.text = None
        self.renames, self.placed = [], []

    def temporary(self, path):
        return path.with_name(f".{path.name}.new")

    def part(self, part, table, rows, labels):
        """Writes a part; returns its entry in the catalogue."""
        name = f"{self.name}/{part}.{'libsvm' if table.sparse else 'csv'}.gz"
        temporary = self.temporary(self.folder / name)
        self.renames.append((temporary, None))
        sha256 = write_packed(temporary, lines_of(table, rows, labels))
        if (self.folder / name).exists() and not filecmp.cmp(temporary, self.folder / name, shallow=False):
            stem, dot, suffix = name.partition(".")
            name = f"{stem}-{sha256[:8]}{dot}{suffix}"
        self.renames[-1] = (temporary, self.folder / name)
        return {"rows": len(rows), "files": [{"name": name, "urls": [], "sha256": sha256}]}

    def commit(self, entry):
        """Renames the files and, last, the catalogue. Then those of an entry that was replaced go."""
        path = self.catalogue.path
        self.text = self.catalogue.with_entry(self.name, entry)
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
        for file in self.catalogue.superseded(self.name, self.text):
            with contextlib.suppress(OSError):
                (self.folder / file).unlink()

    def roll_back(self):
        """Removes what was written, unless the catalogue tells of it already, or cannot be read."""
        written = [temporary for temporary, _ in self.renames]
        with contextlib.suppress(OSError):
            if self.text is None or not self.told():
                written += self.placed
        for path in written:
            with contextlib.suppress(OSError):
                path.unlink()

    def told(self):
        """Whether the catalogue is the one that was to be written. Raises OSError."""
        try:
            return self.catalogue.path.read_bytes() == self.text.encode()
        except FileNotFoundError:
            return False


def store(folder, name, parts, entry, replace):
    """Writes the parts {part: (table, rows, texts of labels)} and the entry with them; returns their files' paths."""
    folder = pathlib.Path(folder)
    new, transaction = made(folder / name), None
    try:
        with locked(folder):
            transaction = Transaction(folder, name)
            transaction.catalogue.check(name, replace)
            for left in (folder / name).glob(".*.gz.new"):  # of a process that was killed
                left.unlink()
            told = {part: transaction.part(part, *rows) for part, rows in parts.items()}
            transaction.commit({**entry, **told})
    except BaseException:
        if transaction is not None:
            transaction.roll_back()
        for place in new:
            with contextlib.suppress(OSError):
                place.rmdir()
        raise
    return [folder / part["files"][0]["name"] for part in told.values()]
