"""Reads segments: files that hold the results of many trials. docs/reference/traces.md describes them."""

import concurrent.futures
import functools
import hashlib
import io
import itertools
import json
import os
import pathlib
import re

import h5py
import numpy as np

from ..errors import TraceFileError

USER_BLOCK = 512
PATTERN = "segment-*.h5"


class Segment:
    """A verified segment in memory."""

    def __init__(self, path):
        """Reads a segment. Raises TraceFileError."""
        self.path = pathlib.Path(path)
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise TraceFileError(f"{path}: cannot be read: {error.strerror or error}") from error
        block = re.fullmatch(rb"okbench-segment 1\n([0-9a-f]{64})\n\0*", data[:USER_BLOCK])
        if not block or hashlib.sha256(memoryview(data)[USER_BLOCK:]).hexdigest() != block[1].decode():
            raise TraceFileError(f"{path}: not a valid segment: its bytes do not match its digest")
        try:
            self.file = h5py.File(io.BytesIO(data), "r")
            self.files = [name.decode() for name in self.file["file"][:]]
            self.created = int(self.file.attrs["created"])
            self.ends = {name: self.file[f"{name}_end"][:] for name in ("trace", "row")}
        except Exception as error:  # forged bytes can make h5py raise any exception
            raise TraceFileError(f"{path}: not a valid segment: {' '.join(str(error).split())}") from error

    def text(self, name, i):
        """Bytes of the trace file ("trace") or the summary row ("row") of trial i."""
        ends = self.ends[name]
        return self.file[name][int(ends[i - 1]) if i else 0 : int(ends[i])].tobytes()

    def rows(self):
        """The summary rows of all trials."""
        everything = self.file["row"][:].tobytes()
        starts = np.concatenate([[0], self.ends["row"][:-1]])
        return [json.loads(everything[start:end]) for start, end in zip(starts, self.ends["row"])]


def names_in(path):
    """(creation time, path, names of the trace files) of a segment. Raises TraceFileError."""
    segment = Segment(path)
    return segment.created, str(path), segment.files


class Index:
    """The trials of all segments of a directory. The newest result counts."""

    def __init__(self, folder):
        """Reads every segment. Raises TraceFileError."""
        self.places = {}  # trace file name: (segment, position)
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
            for _, path, names in sorted(threads.map(names_in, pathlib.Path(folder).glob(PATTERN))):
                self.places.update(zip(names, zip(itertools.repeat(path), itertools.count())))

    def trace(self, name):
        """Bytes of a trace file, or None."""
        if name not in self.places:
            return None
        path, i = self.places[name]
        return opened(path).text("trace", i)

    def row(self, name):
        """The summary row of a trial, or None."""
        if name not in self.places:
            return None
        path, i = self.places[name]
        return rows_of(path)[i]


@functools.lru_cache(maxsize=4)
def opened(path):
    return Segment(path)


@functools.lru_cache(maxsize=4)
def rows_of(path):
    return Segment(path).rows()


@functools.lru_cache(maxsize=4)
def index_at(folder, _changed):
    return Index(folder)


def index_of(folder):
    """The Index of a directory, read again if the directory has changed. Raises TraceFileError."""
    try:
        return index_at(str(folder), os.stat(folder).st_mtime_ns)
    except OSError:
        return index_at(str(folder), None)
