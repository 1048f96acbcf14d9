"""Show which data sets of specs have no files here, and what replaces them."""

from .. import claims, home
from ..data import availability
from ..reading import files_like

EXAMPLE = "okbench data missing --specs experiments/svmd-2006/*.toml"


def add_options(parser):
    parser.add_argument("--specs", nargs="+", default=[], metavar="SPEC", help="specs (default: those of all papers)")
    parser.add_argument(
        "--list", choices=availability.KINDS, help="print the specs that run on such data, one per line"
    )
    parser.add_argument("--generalise", action="store_true", help="list all specs with replaceable data as replaced")


def depending(missing):
    """(number of claims that need a data set of these names, number of all claims)."""
    specs = claims.Specs(*home.experiment_folders())
    papers = [paper for _, paper in claims.read_papers(home.experiment_folders(), ())]
    all_claims = [claim for paper in papers for claim in paper.claims]
    return sum(not missing.isdisjoint(specs.data_of(claim)) for claim in all_claims), len(all_claims)


def message(inventory):
    """Lines that say what is missing, what depends on it, and how to get it; empty if nothing is missing."""
    if not inventory.missing:
        return []
    needed, total = depending({*inventory.missing})
    files = {file[0]["name"]: file[0] for entry in inventory.missing.values() for file in availability.files_of(entry)}
    size = sum(file.get("bytes", 0) for file in files.values())
    replaced = [inventory.replacing[name]["title"] for name in inventory.missing if name in inventory.replacing]
    rest = [name for name in inventory.missing if name not in inventory.replacing]
    lines = [f"data sets without files here: {', '.join(inventory.missing)}"]
    lines.append(f"  {needed} of {total} claims need them; they have {size / 1e6:.0f} MB as far as known")
    if replaced:
        lines.append(f"  real data in their place: {'; '.join(dict.fromkeys(replaced))}")
    if rest:
        lines.append(f"  synthetic data, quick tier, no verdicts: {', '.join(rest)}")
    lines.append("  to get them: okbench data fetch, or OKBENCH_MIRROR=FOLDER with a folder of okbench data pack")
    return lines


def run(options):
    specs = options.specs or [
        path for folder in home.experiment_folders() for path in files_like(folder, "*", "*.toml")
    ]
    inventory = availability.availability(
        [spec for spec in specs if not str(spec).endswith("claims.toml")], options.generalise
    )
    for line in getattr(inventory, options.list) if options.list else message(inventory):
        print(line)
    return 0
