"""Kinds of columns, headers and missing values are decided once, from the text of the training file."""

import gzip
import tomllib
import zipfile

import numpy as np
import pandas as pd
import pytest

from okbench import cli
from okbench.tables import TableEncoder


@pytest.fixture
def adds(tmp_path, capsys):
    """Adds text as the data set "m". Returns (status, output or error, rows of the parts as lists of numbers)."""

    def outcome(text, *options, test=None, name="own.csv"):
        (tmp_path / name).write_text(text)
        if test is not None:
            (tmp_path / "test.csv").write_text(test)
            options = (*options, "--test-file", str(tmp_path / "test.csv"))
        words = [str(tmp_path / name), "--name", "m", "--folder", str(tmp_path / "data"), "--replace", *options]
        status = cli.call("data_add", words)
        output = capsys.readouterr()
        if status != 0:
            assert output.err.count("\n") == 1 and output.out == ""
            return status, output.err, None
        entry = tomllib.loads((tmp_path / "data" / "catalog.toml").read_text())["m"]
        parts = {}
        for part in ("train", "test"):
            if part in entry:
                stored = gzip.decompress((tmp_path / "data" / entry[part]["files"][0]["name"]).read_bytes()).decode()
                parts[part] = [list(map(float, line.split(","))) for line in stored.splitlines()]
        return status, output.out, parts

    return outcome


@pytest.mark.parametrize("mark", ["", "None", "NAN", "nan", "Null", "NULL", "NA", "n/a", "#N/A", "?", " none "])
def test_usual_marks_are_missing_values(adds, mark):
    status, output, parts = adds(f"a,kind\n1,x\n{mark},y\n3,x\n", "--missing", "mean", "--label", "kind")
    assert status == 0 and "missing values are the mean, 2" in output, output
    assert [row[1] for row in parts["train"]] == [1, 2, 3]


@pytest.mark.parametrize("token", ["-", "ERR", "20 C", "<5", "1O", "1.2.3", "1_000"])
def test_a_word_among_numbers_is_an_error_that_options_decide(adds, token):
    text = f"a,kind\n1,x\n2,y\n{token},x\n4,y\n"
    status, error, _ = adds(text, "--missing", "mean", "--label", "kind")
    assert status == 2 and f"own.csv:4: column 1 ('a'): '{token}' is not a number, as 3 of 4 fields are" in error
    status, _, parts = adds(text, "--missing", "median", "--label", "kind", "--missing-marks", f"x!,{token.lower()}")
    assert status == 0 and parts["train"][2][1] == 2
    status, output, parts = adds(text, "--label", "kind", "--categories", "a")
    assert status == 0 and "one feature per category" in output and len(parts["train"][0]) == 5


@pytest.mark.parametrize("token", ["1e999", "inf", "-Infinity"])
def test_infinite_values_are_refused(adds, token):
    status, error, _ = adds(f"a,kind\n1,x\n{token},y\n3,x\n", "--missing", "mean", "--label", "kind")
    assert status == 2 and f"own.csv:3: column 1 ('a'): '{token}' is not finite" in error


@pytest.mark.parametrize("token", ["0,5", '"1,204"', "1.204,5"])
def test_commas_in_numbers_are_refused_by_column(adds, token):
    text = f"a;b;kind\n{token};4;x\n2;5;y\n3;6;x\n"
    status, error, _ = adds(text, "--missing", "mean", "--label", "kind")
    bare = token.strip('"')
    assert status == 2 and f"own.csv:2: column 1 ('a'): '{bare}' has a comma" in error, error


@pytest.mark.parametrize(
    "text",
    [
        "sky,wind,sail\nsun,weak,yes\nrain,strong,no\n",  # text above text
        "-,2,x\n3,4,y\n5,6,x\n",  # a mark above numbers
        '"1,204",2,x\n3,4,y\n5,6,x\n',
        "ERR,2.5,x\n3,4,y\n5,6,x\n",
        "town,1990,1991\na,3,4\nb,5,6\n",  # years
    ],
)
def test_a_first_row_that_may_be_a_header_needs_an_option(adds, text):
    words = ["--missing", "mean", "--label", "last", "--missing-marks", "ERR,-", "--kind", "multiclass"]
    status, error, _ = adds(text, *words)
    assert status == 2 and "own.csv:1: the first row" in error and "use --header or --no-header" in error
    header = adds(text, *words, "--header")
    assert header[0] == 0 and "a header" in header[1] and len(header[2]["train"]) == text.count("\n") - 1, header


