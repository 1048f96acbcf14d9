"""Packs an entry with its specs and results into one file, NAME.tar.xz, and unpacks it.

bundle.json is the manifest: {format, entry, version, trials, files: {path: SHA-256}}. results/ro-crate-metadata.json
describes the results and the programs that made them.
"""

import hashlib
import io
import json
import lzma
import pathlib
import tarfile

from .. import crate
from ..errors import CONTENT_ERRORS, ClaimError, OkbenchError, RequestError
from ..results import results_below
from ..writing import write_bytes, write_text

MANIFEST = "bundle.json"
MAX_FILES, MAX_BYTES = 20000, 1 << 28


class BundleError(OkbenchError):
    """A bundle that is refused. The message says why."""


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def files_of(entry):
    """Sorted relative paths of an entry's files: description, source, specs and results.

    Traces of an earlier source or spec, which no plan lists, may stand beside the others. They are left out.
    """
    below = [path for part in ("specs", "results") for path in (entry.folder / part).rglob("*") if path.is_file()]
    plans = [path for path in below if path.name == "plan.json"]
    planned = {plan.parent / trial["file"] for plan in plans for trial in json.loads(plan.read_bytes())["trials"]}
    kept = [path for path in below if not path.name.startswith(".") and (path.suffix != ".h5" or path in planned)]
    return sorted(["entry.toml", entry.source, *(path.relative_to(entry.folder).as_posix() for path in kept)])


def pack(entry, out):
    """Writes the bundle of an entry whose results are below its folder. Returns (path, number of trials)."""
    from ..native import module

    folder = entry.folder
    content, _ = crate.make(str(folder / "results"), crate.Options(agent=entry.author))
    crate.write(str(folder / "results"), content)
    trials = sum(len(results.read(name).traces) for results, name in results_below(folder / "results"))
    manifest = {
        "format": 1,
        "entry": entry.name,
        "version": module.version(),
        "trials": trials,
        "files": {name: digest(folder / name) for name in files_of(entry)},
    }
    write_text(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz", preset=9) as archive:
        for name in [MANIFEST, *manifest["files"]]:
            data = (folder / name).read_bytes()
            # Fixed owner, mode and time: equal files give equal bundles.
            info = tarfile.TarInfo(f"{entry.name}/{name}")
            info.size, info.mode = len(data), 0o644
            archive.addfile(info, io.BytesIO(data))
    path = pathlib.Path(out or f"{entry.name}.tar.xz")
    write_bytes(path, buffer.getvalue(), folders=True)
    return path, trials


def unpack(path, folder):
    """Unpacks a bundle below `folder` and checks its manifest. Returns (folder of the entry, manifest).

    Raises BundleError for a damaged or unsafe archive, RequestError if there is no such file.
    """
    if not pathlib.Path(path).is_file():
        raise RequestError(f"{path}: no such file")
    try:
        with tarfile.open(fileobj=io.BytesIO(decompressed(path)), mode="r:") as archive:
            members = archive.getmembers()
            # A sparse member can have another size in the archive than on disk, even a negative one.
            if not all(
                member.isfile() and not member.issparse() and member.size >= 0 and is_plain(member.name)
                for member in members
            ):
                raise BundleError(f"{path}: contains members that are not regular files below one folder")
            if len(members) > MAX_FILES or sum(member.size for member in members) > MAX_BYTES:
                raise BundleError(f"{path}: holds too many files or bytes")
            for member in members:
                write_bytes(pathlib.Path(folder) / member.name, archive.extractfile(member).read(), folders=True)
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError, ValueError) as error:
        raise BundleError(f"{path}: not a bundle: {error}") from None
    places = [subfolder for subfolder in pathlib.Path(folder).iterdir() if subfolder.is_dir()]
    if len(places) != 1 or not (places[0] / MANIFEST).is_file():
        raise BundleError(f"{path}: has no {MANIFEST}")
    return places[0], manifest_of(path, places[0])


def decompressed(path):
    """The archive of a bundle, at most MAX_BYTES. Raises BundleError and lzma.LZMAError."""
    with lzma.open(path) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise BundleError(f"{path}: holds too many bytes")
    return data


def is_plain(name):
    parts = pathlib.PurePosixPath(name)
    return not parts.is_absolute() and ".." not in parts.parts and len(parts.parts) > 1


def manifest_of(path, folder):
    """The manifest of an unpacked bundle. Raises BundleError if it does not match the files."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files = manifest["files"]
        listed = {name: str(sha256) for name, sha256 in files.items()}
        known = manifest["format"] == 1 and isinstance(manifest["trials"], int)
    except CONTENT_ERRORS:
        raise BundleError(f"{path}: {MANIFEST} is not valid") from None
    if not known:
        raise BundleError(f"{path}: {MANIFEST} has an unknown format")
    there = {file_path.relative_to(folder).as_posix() for file_path in folder.rglob("*") if file_path.is_file()} - {
        MANIFEST
    }
    for name in sorted(there ^ listed.keys()):
        raise BundleError(f"{path}: {name} is {'not listed in' if name in there else 'missing, but in'} {MANIFEST}")
    for name, sha256 in listed.items():
        if digest(folder / name) != sha256:
            raise BundleError(f"{path}: {name} differs from its digest")
    return manifest


def experiments_of(folder):
    """The experiments of an unpacked bundle, in order. Raises BundleError."""
    try:
        return [results.read(name) for results, name in results_below(folder / "results")]
    except ClaimError as error:
        raise BundleError(str(error)) from None
