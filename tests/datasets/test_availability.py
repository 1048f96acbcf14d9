"""Which data sets have files here, what replaces the others, and `okbench data pack`."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402

from okbench.cli import data_missing  # noqa: E402
from okbench.data import availability  # noqa: E402

SPECS = ("svmd-2006/fig3", "norma-2001/regression", "sfd-2013/fig5-6", "budget-2003/table1", "first-figure/fashion")
FASHION = "fashion-16-train.csv", "fashion-16-test.csv"


@pytest.fixture
def survey(tmp_path, monkeypatch):
    """The availability of SPECS, and of more, with these files in the cache."""
    monkeypatch.setenv("OKBENCH_CACHE", str(tmp_path))
    monkeypatch.setenv("OKBENCH_DATA", str(tmp_path / "none"))

    def run(*files, everything=False):
        for name in files:
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.touch()
        report = availability.availability([ROOT / "experiments" / f"{spec}.toml" for spec in SPECS], everything)
        return {
            kind: {str(pathlib.Path(path).relative_to(ROOT / "experiments"))[:-5] for path in getattr(report, kind)}
            for kind in availability.KINDS
        }, report

    return run


def test_specs_by_their_data(survey):
    # Generated data need no files. Without the replacing files, usps is synthetic.
    kinds, report = survey()
    assert "norma-2001/regression" in kinds["named"] and "svmd-2006/fig3" in kinds["synthetic"]
    assert {"usps", "voc2007-car", "letter"} <= report.missing.keys()
    kinds, _ = survey(*(f"replacements/{name}" for name in FASHION))
    assert "svmd-2006/fig3" in kinds["replaced"] and "svmd-2006/fig3" not in kinds["named"] | kinds["synthetic"]
    assert "sfd-2013/fig5-6" in kinds["synthetic"]
    # Letter has files: table 1 runs on letter and, in the other folder, on what replaces USPS.
    kinds, _ = survey("letter/letter-recognition.data.bz2")
    assert "budget-2003/table1" in kinds["named"] & kinds["replaced"]
    # With files of the paper, replacing data run on request only.
    usps = ("usps/usps.bz2", "usps/usps.t.bz2")
    assert "svmd-2006/fig3" not in survey(*usps)[0]["replaced"]
    assert "svmd-2006/fig3" in survey(*usps, everything=True)[0]["replaced"]


def test_the_message_counts_claims_and_bytes(survey):
    _, report = survey()
    lines = data_missing.message(report)
    names = lines[0].removeprefix("data sets without files here: ").split(", ")
    assert names == [*report.missing]
    claims, total = data_missing.depending({*report.missing})
    assert 0 < claims < total and lines[1].startswith(f"  {claims} of {total} claims need them")
    assert data_missing.depending(set())[0] == 0
    report.missing.clear()
    assert data_missing.message(report) == []


def test_packed_data_are_a_mirror(okbench, tmp_path):
    """Files of installed packages, too."""
    env = {"OKBENCH_CACHE": str(tmp_path / "cache")}
    done = okbench("data", "pack", str(tmp_path / "usb"), "digits", "wine", env=env, check=0)
    assert "pack: digits: " in done.stdout and done.stderr == ""
    installed = pathlib.Path("/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz")
    assert (tmp_path / "usb/sklearn/digits.csv.gz").read_bytes() == installed.read_bytes()
    assert okbench("data", "pack", str(tmp_path / "usb"), "digits", env=env, check=0).stdout == ""
    assert okbench("data", "verify", "digits", env={**env, "OKBENCH_MIRROR": str(tmp_path / "usb")}, check=0)
    # A damaged copy of the same size is written again; a damaged source is refused.
    copy = tmp_path / "usb/sklearn/digits.csv.gz"
    copy.write_bytes(bytes(copy.stat().st_size))
    assert "pack: digits: " in okbench("data", "pack", str(tmp_path / "usb"), "digits", env=env, check=0).stdout
    assert copy.read_bytes() == installed.read_bytes()
    (tmp_path / "cache/sklearn").mkdir(parents=True)
    (tmp_path / "cache/sklearn/digits.csv.gz").write_bytes(b"damaged")
    error = okbench("data", "pack", str(tmp_path / "other"), "digits", env=env, check=1).stderr
    assert "okbench data fetch digits replaces it" in error and error.count("\n") == 1
    assert not (tmp_path / "other").exists()
    missing = okbench("data", "pack", str(tmp_path / "usb"), "usps", env=env, check=1)
    assert missing.stderr == "okbench: no files here for usps; okbench data fetch gets them\n"
    assert (
        "unknown data set 'uspss'" in okbench("data", "pack", str(tmp_path / "usb"), "uspss", env=env, check=2).stderr
    )
