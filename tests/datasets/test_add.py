"""okbench data add: what it reads, what it writes, what it refuses, and that it writes all or nothing."""

import bz2
import gzip
import hashlib
import lzma
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import time
import tomllib
import zipfile

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

from okbench import cli  # noqa: E402
from okbench.data import unpacking  # noqa: E402
from okbench.data.adding import split, store  # noqa: E402


def add_main(words):
    """`okbench data add` in this process; the exit status."""
    return cli.call("data_add", list(map(str, words)))


# Values whose shortest texts are long, short, large, small, whole, or have a sign that comparison does not see.
VALUES = [0.1, 1 / 3, 1e38, 5e-324, -2.5e-8, 1e16, 123456789.0, -0.0, 7.0, 2.0**53, np.pi]
LARGEST = float(np.finfo(np.float32).max)
FLOWERS = "length,width,species\n5.1,3.5,setosa\n4.9,3,setosa\n6.3,2.5,virginica\n5.9,3,virginica\n"


def bits(values):
    return [struct.pack("<d", value) for value in values]


class Added:
    """Files written by one call, read without okbench's readers."""

    def __init__(self, folder, name, output=""):
        self.output, self.folder = output, folder
        self.catalog = tomllib.loads((folder / "catalog.toml").read_text())
        self.entry = self.catalog[name]

    def lines(self, part="train"):
        (file,) = self.entry[part]["files"]
        content = gzip.decompress((self.folder / file["name"]).read_bytes())
        assert hashlib.sha256(content).hexdigest() == file["sha256"] and file["urls"] == []
        lines = content.decode().splitlines()
        assert len(lines) == self.entry[part]["rows"]
        return lines

    def labels(self, part="train"):
        return [line.replace(",", " ").split()[0] for line in self.lines(part)]

    def dense(self, part="train"):
        rows = [[float(field) for field in line.split(",")[1:]] for line in self.lines(part)]
        assert all(len(row) == self.entry["features"] for row in rows)
        return rows

    def sparse(self, part="train"):
        pairs = [[pair.split(":") for pair in line.split()[1:]] for line in self.lines(part)]
        return [{int(index): float(value) for index, value in row} for row in pairs]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def call(tmp_path, folder, capsys):
    """Gives a file of this content, or the one at this path, to the importer, in this process: (status, what it said on
    standard output, and on standard error)."""

    def run(content, *options, file="own.csv", name="mine"):
        path = content if isinstance(content, pathlib.Path) else tmp_path / file
        if not isinstance(content, pathlib.Path):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        status = add_main([str(path), "--name", name, "--folder", str(folder), *map(str, options)])
        return (status, *capsys.readouterr())

    return run


@pytest.fixture
def adds(call, folder):
    """Adds a set."""

    def run(content, *options, name="mine", **where):
        status, out, error = call(content, *options, name=name, **where)
        assert (status, error) == (0, ""), error
        return Added(folder, name, out)

    return run


@pytest.fixture
def refused(call, tmp_path, folder):
    """The one line of a call that must write nothing."""

    def run(*arguments, **options):
        before = snapshot(folder)
        status, out, error = call(*arguments, **options)
        assert status == 2 and out == "" and snapshot(folder) == before
        assert error.startswith("okbench: ") and error.count("\n") == 1
        return error.removeprefix("okbench: ").replace(str(tmp_path) + "/", "").strip()

    return run


def snapshot(folder):
    """Every file with its bytes; None without the folder."""
    if not folder.exists():
        return None
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


# What is read.


def test_csv_with_a_header_and_words_for_labels(adds):
    dataset = adds(FLOWERS)
    entry = dataset.entry
    assert entry["format"] == "csv" and entry["features"] == 2 and entry["kind"] == "binary"
    assert entry["labels"] == ["0", "1"] and entry["class_names"] == ["setosa", "virginica"]
    assert entry["range"] == [2.5, 6.3] and entry["terms"] == "added from own.csv" and "synthetic" not in entry
    assert entry["source"]["sha256"] == hashlib.sha256(FLOWERS.encode()).hexdigest()
    assert pathlib.Path(entry["source"]["file"]).read_text() == FLOWERS
    assert entry["train"]["files"][0]["name"] == "mine/train.csv.gz" and "test" not in entry
    assert dataset.lines() == ["0,5.1,3.5", "0,4.9,3", "1,6.3,2.5", "1,5.9,3"]
    assert "column 3 ('species'), the last that is not numeric" in dataset.output
    assert "setosa (negative) 2, virginica (positive) 2" in dataset.output and 'name = "mine"' in dataset.output


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " , "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_delimiters(adds, delimiter, end):
    dataset = adds(end.join(delimiter.join(row) for row in (["a", "b", "c"], ["1", "2.5", "0"], ["3", "4", "1"])))
    assert dataset.lines() == ["0,1,2.5", "1,3,4"]


def test_csv_quotes_with_delimiters_blanks_and_lines_inside(adds):
    dataset = adds('"x, of it",label\n1,"cat, black"\n"2","a ""dog"""\n3,"two\nlines\x7f"\n')
    assert dataset.entry["class_names"] == ['a "dog"', "cat, black", "two\nlines\x7f"]
    assert dataset.lines() == ["1,1", "0,2", "2,3"]


@pytest.mark.parametrize(
    ("text", "header", "labels"),
    [
        ("1,2,cat\n3,4,dog\n", False, ["0", "1"]),
        ("a,b,c\n1,2,0\n3,4,1\n", True, ["0", "1"]),
        ("1,2,0\n3,4,1\n", False, ["0", "1"]),
        ("1,2,y\n3,4,n\n5,6,y\n", False, ["1", "0", "1"]),  # a class of that name
        ("0,1,2\n3,4,cat\n5,6,dog\n", True, ["0", "1"]),  # as pandas writes columns without names
        ("\ufeffa,b,class\n1,2,cat\n3,4,dog\n", True, ["0", "1"]),
        ("\n\na,b,class\n1,2,cat\n\n3,4,dog\n\n", True, ["0", "1"]),
    ],
)
def test_csv_headers_are_recognised(adds, text, header, labels):
    dataset = adds(text)
    assert f"{'a' if header else 'no'} header" in dataset.output and dataset.labels() == labels