def test_the_header_is_printed(adds):
    assert "read as   CSV with commas, a header: size, kind" in adds("size,kind\n1,x\n2,y\n", "--scale", "standard")[1]


def test_a_test_file_has_the_kinds_of_the_training_file(adds):
    train = "ward,size,kind\n01,1,x\n02,2,y\n0A,3,x\n"
    words = ["--missing", "mean", "--label", "kind", "--categories", "ward"]
    status, output, parts = adds(train, *words, test="ward,size,kind\n01,5,x\n02,6,y\n")
    assert status == 0 and [row[2:] for row in parts["test"]] == [[1, 0, 0], [0, 1, 0]], output
    _, output, parts = adds(
        "ward,size,kind\n1,1,x\n2,2,y\nA,3,x\n", *words, test="ward,size,kind\n1,5,x\n,6,y\n7,7,x\n"
    )
    assert [row[2:] for row in parts["test"]] == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert "note      ward: 2 test rows have categories without a feature: '7', 'missing'" in output
    numbers = "size,kind\n1,x\n2,y\n"
    status, error, _ = adds(numbers, "--missing", "mean", "--label", "kind", test="size,kind\nred,x\n")
    assert status == 2 and "test.csv:2: column 1 ('size'): 'red' is not a number, as in the training file" in error


def test_a_test_file_has_the_header_of_the_training_file_or_none(adds):
    train = "size,colour,kind\n1,red,x\n2,blue,y\n3,red,x\n"
    words = ["--missing", "mean", "--label", "kind"]
    for test in ("size,colour,kind\n4,red,x\n", "4,red,x\n"):
        assert [row[1:] for row in adds(train, *words, test=test)[2]["test"]] == [[4, 0, 1]]
    status, error, _ = adds(train, *words, test="width,colour,kind\n4,red,x\n")
    assert status == 2 and "test.csv:1: the first row is not the header of" in error
    bare = "39,clerk,low\n50,baker,high\n28,clerk,high\n"
    result = adds(bare, "--missing", "mean", "--label", "last", test="25,baker,low\n44,clerk,high\n")
    assert result[0] == 0 and len(result[2]["test"]) == 2


def test_categories_have_no_blanks_around_them(adds):
    _, output, parts = adds("tongue,kind\ndutch,x\ndutch ,y\nwelsh,x\n", "--missing", "mean", "--label", "kind")
    assert "one feature per category: dutch, welsh" in output and parts["train"][1][1:] == [1, 0]


def test_identifiers_are_left_out(adds):
    rows = "".join(f"{i},q{i},{i * i % 7},{'xy'[i % 2]}\n" for i in range(9))
    _, output, parts = adds(",name,a,kind\n" + rows, "--missing", "mean", "--label", "kind")
    assert "left out, it counts the rows" in output and "left out, text with 9 different values" in output
    assert len(parts["train"][0]) == 2
    _, output, parts = adds(",a,kind\n" + "".join(f"{i},{i % 5},{i % 2}\n" for i in range(9)), "--label", "kind")
    assert "counts the rows and is left out" in output and len(parts["train"][0]) == 2
    status, error, _ = adds("id,kind\nq0,x\nq1,y\nq2,x\n", "--missing", "mean", "--label", "kind")
    assert status == 2 and "every column but the label is left out ('id': text with 3 different values" in error


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\xff\xfea\x00,\x00", "UTF-16 text"),
        (b"\x89HDF\r\n", "an HDF5 file"),
        (b"sep=;\na;b\n1;2\n", "CSV with a line sep="),
        (b"\x28\xb5\x2f\xfd..", "packed with zstd"),
        (gzip.compress(gzip.compress(b"a,b\n1,2\n")), "packed with gzip twice"),
    ],
)
def test_files_of_other_formats_are_named(tmp_path, capsys, content, what):
    (tmp_path / "own.csv").write_bytes(content)
    assert cli.call("data_add", [str(tmp_path / "own.csv"), "--name", "m", "--folder", str(tmp_path / "data")]) == 2
    assert f"own.csv: is {what}; " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["own", "own.csv", "own.arff"])
