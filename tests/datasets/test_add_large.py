"""Files that are larger than the memory: contents, numbers and texts in temporary files."""

import resource
import subprocess
import sys

import numpy as np
import pytest

from okbench import cli
from okbench.data import unpacking
from okbench.data.adding import spooled
from okbench.data.adding.source import Source
from okbench.data.adding.table import AddError, Builder

# Prints the status and the largest memory of the process in bytes. ru_maxrss would contain the parent's.
ADD = """
import re, sys
from okbench import cli
status = cli.call("data_add", sys.argv[1:])
print(status, 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]))
"""


def add(file, folder, *options, **more):
    words = [str(file), "--name", "m", "--folder", str(folder), *options]
    done = subprocess.run([sys.executable, "-c", ADD, *words], capture_output=True, text=True, **more)
    return done.stdout.splitlines()[-1].split() if done.stdout else None, done.stderr


def write_rows(path, rows):
    x = np.random.RandomState(0).randn(rows, 20).round(4)
    lines = (",".join(map(repr, row)) + f",{int(row[0] > 0)}" for row in x.tolist())
    path.write_text(",".join(f"x{j}" for j in range(20)) + ",y\n" + "\n".join(lines) + "\n")


def test_a_content_has_independent_readers(monkeypatch):
    monkeypatch.setattr(spooled, "PIECE", 7)
    data = "\ufeffzwölf\r\nBoxkämpfer\r\njagen\n".encode()
    content = spooled.Content([data[:3], b"", data[3:]])
    first, second = content.lines(), content.lines(newline="")
    assert next(first) == "zwölf\n" and list(second) == ["zwölf\r\n", "Boxkämpfer\r\n", "jagen\n"]
    assert list(first) == ["Boxkämpfer\n", "jagen\n"]
    assert content.size == len(data) and content.read() == data and b"".join(content.pieces()) == data
    assert content.startswith((b"x", "\ufeff".encode())) and content.has(b"\r") and not content.has(b"\0")


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 100])
def test_numbers_are_those_that_were_appended(monkeypatch, count):
    monkeypatch.setattr(spooled, "PIECE", 8)
    numbers = spooled.Numbers("d")
    for value in range(0, count, 2):
        numbers.extend([value, value + 1][: count - value])
    assert len(numbers) == count and numbers.array().tolist() == list(range(count))
    spooled.release(numbers.array()[1:])
    assert numbers.array().tolist() == list(range(count))


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 300])
def test_columns_are_those_of_the_rows(monkeypatch, count):
    monkeypatch.setattr(spooled, "PIECE", 8)
    texts, rows = spooled.TextRows(3), [[f"a{row}", "\n\0,", "ü" * row] for row in range(count)]
    for row in rows:
        texts.append(row)
    assert len(texts.blocks) == count // 64
    for _ in range(2):
        assert list(zip(*texts.columns())) == [tuple(row) for row in rows]


@pytest.mark.parametrize(
    "options",
    [
        ["--missing", "mean", "--scale", "standard", "--scale-on", "first-tenth"],
        ["--missing", "median", "--kind", "real", "--lags", "2"],
        ["--missing", "mean", "--scale", "standard", "--test", "0.3"],
    ],
)
def test_an_encoded_table_is_the_same_in_files(tmp_path, monkeypatch, options):
    rows = (f"{row % 7 or '?'},{'abc'[row % 3]},{row / 8},{row % 2}\n" for row in range(500))
    (tmp_path / "f.csv").write_text("n,c,x,y\n" + "".join(rows))
    words = [str(tmp_path / "f.csv"), "--name", "m", *options]
    assert cli.call("data_add", [*words, "--folder", str(tmp_path / "memory")]) == 0
    monkeypatch.setattr(spooled, "PIECE", 100)
    monkeypatch.setattr("okbench.data.adding.encode.BLOCK", 100)
    monkeypatch.setattr("okbench.data.adding.encode.FEWEST_ROWS", 10)
    assert cli.call("data_add", [*words, "--folder", str(tmp_path / "files")]) == 0
    files = sorted(path.relative_to(tmp_path / "memory") for path in (tmp_path / "memory").rglob("*.*"))
    assert len(files) > 2
    for file in files:
        assert (tmp_path / "memory" / file).read_bytes() == (tmp_path / "files" / file).read_bytes(), file


def test_a_table_is_the_same_in_a_file(monkeypatch):
    def table():
        builder = Builder("f")
        for row in range(50):
            builder.label("ab"[row % 2], row + 2)
            builder.dense([row - 7.0, row * 2.0])
        return builder.table(2, False, source="", label_description="")

    before = table()
    monkeypatch.setattr(spooled, "PIECE", 16)
    monkeypatch.setattr("okbench.data.adding.table.BLOCK", 6)
    after = table()
    assert isinstance(after.values, np.memmap) and np.array_equal(before.values, after.values)
    assert before.extent() == after.extent() == (-7, 98) and before.whole() is after.whole() is True
    assert before.where(49) == after.where(49) == "f:51"


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path, pieces = tmp_path / "f.csv", unpacking.pieces
    path.write_text("1,2\n")

    def growing(file, size):
        yield from pieces(file, size)
        with open(path, "a") as more:
            more.write("3,4\n")

    monkeypatch.setattr(unpacking, "pieces", growing)
    with pytest.raises(AddError, match="f.csv: changed while it was read"):
        Source(path)


def test_a_wrong_byte_is_named_by_its_line_in_later_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(spooled, "PIECE", 5)
    (tmp_path / "f.csv").write_bytes("1,ü\n2,ü\n".encode() + b"3,\xff\n")
    with pytest.raises(AddError, match="f.csv:3: is not UTF-8 text"):
        Source(tmp_path / "f.csv").check_text()
    (tmp_path / "f.csv").write_bytes("1,ü\n2,ü\n".encode() + b"3,\xc3")  # ends within a character
    with pytest.raises(AddError, match="f.csv:3: is not UTF-8 text"):
        Source(tmp_path / "f.csv").check_text()


def test_a_full_disk_is_one_line_with_the_remedy(tmp_path):
    write_rows(tmp_path / "f.csv", 1000)

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    _, error = add(tmp_path / "f.csv", tmp_path / "data", preexec_fn=small_files)
    assert "cannot write a temporary file: File too large; set TMPDIR" in error and error.count("\n") == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
@pytest.mark.parametrize("options, most", [((), 100), (("--missing", "mean", "--scale", "standard"), 600)])
def test_memory_grows_by_less_than_the_texts(tmp_path, options, most):
    # A row has 160 bytes of numbers and 150 of text. As texts of Python its fields have 1200.
    peaks = []
    for rows in (60_000, 240_000):
        write_rows(tmp_path / "f.csv", rows)
        (status, peak), error = add(tmp_path / "f.csv", tmp_path / str(rows), *options)
        assert status == "0", error
        peaks.append(int(peak))
    assert peaks[1] - peaks[0] < 180_000 * most