def test_csv_headers_as_asked_for(adds):
    assert adds("1,2,0\n3,4,1\n5,6,2\n", "--header").lines() == ["1,3,4", "2,5,6"]
    assert len(adds("y,1,2\nn,3,4\ncat,5,6\n", "--no-header", "--label", "first", name="b").lines()) == 3


@pytest.mark.parametrize(
    ("head", "options", "label", "why"),
    [
        ("a,b,c", [], 2, "the last"),
        ("a,Class,c", [], 1, "by its name"),
        ("target,b,c", [], 0, "by its name"),
        ("a,b,y", ["--label", "first"], 0, "as requested"),
        ("y,b,c", ["--label", "last"], 2, "as requested"),
        ("y,b,c", ["--label", "b"], 1, "as requested"),
    ],
)
def test_which_column_is_the_label(adds, head, options, label, why):
    rows = [["1", "0", "1"], ["0", "1", "1"], ["1", "1", "0"]]
    dataset = adds(head + "\n" + "\n".join(map(",".join, rows)) + "\n", *options)
    assert dataset.labels() == [row[label] for row in rows]
    assert f"column {label + 1} ('{head.split(',')[label]}'), {why}\n" in dataset.output


def test_libsvm_stays_sparse(adds):
    dataset = adds("+1 3:0.5 7:-2e-3 # note\n\n-1 1:4 2:0\n-1\n", file="own.t")
    assert (
        dataset.entry["format"] == "libsvm"
        and dataset.entry["features"] == 7
        and dataset.entry["labels"] == ["-1", "1"]
    )
    assert dataset.entry["range"] == [-2e-3, 4.0]
    assert dataset.lines() == ["1 3:0.5 7:-0.002", "-1 1:4", "-1"]
    assert dataset.entry["train"]["files"][0]["name"] == "mine/train.libsvm.gz"


def test_dense_whole_numbers_are_promised(adds):
    """Not those of sparse rows, of more than 16 bits, or that are 0 and 1 alone."""
    for name, text, whole in (
        ("counts", "a,3,0\nb,-7,32767\n", True),
        ("fractions", "a,3,0.5\nb,7,2\n", False),
        ("large", "a,3,0\nb,7,32768\n", False),
        ("flags", "a,1,0\nb,0,1\n", False),
    ):
        assert (adds(text, file="own.csv", name=name).entry.get("integer_scale") == 1) == whole, name
    assert "integer_scale" not in adds("1 1:3 2:5\n2 1:4\n", file="own.svm", name="sparse").entry


def test_the_range_of_sparse_rows_has_their_zeros(adds):
    assert adds("1 1:3 2:5\n2 1:4\n", file="own.svm").entry["range"] == [0.0, 5.0]
    assert adds("1 1:3 2:5\n2 1:4 2:4\n", file="own.svm", name="full").entry["range"] == [3.0, 5.0]


DENSE_ARFF = """% a comment
@RELATION 'a relation'
@attribute 'the width' NUMERIC
@attribute height real % in m
@attribute "the class" {'cat, black', dog, "a \\"b\\""}

@DATA
% another
1, 2.5, dog
3,4,'cat, black'
5,6,"a \\"b\\""
"""


def test_arff(adds):
    dataset = adds(DENSE_ARFF, file="own.arff")
    assert dataset.entry["class_names"] == ['a "b"', "cat, black", "dog"]
    assert dataset.lines() == ["2,1,2.5", "1,3,4", "0,5,6"]
    assert "column 3 ('the class')" in dataset.output
    assert adds(DENSE_ARFF, file="own.txt", name="other").lines() == dataset.lines()


def test_sparse_arff_leaves_out_the_first_class(adds):
    head = "@relation r\n@attribute a numeric\n@attribute c {no,yes}\n@attribute b numeric\n@data\n"
    dataset = adds(head + "{0 1.5, 1 yes}\n{2 3}\n{1 yes}\n{}\n", file="own.arff")
    assert dataset.lines() == ["1 1:1.5", "0 2:3", "1", "0"]
    assert dataset.entry["format"] == "libsvm" and dataset.entry["features"] == 2
    assert dataset.entry["class_names"] == ["no", "yes"] and dataset.entry["range"] == [0.0, 3.0]


def test_nominal_numbers_are_classes(adds):
    head = "@relation r\n@attribute a numeric\n@attribute c {0.5,1.5}\n@data\n"
    assert adds(head + "1,0.5\n2,1.5\n", file="own.arff").entry["labels"] == ["0.5", "1.5"]


@pytest.mark.parametrize(("options", "label"), [([], 2), (["--label", "last"], 2), (["--label", "first"], 0)])
def test_npy(adds, tmp_path, options, label):
    rows = np.array([[0, 0.5, 1], [1, 1 / 3, 0], [1, 2, 1]])
    np.save(tmp_path / "own.npy", rows)
    dataset = adds(tmp_path / "own.npy", *options)
    assert dataset.dense() == np.delete(rows, label, axis=1).tolist()
    assert dataset.labels() == [f"{value:g}" for value in rows[:, label]]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "uint8", "bool", ">f8", "float16"])
