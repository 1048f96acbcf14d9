"""Result folders as RO-Crates: what the profile asks for, and what traces and plans say."""

import copy
import datetime
import hashlib
import json
import pathlib
import shutil
import subprocess
import urllib.parse

import crates
import numpy as np
import pytest
from conftest import tuned_spec
from fake_results import plan_file, trace_file, write_results

from okbench import crate
from okbench.cli import call
from okbench.errors import ClaimError, TraceFileError
from okbench.results import read_experiment

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPTIONS = crate.Options([ROOT / "datasets" / "catalog.toml"], [ROOT / "experiments"])
SMOKE = [ROOT / "experiments" / "smoke" / name for name in ("online-svm.toml", "sparse.toml")]


@pytest.fixture(scope="module")
def shared_results(binary, tmp_path_factory):
    """Three experiments on generated data, one of them with cross validation; files that okbench did not write."""
    folder = tmp_path_factory.mktemp("crate")
    (folder / "t.toml").write_text(tuned_spec("p/tuned").replace("[kernel]", "synthetic = true\n[kernel]"))
    environment = {"OKBENCH_CACHE": str(folder / "none"), "PATH": "/usr/bin:/bin"}
    for specs in (["t.toml"], [*SMOKE, "--tier", "quick"]):
        subprocess.run([binary, "run", *specs, "--quiet", "--out", "a/r"], check=True, cwd=folder, env=environment)
    notes = folder / "a" / "r" / "notes of mine"
    notes.mkdir()
    (notes / "été #1 (100 %).md").write_text("x")
    return folder / "a" / "r"


@pytest.fixture
def results(shared_results, tmp_path):
    return shutil.copytree(shared_results, tmp_path / "r")


def write(folder, options=OPTIONS):
    """Makes and writes a crate that has no problems; {@id: entity}."""
    crate.write(folder, crate.make(folder, options)[0])
    assert crates.problems(folder) == []
    return crates.read(folder)


def test_a_crate_has_every_entity(results):
    entities = write(results)
    actions = crates.of_type(entities, "CreateAction")
    experiments = {name: read_experiment(results, name, searches=True) for name in ("p/tuned", "smoke/online-svm")}
    planned = json.loads((results / "p/tuned/plan.json").read_text())["trials"]
    assert len([action for action in actions if action["name"].startswith("p/tuned/")]) == len(planned) == 8
    assert len(actions) == len(list(results.rglob("*.h5"))) == 8 + 6 + 4
    for experiment in experiments.values():
        for trial in experiment.folds + experiment.trials:
            create_action = entities["#" + trial.path.with_suffix("").relative_to(results).as_posix()]
            provenance = trial.trace.provenance
            assert create_action["name"] == trial.name and f"--trial {trial.id} " in create_action["description"]
            assert create_action["startTime"] == provenance["start_time"].replace("Z", ".000+00:00")
            lasted = sum(provenance[f"{part}_seconds"] for part in ("load", "wall", "test"))
            start, end = (datetime.datetime.fromisoformat(create_action[name]) for name in ("startTime", "endTime"))
            assert lasted <= (end - start).total_seconds() <= lasted + 0.0011
            program = entities[create_action["instrument"]["@id"]]
            assert program["softwareVersion"].startswith("0.1.0+" + provenance["git_commit"][:12])
            output = [
                entities[name]
                for name in crates.ids(program["additionalProperty"] + create_action["additionalProperty"])
            ]
            assert {value["name"]: value["value"] for value in output} == {
                name: provenance[name]
                for name in ("git_commit", "git_dirty", "compiler", "compiler_flags", "cpu", "target")
            }
            made_of = [entities[name] for name in crates.ids(create_action["object"])]
            assert made_of[0]["@id"] == f"{experiment.name}/plan.json" and made_of[-1]["alternateName"] in (
                "a8a",
                "usps",
            )
            assert made_of[-1]["name"].endswith("(generated synthetic fallback)") and "license" not in made_of[-1]
            assert trial.trace.digest in entities[create_action["result"]["@id"]]["description"]
    # What cross validation was made of, its trials made.
    (tuned,) = [
        trial for trial in experiments["p/tuned"].trials if trial.learner_key == "tuned" and not trial.repetition
    ]
    folds = {trial.id: trial.path.relative_to(results).as_posix() for trial in experiments["p/tuned"].folds}
    object_ = crates.ids(entities["#" + tuned.path.with_suffix("").relative_to(results).as_posix()]["object"])
    assert object_[1:-1] == [folds[fold_id] for fold_id in tuned.needs] and len(tuned.needs) > 1
    root = entities["./"]
    assert root["datePublished"] == max(action["endTime"] for action in actions)[:10]
    assert "18 completed, 0 failed, 0 not run; 18 on generated synthetic fallbacks of their data" in root["description"]
    assert root["license"]["@id"] == "https://spdx.org/licenses/BSD-3-Clause" and "author" not in root
    assert urllib.parse.quote("notes of mine/été #1 (100 %).md") in crates.ids(root["hasPart"])
    assert entities["smoke/sparse/"]["name"] == "Binary losses on generated sparse rows"


