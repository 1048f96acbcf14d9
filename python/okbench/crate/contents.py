"""A crate as a whole: the experiments of a folder, their files and papers, and the folder itself."""

import dataclasses
import datetime
import json
import pathlib
import re

from .. import claims
from ..errors import ClaimError, TraceFileError
from ..traces import read_experiment, results_below
from ..writing import write_text
from .data_sets import Catalogue
from .files import add_file, files_below, is_hidden
from .graph import Graph, quoted, reference
from .trials import add_trial

METADATA = "ro-crate-metadata.json"
RO_CRATE = "https://w3id.org/ro/crate/1.1"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
# The second has sha256.
CONTEXT = [f"{RO_CRATE}/context", "https://w3id.org/ro/terms/workflow-run/context"]


@dataclasses.dataclass
class Options:
    """What a crate tells beside its results."""

    catalogues: list = dataclasses.field(default_factory=list)  # files
    experiments: list = dataclasses.field(default_factory=list)  # folders of papers
    license: str = "BSD-3-Clause"  # a name of SPDX, or an address
    agent: str = ""  # who ran the trials: NAME, or NAME <ADDRESS>


class Crate:
    """The crate of a folder while it is made."""

    def __init__(self, folder, options):
        self.folder = pathlib.Path(folder).absolute()
        self.graph = Graph()
        self.catalogue = Catalogue(options.catalogues)
        self.license = self.add_license(options.license)
        self.agent = self.add_agent(options.agent)
        self.actions, self.experiments, self.told = [], {}, {}  # of files what else is known of them
        self.counts = {"completed": 0, "failed": 0, "not run": 0}
        self.stand_ins = 0  # trials on generated data

    def place(self, path):
        return quoted(path.relative_to(self.folder).as_posix())

    def add_license(self, text):
        if re.fullmatch(r"[\w.+-]+", text, re.ASCII):
            name, address = text, f"https://spdx.org/licenses/{text}"
        elif re.fullmatch(r"https?://[\x21-\x7e]+", text):
            name = address = text
        else:
            raise ClaimError(f"'{text}' is no licence: a name of SPDX (CC-BY-4.0), or an address")
        about = "Of these results; data sets that they were made from have terms of their own"
        return self.graph.add(address, "CreativeWork", name=name, description=about)

    def add_agent(self, text):
        match = re.fullmatch(r"([^<>]*[^<>\s])(?:\s*<(https?://[\x21-\x3b\x3d\x3f-\x7e]+)>)?", text)
        if not text:
            return None
        if not match:
            raise ClaimError(f"'{text}' names no agent: NAME, or NAME <https://...>")
        kind = "Organization" if "//ror.org/" in (match[2] or "") else "Person"
        return self.graph.add(match[2] or f"#agent-{quoted(match[1])}", kind, name=match[1].strip(), url=match[2])

    def add_experiment(self, results, name):
        """The actions of an experiment's trials; those of cross validation come first, as they ran."""
        home = results.folder / name
        here = home.is_relative_to(self.folder) and home not in self.experiments
        experiment = read_experiment(results.folder, name, folds=True) if here else None
        if experiment is None:
            raise ClaimError(f"{self.folder}: a plan of {name} does not lie in a folder of this name")
        if is_hidden(home.relative_to(self.folder)):
            return
        self.experiments[home] = experiment
        plan = home / "plan.json"
        what = f"the spec {experiment.spec}" if experiment.spec else "its spec"
        self.told[plan] = {"name": f"Plan of {name}", "description": f"Trials of {what}, tier {experiment.tier}"}
        folds = {}
        for trial in experiment.folds + experiment.trials:
            inputs = [reference(self.place(plan)), *(folds[one] for one in trial.needs if one in folds)]
            made = add_trial(self.graph, self.catalogue, experiment, trial, self.place, inputs, self.agent)
            self.counts["failed" if trial.failure else "completed" if made else "not run"] += 1
            self.stand_ins += bool(trial.trace and trial.trace.synthetic)
            if made:
                action, path, self.told[path] = made
                self.actions.append(action)
                folds[trial.id] = reference(self.place(path))
        # A folder's traces are many: what is needed of them is in the graph.
        experiment.trials, experiment.folds = [], []

    def add_files(self):
        """All files, and {folder of an experiment, or the crate's: references to its parts}; with their size in all."""
        parts, size = {home: [] for home in (self.folder, *self.experiments)}, 0
        listed = {self.folder / path for path in files_below(self.folder)} - {self.folder / METADATA}
        for path in sorted(self.told):
            if path not in listed:
                raise TraceFileError(f"{path}: is no file of {self.folder} that a crate can hold")
        for path in sorted(listed):
            size += add_file(self.graph, self.place(path), path, **self.told.get(path, {}))
            home = next(above for above in path.parents if above in parts)
            parts[home].append(reference(self.place(path)))
        return parts, len(listed), size

    def add_papers(self, folders):
        """{short name: reference} of the papers whose experiments are here."""
        files, papers = claims.claims_files(folders), {}
        for name in sorted({experiment.name.split("/")[0] for experiment in self.experiments.values()}):
            about = claims.contents(files[name])[0].get("about") if name in files else None
            if about:
                address = claims.address(about)
                papers[name] = self.graph.add(
                    # An address may be that of a whole volume.
                    address if "doi" in about else f"#paper-{quoted(name)}",
                    "ScholarlyArticle",
                    name=about["title"],
                    description=f"{about['authors']}. {about['venue']}",
                    url=address,
                )
        return papers

    def add_folders(self, parts, papers):
        """The experiments' folders, as parts of the crate."""
        for home, experiment in self.experiments.items():
            if home == self.folder:
                continue
            overridden = f", {experiment.overridden}" if experiment.overridden else ""
            parts[self.folder].append(
                self.graph.add(
                    self.place(home) + "/",
                    "Dataset",
                    name=experiment.title or experiment.name,
                    description=f"Experiment {experiment.name}, tier {experiment.tier}{overridden}",
                    citation=papers.get(experiment.name.split("/")[0]),
                    hasPart=parts[home],
                )
            )

    def published(self):
        """The day of the latest trial, else of the latest file: the same crate whenever it is made."""
        ends = [one["endTime"] for one in self.graph.entities.values() if "endTime" in one]
        if ends:
            return max(map(datetime.datetime.fromisoformat, ends)).date().isoformat()
        latest = max(path.stat().st_mtime for path in self.told)
        return datetime.datetime.fromtimestamp(latest, datetime.timezone.utc).date().isoformat()

    def add_root(self, parts, papers):
        """The folder itself, and the description of it."""
        tiers = sorted({experiment.tier for experiment in self.experiments.values()})
        names = sorted({experiment.name.split("/")[0] for experiment in self.experiments.values()})
        day, counted = self.published(), ", ".join(f"{number} {what}" for what, number in self.counts.items())
        counted += f"; {self.stand_ins} on generated synthetic fallbacks of their data" if self.stand_ins else ""
        collections = [reference(key) for key, one in self.graph.entities.items() if one["@type"] == "Collection"]
        self.graph.add(
            "./",
            "Dataset",
            conformsTo=self.graph.add(PROFILE, "CreativeWork", name="Process Run Crate", version="0.5"),
            name=f"Results of okbench: {', '.join(names)}, tier {', '.join(tiers)}, {day}",
            description=f"Traces of online kernel learners, of {len(self.experiments)} experiments; trials: {counted}. "
            "Each trial that ran is an action, each trace a file of HDF5.",
            datePublished=day,
            license=self.license,
            author=self.agent,
            citation=list(papers.values()),
            hasPart=parts,
            mentions=self.actions + collections,
        )
        self.graph.add(METADATA, "CreativeWork", conformsTo=reference(RO_CRATE), about=reference("./"))


def make(folder, options=None):
    """The metadata of a result folder, and {what: number} of trials, files and bytes. Raises ClaimError where there is
    nothing or something else is asked for than there can be, TraceFileError and OSError for what cannot be read."""
    options = options or Options()
    crate = Crate(folder, options)
    for results, name in results_below(crate.folder):
        crate.add_experiment(results, name)
    if not crate.actions:
        raise ClaimError(f"{folder}: no trial of its plans has run; okbench run runs them")
    parts, files, size = crate.add_files()
    papers = crate.add_papers(options.experiments)
    crate.add_folders(parts, papers)
    crate.add_root(parts[crate.folder], papers)
    # Those that all crates have come first.
    entities = crate.graph.entities
    first = [entities.pop(identifier) for identifier in (METADATA, "./")]
    content = {"@context": CONTEXT, "@graph": [*first, *entities.values()]}
    return content, {**crate.counts, "files": files, "bytes": size}


def write(folder, content):
    """Writes the metadata into the folder, whole or not at all; returns the file. Raises OSError."""
    path = pathlib.Path(folder) / METADATA
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return path