def test_npz(adds, tmp_path, dtype):
    rows = np.array([[0, 1], [2.5, 3], [0.1, 1]]).astype(dtype)
    np.savez_compressed(tmp_path / "own.npz", X=np.asfortranarray(rows), y=np.array([["b"], ["a"], ["b"]]))
    dataset = adds(tmp_path / "own.npz")
    assert dataset.dense() == rows.astype(float).tolist()
    assert dataset.labels() == ["1", "0", "1"] and dataset.entry["class_names"] == ["a", "b"]


def test_npz_with_both_parts_and_images(adds, tmp_path):
    images, labels = np.arange(5 * 2 * 3, dtype=np.uint8).reshape(5, 2, 3), np.array([3, 5, 4, 5, 3], dtype=np.uint8)
    np.savez(tmp_path / "own.npz", x_train=images[:3], y_train=labels[:3], x_test=images[3:], y_test=labels[3:])
    dataset = adds(tmp_path / "own.npz")
    assert dataset.dense("test") == images[3:].reshape(2, 6).tolist()
    assert dataset.labels("train") == ["3", "5", "4"] and dataset.labels("test") == ["5", "3"]
    assert dataset.entry["range"] == [0.0, 29.0] and "2 x 3, flattened" in dataset.output


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_packed_text_is_known_by_its_content(adds, pack, suffix):
    assert adds(pack(FLOWERS.encode()), file="own.csv" + suffix).dense()[0] == [5.1, 3.5]


# What is written.


def random_rows(count, features, seed=1):
    """Numbers of all sizes that single precision has, and a few special ones."""
    draw = random.Random(seed)
    rows = [[struct.unpack("<d", draw.randbytes(8))[0] for _ in range(features)] for _ in range(count)]
    rows = [[value if abs(value) <= LARGEST else 0.5 for value in row] for row in rows]
    return rows + [VALUES[:features], VALUES[-features:]]


def test_values_of_csv_come_back_bit_for_bit(adds):
    rows = random_rows(200, 6)
    text = "".join(",".join([*map(repr, row), str(i % 3)]) + "\n" for i, row in enumerate(rows))
    back = adds(text).dense()
    assert [bits(row) for row in back] == [bits(row) for row in rows]


def test_values_of_numpy_come_back_bit_for_bit(adds, tmp_path):
    rows = np.array(random_rows(200, 6))
    np.savez(tmp_path / "own.npz", X=rows, y=np.arange(len(rows)) % 2)
    back = adds(tmp_path / "own.npz").dense()
    assert [bits(row) for row in back] == [bits(row) for row in rows.tolist()]


def test_values_of_libsvm_come_back_bit_for_bit(adds):
    rows = [{3 * j + 1: value for j, value in enumerate(row) if value != 0} for row in random_rows(200, 6)]
    text = "".join(f"{i % 2} " + " ".join(f"{j}:{v!r}" for j, v in row.items()) + "\n" for i, row in enumerate(rows))
    back = adds(text, file="own.libsvm").sparse()
    assert [(list(row), bits(row.values())) for row in back] == [(list(row), bits(row.values())) for row in rows]


def test_real_targets_come_back_bit_for_bit(adds):
    targets = [0.1, 1 / 3, -5.0, 1e22, 2.5e-10]
    dataset = adds("".join(f"{i},{target!r}\n" for i, target in enumerate(targets)))
    assert dataset.entry["kind"] == "real" and "labels" not in dataset.entry
    assert bits(map(float, dataset.labels())) == bits(targets) and dataset.labels()[2] == "-5"
    assert "targets   from -5 to 1e+22" in dataset.output


def test_the_same_input_gives_the_same_bytes(adds, folder):
    adds(FLOWERS, "--test", 0.5)
    first = snapshot(folder)
    time.sleep(1.1)  # gzip's clock counts seconds
    adds(FLOWERS, "--test", 0.5, "--replace")
    assert snapshot(folder) == first


@pytest.mark.parametrize(
    ("value", "low", "high"), [(3, 3.0, 4.0), (0, 0.0, 1.0), (2.0**60, 2.0**60, 2.0**60 + 256)]
)
def test_a_range_is_never_empty(adds, value, low, high):
    assert adds(f"{value!r},0\n{value!r},1\n").entry["range"] == [low, high]


# Labels.


@pytest.mark.parametrize(
    ("labels", "options", "kind", "written"),
    [
        (["1", "-1", "+1"], [], "binary", ["1", "-1", "1"]),
        (["10", "9", "9.0"], [], "binary", ["10", "9", "9"]),
        (["2", "1", "10"], [], "multiclass", ["2", "1", "10"]),
        (["2", "1", "1"], ["--kind", "multiclass"], "multiclass", ["2", "1", "1"]),
        (["2", "1", "10"], ["--kind", "real"], "real", ["2", "1", "10"]),
        (["0.5", "1.5", "0.5"], [], "real", ["0.5", "1.5", "0.5"]),
        (["0.5", "1.5", "0.5"], ["--kind", "binary"], "binary", ["0.5", "1.5", "0.5"]),
        (["b", "a", "b"], [], "binary", ["1", "0", "1"]),
        (["b", "1", "a"], [], "multiclass", ["2", "0", "1"]),
    ],
)
def test_kinds(adds, labels, options, kind, written):
    dataset = adds("".join(f"{i},{label}\n" for i, label in enumerate(labels)), *options)
    assert dataset.entry["kind"] == kind and dataset.labels() == written
    if kind != "real":
        assert set(dataset.entry["labels"]) == set(written)


def test_numeric_classes_are_in_numeric_order(adds):
    assert adds("1,10\n2,9\n3,-1\n").entry["labels"] == ["-1", "9", "10"]


def test_more_than_a_thousand_numbers_are_targets(adds):
    text = "".join(f"0.5,{i}\n" for i in range(1001))
    assert adds(text).entry["kind"] == "real"
    assert adds(text[: text.index("0.5,1000")], name="b").entry["kind"] == "multiclass"
    assert len(adds(text, "--kind", "multiclass", name="c").entry["labels"]) == 1001


