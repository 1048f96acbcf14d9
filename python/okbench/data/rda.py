"""Reads data frames from R's .rda files, without R: the XDR serialisation of versions 2 and 3, compressed or not.

The format is described in "R Internals", section 1.8, Serialization Formats.
"""

import bz2
import gzip
import lzma
import struct

import numpy as np

MISSING = -(2**31)  # NA of integers and factors
# Types of R's objects that data frames consist of.
SYMBOL, PAIRS, STRING, LOGICAL, INTEGER, REAL, STRINGS, LIST = 1, 2, 9, 10, 13, 14, 16, 19
NIL, REFERENCE = 254, 255
HAS_ATTRIBUTES, HAS_TAG = 1 << 9, 1 << 10
COMPRESSED = ((b"\x1f\x8b", gzip.decompress), (b"BZh", bz2.decompress), (b"\xfd7zXZ", lzma.decompress))
MAX_BYTES = 1 << 28


class RdaError(ValueError):
    """A file that is not an .rda file of data frames."""


class Reader:
    """Reads objects one after another from the bytes of a file."""

    def __init__(self, data):
        self.data, self.at, self.symbols = data, 0, []

    def take(self, count):
        """The next `count` bytes. Raises RdaError."""
        if not 0 <= count <= len(self.data) - self.at:
            raise RdaError("the file ends within an object")
        self.at += count
        return self.data[self.at - count : self.at]

    def integer(self):
        return struct.unpack(">i", self.take(4))[0]

    def array(self, kind):
        """A vector of numbers, which starts with its length."""
        kind = np.dtype(kind)
        return np.frombuffer(self.take(self.integer() * kind.itemsize), dtype=kind)

    def object(self):
        """A text, an array, a list of objects, {"tag": value} of a pair list, or None. Raises RdaError."""
        flags = self.integer()
        kind = flags & 0xFF
        if kind == NIL:
            return None
        if kind == REFERENCE:
            return self.symbol((flags >> 8) or self.integer())
        if kind == SYMBOL:
            self.symbols.append(self.object())
            return self.symbols[-1]
        if kind == STRING:
            size = self.integer()
            return None if size < 0 else self.take(size).decode("utf-8", "replace")
        if kind == PAIRS:
            return self.pairs(flags)
        if kind in (LOGICAL, INTEGER):
            value = self.array(">i4")
        elif kind == REAL:
            value = self.array(">f8")
        elif kind in (STRINGS, LIST):
            value = [self.object() for _ in range(self.integer())]
        else:
            raise RdaError(f"contains an object of R's type {kind}, which no data frame has")
        return (value, self.object()) if flags & HAS_ATTRIBUTES else value

    def symbol(self, number):
        if not 1 <= number <= len(self.symbols):
            raise RdaError("refers to a symbol that it does not contain")
        return self.symbols[number - 1]

    def pairs(self, flags):
        """A pair list as a dict, without recursion along the list."""
        entries = {}
        while flags & 0xFF == PAIRS:
            if flags & HAS_ATTRIBUTES:
                self.object()
            tag = self.object() if flags & HAS_TAG else None
            entries[tag] = self.object()
            flags = self.integer()
        if flags & 0xFF != NIL:
            raise RdaError("contains a pair list without an end")
        return entries


def column(value):
    """A column of a data frame as a list: texts of a factor or of strings, numbers, and None for missing values."""
    values, attributes = value if isinstance(value, tuple) else (value, {})
    if isinstance(values, list):
        return values
    if values.dtype.kind == "f":
        return [None if number != number else number for number in values.tolist()]
    levels = attributes.get("levels")
    numbers = [None if number == MISSING else number for number in values.tolist()]
    if levels is None:
        return numbers
    return [None if code is None else levels[code - 1] for code in numbers]


def read(data):
    """{name: {column: list}} of the data frames in the bytes of an .rda file. Raises RdaError."""
    try:
        for mark, decompress in COMPRESSED:
            if data.startswith(mark):
                data = decompress(data)
        if len(data) > MAX_BYTES:
            raise RdaError("is larger than 256 MiB")
        reader = Reader(data)
        version = reader.take(7)
        if version not in (b"RDX2\nX\n", b"RDX3\nX\n"):
            raise RdaError("is not an .rda file in XDR format")
        reader.take(12)  # versions of the format and of R
        if version.startswith(b"RDX3"):
            reader.take(reader.integer())  # the native encoding
        frames = {}
        for name, (columns, attributes) in reader.object().items():
            frames[name] = dict(zip(attributes["names"], map(column, columns), strict=True))
        return frames
    except RdaError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, EOFError, OSError, lzma.LZMAError) as error:
        raise RdaError(f"is not an .rda file of data frames ({type(error).__name__}: {error})") from None
