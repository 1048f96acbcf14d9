"""Reads and verifies trace files. docs/reference/traces.md describes formats 1 and 2."""

import dataclasses
import hashlib
import io
import json
import pathlib
import re

import h5py
import numpy as np
from h5py import h5a, h5d, h5l, h5s

from ..errors import TraceFileError
from . import segments

USER_BLOCK = 512
SIGNATURE = b"\x89HDF\r\n\x1a\n"  # HDF5 signature
MOST_COMPRESSION = 1032  # largest factor by which deflate compresses
TYPES = {"<i8": "int64", "<f8": "float64"}


@dataclasses.dataclass
class Content:
    """Content of a trace file: attributes (spec, summary, provenance) and tables of columns."""

    format: int
    trial_id: str
    attributes: dict
    tables: dict
    digest: str  # verified SHA-256 of the deterministic columns


def bytes_of(path):
    """Bytes of a trace file, from a segment of the directory if it is not a file. Raises TraceFileError."""
    path = pathlib.Path(path)
    try:
        # One read: the verified bytes are the parsed bytes, and HDF5 file locks do not apply.
        return path.read_bytes()
    except FileNotFoundError as error:
        data = segments.index_of(path.parent).trace(path.name)
        if data is None:
            raise TraceFileError(f"{path}: cannot be read: {error.strerror}") from error
        return data
    except OSError as error:
        raise TraceFileError(f"{path}: cannot be read: {error.strerror or error}") from error


def read(path):
    """Reads a trace and verifies its digests. Raises TraceFileError."""
    data = bytes_of(path)
    blocked = check_user_block(path, data)
    try:
        with h5py.File(io.BytesIO(data), "r") as file:
            return parse(path, file, len(data), blocked)
    except TraceFileError:
        raise
    except Exception as error:  # forged bytes can make h5py raise any exception
        raise TraceFileError(f"{path}: not a valid trace file: {' '.join(str(error).split())}") from error


def check_user_block(path, data):
    """Returns whether the file has a user block (format 2), after verifying the block's digest of the file.

    Runs before anything is parsed. Raises TraceFileError.
    """
    if data.startswith(SIGNATURE):
        return False
    match = re.match(rb"okbench-trace (\d+)\n(?:([0-9a-f]{64})\n)?", data[:USER_BLOCK])
    if not match:
        raise TraceFileError(f"{path}: not a valid trace file: wrong signature")
    if match[1] != b"2":
        raise TraceFileError(f"{path}: unknown format {match[1].decode()}; okbench reads 1 and 2")
    rest = data[match.end() : USER_BLOCK]
    if len(data) <= USER_BLOCK or not match[2] or rest.strip(b"\0"):
        raise TraceFileError(f"{path}: not a valid trace file: incomplete user block")
    if hashlib.sha256(memoryview(data)[USER_BLOCK:]).hexdigest() != match[2].decode():
        raise TraceFileError(f"{path}: its bytes do not match its digest")
    return True