def test_rows_that_stand_by_class_are_reported(adds):
    text = "".join(f"{i},{i // 8}\n" for i in range(16))
    dataset = adds(text)
    assert dataset.entry["by_class"] is True and 'order = "permutation"' in dataset.output
    assert "by_class" not in adds(text + "1,0\n", name="b").entry


# Parts.


def numbered(counts):
    """Rows that differ in their only feature, the classes mixed."""
    labels = [label for label, count in counts.items() for _ in range(count)]
    random.Random(3).shuffle(labels)
    return "".join(f"{i},{label}\n" for i, label in enumerate(labels)), labels


def test_the_split_is_complete_disjoint_stratified_and_in_order(adds):
    text, labels = numbered({"a": 50, "b": 30, "c": 20, "d": 1})
    dataset = adds(text, "--test", 0.2)
    train, test = ([int(row[0]) for row in dataset.dense(part)] for part in ("train", "test"))
    assert sorted(train + test) == list(range(101)) and train == sorted(train) and test == sorted(test)
    assert [sum(labels[i] == c for i in test) for c in "abcd"] == [10, 6, 4, 0]
    assert dataset.labels("test") == [str("abcd".index(labels[i])) for i in test]


def test_the_split_is_fixed_by_its_seed(adds):
    text, _ = numbered({"a": 40, "b": 40})
    first, same, other = (
        adds(text, "--test", 0.25, *options, name=name).lines("test")
        for name, options in (("one", []), ("two", ["--seed", 0]), ("three", ["--seed", 1]))
    )
    assert first == same != other
    # As drawn the first time: RandomState must never change.
    assert [line.split(",")[1] for line in first][:6] == ["5", "20", "21", "25", "27", "29"]


def test_real_targets_are_split_as_one(adds):
    dataset = adds("".join(f"{i},{i / 7!r}\n" for i in range(10)), "--test", 0.3)
    assert (dataset.entry["train"]["rows"], dataset.entry["test"]["rows"]) == (7, 3)


@pytest.mark.parametrize(
    ("counts", "share", "expected"),
    [
        ([10, 10], 0.2, [2, 2]),
        ([3, 3, 3], 0.5, [2, 2, 1]),  # 4.5 rounds up
        ([1, 1, 8], 0.2, [0, 0, 2]),
        ([2, 2], 0.9, [1, 1]),  # each class keeps a training row
        ([100], 0.29, [29]),
    ],
)
def test_shares_by_hand(counts, share, expected):
    assert split.shares(counts, share) == expected


def test_a_test_file_has_the_classes_of_the_training_file(adds, tmp_path):
    (tmp_path / "test.csv").write_text("length,width,species\n9,1,virginica\n")
    dataset = adds(FLOWERS, "--test-file", tmp_path / "test.csv")
    assert dataset.lines("test") == ["1,9,1"] and dataset.entry["range"] == [1.0, 9.0]
    assert dataset.entry["source"]["test_sha256"] == hashlib.sha256((tmp_path / "test.csv").read_bytes()).hexdigest()
    # Without a header, and as other text, it is the same.
    (tmp_path / "test.tsv.gz").write_bytes(gzip.compress(b"9\t1\tvirginica\n"))
    assert adds(FLOWERS, "--test-file", tmp_path / "test.tsv.gz", name="b").lines("test") == ["1,9,1"]


def test_a_test_file_has_a_header_that_looks_like_a_row(adds, tmp_path):
    (tmp_path / "test.csv").write_text("0,1,2\n9,1,0\n")
    assert adds("0,1,2\n3,4,1\n5,6,0\n", "--test-file", tmp_path / "test.csv").lines("test") == ["0,9,1"]


def test_features_of_sparse_parts_are_those_of_both(adds, tmp_path):
    (tmp_path / "test.t").write_text("1 9:1\n")
    dataset = adds("1 1:1\n2 5:1\n", "--test-file", tmp_path / "test.t", file="own.t")
    assert dataset.entry["features"] == 9 and dataset.entry["test"]["rows"] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("length,width,species\n9,1,pine\n", "test.csv:2: the label 'pine' does not occur among the training rows"),
        ("length,width,more,species\n9,1,2,setosa\n", "test.csv: has 4 columns, own.csv has 3"),
        ("length,depth,species\n9,1,setosa\n", "test.csv: column 2 ('depth') is 'width' in own.csv"),
        ("length,width\n9,1\n", "test.csv: has 2 columns, own.csv has 3"),
        ("species,length,width\nsetosa,9,1\n", "test.csv: column 1 ('species') is 'length' in own.csv"),
        ("setosa 1:9 2:1\n", "must be dense like own.csv"),
    ],
)
def test_a_test_file_that_does_not_fit(refused, tmp_path, content, message):
    name = "test.t" if ":" in content else "test.csv"
    (tmp_path / name).write_text(content)
    assert message in refused(FLOWERS, "--test-file", tmp_path / name)


# What is refused.


