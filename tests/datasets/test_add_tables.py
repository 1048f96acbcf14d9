"""okbench data add with categories, missing values and data sets of OpenML, and the same treatment in a pipeline."""

import fractions
import gzip
import tomllib
import types

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets as sklearn_datasets
from sklearn.pipeline import make_pipeline

import okbench
from okbench import cli
from okbench.data.adding.catalog import columns_of
from okbench.tables import TableEncoder

TEXT = "size,colour,kind\n1,red,a\n?,blue,b\n3,red,a\n5,,b\n"
ROWS = [[1, 0, 0, 1], [3, 1, 0, 0], [3, 0, 0, 1], [5, 0, 1, 0]]  # size, blue, missing, red


def add(tmp_path, *words):
    return cli.call("data_add", [*map(str, words), "--name", "own", "--folder", str(tmp_path / "data")])


def added(tmp_path, part="train"):
    entry = tomllib.loads((tmp_path / "data/catalog.toml").read_text())["own"]
    lines = gzip.decompress((tmp_path / "data" / entry[part]["files"][0]["name"]).read_bytes()).decode().splitlines()
    return entry, np.array([[float(v) for v in line.split(",")[1:]] for line in lines])


def test_a_file_and_a_pipeline_share_the_treatment(tmp_path, capsys):
    (tmp_path / "own.csv").write_text(TEXT)
    assert add(tmp_path, tmp_path / "own.csv", "--label", "kind", "--missing", "mean") == 0
    entry, rows = added(tmp_path)
    np.testing.assert_array_equal(rows, ROWS)
    assert columns_of(tmp_path / "data", entry) == [
        {"column": "size", "missing": "mean", "fill": 3.0},
        {"column": "colour", "categories": ["blue", "missing", "red"]},
    ]
    output = capsys.readouterr().out
    assert "column    size: missing values are the mean, 3" in output
    assert "column    colour: one feature per category: blue, missing, red" in output
    frame = pd.read_csv(tmp_path / "own.csv", na_values="?")
    encoder = TableEncoder(missing="mean").fit(frame.drop(columns="kind"))
    np.testing.assert_array_equal(encoder.transform(frame.drop(columns="kind")), ROWS)
    assert encoder.columns_ == columns_of(tmp_path / "data", entry)
    model = make_pipeline(TableEncoder(missing="mean"), okbench.BPAS(gamma=0.5))
    assert model.fit(frame.drop(columns="kind"), frame["kind"]).score(frame.drop(columns="kind"), frame["kind"]) == 1


def test_the_test_part_has_the_treatment_of_the_training_part(tmp_path):
    (tmp_path / "own.csv").write_text(TEXT)
    (tmp_path / "test.csv").write_text("size,colour,kind\n,green,a\n7,blue,b\n")
    words = [tmp_path / "own.csv", "--label", "kind", "--missing", "median", "--test-file", tmp_path / "test.csv"]
    assert add(tmp_path, *words) == 0
    np.testing.assert_array_equal(added(tmp_path, "test")[1], [[3, 0, 0, 0], [7, 1, 0, 0]])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--missing", "mean"], "choose the label by --label; columns of text are"),
        (["--missing", "mean", "--label", "none"], "has no column 'none'"),
        (["--missing", "error", "--label", "kind"], "own.csv:3: column 1 ('size'): the value is missing ('?')"),
        (["--label", "kind"], "encode it, or use --missing"),
        (["--missing", "mean", "--label", "colour"], "own.csv:5: column 2 ('colour'): the label is missing (empty)"),
    ],
)
def test_mistakes_are_one_line(words, message, tmp_path, capsys):
    (tmp_path / "own.csv").write_text(TEXT)
    assert add(tmp_path, tmp_path / "own.csv", *words) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not (tmp_path / "data/catalog.toml").exists()