def test_it_is_the_same_whenever_and_wherever_it_is_made(results, tmp_path, monkeypatch):
    write(results)
    first = (results / crate.METADATA).read_bytes()
    # Its own file, and those that are not whole or hidden, are no part of it.
    (results / "smoke" / "sparse" / "svmd-r0-0.h5.tmp-elsewhere-1").write_text("half")
    shutil.copytree(results / "smoke" / "sparse", results / ".old" / "smoke" / "sparse")
    assert crate.make(results, OPTIONS)[0] == json.loads(first)
    other = tmp_path / "elsewhere"
    shutil.copytree(results, other, ignore=shutil.ignore_patterns(".old", "*.tmp-*"))
    (other / crate.METADATA).write_text("of before")
    monkeypatch.chdir(other)
    assert (
        call("export_crate", ["--catalog", str(OPTIONS.catalogs[0]), "--experiments", str(OPTIONS.experiments[0]), "."])
        == 0
    )
    assert (other / crate.METADATA).read_bytes() == first
    assert not list(other.rglob("*.tmp-*"))


@pytest.mark.parametrize(("place", "actions", "parts"), [("smoke", 10, 2), ("smoke/sparse", 4, 0)])
def test_a_part_of_the_results_is_a_crate(results, place, actions, parts):
    """A folder of experiments, and that of a single one."""
    entities = write(results / place)
    assert len(crates.of_type(entities, "CreateAction")) == actions
    assert len(crates.of_type(entities, "Dataset")) == 1 + parts


def test_failed_trials_are_failed_actions_and_trials_that_did_not_run_are_none(results):
    home = results / "smoke" / "online-svm"
    lost, failed, old = sorted(home.glob("svmd-r0-*.h5"))[:3]
    provenance = read_experiment(results, "smoke/online-svm").traces[0].provenance
    lost.unlink()
    names = {trial["file"]: trial["name"] for trial in json.loads((home / "plan.json").read_text())["trials"]}
    record = {"kind": "diverged", "message": "the loss is\nnot finite", "time": "2030-01-02T03:04:05Z"}
    record |= {"data_set": "usps", "synthetic": True, "provenance": {**provenance, "git_commit": "f" * 40}}
    failed.with_suffix(".failed.json").write_text(json.dumps(record))  # beside the trace, and counts
    # Of an older program, without time and provenance.
    old.unlink()
    old.with_suffix(".failed.json").write_text('{"kind": "timeout"}')
    content, counts = crate.make(results, OPTIONS)
    assert (counts["completed"], counts["failed"], counts["not run"]) == (15, 2, 1)
    crate.write(results, content)
    stem = f"smoke/online-svm/{old.stem}"
    assert crates.problems(results) == ["#okbench needs one version", f"#{stem} has times that are none"]
    entities = crates.read(results)
    assert f"#smoke/online-svm/{lost.stem}" not in entities
    failed_action = entities[f"#smoke/online-svm/{failed.stem}"]
    assert (
        failed_action["actionStatus"] == "http://schema.org/FailedActionStatus"
        and failed_action["name"] == names[failed.name]
    )
    assert (
        failed_action["error"] == "diverged: the loss is\nnot finite"
        and failed_action["endTime"] == "2030-01-02T03:04:05.000+00:00"
    )
    assert (
        failed_action["result"]["@id"] == f"smoke/online-svm/{failed.stem}.failed.json"
        and "startTime" not in failed_action
    )
    assert entities[failed_action["instrument"]["@id"]]["softwareVersion"].startswith("0.1.0+ffffffffffff")
    assert [entities[name].get("alternateName") for name in crates.ids(failed_action["object"])] == [None, "usps"]
    assert entities[f"#{stem}"]["error"] == "timeout" and entities["./"]["datePublished"] == "2030-01-02"
    # The trace beside the failure is a file like others.
    assert entities[f"smoke/online-svm/{failed.name}"]["name"] == failed.name


