"""Checks that a folder is a crate: all MUST and SHOULD rules of RO-Crate 1.1 and its profile Process Run Crate 0.5.

Exceptions: a URL of the program, because it has none, and an agent, if none was given."""

import datetime
import hashlib
import json
import pathlib
import re
import urllib.parse

METADATA = "ro-crate-metadata.json"
RO_CRATE = "https://w3id.org/ro/crate/1.1"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
# Of the two contexts: the words that crates of okbench use.
TERMS = set(
    "@id @type about actionStatus additionalProperty agent alternateName author citation conformsTo contentSize "
    "datePublished description encodingFormat endTime error hasPart identifier instrument license mainEntity mentions "
    "name object result sha256 softwareRequirements softwareVersion startTime url value version".split()
)
TYPES = set(
    "Collection CreateAction CreativeWork Dataset File Organization Person PropertyValue ScholarlyArticle "
    "SoftwareApplication".split()
)
MADE_OF = {"File", "Dataset", "Collection", "CreativeWork", "PropertyValue"}
TIME = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+\d{2}:\d{2}"
STATUS = ("http://schema.org/CompletedActionStatus", "http://schema.org/FailedActionStatus")


def listed(value):
    return value if isinstance(value, list) else [] if value is None else [value]


def ids(value):
    return [reference.get("@id") for reference in listed(value) if isinstance(reference, dict)]


def read(folder):
    """{@id: entity}"""
    graph = json.loads((pathlib.Path(folder) / METADATA).read_text(encoding="utf-8"))["@graph"]
    return {entity["@id"]: entity for entity in graph}


def of_type(entities, kind):
    return [entity for entity in entities.values() if entity["@type"] == kind]


