"""Any table that pandas writes as CSV is read back equal, or refused in one line."""

import contextlib
import csv
import gzip
import io
import re
import tempfile
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as some

from okbench import cli

TABLES = 2000
MARKS = ["", "NA", "nan", "None", "null", "?", "N/A"]  # texts that mark a missing value
WORDS = ["red", "blue", "x y", "a,b", 'say "no"', "é", "10 km", "-", "no;", "tab\t", "2,5", "1e5x", "0x1F", "o"]
READ = {"equal": 0, "refused": 0}


@some.composite
def columns(draw, rows):
    """(name, values, whether they are numbers); None where a value is missing."""
    kind = draw(some.sampled_from(["integers", "floats", "words"]))
    if kind == "integers":
        values = some.integers(-(10**6), 10**6)
    elif kind == "floats":
        values = some.floats(-1e30, 1e30)
    else:
        values = some.sampled_from(draw(some.lists(some.sampled_from(WORDS), min_size=1, max_size=4, unique=True)))
    if draw(some.booleans()):
        values = some.one_of(values, some.none())
    return kind != "words", draw(some.lists(values, min_size=rows, max_size=rows))


@some.composite
def tables(draw):
    """(columns, labels, options of to_csv, number of rows of a test file)"""
    rows = draw(some.integers(4, 12))
    table_columns = draw(some.lists(columns(rows), min_size=1, max_size=4))
    labels = ["yes", "no", *draw(some.lists(some.sampled_from(["yes", "no"]), min_size=rows - 2, max_size=rows - 2))]
    written = {
        "sep": draw(some.sampled_from([",", ";", "\t"])),
        "na_rep": draw(some.sampled_from(MARKS)),
        "quoting": draw(some.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])),
        "encoding": draw(some.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16"])),
        "lineterminator": draw(some.sampled_from(["\n", "\r\n"])),
        "index": draw(some.booleans()),
        "header": draw(some.booleans()),
        "decimal": draw(some.sampled_from([".", ".", ".", ","])),
    }
    return table_columns, labels, written, draw(some.sampled_from([0, 0, rows]))


def expected(table_columns, labels):
    """The rows as they must be read: label, numbers with means for holes, then a feature for each category."""
    numbers, features = [], []
    for is_number, values in table_columns:
        known = [value for value in values if value is not None]
        if is_number:
            mean = sum(known) / len(known) if known else 0.0
            numbers.append([mean if value is None else value for value in values])
            continue
        texts = [None if value is None else value.strip() for value in values]
        if all(text is None for text in texts):
            numbers.append([0.0] * len(texts))
            continue
        for category in sorted({"missing" if text is None else text for text in texts}):
            features.append([float(("missing" if text is None else text) == category) for text in texts])
    return np.column_stack([[float(label == "yes") for label in labels], *numbers, *features])


def rows_of(folder, entry, part):
    text = gzip.decompress((folder / entry[part]["files"][0]["name"]).read_bytes()).decode()
    return np.array([[float(value) for value in line.split(",")] for line in text.splitlines()])


def left_out(values):
    """Whether a column of text is left out: all its values are different, as in an identifier."""
    return len({value if value is None else value.strip() for value in values}) == len(values) > 2


@pytest.mark.slow
def test_tables_are_read_back_or_refused():
    READ.update(equal=0, refused=0)
    reads_back()
    assert READ["equal"] + READ["refused"] >= TABLES
    assert READ["equal"] > READ["refused"], READ  # a reader that refuses everything would pass otherwise


@settings(max_examples=TABLES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(tables())
def reads_back(table):
    table_columns, labels, written, test_rows = table
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        frame = pd.DataFrame(
            {f"c{at}": pd.Series(values, dtype=object) for at, (_, values) in enumerate(table_columns)}
        )
        frame["kind"] = labels
        frame.to_csv(folder / "own.csv", **written)
        words = [str(folder / "own.csv"), "--name", "own", "--folder", str(folder / "data"), "--missing", "mean"]
        words += ["--label", "kind" if written["header"] else "last"]
        if test_rows:
            frame.iloc[::-1].to_csv(folder / "test.csv", **written)
            words += ["--test-file", str(folder / "test.csv")]
        error = io.StringIO()
        with contextlib.redirect_stderr(error), contextlib.redirect_stdout(io.StringIO()):
            status = cli.call("data_add", words)
        if status:
            assert status == 2 and error.getvalue().count("\n") == 1, error.getvalue()
            assert not (folder / "data").exists()
            READ["refused"] += 1
            event(re.sub(r"'.*?'|\d+", "...", error.getvalue().partition(": ")[2])[:60])
            return
        READ["equal"] += 1
        kept = [column for column in table_columns if column[0] or not left_out(column[1])]
        entry = tomllib.loads((folder / "data/catalog.toml").read_text())["own"]
        wanted = expected(kept, labels)
        yes = 1.0 if entry["class_names"] == ["no", "yes"] else 0.0
        for part, rows in (("train", wanted), *([("test", wanted[::-1])] if test_rows else [])):
            got = rows_of(folder / "data", entry, part)
            got[:, 0] = got[:, 0] == yes
            assert got.shape == rows.shape
            # A mean may cancel, so its error is relative to the largest value of its column.
            assert (np.abs(got - rows) <= 1e-13 * np.abs(rows).max(axis=0) + 1e-300).all(), (got, rows)