def test_data_that_was_read_is_reported_with_its_files_terms_and_addresses(tmp_path):
    home = write_results(tmp_path, learner="norma")
    digest = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("train.gz", "test.gz", "unknown")}

    def read_from(files):
        def change(file):
            output = {**json.loads(file.attrs["provenance"]), "data_files": {name: digest[name] for name in files}}
            output |= {"start_time": "2026-01-01T23:59:59Z", "wall_seconds": 1.25, "test_seconds": None}
            file.attrs["provenance"] = np.bytes_(json.dumps(output))

        return change

    for repetition, files in ((0, ["train.gz", "test.gz"]), (1, ["unknown"])):
        data = trace_file(read_from(files), repetition=repetition, learner="norma")
        (home / f"l-r{repetition}.h5").write_bytes(data)
    catalog = tmp_path / "catalog.toml"
    catalog.write_text(
        "[other]\ntitle='Other'\nterms='Free to use'\n"
        "[other.train]\nfiles=[{name='train.gz', urls=['https://e.org/a', 'https://e.org/b'], sha256='0'}]\n"
        "[other.test]\nfiles=[{name='none', urls=[], sha256='0', "
        "alternatives=[{name='test.gz', urls=['https://e.org/t'], file_sha256='0'}]}]\n"
        "[set]\nlike='other'\ntitle='A set'\ntrain={rows=3}\n"
    )
    assert crate.write(tmp_path, crate.make(tmp_path, crate.Options([catalog]))[0]) == tmp_path / crate.METADATA
    entities = crates.read(tmp_path)
    both, unknown_set = (collection for collection in crates.of_type(entities, "Collection"))
    assert both["name"] == unknown_set["name"] == "A set" and both["alternateName"] == "set"
    assert entities[both["license"]["@id"]]["description"] == "Free to use"
    train, test = (entities[name] for name in crates.ids(both["hasPart"]))
    assert both["mainEntity"]["@id"] == train["@id"] and train["sha256"] == digest["train.gz"]
    assert "decompressed" in train["description"]
    assert train["url"] == ["https://e.org/a", "https://e.org/b"]
    assert test["url"] == "https://e.org/t" and test["description"].endswith("of the file as stored")
    assert (
        entities[unknown_set["hasPart"]["@id"]]["name"] == "unknown"
        and "url" not in entities[unknown_set["hasPart"]["@id"]]
    )
    assert {collection["@id"] for collection in (both, unknown_set)} <= set(crates.ids(entities["./"]["mentions"]))
    ends = [action["endTime"] for action in crates.of_type(entities, "CreateAction")]
    assert ends == ["2026-01-02T00:00:00.250+00:00"] * 2 and entities["./"]["datePublished"] == "2026-01-02"