ARFF = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n"
BAD = [
    ("own.csv", "", "own.csv: is empty"),
    ("own.csv", "\n \n", "own.csv: is empty"),
    ("own.csv", b"\x00\x01\x02junk\xff", "own.csv: is neither text nor"),
    ("own.csv", b"a,b\n1,caf\xe9\n", "own.csv:2: is not UTF-8 text"),
    ("own.csv.gz", gzip.compress(FLOWERS.encode())[:40], "own.csv.gz: cannot be unpacked"),
    ("own.csv.bz2", b"BZhjunk", "own.csv.bz2: cannot be unpacked"),
    ("own.csv.xz", lzma.compress(FLOWERS.encode())[:-9], "own.csv.xz: cannot be unpacked"),
    ("own.csv", "1\n2\n3\n", "own.csv: has only one column"),
    ("own.csv", "a,b\n", "own.csv: has a header but no rows"),
    ("own.csv", "1,0\n", "own.csv: every label is '0'"),
    ("own.csv", "1,a\n2,a\n", "own.csv: every label is 'a'"),
    ("own.csv", "a,b,a\n1,2,0\n3,4,1\n", "own.csv:1: columns 1 and 3 are both 'a'"),
    ("own.csv", "1,2,0\n3,1\n", "own.csv:2: has 2 fields, the first row has 3"),
    ("own.csv", "a,b,c\n1,red,x\n2,blue,y\n", "own.csv:2: column 2 ('b'): 'red' is not a number; encode it"),
    ("own.csv", "a,b,c\nx,red,n\nx,blue,m\n", "own.csv:1: the first row 'a,b,c' may have names or values"),
    ("own.csv", "a,b,c,d\n1,red,n,n\n2,blue,m,m\n", "own.csv:2: column 2 ('b'): 'red' is not a number; encode it"),
    ("own.csv", "2,1\n1_0,0\n", "own.csv:2: column 1: '1_0' is not a number"),
    ("own.csv", "a,b,c\n1,2,0\n3,,1\n", "own.csv:3: column 2 ('b'): the value is missing (empty)"),
    ("own.csv", "a,b,c\n1,2,0\n3,?,1\n", "own.csv:3: column 2 ('b'): the value is missing ('?')"),
    ("own.csv", "a,b,c\n1,2,0\n3,NA,1\n", "own.csv:3: column 2 ('b'): the value is missing ('NA')"),
    ("own.csv", "a,b,c\n1,2,0\n3,nan,1\n", "own.csv:3: column 2 ('b'): the value is missing ('nan')"),
    ("own.csv", "a,b,c\n1,2,0\n3,-inf,1\n", "own.csv:3: column 2 ('b'): '-inf' is not finite"),
    ("own.csv", "a,b,c\n1,2,0\n3,1e999,1\n", "own.csv:3: column 2 ('b'): '1e999' is not finite"),
    ("own.csv", "a,b,c\n1,2,0\n3,4,\n", "own.csv:3: column 3 ('c'): the label is missing (empty)"),
    ("own.csv", "a,b,c\n1,2,0\n3,4,inf\n", "own.csv:3: column 3 ('c'): the label is not finite"),
    ("own.csv", 'a,b\n1,"x\n2,y\n', "own.csv:2: unexpected end of data"),
    ("own.csv", 'a,b\n1,"x"y\n2,y\n', "own.csv:2: "),
    ("own.csv", "1,2;5\n3,4;5\n", "own.csv: has decimal commas, such as 2,5; write numbers as 2.5"),
    ("own.csv", "a\tb\n1,2\tx\n3,4\ty\n", "own.csv: has decimal commas"),
    ("own.t", "1,3 1:1\n2 2:1\n", "own.t:1: '1,3' are several labels"),
    ("own.t", "1 1:1\n1:2 2:1\n", "own.t:2: the row has no label"),
    ("own.t", "1 1:1\n2 0:1\n", "own.t:2: feature index 0 is outside 1.."),
    ("own.t", "1 1:1\n2 99999999999999999999:1\n", "own.t:2: feature index 999999999999 is outside 1.."),
    ("own.t", "1 1:1\n2 2000000000:1\n", "own.t:2: feature index 2000000000 is outside 1..100000000"),
    ("own.csv", "a,b,y\n1,4e38,1\n2,3,0\n", "own.csv: has a value of size 4e+38, beyond single precision; scale"),
    ("own.t", "1 1:1\n2 3:1 2:1\n", "own.t:2: feature index 2 follows 3"),
    ("own.t", "1 1:1\n2 3:1 3:1\n", "own.t:2: feature index 3 follows 3"),
    ("own.t", "1 1:1\n2 3:nan\n", "own.t:2: feature 3: the value is missing ('nan')"),
    ("own.t", "1 1:1\n2 3:x\n", "own.t:2: feature 3: 'x' is not a number"),
    ("own.t", "1 qid:1 1:1\n2 qid:1 3:1\n", "own.t:1: 'qid' is for ranking"),
    ("own.svm", "1 1:1\n2 3\n", "own.svm:2: '3' is not index:value"),
    ("own.svm", "1\n2\n", "own.svm: has no features"),
    ("own.svm", "# nothing\n", "own.svm: is empty"),
    ("own.arff", ARFF + "@attribute c {u,v}\n@data\n1,x,u\n", "own.arff:3: attribute 'b' is nominal"),
    ("own.arff", ARFF + "@attribute c string\n@data\n1,x,u\n", "own.arff:3: attribute 'b' is nominal"),
    (
        "own.arff",
        ARFF + "@data\n1,z\n",
        "own.arff:5: column 2 ('b'): the label 'z' is not a class of the attribute",
    ),
    ("own.arff", ARFF + "@data\n1,x,2\n", "own.arff:5: has 3 fields, expected 2"),
    ("own.arff", ARFF + "@data\n?,x\n", "own.arff:5: column 1 ('a'): the value is missing ('?')"),
    ("own.arff", ARFF + "@data\n1,?\n", "own.arff:5: column 2 ('b'): the label is missing ('?')"),
    ("own.arff", ARFF + "@data\n1,'x\n", "own.arff:5: a quote is not closed"),
    ("own.arff", ARFF + "@data\n1,x\n{0 1}\n", "own.arff:6: mixes dense and sparse rows"),
    ("own.arff", ARFF + "@data\n{1 x, 0 1}\n", "own.arff:5: indices must increase"),
    ("own.arff", ARFF + "@data\n{0 1, 2 1}\n", "own.arff:5: indices must increase and be integers from 0 to 1"),
    ("own.arff", ARFF + "@data\n{0 1, 1\n", "own.arff:5: the row is not {index value, ...}"),
    ("own.arff", ARFF + "@data\n", "own.arff: has no rows"),
    ("own.arff", ARFF, "own.arff: has no @data"),
    ("own.arff", ARFF + "@attribute a real\n@data\n1,x,1\n", "own.arff:4: columns 1 and 3 are both 'a'"),
    ("own.arff", "@relation r\n@attribute\n", "own.arff:2: '@attribute' is not @attribute NAME TYPE"),
    ("own.arff", "@relation r\n@attribute a {x,\n", "own.arff:2: the classes must be on one line"),
    ("own.arff", "junk\n", "own.arff:1: 'junk' is not @relation, @attribute or @data"),
    ("own.arff", "@relation r\n@data\n", "own.arff: has only one column"),
    ("own.npy", b"\x93NUMPY\x01\x00junk", "own.npy: "),
    ("own.npz", b"PK\x03\x04junk", "own.npz: is damaged or not a NumPy file"),
]


