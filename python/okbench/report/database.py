"""Exports results as tables: an SQLite database, or one CSV or Parquet file per table (docs/howto/query-results.md)."""

import collections
import contextlib
import csv
import importlib.util
import io
import os
import pathlib
import sqlite3

import numpy as np
import pandas as pd

from ..errors import RequestError, WriteError
from ..league.costs import column, tuning
from ..plotting.curves import error_values
from ..results import read_trace
from ..results.table import COUNTS
from ..writing import write_bytes, write_text
from .explorer import is_measure, thinned

# Tables with their columns. Types are those of SQLite.
SCHEMA = {
    "trials": "id TEXT, name TEXT, experiment TEXT, learner TEXT, method TEXT, label TEXT, grid_point TEXT,"
    " data_set TEXT, batch REAL, seed INTEGER, kernel TEXT, tier TEXT, overridden TEXT, synthetic INTEGER,"
    " status TEXT, digest TEXT, file TEXT",
    "axes": "trial TEXT, name TEXT, value",
    "summaries": "trial TEXT, name TEXT, value REAL",
    "curves": "trial TEXT, step INTEGER, examples INTEGER, requested INTEGER, computed INTEGER, features INTEGER,"
    " seconds REAL, support_vectors INTEGER, error REAL",
    "measures": "trial TEXT, step INTEGER, name TEXT, value REAL",
}
PARQUET_TYPES = {"TEXT": "string", "INTEGER": "Int64", "REAL": "Float64", "": "string"}  # pandas' names
KEYS = {"axes": "trial", "summaries": "trial, name", "curves": "trial", "measures": "trial, name"}
COSTS = (*COUNTS, *(f"tuning_{kind}" for kind in COUNTS))
POINTS = 200  # most points of a trial's curve


def types_of(name):
    """SQLite types by column; "" for values of any type."""
    return {words[0]: "".join(words[1:]) for words in map(str.split, SCHEMA[name].split(", "))}


def rows_of(table, points):
    """Yields (table, row) for every row of every table. `points`: most points of a curve; 0: all."""
    idents = unique_idents(table)
    for row, has_numbers, ident in zip(table.records(), table.has_numbers, idents):
        grid = f"[{row['grid_point']}]" if row["grid_point"] else ""
        name = f"{row['experiment']}/{row['learner']}{grid}/r{row['seed']}"
        yield "trials", (
            *(ident, name, row["experiment"], row["learner"], row["method"], row["label"], row["grid_point"]),
            *(row["data"], number(row["batch"]), row["seed"], row["kernel"], row["tier"], row["overridden"]),
            *(number(row["synthetic"]), row["status"], row["digest"], row["file"]),
        )
        for name, value in row.items():
            if name.startswith("param_") and number(value) is not None:
                yield "axes", (ident, name.removeprefix("param_"), plain(value))
        if not has_numbers:
            continue
        trace = read_trace(row["file"])
        for name, value in summary_of(trace, row):
            yield "summaries", (ident, name, value)
        yield from curves_of(ident, trace, points)


def unique_idents(table):
    """The id of each row; ID/LEARNER where two learners of a spec have equal settings and so one id."""
    idents, keys = table["id"].tolist(), table["key"].tolist()
    many = collections.Counter(idents)
    return [f"{ident}/{key}" if many[ident] > 1 else ident for ident, key in zip(idents, keys)]