def test_papers_are_cited_by_their_experiments_and_the_crate(results, tmp_path):
    for name, address in (("smoke", 'doi = "10.1000/182"'), ("p", 'url = "https://e.org/volume"'), ("q", "")):
        (tmp_path / "papers" / name).mkdir(parents=True)
        (tmp_path / "papers" / name / "claims.toml").write_text(
            f'format = 1\npaper = "{name}"\n[about]\ntitle = "On {name}"\nauthors = "A. and B."\nvenue = "C 3"\n'
            f'text = "t"\n{address}\n'
        )
    entities = write(results, crate.Options(OPTIONS.catalogs, [tmp_path / "papers"]))
    assert crates.ids(entities["./"]["citation"]) == ["#paper-p", "https://doi.org/10.1000/182"]
    assert entities["#paper-p"]["url"] == "https://e.org/volume"
    assert entities["https://doi.org/10.1000/182"]["description"] == "A. and B.. C 3"
    assert entities["smoke/sparse/"]["citation"] == {"@id": "https://doi.org/10.1000/182"}


@pytest.mark.parametrize(
    ("text", "kind", "identifier"),
    [
        ("Ada Lovelace", "Person", "#agent-Ada%20Lovelace"),
        ("Ada Lovelace <https://orcid.org/0000-0000-0000-0000>", "Person", "https://orcid.org/0000-0000-0000-0000"),
        ("A Laboratory <https://ror.org/00000000>", "Organization", "https://ror.org/00000000"),
    ],
)
def test_the_author_is_reported_if_known(results, text, kind, identifier):
    entities = write(results / "smoke/sparse", crate.Options(license="https://example.org/l", agent=text))
    assert entities[identifier]["@type"] == kind and entities[identifier]["name"] == text.split(" <")[0]
    assert (
        entities["./"]["author"] == {"@id": identifier} and entities["./"]["license"]["@id"] == "https://example.org/l"
    )
    assert all(action["agent"] == {"@id": identifier} for action in crates.of_type(entities, "CreateAction"))


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"license": "do what you like"}, "'do what you like' is not a license; give an SPDX identifier"),
        ({"license": ""}, "'' is not a license"),
        ({"agent": "<https://example.org>"}, "is not an agent; write NAME or NAME <https://...>"),
        ({"agent": "Ada <orcid>"}, "is not an agent"),
        ({"catalogs": ["nowhere.toml"]}, "nowhere.toml: "),
    ],
)
def test_bad_options_are_errors(shared_results, options, cause):
    with pytest.raises(ClaimError) as raised:
        crate.make(shared_results, crate.Options(**options))
    assert cause in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["a = 3", "[a]\ntrain = 3", "[a.train]\nfiles = [3]", "[a.train]\nfiles = [{}]", "[a"])
def test_a_bad_catalog_is_an_error(shared_results, tmp_path, text):
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(ClaimError, match="c.toml: "):
        crate.make(shared_results, crate.Options([tmp_path / "c.toml"]))


def test_no_crate_without_results(tmp_path):
    for folder in (tmp_path / "none", tmp_path):
        with pytest.raises(ClaimError, match="no results here; okbench run makes some"):
            crate.make(folder)
    for file in write_results(tmp_path).glob("*.h5"):
        file.unlink()
    with pytest.raises(ClaimError, match="no planned trial has run"):
        crate.make(tmp_path)
    assert not (tmp_path / crate.METADATA).exists()


def test_a_plan_in_a_folder_of_another_name_is_an_error(results, tmp_path):
    shutil.copytree(results / "smoke" / "sparse", results / "smoke" / "sparse-of-before")
    with pytest.raises(ClaimError, match="the plan of smoke/sparse is not in a folder of that name"):
        crate.make(results)
    shutil.copytree(results / "smoke" / "sparse", tmp_path / "other" / "sparse")
    with pytest.raises(ClaimError, match="is not in a folder of that name"):
        crate.make(tmp_path / "other")


def test_damaged_traces_are_errors_and_write_no_crate(tmp_path):
    home = write_results(tmp_path)
    (home / "l-r0.h5").write_bytes((home / "l-r0.h5").read_bytes()[:-20])
    with pytest.raises(TraceFileError, match="l-r0.h5: "):
        crate.make(tmp_path)
    assert not (tmp_path / crate.METADATA).exists()