def test_text_that_is_not_utf8_is_refused_for_any_name(tmp_path, capsys, name):
    (tmp_path / name).write_bytes("a,b,kind\n1,2,café\n3,4,y\n".encode("latin-1"))
    words = [str(tmp_path / name), "--name", "m", "--missing", "mean", "--folder", str(tmp_path / "data")]
    assert cli.call("data_add", words) == 2
    assert f"{name}:2: is not UTF-8 text; convert it" in capsys.readouterr().err


def test_the_encoder_finds_columns_by_position():
    frame = pd.DataFrame([[1.0, "b", 5.0], [2.0, "a", 6.0]], columns=[2, 0, 2])
    np.testing.assert_array_equal(TableEncoder().fit_transform(frame), [[1, 5, 0, 1], [2, 6, 1, 0]])


def test_the_encoder_takes_whole_numbers_as_the_same_category():
    encoder = TableEncoder(categories=["ward"]).fit(pd.DataFrame({"ward": [1, 2, 3]}))
    numbers = encoder.transform(pd.DataFrame({"ward": [1.0, 2.0, np.nan]}))
    np.testing.assert_array_equal(numbers, [[1, 0, 0], [0, 1, 0], [0, 0, 0]])


def test_random_tables_read_back_equal_or_are_refused(adds):
    """Tables that pandas writes: types, missing values, quoting, header or not, a test file."""
    random = np.random.RandomState(0)
    read = 0
    for _ in range(60):
        rows = random.randint(4, 12)
        frame, features = pd.DataFrame(index=range(rows)), []
        for at in range(random.randint(1, 4)):
            kind = random.randint(4)
            values = random.randn(rows).round(3) if kind < 2 else random.choice(["red", "blu e", "a,b", 'q"t'], rows)
            values = values.astype(object)
            if kind == 1:
                values[random.randint(rows)] = None
            frame[f"c{at}"] = values
            features.append(kind < 2)
        frame["kind"] = np.where(np.arange(rows) % 2, "x", "y")
        sep = random.choice([",", ";", "\t"])
        text = frame.to_csv(
            index=False, sep=sep, na_rep=random.choice(["", "NA", "None"]), quoting=int(random.choice([0, 2]))
        )
        status, output, parts = adds(text, "--missing", "mean", "--label", "kind", "--header")
        if status != 0:
            continue
        read += 1
        numbers = [frame[f"c{at}"].astype(float) for at, number in enumerate(features) if number]
        expected = [column.fillna(column.mean()).to_numpy() for column in numbers]
        left_out = output.count("left out, text")
        matrix = np.array(parts["train"])
        for place, column in enumerate(expected):
            np.testing.assert_allclose(matrix[:, 1 + place], column, rtol=1e-12)
        categories = sum(frame[f"c{at}"].nunique() for at, number in enumerate(features) if not number)
        assert matrix.shape[1] == 1 + len(expected) + categories or left_out
    assert read > 45


def test_columns_without_names_stay_apart(adds):
    _, _, parts = adds(",,kind\n1,2.5,x\n3,4,y\n5,6.5,x\n", "--missing", "mean", "--label", "kind")
    assert [row[1:] for row in parts["train"]] == [[1, 2.5], [3, 4], [5, 6.5]]


def test_codes_and_long_integers_are_different_labels(adds):
    for labels in ("01", "1", "2"), ("9007199254740992", "9007199254740993", "1"):
        text = "a,kind\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels * 2))
        status, output, parts = adds(text, "--label", "kind")
        assert status == 0 and "3 rows" not in output and len({row[0] for row in parts["train"]}) == 3, output
    assert "real" in adds("a,kind\n1,01\n2,02.5\n3,03\n", "--label", "kind", "--kind", "real")[1]


