"""Builds the metadata of a crate: the experiments of a folder, their files and papers, and the folder itself."""

import dataclasses
import datetime
import json
import pathlib
import re

from .. import claims
from ..errors import ClaimError, TraceFileError
from ..results import compare_plans, read_experiment, results_below
from ..writing import write_text
from .data_sets import Catalog
from .files import add_file, files_below, is_hidden
from .graph import Graph, quoted, reference
from .trials import add_trial

METADATA = "ro-crate-metadata.json"
RO_CRATE = "https://w3id.org/ro/crate/1.1"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
# The second context defines sha256.
CONTEXT = [f"{RO_CRATE}/context", "https://w3id.org/ro/terms/workflow-run/context"]


@dataclasses.dataclass
class Options:
    """Options of a crate."""

    catalogs: list = dataclasses.field(default_factory=list)  # paths of data set catalogs
    experiments: list = dataclasses.field(default_factory=list)  # folders of papers
    license: str = "BSD-3-Clause"  # SPDX identifier or URL
    agent: str = ""  # who ran the trials: NAME or NAME <URL>; empty: not stated


class Crate:
    """Builder of the crate of a folder."""

    def __init__(self, folder, options):
        self.folder = pathlib.Path(folder).absolute()
        self.graph = Graph()
        self.catalog = Catalog(options.catalogs)
        self.license = self.add_license(options.license)
        self.agent = self.add_agent(options.agent)
        self.actions, self.experiments, self.properties = [], {}, {}  # properties: {path of file: further properties}
        self.counts = {"completed": 0, "failed": 0, "not run": 0}
        self.synthetic_trials = 0  # number of trials on generated synthetic data
        self.stale = {}  # {trial id: reason}

    def place(self, path):
        return quoted(path.relative_to(self.folder).as_posix())

    def add_license(self, text):
        if re.fullmatch(r"[\w.+-]+", text, re.ASCII):
            name, address = text, f"https://spdx.org/licenses/{text}"
        elif re.fullmatch(r"https?://[\x21-\x7e]+", text):
            name = address = text
        else:
            raise ClaimError(f"'{text}' is not a license; give an SPDX identifier (CC-BY-4.0) or a URL")
        about = "License of these results; the data sets have their own terms"
        return self.graph.add(address, "CreativeWork", name=name, description=about)

    def add_agent(self, text):
        match = re.fullmatch(r"([^<>]*[^<>\s])(?:\s*<(https?://[\x21-\x3b\x3d\x3f-\x7e]+)>)?", text)
        if not text:
            return None
        if not match:
            raise ClaimError(f"'{text}' is not an agent; write NAME or NAME <https://...>")
        kind = "Organization" if "//ror.org/" in (match[2] or "") else "Person"
        return self.graph.add(match[2] or f"#agent-{quoted(match[1])}", kind, name=match[1].strip(), url=match[2])

    def add_experiment(self, results, name):
        """Adds the actions of an experiment's trials, cross-validation trials first, in the order in which they ran.
        Raises ClaimError or TraceFileError."""
        home = results.folder / name
        here = home.is_relative_to(self.folder) and home not in self.experiments
        experiment = read_experiment(results.folder, name, searches=True) if here else None
        if experiment is None:
            raise ClaimError(f"{self.folder}: the plan of {name} is not in a folder of that name")
        if is_hidden(home.relative_to(self.folder)):
            return
        stale = [trial for trial in experiment.folds + experiment.trials if trial.has_result and trial.id in self.stale]
        if stale:
            example = f"{stale[0].name}: {self.stale[stale[0].id]}"
            raise ClaimError(
                f"{name}: {len(stale)} results are stale ({example}); run it again, or set OKBENCH_STALE=1"
            )
        self.experiments[home] = experiment
        plan = home / "plan.json"
        what = f"the spec {experiment.spec}" if experiment.spec else "its spec"
        self.properties[plan] = {"name": f"Plan of {name}", "description": f"Trials of {what}, tier {experiment.tier}"}
        folds = {}
        for trial in experiment.folds + experiment.trials:
            inputs = [reference(self.place(plan)), *(folds[fold_id] for fold_id in trial.needs if fold_id in folds)]
            graph_entry = add_trial(self.graph, self.catalog, experiment, trial, self.place, inputs, self.agent)
            self.counts["failed" if trial.failure else "completed" if graph_entry else "not run"] += 1
            self.synthetic_trials += bool(trial.trace and trial.trace.synthetic)
            if graph_entry:
                action, path, properties = graph_entry
                one_trial = trial.failure or path == trial.path
                self.properties[path] = properties if one_trial else {"name": f"Traces of trials of {name}"}
                self.actions.append(action)
                folds[trial.id] = reference(self.place(path))
        # Free the traces, which may be many; the graph has everything that is still needed.
        experiment.trials, experiment.folds = [], []

    def add_files(self):
        """Adds all files. Returns ({folder of an experiment or the crate: references to its files}, number of files,
        total size in bytes). Raises TraceFileError."""
        parts, size = {home: [] for home in (self.folder, *self.experiments)}, 0
        listed = {self.folder / path for path in files_below(self.folder)} - {self.folder / METADATA}
        for path in sorted(self.properties):
            if path not in listed:
                raise TraceFileError(f"{path}: is not a file of {self.folder} that a crate can contain")
        for path in sorted(listed):
            size += add_file(self.graph, self.place(path), path, **self.properties.get(path, {}))
            home = next(above for above in path.parents if above in parts)
            parts[home].append(reference(self.place(path)))
        return parts, len(listed), size

    def add_papers(self, folders):
        """Adds the papers of the experiments. Returns {short name: reference}."""
        files, papers = claims.claims_files(folders), {}
        for name in sorted({experiment.name.split("/")[0] for experiment in self.experiments.values()}):
            about = claims.contents(files[name])[0].get("about") if name in files else None
            if about:
                address = claims.address(about)
                papers[name] = self.graph.add(
                    # A URL may belong to a whole volume, so it does not identify the paper.
                    address if "doi" in about else f"#paper-{quoted(name)}",
                    "ScholarlyArticle",
                    name=about["title"],
                    description=f"{about['authors']}. {about['venue']}",
                    url=address,
                )
        return papers

    def add_folders(self, parts, papers):
        """Adds the folders of the experiments as parts of the crate."""
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
        """Date of the last trial, or else of the newest file (UTC): the same folder yields the same crate."""
        ends = [entity["endTime"] for entity in self.graph.entities.values() if "endTime" in entity]
        if ends:
            return max(map(datetime.datetime.fromisoformat, ends)).date().isoformat()
        latest = max(path.stat().st_mtime for path in self.properties)
        return datetime.datetime.fromtimestamp(latest, datetime.timezone.utc).date().isoformat()

    def add_root(self, parts, papers):
        """Adds the crate's folder and the metadata file that describes it."""
        tiers = sorted({experiment.tier for experiment in self.experiments.values()})
        names = sorted({experiment.name.split("/")[0] for experiment in self.experiments.values()})
        day, counted = self.published(), ", ".join(f"{number} {what}" for what, number in self.counts.items())
        counted += (
            f"; {self.synthetic_trials} on generated synthetic fallbacks of their data" if self.synthetic_trials else ""
        )
        collections = [reference(key) for key, entity in self.graph.entities.items() if entity["@type"] == "Collection"]
        self.graph.add(
            "./",
            "Dataset",
            conformsTo=self.graph.add(PROFILE, "CreativeWork", name="Process Run Crate", version="0.5"),
            name=f"Results of okbench: {', '.join(names)}, tier {', '.join(tiers)}, {day}",
            description=f"Traces of online kernel learners, {len(self.experiments)} experiments; trials: {counted}. "
            "Each trial that ran is an action; each trace is an HDF5 file.",
            datePublished=day,
            license=self.license,
            author=self.agent,
            citation=list(papers.values()),
            hasPart=parts,
            mentions=self.actions + collections,
        )
        self.graph.add(METADATA, "CreativeWork", conformsTo=reference(RO_CRATE), about=reference("./"))


def make(folder, options=None):
    """Returns the metadata of a result folder and the counts {"completed", "failed", "not run", "files", "bytes"}.

    Raises ClaimError for a folder without results or invalid options, TraceFileError or OSError for files that
    cannot be read.
    """
    options = options or Options()
    crate = Crate(folder, options)
    experiments = results_below(crate.folder)
    crate.stale, _ = compare_plans(crate.folder)
    for results, name in experiments:
        crate.add_experiment(results, name)
    if not crate.actions:
        raise ClaimError(f"{folder}: no planned trial has run; start them with okbench run")
    parts, files, size = crate.add_files()
    papers = crate.add_papers(options.experiments)
    crate.add_folders(parts, papers)
    crate.add_root(parts[crate.folder], papers)
    # The metadata file and the root folder come first.
    entities = crate.graph.entities
    first = [entities.pop(identifier) for identifier in (METADATA, "./")]
    content = {"@context": CONTEXT, "@graph": [*first, *entities.values()]}
    return content, {**crate.counts, "files": files, "bytes": size}


def write(folder, content):
    """Writes the metadata into the folder atomically. Returns the path. Raises WriteError."""
    path = pathlib.Path(folder) / METADATA
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return path
