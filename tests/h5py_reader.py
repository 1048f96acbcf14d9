"""Reads traces and segments with h5py alone, as docs/reference/traces.md says: a check of okbench's own reader."""

import hashlib
import io
import json
import pathlib

import h5py

BLOCK = 512  # bytes before the HDF5 file


def image(path, mark):
    """The HDF5 file after the block, whose digest is verified."""
    data = pathlib.Path(path).read_bytes()
    assert data[:BLOCK] == f"{mark}\n{hashlib.sha256(data[BLOCK:]).hexdigest()}\n".encode().ljust(BLOCK, b"\0")
    return h5py.File(io.BytesIO(data), "r")


def read(path):
    """spec, summary, provenance, tables, trial_id and digest of a trace file."""
    digest, tables = hashlib.sha256(), {}
    with image(path, "okbench-trace 2") as file:
        texts = {name: bytes(file.attrs[name]).decode() for name in ("spec", "summary", "provenance")}
        for name in bytes(file.attrs["tables"]).decode().split(","):
            group = file[name]
            columns = {column: group[column][:] for column in bytes(group.attrs["columns"]).decode().split(",")}
            digest.update(f"{name}:{len(next(iter(columns.values())))}\n".encode())
            for column, values in columns.items():
                if group[column].attrs["deterministic"]:
                    digest.update(f"{column}:{values.dtype.name}\n".encode() + values.tobytes())
            tables[name] = columns
        trial_id, written = (bytes(file.attrs[name]).decode() for name in ("trial_id", "trace_digest"))
    assert digest.hexdigest() == written
    return {**{k: json.loads(v) for k, v in texts.items()}, "tables": tables, "trial_id": trial_id, "digest": written}


def packed(folder):
    """Names of the trace files in the segments of a folder."""
    names = []
    for path in sorted(pathlib.Path(folder).glob("segment-*.h5")):
        with image(path, "okbench-segment 1") as file:
            names += [name.decode() for name in file["file"][:]]
    return names
