"""Parquet and Arrow files: columns have the declared types, or the import is refused."""

import gzip
import importlib.util
import tomllib

import numpy as np
import pandas as pd
import pytest

from okbench import cli

HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None
needs_pyarrow = pytest.mark.skipif(not HAS_PYARROW, reason="pyarrow is not installed; `make test-newest` installs it")


def frame(rows=60):
    """Codes as text, whole numbers, a flag, holes, and an index that is no feature."""
    random = np.random.RandomState(0)
    table = pd.DataFrame(
        {
            "size": random.normal(size=rows),
            "code": random.choice(["01", "1", "x "], rows),
            "count": random.randint(0, 9, rows),
            "flag": random.rand(rows) < 0.5,
            "kind": random.choice(["no", "yes"], rows),
        },
        index=random.permutation(rows) + 100,
    )
    table.loc[table.index[3], "size"] = np.nan
    table.loc[table.index[4], "code"] = None
    return table


def add(tmp_path, file, *words):
    words = [str(tmp_path / file), "--name", "own", "--label", "kind", "--folder", str(tmp_path / "data"), *words]
    return cli.call("data_add", words)


def rows_of(tmp_path, part="train"):
    entry = tomllib.loads((tmp_path / "data/catalog.toml").read_text())["own"]
    text = gzip.decompress((tmp_path / "data" / entry[part]["files"][0]["name"]).read_bytes()).decode()
    return np.array([[float(value) for value in line.split(",")] for line in text.splitlines()])


@pytest.mark.skipif(HAS_PYARROW, reason="pyarrow is installed")
@pytest.mark.parametrize("content, name", [(b"PAR1....PAR1", "Parquet"), (b"ARROW1\0\0....", "Arrow")])
def test_the_missing_library_is_named(tmp_path, capsys, content, name):
    (tmp_path / "file").write_bytes(content)
    assert add(tmp_path, "file") == 2
    assert f"file: is a{'n' * (name == 'Arrow')} {name} file; install pyarrow to read it" in capsys.readouterr().err


@needs_pyarrow
@pytest.mark.parametrize("to_file", ["to_parquet", "to_feather"])
def test_columns_have_their_declared_types(tmp_path, capsys, to_file):
    table = frame() if to_file == "to_parquet" else frame().reset_index(drop=True)
    getattr(table, to_file)(tmp_path / "file")
    getattr(table.iloc[:20], to_file)(tmp_path / "test")
    assert add(tmp_path, "file", "--missing", "mean", "--test-file", str(tmp_path / "test")) == 0
    out = capsys.readouterr().out
    assert "column    code: one feature per category: 01, 1, missing, x" in out and "a Parquet or Arrow table" in out
    codes = table["code"].fillna("missing").str.strip()
    expected = [table["size"].fillna(table["size"].mean()), table["count"]]
    expected += [codes == category for category in ("01", "1", "missing", "x")] + [~table["flag"], table["flag"]]
    expected = np.column_stack([table["kind"] == "yes", *expected]).astype(float)
    expected[:, 0] = rows_of(tmp_path)[:, 0]
    np.testing.assert_allclose(rows_of(tmp_path), expected)
    np.testing.assert_allclose(rows_of(tmp_path, "test"), expected[:20])
    np.testing.assert_array_equal(rows_of(tmp_path)[:, 0] == 1, table["kind"] == "yes")


@needs_pyarrow
@pytest.mark.parametrize("to_file", ["to_parquet", "to_feather"])
def test_categories_that_are_numbers_are_categories(tmp_path, capsys, to_file):
    table = frame().reset_index(drop=True).assign(code=pd.Categorical([10115, 10117, 20095, 10115] * 15))
    getattr(table, to_file)(tmp_path / "file")
    assert add(tmp_path, "file", "--missing", "mean") == 0
    assert "column    code: one feature per category: 10115, 10117, 20095" in capsys.readouterr().out


@needs_pyarrow
@pytest.mark.parametrize(
    "change, words, message",
    [
        ({}, (), "file: row 4: column 1 ('size'): the value is missing (null); remove the row, or use --missing"),
        ({"day": pd.Timestamp("2020-01-01")}, ("--missing", "mean"), "column 6 ('day') is timestamp"),
        ({}, ("--missing", "mean", "--header"), "its header and missing values are declared"),
        ({"size": np.inf}, ("--missing", "mean"), "file: row 1: column 1 ('size'): 'inf' is not finite"),
        ({"kind": None}, ("--missing", "mean"), "file: row 1: column 5 ('kind'): the label is missing (null)"),
    ],
)
def test_unreadable_files_are_one_line(tmp_path, capsys, change, words, message):
    frame().assign(**change).to_parquet(tmp_path / "file")
    assert add(tmp_path, "file", *words) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not (tmp_path / "data/catalog.toml").exists()


@needs_pyarrow
def test_a_test_file_has_the_types_of_the_training_file(tmp_path, capsys):
    frame().to_parquet(tmp_path / "file")
    frame().astype({"count": str}).to_parquet(tmp_path / "test")
    assert add(tmp_path, "file", "--missing", "mean", "--test-file", str(tmp_path / "test")) == 2
    assert "test: column 3 ('count') is nominal; " in capsys.readouterr().err
    (tmp_path / "file").write_bytes((tmp_path / "file").read_bytes()[:300])
    assert add(tmp_path, "file", "--missing", "mean") == 2
    assert "file: is a Parquet file that pyarrow cannot read: " in capsys.readouterr().err


@needs_pyarrow
def test_a_damaged_file_does_not_end_the_process(tmp_path, capsys):
    """Offsets of texts that point beyond the data, among others."""
    frame().reset_index(drop=True).to_feather(tmp_path / "whole")
    whole, random = (tmp_path / "whole").read_bytes(), np.random.RandomState(0)
    refused = 0
    for _ in range(200):
        damaged = bytearray(whole)
        for at in random.randint(8, len(whole), 8):
            damaged[at] = random.randint(256)
        (tmp_path / "file").write_bytes(damaged)
        status = add(tmp_path, "file", "--missing", "mean", "--replace")
        assert status in (0, 2) and capsys.readouterr().err.count("\n") == (status == 2)
        refused += status == 2
    assert refused > 20
