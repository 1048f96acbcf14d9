"""The data sets of a crate: what the catalogues and the traces say of them."""

from ..data.catalogue import PARTS, choices, read_catalogues
from ..errors import ClaimError, FetchError
from .graph import quoted, short_digest

DIGESTS = {"sha256": "of the file's content, decompressed", "file_sha256": "of the file as it is"}


class Catalogue:
    """Titles and terms of data sets, and where their files come from."""

    def __init__(self, paths=()):
        try:
            self.sets = read_catalogues(paths)
        except FetchError as error:
            raise ClaimError(f"{error}; okbench list datasets says more") from error
        self.files = {}  # by name: (addresses, what the digest is of)
        for entry in self.sets.values():
            for part in PARTS:
                for file in entry.get(part, {}).get("files", []):
                    for one in choices(file):
                        kind = next((text for key, text in DIGESTS.items() if one.get(key)), DIGESTS["sha256"])
                        self.files.setdefault(one["name"], (one.get("urls", []), kind))


def add_data_set(graph, catalogue, name, data, synthetic, files):
    """A reference to the data of a trial: `data` of its spec, and {file: sha256} of what was read."""
    digests = {key: data[key] for key in sorted(data) if key.endswith("digest")}
    known = catalogue.sets.get(name, {})
    title, terms = known.get("title", name), known.get("terms", "")
    what = {
        "name": f"{title} (generated synthetic fallback)" if synthetic else title,
        "alternateName": name,
        "description": "Generated rows in place of the set, whose files were not there" if synthetic else None,
        "additionalProperty": graph.properties(digests, digests),
    }
    if terms and not synthetic:
        licence = f"#terms-{short_digest(terms)}"
        what["license"] = graph.add(licence, "CreativeWork", name=f"Terms of {title}", description=terms)
    identifier = f"#data-{quoted(name)}-{short_digest([digests, files, synthetic])}"
    if not files:
        return graph.add(identifier, "CreativeWork", **what)
    # The training part comes first in a catalogue.
    order = list(catalogue.files)
    parts = [
        add_source(graph, catalogue, one, files[one])
        for one in sorted(files, key=lambda one: (order.index(one) if one in order else len(order), one))
    ]
    return graph.add(identifier, "Collection", **what, mainEntity=parts[0], hasPart=parts)


def add_source(graph, catalogue, name, digest):
    """A reference to a file that rows were read from; it is not in the crate."""
    urls, kind = catalogue.files.get(name, ([], DIGESTS["sha256"]))
    return graph.add(
        f"#file-{quoted(name)}-{digest[:12]}",
        "CreativeWork",
        name=name,
        description=f"A file of data, not in this crate; its sha256 is {kind}",
        sha256=digest,
        url=list(urls),
    )