class Checker:
    """All that is wrong with a crate."""

    def __init__(self, folder, content=None):
        self.folder, self.problems = pathlib.Path(folder), []
        content = content or json.loads((self.folder / METADATA).read_text(encoding="utf-8"))
        self.need(
            content.get("@context") == [f"{RO_CRATE}/context", "https://w3id.org/ro/terms/workflow-run/context"],
            "the context is another",
        )
        self.entities = {}
        for entity in content["@graph"]:
            self.need(entity["@id"] not in self.entities, f"{entity['@id']} is there twice")
            self.entities[entity["@id"]] = entity
        for check in (self.flat, self.top, self.data, self.programs, self.actions, self.collections):
            check()

    def need(self, good, what):
        if not good:
            self.problems.append(what)
        return good

    def kinds(self, value):
        return [self.entities.get(key, {}).get("@type") for key in ids(value)]

    def of(self, kind):
        return of_type(self.entities, kind)

    def flat(self):
        for key, entity in self.entities.items():
            self.need(entity["@type"] in TYPES, f"{key} is of the unknown type {entity['@type']}")
            for name, value in entity.items():
                self.need(name in TERMS, f"{key}: {name} is in no context")
                self.need(value not in (None, "", []), f"{key}: {name} is empty")
                self.need(not isinstance(value, list) or len(value) > 1, f"{key}: {name} is a list of one")
                for item in listed(value):
                    if isinstance(item, dict):
                        self.need(list(item) == ["@id"], f"{key}: {name} is not flat")
                        self.need(
                            item.get("@id") in self.entities or item.get("@id") == RO_CRATE,
                            f"{key}: {name} refers to {item.get('@id')}, which is nowhere",
                        )

    def top(self):
        descriptor = self.entities.get(METADATA, {})
        self.need(descriptor.get("@type") == "CreativeWork", "no descriptor")
        self.need(descriptor.get("conformsTo") == {"@id": RO_CRATE}, "the descriptor conforms to no RO-Crate")
        self.need(descriptor.get("about") == {"@id": "./"}, "the descriptor is of another folder")
        root = self.root = self.entities.get("./", {})
        self.need(root.get("@type") == "Dataset", "no root")
        self.need(PROFILE in ids(root.get("conformsTo")), "the root does not conform to the profile")
        self.need(self.entities.get(PROFILE, {}).get("@type") == "CreativeWork", "the profile is not described")
        for name in ("name", "description"):
            self.need(isinstance(root.get(name), str), f"the root has no {name}")
        self.need(re.fullmatch(r"\d{4}-\d{2}-\d{2}", root.get("datePublished", "")), "the root has no datePublished")
        self.need(self.kinds(root.get("license")) == ["CreativeWork"], "the root has no license")
        for key in ids(root.get("license")):
            self.need({"name", "description"} <= set(self.entities.get(key, {})), f"{key} says nothing")

    def data(self):
        parts = [part for entity in self.of("Dataset") for part in ids(entity.get("hasPart"))]
        self.need(len(parts) == len(set(parts)), "a part is listed twice")
        paths = {
            path.relative_to(self.folder).as_posix()
            for path in self.folder.rglob("*")
            if path.is_file() and path != self.folder / METADATA
        }
        files = {urllib.parse.unquote(file["@id"]) for file in self.of("File")}
        self.need(files == paths, f"files that are listed or there alone: {sorted(files ^ paths)}")
        for data_entity in self.of("File") + [dataset for dataset in self.of("Dataset") if dataset["@id"] != "./"]:
            key, path = data_entity["@id"], self.folder / urllib.parse.unquote(data_entity["@id"])
            self.need(key in parts, f"{key} is part of nothing")
            self.need(re.fullmatch(r"[\w.~%/-]+", key, re.ASCII), f"{key} is no relative path")
            if data_entity["@type"] == "Dataset":
                self.need(key.endswith("/") and path.is_dir(), f"{key} is no folder")
            elif self.need(path.is_file(), f"{key} is no file"):
                content = path.read_bytes()
                self.need(data_entity.get("contentSize") == str(len(content)), f"{key} has another size")
                self.need(data_entity.get("sha256") == hashlib.sha256(content).hexdigest(), f"{key} has another digest")
                good = re.fullmatch(r"\w+/\w[\w.-]*(\+\w+)?", data_entity.get("encodingFormat", ""))
                self.need(good, f"{key} has no encodingFormat")

    def programs(self):
        for program in self.of("SoftwareApplication"):
            self.need("name" in program, f"{program['@id']} has no name")
            self.need(("version" in program) != ("softwareVersion" in program), f"{program['@id']} needs one version")

    def actions(self):
        self.need(self.of("CreateAction"), "nothing was done")
        for action in self.of("CreateAction"):
            key = action["@id"]
            self.need(key in ids(self.root.get("mentions")), f"{key} is not mentioned")
            self.need({"name", "description"} <= set(action), f"{key} says nothing")
            self.need(self.kinds(action.get("instrument")) == ["SoftwareApplication"], f"{key} has no instrument")
            self.need(set(self.kinds(action.get("agent"))) <= {"Person", "Organization"}, f"{key} has no agent")
            times = [action.get(name, "") for name in ("startTime", "endTime") if name in action or name == "endTime"]
            if self.need(all(re.fullmatch(TIME, time) for time in times), f"{key} has times that are none"):
                moments = [datetime.datetime.fromisoformat(time) for time in times]
                self.need(moments == sorted(moments), f"{key} ended before it began")
            self.need(action.get("object") and set(self.kinds(action["object"])) <= MADE_OF, f"{key} is of nothing")
            self.need(self.kinds(action.get("result")) == ["File"], f"{key} has no result")
            self.need(action.get("actionStatus") in STATUS, f"{key} has no status")
            self.need(("error" in action) == (action.get("actionStatus") == STATUS[1]), f"{key} has an error, or none")
        results = [result for action in self.of("CreateAction") for result in ids(action.get("result"))]
        self.need(len(results) == len(set(results)), "a result was made twice")

    def collections(self):
        for collection in self.of("Collection"):
            self.need(collection["@id"] in ids(self.root.get("mentions")), f"{collection['@id']} is not mentioned")
            self.need(
                set(ids(collection.get("mainEntity"))) <= set(ids(collection.get("hasPart"))),
                f"{collection['@id']} has no main part",
            )
            self.need(collection.get("mainEntity"), f"{collection['@id']} has no main part")


def problems(folder, content=None):
    return Checker(folder, content).problems
