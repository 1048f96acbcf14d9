"""Means, deviations and kernel widths come from rows that a stream has seen, or from the training part."""

import gzip
import json
import tomllib

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist

from okbench import cli
from okbench.league import own_data
from okbench.tables import TableEncoder, tenth


def entry(folder):
    return tomllib.loads((folder / "catalog.toml").read_text())["own"]


def rows_of(folder, part="train"):
    text = gzip.decompress((folder / entry(folder)[part]["files"][0]["name"]).read_bytes()).decode()
    return np.array([[float(value) for value in line.split(",")] for line in text.splitlines()])


def table(path, late, rows=400):
    """Two columns and two classes. `late`: factor of the values after the first tenth."""
    random = np.random.RandomState(3)
    X = random.normal(size=(rows, 2)) * [1, 50] + [7, 0]
    X[rows // 10 :] *= late
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "kind": np.where(random.rand(rows) < 0.5, "yes", "no")})
    frame.to_csv(path, index=False)
    return frame


def add(tmp_path, *words, scale="standard"):
    words = [str(tmp_path / "own.csv"), "--label", "kind", "--scale", scale, "--name", "own", *map(str, words)]
    return cli.call("data_add", [*words, "--folder", str(tmp_path / "data")])


def test_a_tenth_has_at_least_thirty_rows():
    assert tenth(20).tolist() == list(range(20)) and len(tenth(100)) == 30 and len(tenth(1000)) == 100
    drawn = tenth(1000, 0)
    assert drawn.tolist() == sorted(np.random.RandomState(0).permutation(1000)[:100])


