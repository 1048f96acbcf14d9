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

    def outcome(text, *options):
        (tmp_path / "s.txt").write_text(text)
        folder = tmp_path / "data"
        status = add([tmp_path / "s.txt", "--name", "s", "--folder", folder, "--replace", *options])
        if status != 0:
            return status, None, None
        entry = tomllib.loads((folder / "catalog.toml").read_text())["s"]
        return status, entry, gzip.decompress((folder / entry["train"]["files"][0]["name"]).read_bytes()).decode()

    return outcome


def test_one_column(adds):
    status, entry, text = adds("1\n2.5\n-3\n4\n\n", "--embedding", 3)
    assert status == 0 and text == "1.0\n2.5\n-3.0\n4.0\n"
    assert entry["format"] == "series" and entry["features"] == 3 and entry["train"]["rows"] == 3
    assert entry["range"] == [-3.0, 4.0] and "inputs" not in entry and "horizon" not in entry


def test_replaced_series_go(adds, tmp_path):
    for text in ("1\n2\n3\n", "1\n2\n4\n"):
        _, entry, _ = adds(text, "--embedding", 2)
        stored = [f"s/{path.name}" for path in (tmp_path / "data" / "s").iterdir()]
        assert stored == [entry["train"]["files"][0]["name"]]


def test_several_columns_with_names_and_a_horizon(adds):
    status, entry, text = adds("flow;rain\n1;10\n5;20\n3;30\n4;40\n", "--embedding", 2, "--horizon", 2)
    assert status == 0 and text.splitlines()[0] == "1.0 10.0"
    assert (entry["features"], entry["inputs"], entry["horizon"], entry["train"]["rows"]) == (4, 2, 2, 2)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1\nx\n", ["--embedding", 2], "s.txt:2: 'x' is not a number"),
        ("1 2\n3\n", ["--embedding", 2], "s.txt:2: has 1 values, the first step has 2"),
        ("1\ninf\n", ["--embedding", 2], "s.txt:2: a value is not finite"),
        ("1\n2\n", ["--embedding", 2, "--horizon", 2], "has 2 steps; a series needs more than its horizon, 2"),
        ("a\nb\n", ["--embedding", 2], "s.txt:2: 'b' is not a number"),
        ("1\n\n2\n3\n", ["--embedding", 2], "s.txt:2: is blank, but a series has no gaps"),
        ("2,50\n2,60\n2,70\n", ["--embedding", 2], "s.txt:1: '2,50' may be one number or two"),
        ("level\n2,50\n2,60\n", ["--embedding", 2], "s.txt:2: has 2 values, the header has 1"),
        ("a;b\n2,50;3,1\n2,60;3,2\n", ["--embedding", 2], "s.txt:2: has 4 values, the header has 2"),
        ("2,50;3,1\n2,60;3,2\n", ["--embedding", 2], "s.txt:1: '2,50;3,1' has decimal commas"),
        ('v\n"1,000"\n"1,001"\n', ["--embedding", 2], "s.txt:2: '\"1' is not a number"),
        ("1_000\n1_001\n", ["--embedding", 2], "s.txt:1: '1_000' is not a number"),
        ("t,v\n0,4\n1,8\n2,1\n7,5\n8,9\n", ["--embedding", 2], "s.txt:5: t goes from 2 to 7 in steps of 1"),
        (
            "a,b\n1,2\n9,4\n",
            ["--embedding", 2, "--target", "c"],
            "--target 'c': no input has this name; inputs are a, b",
        ),
        ("1\n2\n", ["--target", "a"], "--target: is for a series, which has --embedding"),
        ("1\n2\n", ["--horizon", 2], "--horizon: is for a series, which has --embedding"),
        ("1\n2\n", ["--embedding", 2, "--test", "0.5"], "--test: is not for a series, which has --embedding"),
    ],
)
def test_mistakes_name_the_line(adds, capsys, text, options, message):
    assert adds(text, *options)[0] == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_column_of_time_is_no_input(adds, capsys):
    status, entry, text = adds("hour,flow,rain\n10,1,5\n12,7,4\n14,3,6\n16,2,1\n", "--embedding", 2)
    assert status == 0 and text.splitlines()[0] == "1.0 5.0" and entry["inputs"] == 2
    assert "left out  hour: it counts the steps" in capsys.readouterr().out


def test_the_target_is_the_first_input(adds):
    text = "flow,rain\n1,5\n7,4\n3,6\n"
    assert adds(text, "--embedding", 2, "--target", "rain")[2].splitlines() == ["5.0 1.0", "4.0 7.0", "6.0 3.0"]
    counted = "hour,rain\n1,5\n2,4\n3,6\n"
    assert adds(counted, "--embedding", 2, "--target", "hour")[2].splitlines() == ["1.0 5.0", "2.0 4.0", "3.0 6.0"]