@pytest.mark.parametrize(
    "change", [{"start_time": "yesterday"}, {"start_time": 3}, {"wall_seconds": 1e300}, {"data_files": {"a": None}}]
)
def test_an_invalid_provenance_is_an_error(tmp_path, change):
    home = write_results(tmp_path, learner="norma")

    def put(file):
        output = {**json.loads(file.attrs["provenance"]), "start_time": "2026-01-01T00:00:00Z", **change}
        file.attrs["provenance"] = np.bytes_(json.dumps(output))

    (home / "l-r0.h5").write_bytes(trace_file(put, learner="norma"))
    with pytest.raises(TraceFileError, match="l-r0.h5: its provenance cannot be read: ") as raised:
        crate.make(tmp_path)
    assert "\n" not in str(raised.value)


def test_a_trace_in_a_hidden_file_is_an_error(tmp_path):
    plan = plan_file(learner="norma")
    plan["trials"][0]["file"] = ".l-r0.h5"
    home = write_results(tmp_path, plan=plan, learner="norma")
    (home / "l-r0.h5").rename(home / ".l-r0.h5")
    with pytest.raises(TraceFileError, match="is not a file of .* that a crate can contain"):
        crate.make(tmp_path)


def test_it_is_written_whole_or_not_at_all(results, monkeypatch, capsys):
    (results / crate.METADATA).write_text("of before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("okbench.writing.os.fsync", full)
    assert call("export_crate", [str(results)]) == 1
    output = capsys.readouterr()
    cause = "cannot be written: No space left on device"
    assert output.err == f"okbench: {results / crate.METADATA}: {cause}\n" and output.out == ""
    assert (results / crate.METADATA).read_text() == "of before" and not list(results.rglob("*.tmp-*"))


def test_the_checks_can_fail(results):
    """Each thing that the profile asks for is missed when it is not there."""
    write(results)
    whole = json.loads((results / crate.METADATA).read_text())

    def kind(graph, name):
        return next(entity for entity in graph if entity["@type"] == name)

    for change, cause in (
        (lambda graph: graph.pop(0), "no descriptor"),
        (lambda graph: graph[0].update(about={"@id": "smoke/"}), "of another folder"),
        (lambda graph: graph[1].pop("conformsTo"), "does not conform to the profile"),
        (lambda graph: graph[1].pop("datePublished"), "no datePublished"),
        (lambda graph: graph[1].pop("license"), "no license"),
        (lambda graph: graph[1]["mentions"].pop(), "is not mentioned"),
        (lambda graph: graph[1]["hasPart"].append(graph[1]["hasPart"][0]), "listed twice"),
        (lambda graph: graph.append(graph[-1]), "is there twice"),
        (lambda graph: graph[1].update(colour="red"), "colour is in no context"),
        (lambda graph: kind(graph, "CreateAction").pop("instrument"), "has no instrument"),
        (lambda graph: kind(graph, "CreateAction").update(endTime="now"), "times that are none"),
        (lambda graph: kind(graph, "CreateAction").update(endTime="1999-01-01T00:00:00.000+00:00"), "before it began"),
        (lambda graph: kind(graph, "CreateAction").update(result={"@id": "x"}), "refers to x, which is nowhere"),
        (lambda graph: kind(graph, "CreateAction").update(error="none"), "has an error, or none"),
        (lambda graph: kind(graph, "CreateAction").update(object={"name": "x"}), "is not flat"),
        (lambda graph: kind(graph, "File").update(sha256="0"), "another digest"),
        (lambda graph: kind(graph, "File").update(contentSize="0"), "another size"),
        (lambda graph: kind(graph, "File").pop("encodingFormat"), "no encodingFormat"),
        (lambda graph: graph.remove(kind(graph, "File")), "listed or there alone"),
        (lambda graph: kind(graph, "SoftwareApplication").update(version="1"), "needs one version"),
    ):
        content = copy.deepcopy(whole)
        change(content["@graph"])
        assert any(cause in problem for problem in crates.problems(results, content)), cause
