"""Data sets from Debian packages: R's data frames byte by byte, and `data fetch` from them."""

import gzip
import hashlib
import os
import pathlib
import struct
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402

from okbench.data import rda  # noqa: E402
from okbench.data.catalog import read_catalogs  # noqa: E402
from okbench.data.fetching import conversions  # noqa: E402
from okbench.errors import FetchError  # noqa: E402

HAS_ATTRIBUTES, HAS_TAG = 1 << 9, 1 << 10
NIL = struct.pack(">i", 254)
NAN = float("nan")


def integer(value):
    return struct.pack(">i", value)


def text(value):
    return integer(9) + integer(len(value)) + value.encode()


def symbol(name):
    return integer(1) + text(name)


def pair(tag, value):
    return integer(2 | HAS_TAG) + symbol(tag) + value


def texts(*values):
    return integer(16) + integer(len(values)) + b"".join(map(text, values))


def whole(*values, attributes=b""):
    kind = 13 | (HAS_ATTRIBUTES if attributes else 0)
    return integer(kind) + integer(len(values)) + struct.pack(f">{len(values)}i", *values) + attributes


def real(*values):
    return integer(14) + integer(len(values)) + struct.pack(f">{len(values)}d", *values)


def factor(levels, *values):
    return whole(*values, attributes=pair("levels", texts(*levels)) + pair("class", texts("factor")) + NIL)


def frame(columns):
    values = integer(19 | HAS_ATTRIBUTES) + integer(len(columns)) + b"".join(columns.values())
    return values + pair("names", texts(*columns)) + pair("class", texts("data.frame")) + NIL


COLUMNS = {
    "kind": factor(("cat", "dog"), 2, 1, rda.MISSING),
    "legs": whole(4, rda.MISSING, 3),
    "size": real(1.5, 2.0, NAN),
}
DATA = b"RDX2\nX\n" + integer(2) + integer(0) * 2 + pair("pets", frame(COLUMNS)) + NIL
CSV = b"dog,4,1.5\ncat,,2\n,3,\n"


def test_a_data_frame_by_hand():
    expected = {"kind": ["dog", "cat", None], "legs": [4, None, 3], "size": [1.5, 2.0, None]}
    assert rda.read(DATA) == {"pets": expected} == rda.read(gzip.compress(DATA))
    native = DATA.replace(
        b"RDX2\nX\n" + integer(2) + integer(0) * 2, b"RDX3\nX\n" + integer(3) * 3 + integer(5) + b"UTF-8"
    )
    assert rda.read(native) == {"pets": expected}


@pytest.mark.parametrize("cut", range(0, len(DATA) - 4, 7))
def test_a_damaged_file_is_an_error(cut):
    with pytest.raises(rda.RdaError):
        rda.read(DATA[:cut])
    for value in (0, 255):
        try:
            rda.read(DATA[:cut] + bytes([value]) + DATA[cut + 1 :])
        except rda.RdaError:
            pass


