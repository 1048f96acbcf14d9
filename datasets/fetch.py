#!/usr/bin/python3
"""Fetches the files of data sets into okbench's cache.

A file that the cache or the mirror folder (OKBENCH_MIRROR) already holds is left where it is. Others come from
their upstream addresses through pooch: with progress, resuming partial downloads, retrying, and verified against
the catalogue's sha256 (of the decompressed content, or of the file) before they get their final name. Of a file
with alternatives any one will do; upstream's own comes first. Times and sizes have limits
(docs/adding-a-dataset.md).

usage: fetch.py [--catalog FILE]... [--specs FILE]... [--optional] [NAME...]
"""

import argparse
import os
import pathlib
import sys

import ending
from fetching.catalogue import PARTS, choices, names_in_specs, read_catalogues
from fetching.content import cache_folder, expected, fault, find
from fetching.download import download
from fetching.lines import FetchError, one_line


def find_choice(entry, cache):
    """Where the first choice that is there lies, or None. Damaged ones are removed from the cache."""
    for choice in choices(entry):
        place = find(choice, cache)
        if place and expected(choice) and place.is_relative_to(cache) and (wrong := fault(place, choice)):
            print(f"fetch: {place} is damaged; removed ({wrong})")
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


def wanted(choice, by_name):
    """Whether a choice may be downloaded: large archives are, when their set is asked for by name."""
    return by_name or not choice.get("on_request", False)


def fetch():
    """Does what the command line asks for; returns the exit status. Raises FetchError."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalog", action="append", default=[], help="catalogue file; may be repeated")
    parser.add_argument("--specs", nargs="+", default=[], help="fetch the data sets that these specs name")
    parser.add_argument("--optional", action="store_true", help="exit 0 even when a file cannot be had")
    parser.add_argument("names", nargs="*", metavar="NAME", help="data sets; default: all of the catalogue")
    options = parser.parse_args()

    catalog = read_catalogues(options.catalog or [pathlib.Path(__file__).with_name("catalog.toml")])
    names = options.names + names_in_specs(options.specs)
    if not options.names and not options.specs:
        names = list(catalog)
    unknown = [name for name in names if name not in catalog]
    if unknown:
        raise FetchError(f"unknown data set {one_line(unknown[0])!r}; known are {', '.join(catalog)}")

    mirror = os.environ.get("OKBENCH_MIRROR")
    if mirror and not pathlib.Path(mirror).is_dir():
        raise FetchError(f"OKBENCH_MIRROR={mirror}: no such folder")
    cache, dead_hosts, seen, missing = cache_folder(), set(), set(), set()
    for name in names:
        for part in PARTS:
            for entry in catalog[name].get(part, {}).get("files", []):
                # Parts may share a file whose alternatives they do not.
                names_of_all = tuple(choice["name"] for choice in choices(entry))
                if names_of_all in seen:
                    continue
                seen.add(names_of_all)
                place = find_choice(entry, cache)
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
        print(f"fetch: generated synthetic fallbacks will run in place of: {', '.join(sorted(missing))}", file=sys.stderr)
    return 1 if missing and not options.optional else 0


def main():
    """The exit status: 0, or 1 after a line of what cannot be had."""
    try:
        return fetch()
    except FetchError as error:
        return f"fetch: {error}"


if __name__ == "__main__":
    ending.run(main, "fetch")
