"""Takes files of data sets from Debian packages, installed or downloaded by apt-get without installing them."""

import functools
import io
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

from ...writing import WriteError, write_bytes
from .. import rda
from . import conversions
from .content import fault

SECONDS = 600  # time limit of a download


class Unavailable(Exception):
    """A package that cannot be read. The message says why, and what to do."""


def content_of(package, path):
    """The bytes of the file at the absolute `path` that a package installs. Raises Unavailable."""
    if pathlib.Path(path).is_file():
        return pathlib.Path(path).read_bytes()
    try:
        with tarfile.open(fileobj=io.BytesIO(archive_of(package))) as archive:
            return archive.extractfile(f".{path}").read()
    except (tarfile.TarError, KeyError, AttributeError):
        raise Unavailable(f"the package {package} does not contain {path}") from None


@functools.cache
def archive_of(package):
    """The tar archive of a package that is not installed, kept for the next file of it. Raises Unavailable."""
    remedy = f"install the package {package}"
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise Unavailable(remedy)
    with tempfile.TemporaryDirectory(prefix="okbench-") as folder:
        words = ["apt-get", "download", "-qq", package]
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"{remedy} (apt-get download takes too long)") from None
        archives = [*pathlib.Path(folder).glob("*.deb")]
        if done.returncode != 0 or len(archives) != 1:
            cause = (done.stderr.strip().splitlines() or ["unknown cause"])[-1]
            raise Unavailable(f"{remedy} (apt-get download: {cause.removeprefix('E: ')})")
        return subprocess.run(["dpkg-deb", "--fsys-tarfile", archives[0]], capture_output=True).stdout


def file_content(choice):
    """The content of a file that is made of packages, as its entry in the catalog says.

    The table `data_frame` has `package`, `installed` (an .rda or an .arff file), `name` of the data frame or relation,
    and arguments of csv_of(), with `codes` of statlog_of(), or with `indicators = true` of indicators_of(). The table
    `resized_images` has `package`, paths `images` and `labels`, `rows` and `side`. The table `documents` has `package`,
    `installed` (an .arff file with a text and a class), `vocabulary` (the file of the training part) and `words`.
    Raises Unavailable, KeyError and RdaError.
    """
    if "documents" in choice:
        source = choice["documents"]
        files = (content_of(source["package"], source[key]) for key in ("installed", "vocabulary"))
        return conversions.words_of(*files, source["words"])
    if "resized_images" in choice:
        source = choice["resized_images"]
        files = (content_of(source["package"], source[kind]) for kind in ("images", "labels"))
        return conversions.images_of(*files, source["rows"], source["side"])
    source = {**choice["data_frame"]}
    path, name = source.pop("installed"), source.pop("name")
    content = content_of(source.pop("package"), path)
    frame = conversions.frame_of_arff(content) if path.endswith(".arff") else rda.read(content)[name]
    if "codes" in source:
        return conversions.statlog_of(frame, **source)
    convert = conversions.indicators_of if source.pop("indicators", False) else conversions.csv_of
    return convert(frame, **source)


def in_packages(choice):
    """Whether the entry of a file says how to get it from a package."""
    return any(key in choice for key in ("package", "data_frame", "resized_images", "documents"))


def take(choice, target):
    """Writes a file of a package, or one made of it, to `target`. Returns None, or the error as text.

    REQUIRES: in_packages(choice).
    """
    try:
        content = content_of(choice["package"], choice["installed"]) if "package" in choice else file_content(choice)
        write_bytes(target, content, folders=True)
    except (Unavailable, WriteError) as error:
        return str(error)
    except (rda.RdaError, KeyError) as error:
        return f"{choice.get('data_frame', choice).get('installed', choice['name'])}: {error}"
    wrong = fault(target, choice)
    if wrong:
        target.unlink(missing_ok=True)
    return wrong