def plain(value):
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return str(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def number(value):
    return None if value is None or value != value else value


def summary_of(trace, row):
    """(name, value) of every number of the summary, of kernel evaluations, and of the costs of tuning."""
    summary = {name: value for name, value in trace.summary.items() if isinstance(value, (int, float))}
    summary |= trace.summary.get("measures", {})
    summary |= {name: number(row.get(name)) or 0 for name in COSTS}
    summary |= {"seconds": row["seconds"], "tuning": tuning(trace)}
    return [(name, float(value)) for name, value in summary.items() if value is not None]


def curves_of(ident, trace, points):
    """Rows of the tables curves and measures."""
    table, steps = trace.tables["trace"], np.asarray(trace["step"])
    kept = thinned(len(steps), points) if points else np.arange(len(steps))
    known = "squared_error_sum" in table or "mistakes" in table
    percent = 1 if "squared_error_sum" in table else 100
    errors = error_values(trace)[0] / percent if known else np.full(len(steps), None)
    names = ("kernel_requested", "kernel_computed", "feature_evaluations", "seconds", "support_vectors")
    values = [steps, trace.processed, *(column(trace, name) for name in names), errors]
    for place in kept:
        yield "curves", (ident, *(as_number(curve_column[place]) for curve_column in values))
    for name in table:
        if is_measure(name) and name != "error":
            for place in kept:
                yield "measures", (ident, int(steps[place]), name, as_number(table[name][place]))
    checkpoints = trace.tables.get("checkpoints", {})
    for name in checkpoints:
        if name.startswith("test_"):
            for step, value in zip(checkpoints["step"], checkpoints[name]):
                yield "measures", (ident, int(step), name, as_number(value))


def as_number(value):
    """A Python number for SQLite; None if it is not finite."""
    if value is None or not np.isfinite(value):
        return None
    return int(value) if float(value).is_integer() else float(value)


@contextlib.contextmanager
def complete_file(path, errors):
    """Yields the path of a new file, which becomes `path` at the end, or is removed. Raises WriteError for `errors`."""
    path = pathlib.Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)
        yield temporary
        os.replace(temporary, path)
    except (OSError, errors) as error:
        raise WriteError(f"{path}: cannot be written: {error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def write_sqlite(table, path, points):
    """Writes the database. The file appears complete or not at all. Raises WriteError."""
    with complete_file(path, sqlite3.Error) as temporary:
        connection = sqlite3.connect(temporary)
        try:
            for name, types in SCHEMA.items():
                connection.execute(f"CREATE TABLE {name} ({types})")
            count = dict.fromkeys(SCHEMA, 0)
            for name, row in rows_of(table, points):
                connection.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
                count[name] += 1
            connection.execute("CREATE UNIQUE INDEX trials_id ON trials (id)")
            for name, key in KEYS.items():
                connection.execute(f"CREATE INDEX {name}_key ON {name} ({key})")
            connection.commit()
        finally:
            connection.close()
    return count


def require_installed(scheme, *modules):
    """Raises RequestError, which names the first of the modules, unless all are installed."""
    if any(importlib.util.find_spec(name) is None for name in modules):
        raise RequestError(f"--to {scheme}: needs {modules[0]} (pip install {modules[0]})")


def require_folder(folder):
    """The path of a folder that may not exist yet. Raises RequestError if it is a file."""
    folder = pathlib.Path(folder)
    if folder.exists() and not folder.is_dir():
        raise RequestError(f"{folder}: is a file; use a folder, or a name that ends with .sqlite, .csv or .tex")
    return folder


def write_csv(table, folder, points):
    """Writes one CSV file per table. Raises WriteError, and RequestError if `folder` is a file."""
    folder = require_folder(folder)
    texts, count = {name: io.StringIO() for name in SCHEMA}, dict.fromkeys(SCHEMA, 0)
    writers = {name: csv.writer(text, lineterminator="\n") for name, text in texts.items()}
    for name, writer in writers.items():
        writer.writerow(types_of(name))
    for name, row in rows_of(table, points):
        writers[name].writerow(row)
        count[name] += 1
    for name, text in texts.items():
        write_text(folder / f"{name}.csv", text.getvalue(), folders=True)
    return count


def write_parquet(table, folder, points):
    """Writes one Parquet file per table, with the types of SCHEMA; a value of any type is a text.

    Raises WriteError, and RequestError if `folder` is a file or pyarrow is not installed.
    """
    folder = require_folder(folder)
    require_installed("parquet", "pyarrow")
    rows = {name: [] for name in SCHEMA}
    for name, row in rows_of(table, points):
        rows[name].append(row)
    for name, records in rows.items():
        types = {column: PARQUET_TYPES[kind] for column, kind in types_of(name).items()}
        content = pd.DataFrame(records, columns=list(types)).astype(types).to_parquet(None, index=False)
        write_bytes(folder / f"{name}.parquet", content, folders=True)
    return {name: len(records) for name, records in rows.items()}
