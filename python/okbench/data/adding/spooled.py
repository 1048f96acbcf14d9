"""Contents of files, long sequences of numbers and columns of texts in temporary files, so that a file may be larger
than the memory.

The temporary files are in $TMPDIR, else in /var/tmp, because /tmp may itself be in memory. They have no names, so a
killed process leaves none behind.
"""

import array
import io
import itertools
import mmap
import os
import pickle
import tempfile

import numpy as np

from ...errors import RequestError

PIECE = 1 << 20  # bytes, or numbers
LARGE = "/var/tmp"


def folder():
    """The folder of the temporary files."""
    return LARGE if "TMPDIR" not in os.environ and os.path.isdir(LARGE) else tempfile.gettempdir()


def appended(file, data):
    """Appends bytes to a temporary file, which is made if it is None. Returns the file. Raises RequestError."""
    try:
        file = file or tempfile.TemporaryFile(dir=folder(), buffering=0)
        data = memoryview(data).cast("B")
        while data:
            data = data[file.write(data) :]
    except OSError as error:
        remedy = "set TMPDIR to a folder with more space"
        raise RequestError(f"{folder()}: cannot write a temporary file: {error.strerror}; {remedy}") from None
    return file


class Content:
    """The bytes of some pieces, in a temporary file: they can be read several times, and stay the same.

    `size` in bytes. Raises RequestError if they cannot be written.
    """

    def __init__(self, pieces):
        self.file, self.size = appended(None, b""), 0
        for piece in pieces:
            appended(self.file, piece)
            self.size += len(piece)

    def at(self, place, count):
        """At most `count` bytes from `place` on; none at the end."""
        return os.pread(self.file.fileno(), count, place)

    def read(self):
        """All bytes."""
        return b"".join(self.pieces())

    def pieces(self):
        for place in range(0, self.size, PIECE):
            yield self.at(place, PIECE)

    def startswith(self, start):
        """`start`: bytes, or a tuple of them."""
        return self.at(0, 64).startswith(start)

    def has(self, byte):
        """Whether the content has this byte."""
        return any(byte in piece for piece in self.pieces())

    def lines(self, newline=None):
        """An open text file with the decoded lines, from the first on. Several can be open at the same time."""
        return io.TextIOWrapper(io.BufferedReader(Reader(self), PIECE), encoding="utf-8-sig", newline=newline)


class Reader(io.RawIOBase):
    """Reads a Content from its start."""

    def __init__(self, content):
        self.content, self.place = content, 0

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = self.content.at(self.place, len(buffer))
        buffer[: len(piece)] = piece
        self.place += len(piece)
        return len(piece)


class Numbers:
    """Numbers of one type that are appended; those beyond the last PIECE are in a temporary file.

    `kind`: a type code of the module array.
    """

    def __init__(self, kind, first=()):
        self.last, self.file, self.spilled = array.array(kind, first), None, 0

    def __len__(self):
        return self.spilled + len(self.last)

    def append(self, value):
        self.last.append(value)
        if len(self.last) >= PIECE:
            self._spill()

    def extend(self, values):
        self.last.extend(values)
        if len(self.last) >= PIECE:
            self._spill()

    def _spill(self):
        self.file = appended(self.file, self.last)
        self.spilled += len(self.last)
        del self.last[:]

    def array(self):
        """All numbers as a NumPy array, mapped from the file if there is one."""
        if self.file is None:
            return np.frombuffer(self.last, dtype=self.last.typecode) if self.last else np.zeros(0, self.last.typecode)
        self._spill()
        return np.memmap(self.file, dtype=self.last.typecode, mode="r")


class TextRows:
    """Rows of texts, of which the columns are read. Those beyond the last PIECE texts are in a temporary file.

    `count`: texts in a row.
    """

    def __init__(self, count):
        self.count, self.rows, self.file, self.blocks = count, [], None, []
        self.block_rows = max(64, PIECE // count)

    def append(self, row):
        self.rows.append(row)
        if len(self.rows) >= self.block_rows:
            self._spill()

    def _spill(self):
        pieces = [pickle.dumps(column) for column in zip(*self.rows)]
        start = self.blocks[-1][-1] if self.blocks else 0
        self.file = appended(self.file, b"".join(pieces))
        self.blocks.append(array.array("q", itertools.accumulate(map(len, pieces), initial=start)))
        self.rows = []

    def columns(self):
        """All columns; each can be iterated several times."""
        return [TextColumn(self, at) for at in range(self.count)]


class TextColumn:
    """One column of TextRows."""

    def __init__(self, texts, at):
        self.texts, self.at = texts, at

    def __iter__(self):
        for places in self.texts.blocks:
            start, end = places[self.at : self.at + 2]
            yield from pickle.loads(os.pread(self.texts.file.fileno(), end - start, start))
        for row in self.texts.rows:
            yield row[self.at]


def release(values):
    """Returns the memory of an array to the system if it is mapped from a file. It is read again where it is used."""
    while isinstance(values, np.ndarray):
        values = values.base
    if isinstance(values, mmap.mmap) and hasattr(values, "madvise"):
        values.madvise(mmap.MADV_DONTNEED)