def test_openml_by_a_recorded_answer(tmp_path, monkeypatch, capsys):
    data = pd.DataFrame({"sepal": [5.1, 4.9, 6.3], "colour": pd.Categorical(["red", "blue", "red"])})
    answer = types.SimpleNamespace(data=data, target=pd.Series(pd.Categorical(["setosa", "setosa", "virginica"])))
    asked = []

    def fetch(data_id, as_frame, parser):
        asked.append((data_id, as_frame))
        if data_id == 62:
            raise ValueError("Dataset with data_id 62 not found.\nmore")
        return answer

    monkeypatch.setattr(sklearn_datasets, "fetch_openml", fetch)
    assert add(tmp_path, "openml:61") == 0
    entry, rows = added(tmp_path)
    np.testing.assert_array_equal(rows, [[5.1, 0, 1], [4.9, 1, 0], [6.3, 0, 1]])
    assert entry["source"]["file"] == "openml:61" and entry["class_names"] == ["setosa", "virginica"]
    assert asked == [(61, True)]
    capsys.readouterr()
    assert add(tmp_path / "more", "openml:62") == 2 and add(tmp_path / "more", "openml:iris") == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("openml:62: cannot be fetched: Dataset with data_id 62 not found.")
    assert second.endswith("openml:iris: must be openml:ID with the number of a data set")


def test_a_part_of_an_openml_set_may_lack_a_category(tmp_path, monkeypatch, capsys):
    """Values of pandas: NaN where one is missing, numbers as categories."""
    colours = ["red", "blue"] * 10
    data = pd.DataFrame({"size": np.arange(20.0), "colour": pd.Categorical(colours)})
    data["code"] = pd.Categorical([1.0] * 20)
    data.loc[3, "colour"] = np.nan
    data["colour"] = data["colour"].cat.add_categories("green")
    data.loc[4, "colour"] = "green"
    answer = types.SimpleNamespace(data=data, target=pd.Series(["a", "b"] * 10, name="kind"))
    monkeypatch.setattr(sklearn_datasets, "fetch_openml", lambda **_: answer)
    said = set()
    for seed in range(12):
        assert add(tmp_path, "openml:61", "--test", "0.3", "--seed", seed, "--missing", "mean", "--replace") == 0
        said |= {line for line in capsys.readouterr().out.splitlines() if line.startswith("note")}
    assert "note      colour: 1 test rows have categories without a feature: 'green'" in said
    assert "note      colour: 1 test rows have categories without a feature: 'missing'" in said


def test_numbers_declared_as_classes_are_classes(tmp_path, capsys):
    (tmp_path / "own.arff").write_text(
        "@relation r\n@attribute a numeric\n@attribute kind {0.5,1.5,2}\n@data\n1,0.5\n2,1.5\n?,2\n4,0.5\n"
    )
    assert add(tmp_path, tmp_path / "own.arff", "--label", "kind", "--missing", "mean") == 0
    assert "1 features, multiclass" in capsys.readouterr().out


def test_encoders_refuse_other_columns():
    encoder = TableEncoder().fit(pd.DataFrame({"a": [1.0, 2.0]}))
    assert encoder.columns_ == [{"column": "a"}] and list(encoder.get_feature_names_out()) == ["a"]
    with pytest.raises(ValueError, match="the columns are"):
        encoder.transform(pd.DataFrame({"b": [1.0]}))
    with pytest.raises(ValueError, match="missing: must be one of"):
        TableEncoder(missing="zero").fit(pd.DataFrame({"a": [1.0]}))
    with pytest.raises(ValueError, match="there is no column 'z'"):
        TableEncoder(categories=["z"]).fit(pd.DataFrame({"a": [1.0]}))
    mixed = TableEncoder(categories=[0]).fit_transform(np.array([[1, 2.5], [2, 3.5]], dtype=object))
    np.testing.assert_array_equal(mixed, [[2.5, 1, 0], [3.5, 0, 1]])


def test_datasets_are_loaded_by_name():
    X, y = okbench.datasets.load("usps", synthetic=True, rows=20)
    assert X.shape == (20, 256) and len(y) == 20
    assert {"usps", "letter"} <= set(okbench.datasets.names())


def test_a_feature_may_be_called_label(tmp_path):
    (tmp_path / "own.csv").write_text("label,colour,kind\n1,red,a\n2,blue,b\n")
    assert add(tmp_path, tmp_path / "own.csv", "--label", "kind", "--missing", "mean") == 0
    np.testing.assert_array_equal(added(tmp_path)[1], [[1, 0, 1], [2, 1, 0]])