def test_archives_that_numpy_did_not_write_are_named(tmp_path, capsys):
    for name, what in (
        ("one.csv", "a ZIP archive; unpack it"),
        ("[Content_Types].xml", "a spreadsheet; save the sheet"),
    ):
        with zipfile.ZipFile(tmp_path / "own.zip", "w") as archive:
            archive.writestr(name, "a,b\n1,2\n")
        assert cli.call("data_add", [str(tmp_path / "own.zip"), "--name", "m", "--folder", str(tmp_path / "data")]) == 2
        assert f"own.zip: is {what}" in capsys.readouterr().err


ARFF = """@relation t
@attribute colour {red, blue, '?'}
@attribute x real
@attribute class {a,b}
@data
red,1,a
blue,2,b
red,?,a
'?',3,b
"""


def test_nominal_features_of_arff_are_encoded(adds):
    status, output, parts = adds(ARFF, "--missing", "mean", name="own.arff")
    assert status == 0 and "one feature per category: ?, blue, red" in output and "read as   ARFF" in output
    assert [row[1:] for row in parts["train"]] == [[1, 0, 0, 1], [2, 0, 1, 0], [2, 0, 0, 1], [3, 1, 0, 0]]
    status, output, parts = adds(ARFF, "--missing", "mean", "--drop", "colour", name="own.arff")
    assert status == 0 and [row[1:] for row in parts["train"]] == [[1], [2], [2], [3]]
    assert "attribute 'colour' is nominal; use --missing to encode it" in adds(ARFF, name="own.arff")[1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("@data", "@data red,1,a"), "own.arff:5: '@data red,1,a' has text behind @data"),
        (("blue,2", "green,2"), "own.arff:7: column 1 ('colour'): 'green' is not a value of the attribute"),
        (("x real", "x date"), "column 2 ('x') is date; leave it out with --drop"),
        (("red,1,a", "{0 red}"), "own.arff:6: is sparse"),
        (("red,1,a", "red,1"), "own.arff:6: has 2 fields, expected 3"),
    ],
)
def test_arff_that_cannot_be_encoded_is_one_line(adds, change, message):
    status, error, _ = adds(ARFF.replace(*change), "--missing", "mean", name="own.arff")
    assert status == 2 and message in error, error


def test_a_data_set_is_removed_with_its_files(adds, tmp_path, capsys):
    adds("a,kind\n1,x\n2,y\n")
    catalog = tmp_path / "data" / "catalog.toml"
    catalog.write_text(catalog.read_text() + "\n# mine\n[other]\ntitle = 'kept'\n")
    (tmp_path / "data" / "m" / "notes.txt").write_text("kept")
    assert cli.call("data_remove", ["m", "--folder", str(tmp_path / "data")]) == 0
    assert "train.csv.gz" in capsys.readouterr().out
    assert tomllib.loads(catalog.read_text()) == {"other": {"title": "kept"}} and "# mine" in catalog.read_text()
    assert [path.name for path in (tmp_path / "data" / "m").iterdir()] == ["notes.txt"]
    assert cli.call("data_remove", ["m", "--folder", str(tmp_path / "data")]) == 2
    assert "catalog.toml: has no data set 'm'; it has other" in capsys.readouterr().err
    assert cli.call("data_remove", ["m", "--folder", str(tmp_path / "none")]) == 2
    assert "none: has no data sets" in capsys.readouterr().err


def test_the_positive_class_is_chosen(adds):
    for labels, positive in (("xy", "x"), (("1", "2"), "1.0")):
        text = "a,kind\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels))
        status, output, _ = adds(text, "--label", "kind", "--positive", positive)
        assert status == 0 and f"{labels[1]} (negative) 1, {labels[0]} (positive) 1" in output
    text = "a,kind\n1,x\n2,y\n"
    assert (
        "--positive 'z': no row has this label; labels are x, y" in adds(text, "--label", "kind", "--positive", "z")[1]
    )
    assert "--positive: is for two classes" in adds(text + "3,z\n", "--label", "kind", "--positive", "z")[1]
