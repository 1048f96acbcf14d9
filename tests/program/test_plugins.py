"""okbench --plugin: learners in shared libraries of their own."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import h5py
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402

SPEC = """format = 2
experiment = "mine/plugins"
title = "A learner of one's own"
[data]
name = "margin"
synthetic_rows = 400
order = "permutation"
test = "test"
[kernel]
name = "rbf"
gamma = 1
[trace]
checkpoints = 2
[learners.theirs]
learner = "perceptron"
"""
MINE = """[learners.mine]
learner = "mine"
"""
# The program's perceptron under another name, which leaves a mark when any of its code runs.
SOURCE = """#include <cstdlib>
#include <fstream>

#include "learners/api/plugin.h"
#include "learners/methods/perceptron/perceptron.h"

namespace okbench::NAME {

const bool marked = [] {
  if (const char* path = std::getenv("PLUGIN_MARK")) std::ofstream(path) << "loaded";
  return true;
}();

LearnerInfo Describe() {
  return DefineBudgetLearner(
      {.name = "NAME", .title = "Perceptron", .paper = "", .labels = {LabelKind::kBinary}, .update = "f <- f + y k"},
      {.beta = 0},
      [](const BudgetOptions& /*options*/, const auto& /*train*/) { return perceptron::PerceptronUpdate(); });
}

}  // namespace okbench::NAME

