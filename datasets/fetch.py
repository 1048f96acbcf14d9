#!/usr/bin/python3
"""Fetches the files of data sets into okbench's cache.

A file that the cache or the mirror folder (OKBENCH_MIRROR) already holds is left where it is. Others come from
their upstream addresses through pooch: with progress, resuming partial downloads, retrying, and verified against
the catalogue's sha256 (of the decompressed content, or of the file) before they get their final name. Of a file
with alternatives any one will do; upstream's own comes first.

usage: fetch.py [--catalog FILE]... [--specs FILE]... [--optional] [NAME...]
"""

import argparse
import bz2
import glob
import gzip
import hashlib
import lzma
import os
import pathlib
import re
import platform
import sys
import time
import tomllib
import urllib.parse

CONNECT_TIMEOUT = 10  # seconds; also the longest silence of a server
RETRIES = 3


def cache_folder():
    """okbench's cache: OKBENCH_CACHE, else XDG_CACHE_HOME/okbench, else ~/.cache/okbench."""
    if os.environ.get("OKBENCH_CACHE"):
        return pathlib.Path(os.environ["OKBENCH_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "okbench"


def opener(path):
    """The file's decompressed stream, by its first bytes (upstream and mirror may compress differently)."""
    with open(path, "rb") as file:
        magic = file.read(6)
    if magic[:2] == b"\x1f\x8b":
        return gzip.open(path, "rb")
    if magic[:3] == b"BZh":
        return bz2.open(path, "rb")
    if magic == b"\xfd7zXZ\x00":
        return lzma.open(path, "rb")
    return open(path, "rb")


def digest_of(path, entry):
    """sha256 of the decompressed content or, where the catalogue has that (file_sha256, file_md5), the digest of the
    file as it is; None when the file is damaged."""
    digest = hashlib.md5() if entry.get("file_md5") else hashlib.sha256()
    whole = entry.get("file_sha256") or entry.get("file_md5")
    try:
        with open(path, "rb") if whole else opener(path) as stream:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
    except (OSError, EOFError, lzma.LZMAError):
        return None
    return digest.hexdigest()


def expected(entry):
    """The catalogue's sha256 of the file or of its content; empty for files that are not public."""
    return entry.get("file_sha256") or entry.get("file_md5") or entry.get("sha256", "")


class ResumingDownloader:
    """A pooch downloader that keeps what it has got in a part of the file and asks only for the rest next time."""

    def __init__(self, part):
        self.part = part

    def __call__(self, url, output_file, _pooch):
        import requests
        from tqdm import tqdm

        have = self.part.stat().st_size if self.part.exists() else 0
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
        with requests.get(url, headers=headers, stream=True, timeout=CONNECT_TIMEOUT) as response:
            if response.status_code == 416:  # the part is already whole, or not of this file
                self.part.unlink()
                raise OSError("the partial download does not fit; starting over")
            response.raise_for_status()
            append = response.status_code == 206
            total = int(response.headers.get("Content-Length", 0)) + (have if append else 0)
            with (
                open(self.part, "ab" if append else "wb") as file,
                tqdm(
                    total=total or None,
                    initial=have if append else 0,
                    unit="B",
                    unit_scale=True,
                    desc=self.part.name.split(".part-")[0],
                    disable=not sys.stderr.isatty(),
                ) as bar,
            ):
                for chunk in response.iter_content(1 << 16):
                    file.write(chunk)
                    bar.update(len(chunk))
            if total and self.part.stat().st_size < total:
                raise OSError("the server closed the connection early")
        target = output_file if isinstance(output_file, (str, os.PathLike)) else output_file.name
        os.replace(self.part, target)


def own_part(target):
    """The name of a partial download, of this machine and process: several may fetch the same file at once.

    One that a dead process of this machine left is taken over.
    """
    start = f"{target.name}.part-{platform.node()}-"
    own = target.with_name(start + str(os.getpid()))
    for left in target.parent.glob(glob.escape(start) + "*"):
        owner = left.name.removeprefix(start)
        if not owner.isdigit() or pathlib.Path(f"/proc/{owner}").exists():
            continue
        try:
            os.rename(left, own)
            break
        except OSError:  # another process was first
            continue
    return own


def download(entry, target, dead_hosts):
    """Tries every address; returns None on success, else the last error as text."""
    import pooch
    import requests

    pooch.get_logger().setLevel("ERROR")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        return f"the cache cannot be written: {failure}"
    part = own_part(target)
    error = "no address is known; docs/adding-a-dataset.md says how to put own files in place"
    for url in entry.get("urls", []):
        host = urllib.parse.urlsplit(url).netloc
        for attempt in range(RETRIES):
            if host in dead_hosts:
                error = f"{host} cannot be reached"
                break
            try:
                path = pooch.retrieve(
                    url,
                    known_hash=None,
                    fname=part.name + ".new",
                    path=target.parent,
                    downloader=ResumingDownloader(part),
                )
                digest = digest_of(path, entry)
                if digest == expected(entry):
                    os.replace(path, target)
                    return None
                os.unlink(path)
                what = "file" if entry.get("file_sha256") or entry.get("file_md5") else "content"
                kind = "md5" if entry.get("file_md5") else "sha256"
                error = f"{url}: the {what} has {kind} {digest}, expected {expected(entry)}"
                break
            except requests.exceptions.ConnectionError:
                if not part.exists():
                    dead_hosts.add(host)
                error = f"{host} cannot be reached"
            except (OSError, requests.exceptions.RequestException) as failure:
                error = f"{url}: {failure}"
            time.sleep(0.2 * 2**attempt)
    return error


def is_inner(name):
    """Whether a file of this name stays inside the cache: a relative path without "..", control characters or an
    empty part."""
    parts = name.split("/")
    return all(part not in ("", ".", "..") for part in parts) and not re.search(r"[\x00-\x1f\x7f]", name)


def own_folder():
    """Where `okbench data add` puts files."""
    chosen = os.environ.get("OKBENCH_DATA")
    shared = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local" / "share"
    return pathlib.Path(chosen) if chosen else pathlib.Path(shared) / "okbench"


def find(entry, cache):
    """Where the file lies already, or None."""
    places = [cache / entry["name"], own_folder() / entry["name"]]
    mirror = os.environ.get("OKBENCH_MIRROR")
    if mirror:
        places += [pathlib.Path(mirror) / entry["name"], pathlib.Path(mirror) / pathlib.Path(entry["name"]).name]
    return next((place for place in places if place.is_file()), None)


def choices(entry):
    """A file and its alternatives, in the order in which they are looked for."""
    return [entry, *entry.get("alternatives", [])]


def find_choice(name, entry, cache):
    """Where the first choice that is there lies, or None. Damaged ones are removed from the cache."""
    for choice in choices(entry):
        if not is_inner(choice["name"]):
            sys.exit(f"fetch: {name}: {choice['name']!r} is no name of a file inside the cache")
        place = find(choice, cache)
        if place and expected(choice) and place.is_relative_to(cache) and digest_of(place, choice) != expected(choice):
            print(f"fetch: {place} is damaged; removed")
            place.unlink(missing_ok=True)
            place = find(choice, cache)  # the mirror may have it
        if place:
            return place
    return None


def fetch_choice(entry, cache, dead_hosts, by_name):
    """Downloads the first choice that can be had: (where it lies, None), or (None, why the first cannot)."""
    errors = []
    for choice in choices(entry):
        if not wanted(choice, by_name):
            continue
        if choice.get("bytes"):
            print(f"fetch: {choice['name']} has {choice['bytes'] / 1e6:.0f} MB", flush=True)
        target = cache / choice["name"]
        error = download(choice, target, dead_hosts)
        if not error:
            return target, None
        errors.append(error)
    if not by_name and any(choice.get("on_request") for choice in choices(entry)):
        return None, "it has no address, and upstream's archives are large: okbench data fetch NAME asks for them"
    return None, errors[0]


def names_in_specs(specs):
    """Data sets that specs ask for, stand-ins left out."""
    names = []
    for path in specs:
        try:
            with open(path, "rb") as file:
                data = tomllib.load(file).get("data", {})
        except (OSError, tomllib.TOMLDecodeError) as error:
            sys.exit(f"fetch: {path}: {error}")
        wanted = data.get("name", [])
        for name in [wanted] if isinstance(wanted, str) else wanted:
            if not data.get("stand_in", False) and name not in names:
                names.append(name)
    return names


def completed(catalog, path):
    """Sets that are `like` another of their file have its keys, too, those of its parts among them."""
    for name, entry in catalog.items():
        if not isinstance(entry, dict) or "like" not in entry:
            continue
        other = catalog.get(entry["like"])
        if not isinstance(other, dict) or "like" in other:
            sys.exit(f"fetch: {path}: {name}.like must name a set of the same file that is like no other")
        own = {part: {**other.get(part, {}), **entry.get(part, {})} for part in ("train", "test") if part in other}
        catalog[name] = {**other, **entry, **own}
    return catalog


def wanted(choice, by_name):
    """Whether a choice may be downloaded: large archives are, when their set is asked for by name."""
    return by_name or not choice.get("on_request", False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalog", action="append", default=[], help="catalogue file; may be repeated")
    parser.add_argument("--specs", nargs="+", default=[], help="fetch the data sets that these specs name")
    parser.add_argument("--optional", action="store_true", help="exit 0 even when a file cannot be had")
    parser.add_argument("names", nargs="*", metavar="NAME", help="data sets; default: all of the catalogue")
    options = parser.parse_args()

    catalog = {}
    for path in options.catalog or [pathlib.Path(__file__).with_name("catalog.toml")]:
        try:
            with open(path, "rb") as file:
                catalog.update(completed(tomllib.load(file), path))
        except (OSError, tomllib.TOMLDecodeError) as error:
            sys.exit(f"fetch: {path}: {error}")
    names = options.names + names_in_specs(options.specs)
    if not options.names and not options.specs:
        names = list(catalog)
    unknown = [name for name in names if name not in catalog]
    if unknown:
        sys.exit(f"fetch: unknown data set '{unknown[0]}'; known are {', '.join(catalog)}")

    mirror = os.environ.get("OKBENCH_MIRROR")
    if mirror and not pathlib.Path(mirror).is_dir():
        sys.exit(f"fetch: OKBENCH_MIRROR={mirror}: no such folder")
    cache, dead_hosts, seen, missing = cache_folder(), set(), set(), set()
    for name in names:
        for part in ("train", "test"):
            for entry in catalog[name].get(part, {}).get("files", []):
                # Parts may share a file whose alternatives they do not.
                names_of_all = tuple(choice["name"] for choice in choices(entry))
                if names_of_all in seen:
                    continue
                seen.add(names_of_all)
                place = find_choice(name, entry, cache)
                if place:
                    print(f"fetch: {name}: {place}")
                    continue
                place, error = fetch_choice(entry, cache, dead_hosts, name in options.names)
                if error:
                    missing.add(name)
                    print(f"fetch: {name}: {entry['name']} cannot be had: {error}", file=sys.stderr)
                else:
                    print(f"fetch: {name}: {place} (downloaded)")
    if missing:
        print(f"fetch: generated stand-ins will run in place of: {', '.join(sorted(missing))}", file=sys.stderr)
    return 1 if missing and not options.optional else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
