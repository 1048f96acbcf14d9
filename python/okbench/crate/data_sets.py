"""The data sets of a crate, described by catalogs and traces."""

from ..data.catalog import PARTS, choices, read_catalogs
from ..errors import ClaimError, FetchError
from .graph import quoted, short_digest

DIGESTS = {"sha256": "of its decompressed content", "file_sha256": "of the file as stored"}


class Catalog:
    """Titles, terms and file sources of data sets."""

    def __init__(self, paths=()):
        try:
            self.sets = read_catalogs(paths)
        except FetchError as error:
            raise ClaimError(f"{error}; see okbench help datasets") from error
        self.files = {}  # {file name: (URLs, text of DIGESTS)}
        for entry in self.sets.values():
            for part in PARTS:
                for file in entry.get(part, {}).get("files", []):
                    for choice in choices(file):
                        kind = next((text for key, text in DIGESTS.items() if choice.get(key)), DIGESTS["sha256"])
                        self.files.setdefault(choice["name"], (choice.get("urls", []), kind))


def add_data_set(graph, catalog, name, data, synthetic, files):
    """Adds the data set of a trial and returns a reference.

    `data`: the table `data` of the trial's spec. `synthetic`: whether the rows were generated. `files`:
    {file name: sha256} of the files read.
    """
    digests = {key: data[key] for key in sorted(data) if key.endswith("digest")}
    known = catalog.sets.get(name, {})
    title, terms = known.get("title", name), known.get("terms", "")
    what = {
        "name": f"{title} (generated synthetic fallback)" if synthetic else title,
        "alternateName": name,
        "description": "Synthetic rows, generated because data files were missing" if synthetic else None,
        "additionalProperty": graph.properties(digests, digests),
    }
    if terms and not synthetic:
        licence = f"#terms-{short_digest(terms)}"
        what["license"] = graph.add(licence, "CreativeWork", name=f"Terms of {title}", description=terms)
    identifier = f"#data-{quoted(name)}-{short_digest([digests, files, synthetic])}"
    if not files:
        return graph.add(identifier, "CreativeWork", **what)
    # Sort by catalog order, in which the training part comes first.
    order = list(catalog.files)
    parts = [
        add_source(graph, catalog, source_name, files[source_name])
        for source_name in sorted(
            files, key=lambda file_name: (order.index(file_name) if file_name in order else len(order), file_name)
        )
    ]
    return graph.add(identifier, "Collection", **what, mainEntity=parts[0], hasPart=parts)


def add_source(graph, catalog, name, digest):
    """Adds a data file, which is not in the crate, and returns a reference."""
    urls, kind = catalog.files.get(name, ([], DIGESTS["sha256"]))
    return graph.add(
        f"#file-{quoted(name)}-{digest[:12]}",
        "CreativeWork",
        name=name,
        description=f"Data file, not in this crate; sha256 is the digest {kind}",
        sha256=digest,
        url=list(urls),
    )
