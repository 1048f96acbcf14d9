"""Reads and validates catalogs of data sets, as far as fetching needs them."""

import re

from ..errors import ClaimError, FetchError, RequestError, nearest, one_line
from .. import reading

PARTS = ("train", "test")
DIGESTS = ("sha256", "file_sha256", "file_md5")
# Tables of files that are made of packages (fetching/packages.py): needed and optional keys with their types.
MADE = {
    "data_frame": (
        {"package": str, "installed": str, "name": str},
        {
            **{"label": str, "positive": list, "scale": list, "drop": list, "indicators": bool, "train": bool},
            **{"codes": list, "rows": list},
        },
    ),
    "documents": ({"package": str, "installed": str, "vocabulary": str, "words": int}, {}),
    "resized_images": ({"package": str, "images": str, "labels": str, "rows": int, "side": int}, {}),
}


def require_known(names, catalog):
    """Raises RequestError for the first name that is not in the catalog."""
    for name in names:
        if name not in catalog:
            remedy = nearest(name, catalog, "; see okbench help datasets")
            raise RequestError(f"unknown data set {one_line(name)!r}{remedy}")


def is_inner(name):
    """Whether a file name stays inside the cache: a relative path without "..", control characters or empty parts."""
    parts = name.split("/")
    return all(part not in ("", ".", "..") for part in parts) and not re.search(r"[\x00-\x1f\x7f]", name)


def check_made(what, table, needed, optional):
    """Raises FetchError unless the table that makes a file of packages has all needed keys with values of their types,
    and no others than the optional ones."""
    if not isinstance(table, dict) or not needed.keys() <= table.keys() <= needed.keys() | optional.keys():
        raise FetchError(
            f"{what} must have {', '.join(needed)}" + (f" and perhaps {', '.join(optional)}" * bool(optional))
        )
    for key, value in table.items():
        if not isinstance(value, kind := (needed | optional)[key]):
            raise FetchError(f"{what}.{key} must be a {kind.__name__}")


def check_file(place, file, of_choice=False):
    """Raises FetchError unless the entry of a file, or of an alternative (`of_choice`), has valid keys."""
    if not isinstance(file, dict) or not isinstance(file.get("name"), str):
        raise FetchError(f"{place}: a file needs a name: {{ name, urls, sha256 }}")
    if not is_inner(file["name"]):
        raise FetchError(f"{place}: {file['name']!r} is not a relative path inside the cache")
    what = f"{place}: {file['name']}"
    urls, size = file.get("urls", []), file.get("bytes", 1)
    if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
        raise FetchError(f"{what}: urls must be a list of addresses")
    for key in DIGESTS:
        if not isinstance(file.get(key, ""), str):
            raise FetchError(f"{what}: {key} must be a string")
    if not isinstance(size, int) or isinstance(size, bool) or not 0 < size < 1 << 50:
        raise FetchError(f"{what}: bytes must be an integer above 0")
    if not isinstance(file.get("on_request", False), bool):
        raise FetchError(f"{what}: on_request must be true or false")
    for key in ("package", "installed"):
        if not isinstance(file.get(key, ""), str):
            raise FetchError(f"{what}: {key} must be a string")
    for key in MADE.keys() & file.keys():
        check_made(f"{what}: {key}", file[key], *MADE[key])
    alternatives = file.get("alternatives", [])
    if not isinstance(alternatives, list) or (of_choice and alternatives):
        raise FetchError(f"{what}: alternatives must be a list of files without alternatives")
    for alternative in alternatives:
        check_file(place, alternative, of_choice=True)


def check_set(path, name, entry):
    """Raises FetchError unless the parts of a data set and their files are valid."""
    place = one_line(f"{path}: {name}")
    if not isinstance(entry, dict):
        raise FetchError(f"{place}: a set must be a table")
    for part in PARTS:
        table = entry.get(part, {})
        files = table.get("files", []) if isinstance(table, dict) else None
        if not isinstance(files, list):
            raise FetchError(f"{place}.{part} must be a table, and its files a list")
        for file in files:
            check_file(place, file)


def completed(catalog, path):
    """The catalog with `like` resolved: such a set inherits the keys of the named set and of its parts.

    Raises FetchError.
    """
    for name, entry in catalog.items():
        check_set(path, name, entry)
    for name, entry in catalog.items():
        if "like" not in entry:
            continue
        other = catalog.get(entry["like"]) if isinstance(entry["like"], str) else None
        if other is None or "like" in other:
            raise FetchError(one_line(f"{path}: {name}.like must name a set of the same file that has no `like`"))
        own = {part: {**other.get(part, {}), **entry.get(part, {})} for part in PARTS if part in other}
        catalog[name] = {**other, **entry, **own}
    return catalog


def read_toml(path):
    """The content of a TOML file. Raises FetchError."""
    try:
        return reading.read_toml(path)
    except ClaimError as error:
        raise FetchError(str(error)) from error


def read_catalogs(paths):
    """{name: entry} of all catalogs. A later catalog overrides an earlier one. Raises FetchError."""
    catalog = {}
    for path in paths:
        catalog.update(completed(read_toml(path), path))
    return catalog


def names_in_specs(specs):
    """Names of the data sets that specs use, without those with `synthetic = true`. Raises FetchError."""
    names = []
    for path in specs:
        data = read_toml(path).get("data", {})
        given = data.get("name", []) if isinstance(data, dict) else None
        given = [given] if isinstance(given, str) else given
        if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
            raise FetchError(one_line(f"{path}: data.name must be the name of a data set, or a list of them"))
        names += [name for name in given if not data.get("synthetic", False) and name not in names]
    return names


def choices(entry):
    """A file and its alternatives, in the order of preference."""
    return [entry, *entry.get("alternatives", [])]
