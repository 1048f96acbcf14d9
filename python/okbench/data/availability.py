"""Which data sets of specs have their files here, and which real data sets can replace the others."""

import dataclasses
import pathlib

from .. import home
from ..errors import FetchError
from ..writing import WriteError, write_bytes
from .catalog import PARTS, choices, names_in_specs, read_catalogs, require_known
from .fetching.content import cache_folder, expected, fault, find

KINDS = ("named", "replaced", "synthetic")


def files_of(entry):
    """The files of the parts of a data set, each once, as lists of choices."""
    files = {}
    for part in PARTS:
        for file in entry.get(part, {}).get("files", []):
            files[tuple(choice["name"] for choice in choices(file))] = choices(file)
    return [*files.values()]


def is_here(entry):
    """Whether a data set needs no file, or has one choice of each file in the cache, the mirror or a package."""
    cache = cache_folder()
    return all(any(find(choice, cache) for choice in file) for file in files_of(entry))


@dataclasses.dataclass
class Availability:
    """Data sets of specs by name, and the specs by the data that they can use.

    A spec may be in both `named`, for its data sets with files, and `replaced`. Specs without any real data are in
    `synthetic`.
    """

    specs: dict  # {path: names of its data sets}
    missing: dict  # {name: entry of the catalog} without files
    replacing: dict  # {name: entry of the replacing set} of those that can be replaced here
    everything: bool  # whether `replaced` has all specs with replaceable data, also with all files here

    @property
    def named(self):
        """Specs of which at least one data set has its files."""
        return [spec for spec, names in self.specs.items() if any(name not in self.missing for name in names)]

    @property
    def replaced(self):
        """Specs of which at least one data set is replaced."""
        wanted = self.replacing.keys() if self.everything else self.replacing.keys() & self.missing.keys()
        return [spec for spec, names in self.specs.items() if wanted & {*names}]

    @property
    def synthetic(self):
        """Specs without real data."""
        real = {*self.named, *self.replaced}
        return [spec for spec in self.specs if spec not in real]


def availability(specs, everything=False):
    """The Availability of the data sets of spec files. Raises FetchError, and RequestError for an unknown one."""
    catalog, replacing = read_catalogs(home.catalog_paths()), read_catalogs([home.replacements_path()])
    by_spec = {str(spec): names_in_specs([spec]) for spec in specs}
    names = dict.fromkeys(name for some in by_spec.values() for name in some)
    require_known(names, catalog)
    missing = {name: catalog[name] for name in names if not is_here(catalog[name])}
    real = {name: replacing[name] for name in names if name in replacing and is_here(replacing[name])}
    return Availability(by_spec, missing, real, everything)


def pack(names, folder):
    """Copies the files of data sets that are here to `folder`, which OKBENCH_MIRROR can name elsewhere.

    Returns the names of the sets whose files are not all here. Raises FetchError, and RequestError for an unknown name.
    """
    catalog, cache = read_catalogs(home.catalog_paths()), cache_folder()
    require_known(names, catalog)
    missing = []
    for name in names or catalog:
        for file in files_of(catalog[name]):
            local_copies = [(choice, place) for choice in file if (place := find(choice, cache))]
            if not local_copies:
                missing.append(name)
                break
            choice, place = local_copies[0]
            if expected(choice) and (wrong := fault(place, choice)):
                raise FetchError(f"{place}: {wrong}; okbench data fetch {name} replaces it")
            target = pathlib.Path(folder, choice["name"])
            try:
                content = place.read_bytes()
                if target.is_file() and target.read_bytes() == content:
                    continue
                write_bytes(target, content, folders=True)
            except (OSError, WriteError) as error:
                raise FetchError(f"{target}: {error}") from error
            print(f"pack: {name}: {target}")
    return missing
