"""Reads the user's file, determines its format and calls the reader of this format."""

import hashlib
import io
import itertools
import pathlib

from .. import unpacking
from .arff_file import read_arff
from .arrow_file import ARROW, PARQUET
from .csv_file import read_csv
from .libsvm_file import looks_like_libsvm, read_libsvm
from .numpy_file import ZIP, read_npy, read_npz
from .table import AddError, lines_of, shown

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
    """A file in memory: its name for messages, its SHA-256, and its decompressed content. Raises AddError."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = shown(str(path), longest=1000)[1:-1]
        try:
            # Reading a pipe or a device may never end.
            if self.path.exists() and not self.path.is_file():
                raise AddError(f"{self.name}: is {'a folder' if self.path.is_dir() else 'not a regular file'}")
            content = self.path.read_bytes()
        except OSError as error:
            raise AddError(f"{self.name}: cannot be read: {error.strerror}") from None
        except ValueError as error:  # a null byte in the name
            raise AddError(f"{self.name}: invalid file name: {error}") from None
        if not content:
            raise AddError(f"{self.name}: is empty")
        self.sha256 = hashlib.sha256(content).hexdigest()
        try:
            self.content = b"".join(unpacking.pieces(io.BytesIO(content), len(content)))
        except unpacking.UnpackError as error:
            raise AddError(f"{self.name}: {error}") from None

    def check_text(self):
        """Raises AddError if the content is empty or not UTF-8 text."""
        for start, (what, remedy) in KNOWN.items():
            if self.content.startswith(start):
                raise AddError(f"{self.name}: is {what}; {remedy}")
        if b"\0" in self.content:
            raise AddError(f"{self.name}: is neither text nor a known format")
        try:
            blank = not self.content.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            line = self.content.count(b"\n", 0, error.start) + 1
            raise AddError(f"{self.name}:{line}: is not UTF-8 text; convert it, for example with iconv") from None
        if blank:
            raise AddError(f"{self.name}: is empty")

    def is_arrow(self):
        """Whether it is a Parquet or Arrow file, which arrow_file.py reads."""
        return self.content.startswith((PARQUET, ARROW))

    def is_text(self):
        return b"\0" not in self.content and not self.content.startswith((b"\x93NUMPY", ZIP))

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
        lines = (line.strip() for line in itertools.islice(lines_of(self.content), 1000))
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