@pytest.fixture
def fetch(tmp_path):
    """Fetches a set whose file is made of an .rda file. `content`: of that file, or None: it is not installed."""

    def run(content=gzip.compress(DATA), name="pets", sha256=hashlib.sha256(CSV).hexdigest()):
        source = tmp_path / "pets.rda"
        if content is not None:
            source.write_bytes(content)
        frame_of = f'{{ package = "no-such-package", installed = "{source}", name = "{name}" }}'
        file = f'{{ name = "pets/pets.csv", urls = [], sha256 = "{sha256}", data_frame = {frame_of} }}'
        (tmp_path / "catalog.toml").write_text(f"[pets]\n[pets.train]\nrows = 3\nfiles = [{file}]\n")
        call = "fetch(['pets'], [], False, ['catalog.toml'])"
        code = f"import sys; from okbench.data.fetch import fetch; sys.exit(not {call})"
        return subprocess.run(
            [sys.executable, "-c", code],
            env={"PATH": "/nonexistent", "PYTHONPATH": str(ROOT / "python"), "OKBENCH_CACHE": str(tmp_path / "cache")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )

    return run


def test_the_label_is_the_first_column():
    frame_of = rda.read(DATA)["pets"]
    assert conversions.csv_of(frame_of) == CSV
    assert conversions.csv_of(frame_of, "size") == b"1.5,dog,4\n2,cat,\n,,3\n"


def test_a_set_is_made_of_a_data_frame(fetch, tmp_path):
    done = fetch()
    assert done.returncode == 0 and "pets.csv (downloaded)" in done.stdout, done.stderr
    assert (tmp_path / "cache/pets/pets.csv").read_bytes() == CSV


@pytest.mark.parametrize(
    "change, message",
    [
        ({"content": None}, "install the package no-such-package"),
        ({"content": b"RDX2\nX\n"}, "pets.rda: the file ends within an object"),
        ({"content": b"a,b\n1,2\n"}, "pets.rda: is not an .rda file in XDR format"),
        ({"name": "cars"}, "pets.rda: 'cars'"),
        ({"sha256": "0" * 64}, "the content has sha256"),
    ],
)
def test_a_failed_conversion_is_one_line_and_leaves_no_file(fetch, tmp_path, change, message):
    done = fetch(**change)
    assert done.returncode == 1 and message in done.stderr and done.stderr.count("\n") == 2, done.stderr
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.skipif(not os.path.exists("/usr/bin/apt-get"), reason="needs apt-get")
def test_letter_is_the_file_of_uci(okbench, tmp_path):
    done = okbench("data", "fetch", "--optional", "letter")
    if "apt-get download" in done.stderr:
        pytest.skip("no package index: " + done.stderr.splitlines()[0])
    assert "read      letter train: 16000 rows" in okbench("data", "verify", "letter", check=0).stdout


SHAPES = {
    "kind": ["cat", "dog", "cat", "cow"],
    "legs": [4, 4, 3, None],
    "good": ["yes", "no", "yes", "no"],
}


def test_indicators_by_hand():
    """Without the most common category of a column (cat, 4), a missing value, and the label."""
    # Features: 1 kind=cow, 2 kind=dog, 3 legs=3. The last of four rows is the test part.
    train = conversions.indicators_of(SHAPES, "good", ["yes"])
    assert train == b"1\n-1 2:1\n1 3:1\n"
    assert conversions.indicators_of(SHAPES, "good", ["yes"], train=False) == b"-1 1:1\n"


def test_many_numbers_are_divided_by_quintiles():
    values = [*range(20), None]
    # Quintiles of 0 to 19 as values of the column: 3, 7, 11, 15.
    expected = [str(sum(value > cut for cut in (3, 7, 11, 15))) for value in range(20)]
    assert conversions.categories(values) == [*expected, None]
    mostly_zero = [0] * 80 + [*range(1, 21)]
    assert conversions.categories(mostly_zero) == ["0"] * 80 + ["1"] * 20
    assert conversions.categories([2, 1, 2]) == ["2", "1", "2"]


def test_csv_with_labels_of_two_classes_and_scaled_values():
    frame = {"x": [27, 92, 157], "kind": ["a", "b", "a"]}
    expected = b"1,-1\n-1,0\n1,1\n"
    assert conversions.csv_of(frame, "kind", positive=["a"], scale=[27, 157]) == expected


def test_resized_images_by_hand():
    whole = np.full((1, 3, 3), 255, dtype=np.uint8)
    assert conversions.resized(whole, 2).tolist() == [[1000] * 4]
    # One pixel of nine is white. A new pixel covers 1.5 x 1.5 old ones: the white corner is 1 / 2.25 of it.
    corner = np.zeros((1, 3, 3), dtype=np.uint8)
    corner[0, 0, 0] = 255
    assert conversions.resized(corner, 2).tolist() == [[round(1000 * (2 / 2.25 - 1)), -1000, -1000, -1000]]
    # The middle pixel belongs to all four new ones by a quarter.
    middle = np.zeros((1, 3, 3), dtype=np.uint8)
    middle[0, 1, 1] = 255
    assert conversions.resized(middle, 2).tolist() == [[round(1000 * (0.5 / 2.25 - 1))] * 4]


def test_images_become_csv():
    def idx(kind, values):
        return gzip.compress(bytes(conversions.IDX_HEADER[kind]) + bytes(values))

    images = idx("images", [0] * 4 + [255] * 4 + [0] * 4)
    assert conversions.images_of(images, idx("labels", [7, 3, 1]), 2, 1) == b"7,-1\n3,1\n"


@pytest.mark.parametrize(
    "table, error",
    [
        (
            'data_frame = { package = "p", installed = "/x" }',
            "data_frame must have package, installed, name and perhaps",
        ),
        ('data_frame = { package = "p", installed = "/x", name = 1 }', "data_frame.name must be a str"),
        ('data_frame = { package = "p", installed = "/x", name = "n", lable = "y" }', "data_frame must have"),
        (
            'resized_images = { package = "p", images = "/x", labels = "/y", rows = 5 }',
            "resized_images must have package",
        ),
    ],
)
def test_bad_tables_of_made_files_are_refused(tmp_path, table, error):
    path = tmp_path / "c.toml"
    path.write_text(f'[pets.train]\nfiles = [{{ name = "p", {table}, sha256 = "" }}]\n')
    with pytest.raises(FetchError, match=error):
        read_catalogs([path])


def test_statlog_files_by_hand():
    frame = {"x": [5.0, -1.0, 3.0], "kind": ["b", "a", "b"], "y": [0.0, 2.0, 7.0]}
    assert conversions.statlog_of(frame, "kind", ["a", "b"], [0, 2]) == b"5 0 2\n-1 2 1\n"


ARFF = b"""@relation pets
@attribute kind {cat,dog}
@attribute legs numeric
@data
cat,4
dog,3.5
"""
TEXTS = rb"""@relation news
@attribute Text string
@attribute class-att {0,1}
@data
'The corn\nand the \'corn\' price',1
'the price of oil' ,0
'A corn, an oil',0
"""


def test_arff_files_by_hand():
    assert conversions.frame_of_arff(ARFF) == {"kind": ["cat", "dog"], "legs": [4.0, 3.5]}
    # Of three texts: "corn", "oil", "price" and "the" are in two, more than half, and so have no feature.
    # In one text each: a, an, and, of. Features by alphabet: 1 a, 2 an, 3 and.
    assert conversions.words_of(TEXTS, TEXTS, 3) == b"1 3:1\n-1\n-1 1:1 2:1\n"
