"""okbench data add --embedding: time series of one or several columns."""

import gzip
import tomllib

import pytest

from okbench import cli


def add(words):
    return cli.call("data_add", list(map(str, words)))


@pytest.fixture
def adds(tmp_path):
    """Adds text as the series "s". Returns (exit status, catalog entry, stored text)."""

    def made(text, *options):
        (tmp_path / "s.txt").write_text(text)
        folder = tmp_path / "data"
        status = add([tmp_path / "s.txt", "--name", "s", "--folder", folder, "--replace", *options])
        if status != 0:
            return status, None, None
        entry = tomllib.loads((folder / "catalog.toml").read_text())["s"]
        return status, entry, gzip.decompress((folder / entry["train"]["files"][0]["name"]).read_bytes()).decode()

    return made


def test_one_column(adds):
    status, entry, text = adds("1\n2.5\n\n-3\n4\n", "--embedding", 3)
    assert status == 0 and text == "1.0\n2.5\n-3.0\n4.0\n"
    assert entry["format"] == "series" and entry["features"] == 3 and entry["train"]["rows"] == 3
    assert entry["range"] == [-3.0, 4.0] and "inputs" not in entry and "horizon" not in entry


def test_replaced_series_go(adds, tmp_path):
    for text in ("1\n2\n3\n", "1\n2\n4\n"):
        _, entry, _ = adds(text, "--embedding", 2)
        stored = [f"s/{path.name}" for path in (tmp_path / "data" / "s").iterdir()]
        assert stored == [entry["train"]["files"][0]["name"]]


def test_several_columns_with_names_and_a_horizon(adds):
    status, entry, text = adds("flow;rain\n1;10\n2;20\n3;30\n4;40\n", "--embedding", 2, "--horizon", 2)
    assert status == 0 and text.splitlines()[0] == "1.0 10.0"
    assert (entry["features"], entry["inputs"], entry["horizon"], entry["train"]["rows"]) == (4, 2, 2, 2)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1\nx\n", ["--embedding", 2], "s.txt:2: 'x' is not a number"),
        ("1 2\n3\n", ["--embedding", 2], "s.txt:2: has 1 values, the first step has 2"),
        ("1\ninf\n", ["--embedding", 2], "s.txt:2: a value is not finite"),
        ("1\n2\n", ["--embedding", 2, "--horizon", 2], "has 2 steps; a series needs more than its horizon, 2"),
        ("a\nb\n", ["--embedding", 2], "s.txt: has no numbers"),
        ("1\n2\n", ["--horizon", 2], "--horizon: is for a series, which has --embedding"),
        ("1\n2\n", ["--embedding", 2, "--test", "0.5"], "--test: is not for a series, which has --embedding"),
    ],
)
def test_mistakes_name_the_line(adds, capsys, text, options, message):
    assert adds(text, *options)[0] == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