def test_many_columns_are_in_a_file_beside_the_data(tmp_path):
    names = [f"c{at}" for at in range(3000)]
    values = np.random.RandomState(0).randint(0, 9, (6, 3000))
    pd.DataFrame(values, columns=names).assign(kind=list("ababab")).to_csv(tmp_path / "own.csv", index=False)
    assert add(tmp_path, tmp_path / "own.csv", "--label", "kind", "--scale", "standard") == 0
    entry = tomllib.loads((tmp_path / "data/catalog.toml").read_text())["own"]
    columns = columns_of(tmp_path / "data", entry)
    assert [column["column"] for column in columns] == names and columns[7]["mean"] == pytest.approx(
        values[:, 7].mean()
    )
    assert (tmp_path / "data/catalog.toml").stat().st_size < 2000
    assert cli.call("data_remove", ["own", "--folder", str(tmp_path / "data")]) == 0
    assert [path.name for path in (tmp_path / "data").rglob("*")] == ["catalog.toml"]


def test_columns_are_scaled_or_left_out(tmp_path):
    """1, 3 and 5 have mean 3 and deviation sqrt(8 / 3); the targets 10, 20, 30 have mean 20."""
    (tmp_path / "own.csv").write_text("id,size,colour,y\n7,1,red,10\n8,3,blue,20\n9,5,red,30\n")
    words = [tmp_path / "own.csv", "--label", "y", "--kind", "real", "--scale", "standard", "--drop", "id"]
    assert add(tmp_path, *words) == 0
    entry, rows = added(tmp_path)
    np.testing.assert_allclose(rows[:, 0], np.array([-2, 0, 2]) / np.sqrt(8 / 3))
    np.testing.assert_array_equal(rows[:, 1:], [[0, 1], [1, 0], [0, 1]])  # blue, red
    text = gzip.decompress((tmp_path / "data" / entry["train"]["files"][0]["name"]).read_bytes()).decode()
    labels = [float(line.split(",")[0]) for line in text.splitlines()]
    np.testing.assert_allclose(labels, [-np.sqrt(1.5), 0, np.sqrt(1.5)])
    columns = columns_of(tmp_path / "data", entry)
    assert columns[0] == {"column": "id", "left_out": "as requested"}
    assert columns[1] == {"column": "y", "mean": 20.0, "deviation": pytest.approx(8.16496580927726)}


def test_a_file_without_a_header_has_numbered_columns(tmp_path):
    (tmp_path / "own.csv").write_text("a,1,x\nb,2,x\na,,y\n")
    assert add(tmp_path, tmp_path / "own.csv", "--label", "first", "--missing", "mean") == 0
    rows = added(tmp_path)[1]
    np.testing.assert_array_equal(rows, [[1, 1, 0], [2, 1, 0], [1.5, 0, 1]])


@pytest.mark.parametrize(
    "values",
    [
        1e18 + 128.0 * np.arange(3000),  # 128 is the distance between numbers near 10^18
        1e-300 * np.arange(1, 100),
        1e300 * np.linspace(-1, 1, 50),
        np.r_[np.zeros(99), 1e9],
    ],
)
def test_columns_of_any_magnitude_are_scaled(values):
    frame = pd.DataFrame({"a": values, "b": np.arange(len(values))})
    encoder = TableEncoder(scale="standard")
    features = encoder.fit_transform(frame)
    assert np.abs(features.mean(axis=0)).max() < 1e-12 and np.abs(features.std(axis=0) - 1).max() < 1e-12
    expected = [fractions.Fraction(value) for value in values]
    mean = sum(expected) / len(expected)
    assert encoder.columns_[0]["mean"] == pytest.approx(float(mean), rel=1e-12, abs=1e-12 * np.abs(values).max())
    # Differences are proportional to those of the column.
    ratio = float((expected[-1] - expected[0]) / (expected[1] - expected[0])) if values[1] != values[0] else None
    if ratio:
        assert (features[-1, 0] - features[0, 0]) / (features[1, 0] - features[0, 0]) == pytest.approx(ratio, rel=1e-9)


def test_columns_that_cannot_be_scaled_are_named():
    for values, cause in (([-1.7e308, 1.7e308], "column 'a': the range of its values"), ([0, np.inf], "row 1 is inf")):
        with pytest.raises(ValueError, match=cause):
            TableEncoder(scale="standard").fit(pd.DataFrame({"a": values}))
