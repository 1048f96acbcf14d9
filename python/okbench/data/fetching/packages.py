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


def csv_of(frame, label=""):
    """The rows of a data frame as CSV without a header, the column `label` first, or the columns in their order.

    Integers have no point. Missing values are empty.
    """
    columns = [frame[name] for name in sorted(frame, key=lambda name: name != label)]

    def text(value):
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value)

    return "".join(",".join(map(text, row)) + "\n" for row in zip(*columns)).encode()


def take(choice, target):
    """Writes a file of a package, or the CSV of its data frame, to `target`. Returns None, or the error as text.

    REQUIRES: the entry of the catalogue has `package` and `installed`, or a table `data_frame` with these, `name` and
    perhaps `label`.
    """
    source = choice.get("data_frame", choice)
    try:
        content = content_of(source["package"], source["installed"])
        if "data_frame" in choice:
            content = csv_of(rda.read(content)[source["name"]], source.get("label", ""))
        write_bytes(target, content, folders=True)
    except (Unavailable, WriteError) as error:
        return str(error)
    except (rda.RdaError, KeyError) as error:
        return f"{source['installed']}: {error}"
    wrong = fault(target, choice)
    if wrong:
        target.unlink(missing_ok=True)
    return wrong
