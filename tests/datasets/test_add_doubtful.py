"""Files that a reader may understand in two ways: indices, headers, labels, delays and times are not guessed."""

import gzip
import random
import tomllib

import numpy as np
import pytest

from okbench import cli

ROWS = 24
MARKS = [[], ["--missing", "mean"]]


@pytest.fixture
def adds(tmp_path, capsys):
    """Adds a file as the data set "m". Returns (status, output or error, rows of the parts as lists of numbers)."""

    def outcome(content, *options, name="own.csv"):
        if isinstance(content, dict):
            np.savez(tmp_path / name, **content)
        else:
            (tmp_path / name).write_text(content)
        status = cli.call("data_add", [str(tmp_path / name), "--name", "m", "--folder", str(tmp_path / "d"), *options])
        output = capsys.readouterr()
        if status != 0:
            assert output.err.count("\n") == 1 and output.out == "" and not (tmp_path / "d").exists()
            return status, output.err, None
        entry = tomllib.loads((tmp_path / "d" / "catalog.toml").read_text())["m"]
        parts = {}
        for part in ("train", "test"):
            if part in entry and entry[part]["files"][0]["name"].endswith("csv.gz"):
                stored = gzip.decompress((tmp_path / "d" / entry[part]["files"][0]["name"]).read_bytes()).decode()
                parts[part] = [list(map(float, line.split(","))) for line in stored.splitlines()]
        return 0, output.out, parts

    return outcome


def index(kind):
    numbers = list(range(ROWS + 6))
    if kind == "shuffled":
        random.Random(0).shuffle(numbers)
    return numbers[3 if kind == "cut" else 0 :][:ROWS]


@pytest.mark.parametrize("options", MARKS)
@pytest.mark.parametrize("kind", ["counts", "shuffled", "cut"])
@pytest.mark.parametrize("names", [",", "Unnamed: 0,", ",Unnamed: 0,", "Unnamed: 0.1,Unnamed: 0,"])
def test_an_index_is_no_feature(adds, names, kind, options):
    numbers = index(kind)
    rows = [f"{f'{n},' * names.count(',')}{n % 7 / 2},{'ab'[n > 10]}" for n in numbers]
    _, output, parts = adds(f"{names}x,kind\n" + "\n".join(rows) + "\n", *options, "--label", "kind")
    assert [row[1:] for row in parts["train"]] == [[n % 7 / 2] for n in numbers], output
    assert "the rows" in output


@pytest.mark.parametrize("name, status", [("", 0), ("w", 2)])
def test_a_column_without_a_name_can_be_left_out(adds, name, status):
    text = f"{name},x,kind\n" + "".join(f"{i % 3 / 2},{i % 7 / 2},{'ab'[i % 2]}\n" for i in range(ROWS))
    ended, said, parts = adds(text, "--missing", "mean", "--label", "kind", "--drop", "")
    assert ended == status
    if status:
        assert "--drop: there is no column ''; the columns are w, x, kind" in said
    else:
        assert len(parts["train"][0]) == 2


@pytest.mark.parametrize("options", MARKS)
@pytest.mark.parametrize("head", ["0,1,2,species", "900,902.5,906,fruit", "1,2,3,gear"])
def test_numbers_beside_a_word_may_be_names(adds, head, options):
    body = "".join(f"{i % 5 / 3},{i % 4},{i % 3},{'ab'[i % 2]}\n" for i in range(12))
    status, error, _ = adds(f"{head}\n{body}", *options)
    assert status == 2 and f"own.csv:1: the first row '{head}' may have names or values; use --header" in error
    assert len(adds(f"{head}\n{body}", *options, "--header")[2]["train"]) == 12


def test_rows_whose_first_label_comes_again_have_no_header(adds):
    assert len(adds("".join(f"{i},{i + 1},{i + 2},{'ab'[i % 2]}\n" for i in range(12)))[2]["train"]) == 12


@pytest.mark.parametrize("options", MARKS)
@pytest.mark.parametrize(
    "labels, odd",
    [
        (["2,5", "3", "4,5", "5"], "2,5"),
        (["1,200", "900", "1,350", "2,000"], "1,200"),
        ([0.5, 1.5, 2.25, "-"], "-"),
        ([0.5, 1.5, 2.25, "ERR"], "ERR"),
        (["1.5%", "3.0%", "4.5%"], "1.5%"),
        (["\u22121.5", "2.5", "3.5"], "\u22121.5"),
    ],
)
def test_numbers_with_an_odd_text_are_no_classes(adds, labels, odd, options):
    text = "x;y\n" + "".join(f"{i / 3};{labels[i % len(labels)]}\n" for i in range(ROWS))
    status, error, _ = adds(text, "--label", "y", *options)
    line = 2 + [str(label) for label in labels].index(odd)
    assert status == 2 and f"own.csv:{line}: the label '" in error and "is not a number, as most are" in error
    assert adds(text, "--label", "y", "--kind", "multiclass", *options)[0] == 0


