"""Data of one's own and what is kept of files that were read, on the real binary."""

import errno
import gzip
import json
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

ROWS = "size,kind\n1.5,cat\n2.5,dog\n-1,cat\n3,dog\n0.5,cat\n4,dog\n-2,cat\n2,dog\n"


@pytest.fixture
def added(okbench, tmp_path):
    """okbench with a set `pets` of one's own."""
    env = {"OKBENCH_DATA": str(tmp_path / "own")}
    (tmp_path / "pets.csv").write_text(ROWS)
    okbench("data", "add", "pets.csv", "--name", "pets", "--label", "kind", "--test", "0.25", env=env, check=0)
    return lambda *arguments, check=0: okbench(*arguments, env=env, check=check)


def kept(tmp_path):
    folder = tmp_path / "cache" / "rows"
    return sorted(folder.iterdir()) if folder.is_dir() else []


def test_a_set_that_was_added_is_one_like_any_other(added):
    assert (
        "train 6 rows, test 2 rows"
        in added("data", "add", "pets.csv", "--name", "p2", "--label", "last", "--test", "0.25").stdout
    )
    shown = added("data", "show", "pets").stdout
    assert "features  1" in shown and "classes   2" in shown and "own/pets/train.csv.gz" in shown
    verified = added("data", "verify", "pets").stdout
    assert (
        verified.count("verified") == 2
        and "read      pets train: 6 rows, 1 features, labels cat (3), dog (3)" in verified
    )
    rows = json.loads(added("help", "datasets", "pets", "--json").stdout)
    assert rows[0]["available"] and rows[0]["synthetic"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv", "--name", "x"], "none.csv"),
        (["pets.csv"], "the following arguments are required: --name"),
        (["pets.csv", "--name", "usps"], "has a data set of this name"),
        (["pets.csv", "--name", "pets"], "data set 'pets' already exists"),
        (["pets.csv", "--name", "x", "--label", "knid"], "knid"),
        (["pets.csv", "--name", "x", "--test", "2"], "test"),
        (["pets.csv", "--name", "x", "--kind", "real", "--label", "kind"], "real"),
    ],
)
def test_invalid_additions_are_reported_in_one_line(added, tmp_path, arguments, message):
    before = (tmp_path / "own" / "catalog.toml").read_bytes()
    error = added("data", "add", *arguments, check=2).stderr
    assert message in error and error.count("\n") == 1
    assert (tmp_path / "own" / "catalog.toml").read_bytes() == before


def test_rows_are_cached_and_changed_files_are_read_again(okbench, toy, tmp_path):
    env = {**toy(), "OKBENCH_CACHE": str(tmp_path / "cache")}
    okbench("run", "toy.toml", "--out", "a", env=env, check=0)
    files = kept(tmp_path)
    assert len(files) == 2
    okbench("run", "toy.toml", "--out", "b", env=env, check=0)
    assert kept(tmp_path) == files
    okbench("compare", "a", "b", env=env, check=0)
    # Damaged cached rows are read again from the data file. A changed data file must still match its digest.
    files[0].write_bytes(files[0].read_bytes()[:-3])
    okbench("run", "toy.toml", "--out", "c", env=env, check=0)
    okbench("compare", "a", "c", env=env, check=0)
    train = next((tmp_path / "mirror").rglob("toy.train.gz"))
    train.write_bytes(gzip.compress(b"1 1:7\n-1 2:7\n"))
    assert "has sha256" in okbench("run", "toy.toml", "--out", "d", env=env, check=1).stderr
    assert "of cached rows in" in okbench("data", "clean", env=env, check=0).stdout
    assert kept(tmp_path) == []


def test_rows_that_cannot_be_removed_are_not_called_removed(okbench, faults, toy, tmp_path):
    env = {**toy(), "OKBENCH_CACHE": str(tmp_path / "cache")}
    okbench("run", "toy.toml", "--out", "a", env=env, check=0)
    files = kept(tmp_path)
    failing = faults.environment(tmp_path / "counters", call="unlink", at=1, run=10**9, errno=errno.EACCES)
    done = okbench("data", "clean", env={**env, **failing}, check=2)
    assert done.stderr == f"okbench: {tmp_path / 'cache' / 'rows'}: cannot be removed: Permission denied\n"
    assert done.stdout == "" and kept(tmp_path) == files != []


def test_a_set_of_unknown_content_is_known_by_its_own(okbench, toy, tmp_path):
    env = {**toy(sha=""), "OKBENCH_CACHE": str(tmp_path / "cache")}
    okbench("run", "toy.toml", "--out", "a", env=env, check=0)
    train = next((tmp_path / "mirror").rglob("toy.train.gz"))
    times = os.stat(train)
    train.write_bytes(gzip.compress(b"1 1:5\n-1 2:5\n"))
    os.utime(train, ns=(times.st_atime_ns, times.st_mtime_ns))
    okbench("run", "toy.toml", "--out", "b", env=env, check=0)
    assert "data or number of examples differs" in okbench("compare", "a", "b", env=env, check=1).stdout


def test_own_data_sets_are_listed_with_their_size(added, tmp_path):
    (tmp_path / "own/pets/notes").write_bytes(bytes(3 << 20))
    listed = added("data", "list", "--own").stdout
    assert "3 MiB" in listed and "usps" not in listed
    assert f"1 data set of your own in {tmp_path / 'own'}" in listed
    assert "--own: is for `okbench data list`" in added("data", "show", "--own", check=2).stderr
    added("data", "remove", "pets")
    assert (tmp_path / "own/pets/notes").is_file()  # a file of somebody else
    assert "0 data sets of your own" in added("data", "list", "--own").stdout