@pytest.mark.parametrize(("file", "content", "message"), BAD, ids=range(len(BAD)))
def test_bad_files_are_refused_in_one_line(refused, file, content, message):
    assert refused(content, file=file).startswith(message)


ARRAYS = [
    ({"X": np.eye(2)}, "has the arrays 'x'; expected X and y, or x_train"),
    ({"X": np.eye(2), "y": np.arange(3)}, "x has 2 rows, y has 3 labels"),
    ({"X": np.eye(2), "y": np.eye(2)}, "y: y must have one label per row"),
    ({"X": np.arange(2), "y": np.arange(2)}, "x: the rows must be a matrix"),
    ({"X": np.array([[1, np.nan], [1, 1]]), "y": np.arange(2)}, "x: row 1, column 2: the value is missing (nan)"),
    ({"X": np.array([[1, 1], [np.inf, 1]]), "y": np.arange(2)}, "x: row 2, column 1: the value is not finite"),
    ({"X": np.eye(2), "y": np.array([1, np.nan])}, "y: row 2: the label is missing or not finite"),
    ({"X": np.eye(2) * 1j, "y": np.arange(2)}, "x: has values of type complex128"),
    ({"X": np.array([["a"], ["b"]]), "y": np.arange(2)}, "x: has values of type <U1"),
    ({"X": np.eye(2), "y": np.array([b"a", b"b"])}, "y: has labels of type |S1"),
    ({"X": np.array([[None], [1]]), "y": np.arange(2)}, "contains Python objects"),
    ({"X": np.eye(2)[:0], "y": np.arange(0)}, "x: has no rows or no columns"),
]


@pytest.mark.parametrize(("arrays", "message"), ARRAYS, ids=range(len(ARRAYS)))
def test_bad_arrays_are_refused(refused, tmp_path, arrays, message):
    np.savez(tmp_path / "own.npz", **arrays)
    assert message in refused(tmp_path / "own.npz")


def test_bad_matrices_are_refused(refused, tmp_path):
    for rows, message in (
        (np.arange(3.0), "must be a matrix"),
        (np.zeros((3, 1)), "has only one column"),
        (np.zeros((2, 2, 2)), "must be a matrix"),
        (np.array([[1, {}]]), "contains Python objects"),
    ):
        np.save(tmp_path / "own.npy", rows)
        assert message in refused(tmp_path / "own.npy")
    np.save(tmp_path / "own.npy", np.eye(3))
    assert "has no column names" in refused(tmp_path / "own.npy", "--label", "species")


def test_a_sparse_matrix_of_scipy_has_no_labels(refused, tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    sparse.save_npz(tmp_path / "own.npz", sparse.csr_matrix(np.eye(3)))
    assert "has no labels; save rows and labels as LIBSVM text" in refused(tmp_path / "own.npz")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--label", "colour"], "own.csv: has no column 'colour'; the columns are length, width, species"),
        (["--label", "length"], "own.csv:2: column 3 ('species'): 'setosa' is not a number"),
        (["--label", "species", "--no-header"], "with --no-header columns have no names"),
        (["--kind", "real"], "own.csv:2: the label 'setosa' is not a number; --kind real needs"),
        (["--kind", "other"], "argument --kind: invalid choice: 'other'"),
        (["--test", "1"], "argument --test: '1': expected a share between 0 and 1"),
        (["--test", "nan"], "argument --test: 'nan': expected a share between 0 and 1"),
        (["--test", "0.1"], "own.csv: --test 0.1 of 4 rows leaves a part empty"),
        (["--test", "0.5", "--test-file", "x"], "argument --test-file: not allowed with argument --test"),
        (["--test-file", "none.csv"], "none.csv: cannot be read: No such file or directory"),
        (["--seed", "-1"], "argument --seed: '-1': expected an integer from 0"),
        (["--head"], "unrecognized arguments: --head"),
    ],
)
def test_bad_options_are_refused_in_one_line(refused, options, message):
    assert message in refused(FLOWERS, *options)


def test_binary_needs_two_labels(refused):
    assert "has 3 different labels (1, 2, 3); --kind binary needs two" in refused("1,1\n1,2\n1,3\n", "--kind", "binary")


def test_many_words_are_hardly_classes(refused):
    text = "".join(f"{i},{i},w{i}\n" for i in range(1001))
    assert "has 1001 different words" in refused(text)


def test_rows_that_cannot_be_split(refused):
    assert "leaves a part empty" in refused("1,a\n2,b\n3,c\n", "--test", 0.4)


def test_libsvm_has_its_label_first(refused):
    assert "the label is the first field" in refused("1 1:1\n2 2:1\n", "--label", "last", file="own.t")


