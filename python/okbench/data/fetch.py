"""Fetches the files of data sets into okbench's cache.

Files in the cache or the mirror (OKBENCH_MIRROR) are used in place. Other files come from a Debian package if one has
them, else from an address. A download resumes and retries; it gets its final name after its digest has been verified.
If a file has alternatives, one of them is enough; the publisher's file comes first.
"""

import os
import pathlib
import sys

from .. import home
from .catalog import PARTS, choices, names_in_specs, read_catalogs, require_known
from .fetching import packages
from .fetching.content import cache_folder, expected, fault, find
from .fetching.download import download
from ..errors import FetchError


def find_choice(entry, cache):
    """The path of the first available choice, or None. Removes damaged files from the cache."""
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
    """Takes the first available choice from a package or an address. Returns (path, None), or (None, the error)."""
    errors = []
    for choice in choices(entry):
        if not wanted(choice, by_name):
            continue
        if packages.in_packages(choice):
            error = packages.take(choice, cache / choice["name"])
            if not error:
                return cache / choice["name"], None
            errors.append(error)
            if not choice.get("urls"):
                continue
        if choice.get("bytes"):
            print(f"fetch: {choice['name']} has {choice['bytes'] / 1e6:.1f} MB", flush=True)
        target = cache / choice["name"]
        error = download(choice, target, dead_hosts)
        if not error:
            return target, None
        errors.append(error)
    if not by_name and any(choice.get("on_request") for choice in choices(entry)):
        return None, "the upstream archives are large; run okbench data fetch NAME to download them"
    return None, "; ".join(errors)


def expand(name, catalog):
    """The data sets of a name: the set itself, or all sets named NAME-... (voc2007: voc2007-car, ...)."""
    if name in catalog:
        return [name]
    return [known for known in catalog if known.startswith(f"{name}-")] or [name]


def wanted(choice, by_name):
    """Whether to download a choice. Large archives (`on_request`) are downloaded only if their set is named."""
    return by_name or not choice.get("on_request", False)


def fetch(names, specs, optional, catalogs=None, replacements=None):
    """Fetches the files of data sets: those named, and those of specs; all when both are empty. `replacements`: also
    fetches the real data that replace "missing" sets, or "all" of these sets. Returns whether every file is there, or
    `optional`. Raises FetchError, and RequestError for an unknown name."""
    catalog = read_catalogs(catalogs or home.catalog_paths())
    by_name = [set_name for name in names for set_name in expand(name, catalog)]
    wanted_sets = by_name + names_in_specs(specs)
    if not names and not specs:
        wanted_sets = list(catalog)
    require_known(wanted_sets, catalog)
    mirror = os.environ.get("OKBENCH_MIRROR")
    if mirror and not pathlib.Path(mirror).is_dir():
        raise FetchError(f"OKBENCH_MIRROR={mirror}: no such folder")
    cache, dead_hosts, seen, missing = cache_folder(), set(), set(), set()
    for name in wanted_sets:
        for part in PARTS:
            for entry in catalog[name].get(part, {}).get("files", []):
                # Parts may share a file but list different alternatives.
                names_of_all = tuple(choice["name"] for choice in choices(entry))
                if names_of_all in seen:
                    continue
                seen.add(names_of_all)
                place = find_choice(entry, cache)
                if place:
                    print(f"fetch: {name}: {place}")
                    continue
                place, error = fetch_choice(entry, cache, dead_hosts, name in by_name)
                if error and name in missing:
                    continue  # one line per data set
                if error:
                    missing.add(name)
                    print(f"fetch: {name}: {entry['name']} is not available: {error}", file=sys.stderr)
                else:
                    print(f"fetch: {name}: {place} (downloaded)")
    if missing:
        names = ", ".join(sorted(missing))
        print(f"okbench: no files for {names}; runs will use synthetic fallbacks, or --replace", file=sys.stderr)
    if replacements:
        replaced = [name for name in wanted_sets if replacements == "all" or name in missing]
        path = home.replacements_path()
        known = read_catalogs([path])
        if names_here := [name for name in replaced if name in known]:
            fetch(names_here, [], True, [path])
    return optional or not missing