OKBENCH_PLUGIN(okbench::NAME::Describe);
"""


def learner(folder, source):
    folder.mkdir(parents=True)
    (folder / "learner.cpp").write_text(source)
    return folder


def compiler(binary):
    """That of the program, where its build tells."""
    cache = pathlib.Path(binary).resolve().parent / "CMakeCache.txt"
    match = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache.read_text(), re.M) if cache.exists() else None
    return [f"-DCMAKE_CXX_COMPILER={match[1]}"] if match else []


@pytest.fixture(scope="module")
def plugins(binary, tmp_path_factory):
    """Libraries by name, built as docs/tutorials/first-learner.md says."""
    folder = tmp_path_factory.mktemp("plugins")
    page = (ROOT / "docs" / "tutorials" / "first-learner.md").read_text()
    pa = next(code for code in re.findall(r"```\w+\n(.*?)```", page, re.S) if code.startswith("// pa/learner.cpp"))
    sources = {
        "pa": pa,
        "mine": SOURCE.replace("NAME", "mine"),
        "again/mine": SOURCE.replace("NAME", "mine"),
        "changed": SOURCE.replace("NAME", "mine").replace("y k", "y k(x,.)"),
        "taken": SOURCE.replace("NAME", "svmd"),
        "wordless": SOURCE.replace("NAME", "mine").split("OKBENCH_PLUGIN")[0],
        "undescribed": SOURCE.replace("NAME", "mine").replace("{LabelKind::kBinary}", "{}"),
    }
    libraries = {}
    for round_, names in enumerate([[name for name in sources if "/" not in name], ["again/mine"]]):
        places = [str(learner(folder / name, sources[name])) for name in names]
        build = folder / f"build{round_}"
        for command in [
            [
                "cmake",
                "-S",
                ROOT,
                "-B",
                build,
                "-G",
                "Ninja",
                f"-DOKBENCH_PLUGIN_FOLDERS={';'.join(places)}",
                *compiler(binary),
            ],
            ["cmake", "--build", build, "--target", "okbench_plugins"],
        ]:
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
            assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        for name in names:
            libraries[name] = build / "plugins" / f"lib{pathlib.Path(name).name}.so"
    return libraries


@pytest.fixture
def spec(tmp_path):
    (tmp_path / "both.toml").write_text(SPEC + MINE)
    (tmp_path / "theirs.toml").write_text(SPEC)
    return tmp_path / "both.toml"


def traces(folder):
    """Key of the spec: (trial id, digest, provenance, spec)."""
    records = {}
    for path in pathlib.Path(folder).rglob("*.h5"):
        with h5py.File(path) as file:
            text = {name: file.attrs[name].decode() for name in file.attrs if isinstance(file.attrs[name], bytes)}
            provenance = json.loads(text["provenance"])
            key = provenance["learner_key"]
            records[key] = (text["trial_id"], text["trace_digest"], provenance, json.loads(text["spec"]))
    return records


def test_a_plugin_runs_as_the_same_code_in_the_program(okbench, plugins, spec, tmp_path):
    plugin = ("--plugin", plugins["mine"])
    assert "Perceptron" in okbench("help", "learners", "mine", *plugin, check=0).stdout
    assert "mine/plugins/mine/r0" in okbench("plan", spec, *plugin, check=0).stdout
    okbench(*plugin, "run", spec, "--out", "r", check=0)
    okbench("run", "theirs.toml", "--out", "alone", check=0)
    ran, alone = traces(tmp_path / "r"), traces(tmp_path / "alone")
    assert ran["mine"][1] == ran["theirs"][1] and ran["mine"][0] != ran["theirs"][0]
    # Who uses no plugin sees nothing of it.
    assert ran["theirs"][:2] == alone["theirs"][:2]
    assert "learner_code" not in ran["theirs"][2] and "code" not in ran["theirs"][3]
    import hashlib

    digest = hashlib.sha256(plugins["mine"].read_bytes()).hexdigest()
    assert ran["mine"][3]["code"] == {"kind": "plugin", "sha256": digest}
    assert ran["mine"][2]["learner_code"] == {"kind": "plugin", "name": "libmine.so", "sha256": digest}


def test_the_page_s_learner_is_one(okbench, plugins, spec, tmp_path):
    spec.write_text(SPEC + MINE.replace("mine", "pa"))
    okbench("run", spec, "--out", "r", env={"OKBENCH_PLUGINS": str(plugins["pa"])}, check=0)
    assert set(traces(tmp_path / "r")) == {"pa", "theirs"}


def test_results_are_read_without_it(okbench, summary, plugins, spec, tmp_path):
    okbench("run", spec, "--plugin", plugins["mine"], "--out", "r", check=0)
    assert {row["key"] for row in summary(tmp_path / "r")} == {"mine", "theirs"}
    okbench("summary", "--trace", next((tmp_path / "r").rglob("mine-*.h5")), check=0)
    okbench("verify", "r", "--out", "merged", check=0)
    okbench("compare", "r", "merged", check=0)
    okbench("plot", "r", "--out", "costs.png", check=0)
    assert (tmp_path / "costs.png").stat().st_size > 1000
    okbench("export", "crate", "r", check=0)
    assert "okbench --plugin libmine.so run " in (tmp_path / "r" / "ro-crate-metadata.json").read_text()
    error = okbench("plan", spec, check=2).stderr
    assert "unknown learner 'mine'" in error and error.count("\n") == 1


def test_a_changed_plugin_has_other_trials(okbench, plugins, spec, tmp_path):
    okbench("run", spec, "--plugin", plugins["mine"], "--out", "r", check=0)
    assert plugins["mine"].read_bytes() == plugins["again/mine"].read_bytes()
    again = okbench("run", spec, "--plugin", plugins["again/mine"], "--out", "r", check=0)
    assert "2 already have results, 0 to run" in again.stderr
    changed = okbench("run", spec, "--plugin", plugins["changed"], "--out", "r", check=0)
    assert "1 already have results, 1 to run" in changed.stderr
    assert "1 result is of earlier settings, data or revisions" in changed.stderr


def patched(library, path, old, new):
    content = library.read_bytes()
    assert old in content and len(old) == len(new)
    path.write_bytes(content.replace(old, new))
    return path


def refused(okbench, *plugins, **env):
    words = [word for plugin in plugins for word in ("--plugin", plugin)]
    error = okbench("help", "learners", *words, check=2, env=env).stderr
    assert error.count("\n") == 1 and error.startswith("okbench: --plugin ")
    return error


def test_another_interface_is_reported_before_anything_is_loaded(okbench, plugins, tmp_path):
    mark = tmp_path / "mark"
    library = plugins["mine"]
    version = patched(library, tmp_path / "version.so", b"interface: version 1;", b"interface: version 2;")
    error = refused(okbench, version, PLUGIN_MARK=str(mark))
    assert "version 2 instead of version 1" in error and "rebuild it" in error and "headers" not in error
    digest = re.search(rb"; headers ([0-9a-f]{64});", library.read_bytes())[1]
    headers = patched(library, tmp_path / "headers.so", digest, digest[::-1])
    assert "headers " + digest[::-1].decode()[:20] in refused(okbench, headers, PLUGIN_MARK=str(mark))
    name = re.search(rb"; (GNU|Clang) [0-9]+", library.read_bytes())[0]
    other = patched(library, tmp_path / "other.so", name, name[:-1] + b"?")
    assert "?" in refused(okbench, other, PLUGIN_MARK=str(mark))
    assert not mark.exists()
    okbench("help", "learners", "--plugin", library, env={"PLUGIN_MARK": str(mark)}, check=0)
    assert mark.read_text() == "loaded"


def test_a_file_that_is_no_plugin_is_reported(okbench, binary, plugins, tmp_path):
    (tmp_path / "garbage.so").write_bytes(os.urandom(5000))
    (tmp_path / "empty.so").touch()
    content = plugins["mine"].read_bytes()
    for name, count in [("header", 40), ("half", len(content) // 2), ("most", len(content) - 100)]:
        (tmp_path / f"{name}.so").write_bytes(content[:count])
    for path, text in [
        ("garbage.so", "is not a shared library"),
        ("empty.so", "is not a shared library"),
        ("header.so", "is not a shared library"),
        ("half.so", "was cut short"),
        ("most.so", "was cut short"),
        ("nowhere.so", "cannot be read"),
        (tmp_path, "cannot be read"),
        (sys.executable, "is not"),
        (binary, "cannot be loaded"),
        (plugins["wordless"], "has no line OKBENCH_PLUGIN"),
        (plugins["undescribed"], "its description has no .labels"),
    ]:
        assert text in refused(okbench, path), path


def test_a_name_is_taken_once(okbench, plugins):
    assert "learner 'svmd' already exists, in the program" in refused(okbench, plugins["taken"])
    assert "'mine' already exists, in libmine.so" in refused(okbench, plugins["mine"], plugins["changed"])


def test_the_option_may_follow_any_argument(okbench, plugins, tmp_path):
    shutil.copy(plugins["mine"], tmp_path / "libmine.so")
    for words in (["--plugin", "libmine.so", "help"], ["help", "--plugin", "libmine.so"]):
        (about,) = json.loads(okbench(*words, "learners", "mine", "--json", check=0).stdout)
        assert about["name"] == "mine"
    assert "unknown verb 'hepl'" in okbench("--plugin", "help", "hepl", check=2).stderr