def test_npz_with_both_parts_is_not_split(refused, tmp_path):
    np.savez(tmp_path / "own.npz", x_train=np.eye(2), y_train=[0, 1], x_test=np.eye(2), y_test=[0, 1])
    assert "already contains a test part" in refused(tmp_path / "own.npz", "--test", 0.5)
    assert "--label does not apply to .npz files" in refused(tmp_path / "own.npz", "--label", "last")


@pytest.mark.parametrize("name", ["", "a/b", "..", "a b", "ä", "a.b", "a\n", "usps", "rows", "words"])
def test_bad_names_are_refused(refused, name):
    assert refused(FLOWERS, name=name).startswith("--name")


def test_no_file(refused, tmp_path):
    assert refused(tmp_path) == f"{tmp_path}: is a folder"
    assert refused(tmp_path / "none") == "none: cannot be read: No such file or directory"
    assert refused(pathlib.Path("/dev/zero")) == "/dev/zero: is not a regular file"
    (tmp_path / "secret").write_text(FLOWERS)
    (tmp_path / "secret").chmod(0)
    if os.getuid() != 0:
        assert refused(tmp_path / "secret") == "secret: cannot be read: Permission denied"


def test_a_folder_that_is_none(folder, capsys):
    folder.write_text("a file")
    assert add_main(["x", "--name", "mine", "--folder", str(folder)]) == 2 and folder.read_text() == "a file"
    assert capsys.readouterr().err == f"okbench: --folder '{folder}': is not a folder\n"


# The catalog.


OTHERS = """# My sets.\r
[other]
  title = 'kept  as it is'   # a comment
edges = [
  ["mine", "x"],
  [ "a", "b" ],
]
  [other.train]
  rows = 1

# Of mine:
[mine]
title = "old"
  [mine.train]
  rows = 2
  files = [
    { name = "mine/theirs.csv", urls = [], sha256 = "" },
  ]

# Of the last:
["last one"]
"mine" = 1
"""


def test_other_entries_are_kept_byte_for_byte(adds, refused, folder):
    folder.mkdir()
    (folder / "mine").mkdir()
    (folder / "mine" / "theirs.csv").write_text("1,2\n")
    (folder / "catalog.toml").write_bytes(OTHERS.encode())
    assert "data set 'mine' already exists; use --replace" in refused(FLOWERS)
    dataset = adds(FLOWERS, "--replace")
    text = (folder / "catalog.toml").read_bytes().decode()
    start, rest = OTHERS.split("[mine]\n")
    last = rest[rest.index("# Of the last") :]
    assert text.startswith(start + "\n" + last) or text.startswith(start + last)
    assert "".join(text.split()).startswith("".join((start + last).split()))
    assert dataset.entry["title"] == "mine, from own.csv" and list(dataset.catalog) == ["other", "last one", "mine"]
    assert (folder / "mine" / "theirs.csv").exists()  # add.py did not write it
    before = text
    adds(FLOWERS, name="more")
    assert (folder / "catalog.toml").read_bytes().decode().startswith(before)


def test_repeated_replacement_leaves_no_files(adds, folder):
    adds(FLOWERS, name="one")
    adds(FLOWERS, name="two")
    before = snapshot(folder)
    for name in ("one", "two", "one", "two"):
        adds(FLOWERS, "--replace", name=name)
    assert snapshot(folder) == before


def test_an_entry_that_cannot_be_edited(refused, folder):
    folder.mkdir()
    (folder / "catalog.toml").write_text("mine = { title = 'in one line' }\n")
    assert "cannot edit the entry 'mine'; remove it by hand" in refused(FLOWERS, "--replace")


@pytest.mark.parametrize(
    "content", [b"[mine\n", b"\xff\xfe", b"a = 1\na = 2\n", b"a = " + b"[" * 3000, b"a = " + b"9" * 5000]
)
def test_a_damaged_catalog_is_not_changed(refused, folder, content):
    folder.mkdir()
    (folder / "catalog.toml").write_bytes(content)
    assert refused(FLOWERS).startswith("data/catalog.toml: ")


def test_replaced_files_go(adds, folder):
    adds(FLOWERS, "--test", 0.5)
    dataset = adds("1 1:1\n2 2:1\n", "--replace", file="own.t")
    assert [path.name for path in (folder / "mine").iterdir()] == ["train.libsvm.gz"]
    dataset = adds("1 1:1\n2 2:3\n", "--replace", file="own.t")
    (file,) = dataset.entry["train"]["files"]
    assert file["name"] == f"mine/train-{file['sha256'][:8]}.libsvm.gz"
    assert [path.name for path in (folder / "mine").iterdir()] == [pathlib.Path(file["name"]).name]
    assert dataset.lines() == ["1 1:1", "2 2:3"]


def test_files_of_others_are_not_written_over(adds, folder):
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "train.csv.gz").write_bytes(b"not ours")
    assert adds(FLOWERS).lines()[0] == "0,5.1,3.5"
    assert (folder / "mine" / "train.csv.gz").read_bytes() == b"not ours"


def test_odd_names_of_files(adds, tmp_path):
    path = tmp_path / os.fsdecode(b'a "b"\n\xff.csv')
    path.write_text(FLOWERS)
    dataset = adds(path)
    assert dataset.entry["terms"] == 'added from a "b"\n\ufffd.csv'


# Interruptions.


