"""Data sets from Debian packages: R's data frames byte by byte, and `data fetch` from them."""

import gzip
import hashlib
import os
import pathlib
import struct
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402

from okbench.data import rda  # noqa: E402
from okbench.data.fetching import packages  # noqa: E402

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


def test_the_label_comes_first():
    frame_of = rda.read(DATA)["pets"]
    assert packages.csv_of(frame_of) == CSV
    assert packages.csv_of(frame_of, "size") == b"1.5,dog,4\n2,cat,\n,,3\n"


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
def test_what_cannot_be_made_is_one_line_and_leaves_nothing(fetch, tmp_path, change, message):
    done = fetch(**change)
    assert done.returncode == 1 and message in done.stderr and done.stderr.count("\n") == 2, done.stderr
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.skipif(not os.path.exists("/usr/bin/apt-get"), reason="needs apt-get")
def test_letter_is_the_file_of_uci(okbench, tmp_path):
    done = okbench("data", "fetch", "--optional", "letter")
    if "apt-get download" in done.stderr:
        pytest.skip("no package index: " + done.stderr.splitlines()[0])
    assert "read      letter train: 16000 rows" in okbench("data", "verify", "letter", check=0).stdout