@pytest.mark.parametrize("scale_on, chosen", [("all", slice(None)), ("first-tenth", slice(40)), ("random-tenth", None)])
def test_the_chosen_rows_have_mean_0_and_deviation_1(tmp_path, capsys, scale_on, chosen):
    table(tmp_path / "own.csv", late=3)
    assert add(tmp_path, "--scale-on", scale_on) == 0
    chosen = tenth(400, 0) if chosen is None else chosen
    values = rows_of(tmp_path / "data")[:, 1:]
    np.testing.assert_allclose(values[chosen].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(values[chosen].std(axis=0), 1)
    said = {"all": "all 400 rows", "first-tenth": "the first 40 rows", "random-tenth": "40 random rows"}[scale_on]
    assert f"scaled    a, b: to mean 0 and deviation 1 over {said}" in capsys.readouterr().out
    assert entry(tmp_path / "data")["source"]["scaled_by"] == said


@pytest.mark.slow
def test_a_ranking_does_not_use_later_rows(okbench, tmp_path):
    """Two files that differ after their first tenth give the same first rows and the same width of the kernel."""
    results = {}
    for late in (1, 30):
        frame = table(tmp_path / "own.csv", late)
        env = {"OKBENCH_DATA": str(tmp_path / f"data{late}")}
        words = ["own.csv", "--label", "kind", "--order", "file", "--tier", "quick", "--out", f"out{late}"]
        done = okbench("league", *words, env=env, check=0)
        assert "over the first 40 rows" in done.stdout
        text = (tmp_path / f"out{late}/own.toml").read_text()
        assert "the median distance of the first 40 rows" in text
        results[late] = rows_of(tmp_path / f"data{late}")[:40, 1:].tolist(), tomllib.loads(text)["kernel"]["gamma"]
    assert results[1] == results[30]
    first = frame[["a", "b"]].to_numpy()[:40]
    scaled = np.float32((first - first.mean(axis=0)) / first.std(axis=0))
    assert results[1][1] == pytest.approx(1 / (2 * np.median(pdist(scaled.astype(float))) ** 2), rel=1e-3)
    words = ["own.csv", "--label", "kind", "--tier", "quick", "--json", "--out", "all"]
    json.loads(okbench("league", *words, "--scale-on", "all", env=env, check=0).stdout)
    assert "the median distance of all 400 rows" in (tmp_path / "all/own.toml").read_text()


def test_a_drawn_test_part_does_not_scale(tmp_path, capsys):
    """The row with the largest value may be a test row. Its category has no feature then."""
    frame = table(tmp_path / "own.csv", late=1)
    frame["place"] = [f"p{row // 200}" for row in range(400)]
    frame.loc[11, "place"] = "rare"
    frame.to_csv(tmp_path / "own.csv", index=False)
    features = set()
    for seed in range(8):
        assert add(tmp_path, "--test", "0.5", "--seed", seed, "--replace") == 0
        train, out = rows_of(tmp_path / "data")[:, 1:], capsys.readouterr().out
        np.testing.assert_allclose(train[:, :2].mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(train[:, :2].std(axis=0), 1)
        unseen = "place: 1 test rows have categories without a feature: 'rare'" in out
        assert train.shape[1] == 4 + (not unseen) and "over the training part" in out
        features.add(train.shape[1])
    assert features == {4, 5}
    assert add(tmp_path, "--test", "0.5", "--scale-on", "all", "--replace") == 2
    assert "--scale-on: with --test the training part gives means" in capsys.readouterr().err


def test_a_column_that_changes_later_is_named(tmp_path, capsys):
    frame = table(tmp_path / "own.csv", late=1)
    frame.loc[:39, "b"] = 5.0
    frame.to_csv(tmp_path / "own.csv", index=False)
    assert add(tmp_path, "--scale-on", "first-tenth") == 0
    out = capsys.readouterr().out
    assert "centred   b: equal values in the first 40 rows" in out and "scaled    a: to mean 0" in out
    np.testing.assert_allclose(rows_of(tmp_path / "data")[:, 2], frame["b"] - 5)


def test_an_encoder_takes_rows_for_its_scales():
    frame = pd.DataFrame({"a": [1.0, 3.0, None, 100.0], "c": ["x", "y", "x", "z"]})
    encoder = TableEncoder(missing="mean", scale="standard", scale_rows=[0, 1, 2])
    np.testing.assert_allclose(encoder.fit_transform(frame)[:, 0], [-1, 1, 0, 98])
    assert encoder.columns_[0] == {"column": "a", "missing": "mean", "fill": 2.0, "mean": 2.0, "deviation": 1.0}
    assert encoder.columns_[1]["categories"] == ["x", "y", "z"]


def test_clipped_values_by_hand():
    """Mean 2 and deviation 1 in the first two rows: 5.5 is 3.5 deviations away, 5 is 3, -1.5 is -3.5."""
    frame = pd.DataFrame({"a": [1.0, 3.0, 5.5, 5.0, -1.5, None]})
    encoder = TableEncoder(missing="mean", scale="clipped", scale_rows=[0, 1])
    assert encoder.fit_transform(frame)[:, 0].tolist() == [-1, 1, 3, 3, -3, 0]
    assert encoder.columns_[0]["clipped"] == 2 and encoder.columns_[0]["deviation"] == 1
    later = encoder.transform(pd.DataFrame({"a": [9.0, 4.0, -np.inf]}))
    assert later[:, 0].tolist() == [3, 2, -np.inf]
    with pytest.raises(ValueError, match="scale: must be None, 'standard' or 'clipped', not 'clip'"):
        TableEncoder(scale="clip").fit(frame)


def test_clipped_columns_are_counted(tmp_path, capsys):
    table(tmp_path / "own.csv", late=30)
    assert add(tmp_path, "--scale-on", "first-tenth", scale="standard") == 0
    scaled, out = rows_of(tmp_path / "data")[:, 1:], capsys.readouterr().out
    assert "clipped   values" not in out
    assert add(tmp_path, "--scale-on", "first-tenth", "--replace", scale="clipped") == 0
    np.testing.assert_array_equal(rows_of(tmp_path / "data")[:, 1:], scaled.clip(-3, 3))
    a, b = (np.abs(scaled) > 3).sum(axis=0)
    assert a == 360 > b > 0
    assert f"clipped   values beyond 3 deviations: {a} of a, {b} of b" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words, far", [((), True), (("--lags", "2"), False), (("--scale", "standard"), False), (("--scale", "none"), False)]
)
def test_a_ranking_clips_columns_but_not_targets(tmp_path, monkeypatch, words, far):
    frame = table(tmp_path / "own.csv", late=30)
    frame["price"] = 3 * frame["a"] + frame["b"]
    frame.to_csv(tmp_path / "own.csv", index=False)
    monkeypatch.setenv("OKBENCH_DATA", str(tmp_path / "data"))
    words = [str(tmp_path / "own.csv"), "--label", "price", "--regression", "--order", "file", *words]
    options = cli.load("league")[1].parse_args(words)
    lines, _ = own_data.imported(options, "own", False)
    assert any(line.startswith("clipped") for line in lines) == far
    targets, features = rows_of(tmp_path / "data")[:, 0], rows_of(tmp_path / "data")[:, 1:]
    assert np.abs(targets).max() > 10 and (np.abs(features).max() == 3) == far
