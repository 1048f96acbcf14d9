"""Images that a figure takes from an archive: no link, no device and no bomb is read."""

import hashlib
import io
import pathlib
import sys
import tarfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from fake_results import trace  # noqa: E402

from plots import sfd_2013_localisation as localisation  # noqa: E402

NAME = "cows-001.png"


@pytest.fixture
def images(tmp_path, monkeypatch):
    """What is read of an archive with these members, each (name, type, size it claims)."""

    def read(*members, damaged=False):
        with tarfile.open(tmp_path / "images.tar", "w") as archive:
            for name, kind, size in members:
                info = tarfile.TarInfo(name)
                info.type, info.linkname = kind, "/etc/passwd"
                info.size = size if kind == tarfile.REGTYPE else 0
                archive.addfile(info, io.BytesIO(bytes(info.size)) if info.size else None)
        if damaged:
            (tmp_path / "images.tar").write_bytes(b"\1" * 2000)
        (tmp_path / "annotations.csv").write_text(f"image,split\n{NAME},1\n")
        monkeypatch.setenv("OKBENCH_CACHE", str(tmp_path))
        files = ("images.tar", "annotations.csv")
        image_trace = trace("l", 1, 0.5)
        image_trace.provenance["data_files"] = {
            name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in files
        }
        return localisation.read_images(image_trace)

    return read


def test_a_file_is_read(images):
    odd = [(name, tarfile.REGTYPE, 3) for name in ("../x", "/etc/x", "a\nb")]
    assert {number: of[0].getvalue() for number, of in images((NAME, tarfile.REGTYPE, 5), *odd).items()} == {
        1: bytes(5)
    }


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_an_archive_member_that_is_no_regular_file_is_refused(images, kind):
    with pytest.raises(ValueError, match=f"{NAME} is not a regular file of at most 67108864 bytes"):
        images((NAME, kind, 0))


def test_bombs_and_damaged_archives_are_refused(images, monkeypatch):
    monkeypatch.setattr(localisation, "MAX_BYTES", 100)
    with pytest.raises(ValueError, match="is not a regular file of at most 100 bytes"):
        images((NAME, tarfile.REGTYPE, 101))
    with pytest.raises(ValueError, match="images.tar: "):
        images(damaged=True)