@pytest.mark.parametrize("labels", [["1a", "2a", "3b"], ["01", "1", "2"], ["3", "4", "none"], ["a,b", "c", "d"]])
def test_codes_and_words_stay_classes(adds, labels):
    text = "x;y\n" + "".join(f"{i / 3};{labels[i % 3]}\n" for i in range(ROWS))
    assert "multiclass" in adds(text, "--label", "y")[1]


@pytest.mark.parametrize("options", MARKS)
def test_a_label_that_differs_in_every_row_is_no_class(adds, options):
    text = "date,rain,level\n" + "".join(f"2024-01-{i + 1:02},{i % 3},{i / 7}\n" for i in range(ROWS))
    status, error, _ = adds(text, *options)
    assert status == 2 and "has another text in every row; choose the label with --label" in error
    assert adds(text, *options, "--drop", "date")[0] == 0


@pytest.mark.parametrize("mark", ["null", "N/A", "#N/A", "NA", "nan", "?", ""])
@pytest.mark.parametrize("options", MARKS)
def test_a_missing_label_is_an_error(adds, mark, options):
    status, error, _ = adds(f"x,kind\n1,a\n2,b\n3,{mark}\n4,a\n", "--label", "kind", *options)
    assert status == 2 and "own.csv:4: " in error and "the label is missing" in error


@pytest.mark.parametrize("label", ["first", "last"])
@pytest.mark.parametrize("options", MARKS)
def test_a_column_called_first_or_last_is_named(adds, label, options):
    text = "open,first,last,volume\n" + "".join(f"{i},{i % 3},{i % 2},{i % 5}\n" for i in range(12))
    status, error, _ = adds(text, "--label", label, *options)
    assert status == 2 and f"--label {label}: may be the column of this name or the {label} one" in error


def test_delays_are_neither_scaled_nor_filled(adds):
    text = "x,wait,y\n" + "".join(f"{i},2,{'ab'[i % 2]}\n" for i in range(12))
    status, error, _ = adds(text, "--label", "y", "--delay", "wait", "--scale", "standard")
    assert status == 2 and "the column of --delay would be scaled" in error
    status, error, _ = adds(text.replace("3,2,", "3,,"), "--label", "y", "--delay", "wait", "--missing", "mean")
    assert status == 2 and "own.csv:5: " in error and "missing" in error
    assert adds(text, "--label", "y", "--delay", "wait", "--missing", "mean")[0] == 0


@pytest.mark.parametrize(
    "lines, place, cause",
    [
        ([f"{2020 - i},{i % 3}" for i in range(9)], 3, "year falls"),
        (["1,5", "2,6", "3,7", "3,8", "4,9", "5,9", "6,1"], 5, "year goes from 3 to 3 in steps of 1"),
        (["1,5", "2,6", "3,7", "5,8", "4,9", "5,9", "6,1"], 5, "year goes from 3 to 5 in steps of 1"),
        ([f"{2000 + i // 12},{i % 5}" for i in range(36)], 2, "year has no equal steps"),
    ],
)
def test_a_time_that_does_not_rise_is_an_error(adds, lines, place, cause):
    status, error, _ = adds("year,flow\n" + "\n".join(lines) + "\n", "--embedding", "2", name="s.csv")
    assert status == 2 and f"s.csv:{place}: {cause}" in error
    assert adds("year,flow\n" + "\n".join(lines) + "\n", "--embedding", "2", "--target", "flow", name="s.csv")[0] == 2
    assert adds("year,flow\n" + "\n".join(lines) + "\n", "--embedding", "2", "--target", "year", name="s.csv")[0] == 0


@pytest.mark.parametrize(
    "lines", [["1,234.5", "1,300.1"], ["1.234,5", "1.300,1"], ["1 234.5", "2 300"], ["1,5e1", "2,5"]]
)
def test_numbers_of_a_series_with_two_meanings_are_refused(adds, lines):
    status, error, _ = adds("\n".join(lines * 4) + "\n", "--embedding", "2", name="s.txt")
    assert status == 2 and "may be one number or two" in error


X = np.arange(24.0).reshape(12, 2)


def test_x_and_y_may_have_a_test_part(adds):
    arrays = {"X": X, "y": np.arange(12) % 2, "X_test": X[:4] + 1, "y_test": np.arange(4) % 2}
    status, output, _ = adds(arrays, name="a.npz")
    assert status == 0 and "test 4" in " ".join(output.split())


def test_arrays_that_differ_in_case_are_refused(adds):
    status, error, _ = adds({"X": X, "x": X, "y": np.arange(12) % 2}, name="a.npz")
    assert status == 2 and "has two arrays 'x'" in error


def test_long_integers_are_different_labels(adds):
    labels = np.array([9007199254740993, 9007199254740992] * 6)
    assert adds({"X": X, "y": labels}, name="a.npz")[1].count("6") >= 2
