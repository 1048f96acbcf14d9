"""Reads the user's file, determines its format and calls the reader of this format."""

import codecs
import functools
import hashlib
import itertools
import os
import pathlib

from .. import unpacking
from .arff_file import read_arff
from .arrow_file import ARROW, PARQUET
from .csv_file import read_csv
from .libsvm_file import looks_like_libsvm, read_libsvm
from .numpy_file import ZIP, read_npy, read_npz
from .spooled import Content
from .table import AddError, shown

# First bytes of files that are not read, with their names and remedies.
KNOWN = {
    b"\x89HDF": ("an HDF5 file", "write its table as CSV or .npz"),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", "unpack it with zstd -d"),
    b"\x1f\x8b": ("packed with gzip twice", "unpack it with gzip -d"),
    b"\xd0\xcf\x11\xe0": ("an old spreadsheet", "save the sheet as CSV"),
    b"\xff\xfe": ("UTF-16 text", "convert it with iconv -f UTF-16 -t UTF-8"),
    b"\xfe\xff": ("UTF-16 text", "convert it with iconv -f UTF-16 -t UTF-8"),
    b"\x00\x00\x08": ("an IDX file", "add it to your catalog with format idx, or convert it to .npy"),
    b"sep=": ("CSV with a line sep=", "remove the first line"),
}
READERS = {".arff": read_arff, ".csv": read_csv, ".tsv": read_csv, ".libsvm": read_libsvm, ".svm": read_libsvm}


class Source:
    """A file: its name for messages, its SHA-256, and its decompressed content. Raises AddError."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = shown(str(path), longest=1000)[1:-1]
        try:
            # Reading a pipe or a device may never end.
            if self.path.exists() and not self.path.is_file():
                raise AddError(f"{self.name}: is {'a folder' if self.path.is_dir() else 'not a regular file'}")
            with open(self.path, "rb") as file:
                before = os.fstat(file.fileno())
                self.sha256 = hashlib.file_digest(file, "sha256").hexdigest()
                file.seek(0)
                self.content = Content(unpacking.pieces(file, before.st_size))
                after = os.fstat(file.fileno())
        except OSError as error:
            raise AddError(f"{self.name}: cannot be read: {error.strerror}") from None
        except ValueError as error:  # a null byte in the name
            raise AddError(f"{self.name}: invalid file name: {error}") from None
        except unpacking.UnpackError as error:
            raise AddError(f"{self.name}: {error}") from None
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise AddError(f"{self.name}: changed while it was read; wait until it is complete")
        if not before.st_size:
            raise AddError(f"{self.name}: is empty")

    @functools.cached_property
    def has_null(self):
        """Whether the content has a zero byte, which text has not."""
        return self.content.has(b"\0")

    def check_text(self):
        """Raises AddError if the content is empty or not UTF-8 text."""
        for start, (what, remedy) in KNOWN.items():
            if self.content.startswith(start):
                raise AddError(f"{self.name}: is {what}; {remedy}")
        if self.has_null:
            raise AddError(f"{self.name}: is neither text nor a known format")
        if self._is_blank:
            raise AddError(f"{self.name}: is empty")

    @functools.cached_property
    def _is_blank(self):
        """Whether the text is blank. Raises AddError if it is not UTF-8."""
        decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        blank, line = True, 1
        for piece in itertools.chain(self.content.pieces(), [b""]):
            try:
                blank = not decode(piece, final=not piece).strip() and blank
            except UnicodeDecodeError as error:
                line += error.object.count(b"\n", 0, error.start)
                raise AddError(f"{self.name}:{line}: is not UTF-8 text; convert it, for example with iconv") from None
            line += piece.count(b"\n")
        return blank

    def is_arrow(self):
        """Whether it is a Parquet or Arrow file, which arrow_file.py reads."""
        return self.content.startswith((PARQUET, ARROW))

    def is_text(self):
        return not self.has_null and not self.content.startswith((b"\x93NUMPY", ZIP))

    def reader(self):
        """The reader of a text file, chosen by the extension, or by the first lines if the extension is unknown.

        Raises AddError for other files.
        """
        self.check_text()
        suffixes = [suffix.lower() for suffix in self.path.suffixes]
        if suffixes and suffixes[-1] in (".gz", ".bz2", ".xz"):
            suffixes.pop()
        if suffixes and suffixes[-1] in READERS:
            return READERS[suffixes[-1]]
        lines = (line.strip() for line in itertools.islice(self.content.lines(), 1000))
        first = next((line.lower() for line in lines if line and not line.startswith("%")), "")
        if first.startswith(("@relation", "@attribute")):
            return read_arff
        return read_libsvm if looks_like_libsvm(self.content) else read_csv

    def tables(self, wanted):
        """{"train": table}, and "test" if the file contains both parts. Raises AddError."""
        if self.content.startswith(b"\x93NUMPY"):
            return {"train": read_npy(self.name, self.content, wanted)}
        if self.content.startswith(ZIP):
            return read_npz(self.name, self.content, wanted)
        return {"train": self.reader()(self.name, self.content, wanted)}