def text_of(attributes, name):
    value = attributes[name]
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def parse(path, file, size, blocked):
    """Returns the content of an open HDF5 file of `size` bytes after verifying its digests. Raises TraceFileError."""
    written = int(file.attrs["format"])
    if written not in (1, 2):
        raise TraceFileError(f"{path}: unknown format {written}; okbench reads 1 and 2")
    if (written == 2) != blocked:
        raise TraceFileError(f"{path}: format {written} does not match the file's first bytes")
    texts = {name: text_of(file.attrs, name) for name in ("spec", "summary", "provenance", "trace_digest")}
    trial_id = text_of(file.attrs, "trial_id")
    tables, digest = read_tables(file, size * MOST_COMPRESSION // 8)
    if digest != texts["trace_digest"]:
        raise TraceFileError(f"{path}: its columns do not match their digest")
    if written == 2:
        whole = "\n".join((texts["spec"], texts["summary"], trial_id, digest))
        if hashlib.sha256(whole.encode("utf-8")).hexdigest() != text_of(file.attrs, "content_digest"):
            raise TraceFileError(f"{path}: its spec and summary do not match their digest")
    if "provenance_digest" in file.attrs:
        if hashlib.sha256(texts["provenance"].encode("utf-8")).hexdigest() != text_of(file.attrs, "provenance_digest"):
            raise TraceFileError(f"{path}: its provenance does not match its digest")
    parsed = {name: json.loads(texts[name]) for name in ("spec", "summary", "provenance")}
    if not all(isinstance(value, dict) for value in parsed.values()):
        raise ValueError("spec, summary and provenance must be objects")
    content = Content(written, trial_id, parsed, tables, digest)
    verify(path, content, texts["spec"])
    return content


LAST_ROWS = (
    ("trace", "mistakes", ("mistakes",)),
    ("trace", "support_vectors", ("support_vectors",)),
    ("trace", "kernel_requested", ("kernel_evaluations", "requested")),
    ("trace", "kernel_computed", ("kernel_evaluations", "computed")),
    *(("checkpoints", name, (name,)) for name in ("test_error", "test_rmse", "test_task_loss")),
)


def verify(path, content, spec):
    """Checks that a trace agrees with itself: its id is the hash of its spec, its summary repeats the last rows.

    harness/store/verify.cpp does the same. Raises TraceFileError.
    """
    if hashlib.sha256(spec.encode("utf-8")).hexdigest()[:16] != content.trial_id:
        raise TraceFileError(f"{path}: its id is not the hash of its spec")
    for table, column, keys in LAST_ROWS:
        values, value = content.tables.get(table, {}).get(column, ()), content.attributes["summary"]
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        if len(values) and value is not None and value != values[-1]:
            raise TraceFileError(f"{path}: its summary ({'/'.join(keys)}) does not match its column {column}")


def require_member(group, name):
    """Raises ValueError unless `name` is a direct member of the group, by a hard link.

    Other links lead to other objects, or to other files.
    """
    encoded = name.encode("utf-8")
    if "/" in name or name == "." or not group.links.exists(encoded):
        raise ValueError(f"'{name}' is missing")
    if group.links.get_info(encoded).type != h5l.TYPE_HARD:
        raise ValueError(f"'{name}' is a link")


def require_stored_here(data, name):
    """Raises ValueError unless the values are in this file: not in external files, not mapped from other data sets."""
    properties = data.get_create_plist()
    if properties.get_layout() not in (h5d.COMPACT, h5d.CONTIGUOUS, h5d.CHUNKED) or properties.get_external_count():
        raise ValueError(f"column {name} is stored outside the file")


def read_tables(file, budget):
    """Returns the tables in file order and the SHA-256 of their deterministic columns.

    `budget`: the number of values that all columns may have.
    """
    tables, digest = {}, hashlib.sha256()
    # Low-level interface: creating h5py's high-level objects takes longer than reading these columns.
    deterministic = np.empty((), np.int64)
    for name in names(file.attrs, "tables"):
        require_member(file.id, name)
        group, columns, rows = file[name], {}, None
        for column in names(group.attrs, "columns"):
            require_member(group.id, column)
            data = h5d.open(group.id, column.encode("utf-8"))
            kind = TYPES.get(data.dtype.str)
            if kind is None or data.rank != 1 or rows not in (None, data.shape[0]):
                raise ValueError(f"column {column} of table {name} has the wrong type or length")
            require_stored_here(data, column)
            budget -= data.shape[0]
            if budget < 0:
                raise ValueError(f"column {column} claims more rows than fit the file")
            if rows is None:
                rows = data.shape[0]
                digest.update(f"{name}:{rows}\n".encode("utf-8"))
            values = np.empty(data.shape, data.dtype)
            if rows:
                data.read(h5s.ALL, h5s.ALL, values)
            h5a.open(data, b"deterministic").read(deterministic)
            if deterministic:
                digest.update(f"{column}:{kind}\n".encode("utf-8"))
                digest.update(values)
            columns[column] = values
        if rows is None:
            digest.update(f"{name}:0\n".encode("utf-8"))
        tables[name] = columns
    return tables, digest.hexdigest()


def names(attributes, name):
    return [one for one in text_of(attributes, name).split(",") if one]