@pytest.mark.parametrize("failing", range(3))
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failing_rename_changes_no_file(adds, folder, tmp_path, monkeypatch, capsys, failing, error):
    for there in (False, True):
        if there:
            adds(FLOWERS)
        before, calls, real = snapshot(folder), [], os.replace

        def replace(start, end):
            calls.append(end)
            if len(calls) > failing:
                raise error
            real(start, end)

        (tmp_path / "new.csv").write_text(FLOWERS.replace("5.1", "7.7"))
        words = [str(tmp_path / "new.csv"), "--name", "mine", "--folder", str(folder), "--test", "0.5", "--replace"]
        with monkeypatch.context() as patch:
            patch.setattr(store.os, "replace", replace)
            if isinstance(error, OSError):
                assert add_main(words) == 2
                assert capsys.readouterr().err.count("\n") == 1
            else:
                with pytest.raises(KeyboardInterrupt):
                    add_main(words)
        assert len(calls) == failing + 1 and snapshot(folder) == before


def test_a_failing_write_changes_no_file(adds, folder, tmp_path, monkeypatch):
    adds(FLOWERS)
    before = snapshot(folder)

    def lines(*_):
        yield "1,2\n"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "lines_of", lines)
    words = [str(tmp_path / "own.csv"), "--name", "mine", "--folder", str(folder), "--replace"]
    assert add_main(words) == 2 and snapshot(folder) == before


def test_an_interruption_after_the_catalog_keeps_all(adds, folder, tmp_path, monkeypatch):
    real = os.replace

    def replace(start, end):
        real(start, end)
        if str(end).endswith("catalog.toml"):
            raise KeyboardInterrupt

    (tmp_path / "own.csv").write_text(FLOWERS)
    monkeypatch.setattr(store.os, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        add_main([str(tmp_path / "own.csv"), "--name", "mine", "--folder", str(folder)])
    assert len(Added(folder, "mine").lines()) == 4


KILLED = """
import os, signal, sys
from okbench import cli
real, calls = os.replace, []
def replace(start, end):
    calls.append(end)
    if len(calls) > {after}:
        os.kill(os.getpid(), signal.SIGKILL)
    real(start, end)
os.replace = replace
cli.call("data_add", sys.argv[1:])
"""


@pytest.mark.parametrize("after", range(3))
def test_a_killed_process_leaves_the_old_entry_whole(adds, folder, tmp_path, after):
    old = adds(FLOWERS, "--test", 0.5)
    lines, catalog = old.lines() + old.lines("test"), (folder / "catalog.toml").read_bytes()
    (tmp_path / "new.csv").write_text(FLOWERS.replace("5.1", "7.7"))
    script = KILLED.format(after=after)
    words = [tmp_path / "new.csv", "--name", "mine", "--folder", folder, "--test", "0.5", "--replace"]
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert (folder / "catalog.toml").read_bytes() == catalog
    old = Added(folder, "mine")
    assert old.lines() + old.lines("test") == lines
    # The next one works, and takes away what was left under temporary names.
    dataset = adds(tmp_path / "new.csv", "--test", "0.5", "--replace")
    assert len(dataset.lines() + dataset.lines("test")) == 4
    assert not [path for path in folder.rglob("*") if path.name.endswith(".new")]


def test_a_full_standard_output_is_one_line(tmp_path, folder):
    (tmp_path / "own.csv").write_text(FLOWERS)
    words = [tmp_path / "own.csv", "--name", "mine", "--folder", folder]
    with open("/dev/full", "w", encoding="utf-8") as full:
        program = [sys.executable, "-m", "okbench", "data", "add", *words]
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr == "okbench: standard output: No space left on device\n"
    assert len(Added(folder, "mine").lines()) == 4  # it is there all the same


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_no_bomb_is_unpacked(refused, pack):
    # Parts of a mebibyte: bzip2 takes long over one that repeats itself.
    packed = pack(b"1,2\n" * 2**18) * (unpacking.AT_LEAST // 2**20 + 1)
    assert refused(packed) == "own.csv: unpacks to more than 67108864 bytes (200 times its size, or 64 MiB)"


def test_no_bomb_of_arrays_is_unpacked(refused, tmp_path):
    with zipfile.ZipFile(tmp_path / "own.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(5):
            archive.writestr(f"a{n}.npy", bytes(unpacking.AT_LEAST // 4))
    assert "own.npz: unpacks to more than 67108864 bytes" in refused(tmp_path / "own.npz")
    with zipfile.ZipFile(tmp_path / "many.npz", "w") as archive:
        for n in range(101):
            archive.writestr(f"a{n}.npy", b"")
    assert refused(tmp_path / "many.npz") == "many.npz: has 101 arrays, more than 100"


@pytest.mark.parametrize("name", ["../x", "a\nb\x1b[31m", "/etc/passwd", "x" * 3000])
def test_odd_names_of_arrays_are_only_reported(refused, tmp_path, name):
    np.savez(tmp_path / "own.npz", **{name: np.eye(2)})
    said = refused(tmp_path / "own.npz")
    assert said.startswith("own.npz: ") and said.isprintable() and len(said) < 200


def test_as_a_program(tmp_path, folder):
    (tmp_path / "own.csv").write_text(FLOWERS)

    def run(*words):
        program = [sys.executable, "-B", "-m", "okbench", "data", "add", *words]
        return subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    done = run("own.csv", "--name", "mine", "--folder", "data")
    assert done.returncode == 0 and done.stderr == "" and len(done.stdout.splitlines()) == 8
    again = run("own.csv", "--name", "mine", "--folder", "data")
    assert again.returncode == 2 and again.stderr.startswith("okbench: ") and again.stderr.count("\n") == 1
    assert "held in memory" in " ".join(run("--help").stdout.split())


def test_several_at_once_all_get_in(tmp_path, folder):
    (tmp_path / "own.csv").write_text(FLOWERS)
    program = [sys.executable, "-m", "okbench", "data", "add", tmp_path / "own.csv", "--folder", folder, "--name"]
    running = [subprocess.Popen([*program, f"set{i}"], stdout=subprocess.DEVNULL) for i in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    assert sorted(Added(folder, "set0").catalog) == [f"set{i}" for i in range(4)]
