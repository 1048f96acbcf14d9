"""tools/run-specs.sh: which data each spec of the main job runs on, and where the results are."""

import json
import re
import subprocess

import pytest
from conftest import ROOT

SPEC = """format = 2
experiment = "own/{name}"
title = "Specs by their data"
[data]
name = {data}
positive = [0]
order = "permutation"
[kernel]
name = "rbf"
sigma = 20
[learners.perceptron]
learner = "perceptron"
[tiers.quick]
"data.synthetic_rows" = 50
"""
DATA = {"files": '"digits"', "both": '["digits", "pendigits"]', "replaced": '"pendigits"', "none": '"outdoor"'}


@pytest.fixture
def run(binary, environment, tmp_path):
    for name, data in DATA.items():
        (tmp_path / f"{name}.toml").write_text(SPEC.format(name=name, data=data))

    def run(tier="default", generalise="", specs=tuple(DATA)):
        script = [ROOT / "tools" / "run-specs.sh", binary, "r", tier, generalise, "--jobs", "1", "--"]
        return subprocess.run(
            [*script, *(f"{name}.toml" for name in specs)],
            env={**environment, "OKBENCH_CACHE": str(tmp_path / "cache")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )

    return run


def plans(folder):
    """{experiment: (tier, data sets of its trials)} of a result folder."""
    experiments = {}
    for path in sorted(folder.glob("own/*/plan.json")):
        plan = json.loads(path.read_text())
        experiments[path.parent.name] = plan["tier"], sorted({trial["data"] for trial in plan["trials"]})
    return experiments


def test_each_spec_runs_on_the_data_it_can_use(run, tmp_path):
    done = run()
    assert done.returncode == 0, done.stderr
    assert plans(tmp_path / "r") == {
        "both": ("default", ["digits"]),
        "files": ("default", ["digits"]),
        "none": ("quick", ["outdoor"]),
    }
    assert plans(tmp_path / "r-replaced-data") == {
        "both": ("default", ["digits", "pendigits"]),
        "replaced": ("default", ["pendigits"]),
    }


def test_a_failure_is_the_status(run, tmp_path):
    (tmp_path / "files.toml").write_text("format = 3\n")
    assert run(specs=["files"]).returncode == 2


@pytest.mark.parametrize(("words", "fetched"), [((), "missing"), (("GENERALISE=1",), "all"), (("TIER=paper",), "all")])
def test_make_fetches_the_replacing_data_that_specs_run_on(words, fetched):
    done = subprocess.run(["make", "-n", "experiments", *words], cwd=ROOT, capture_output=True, text=True)
    assert re.findall(r"--replacements (\w+)", done.stdout) == [fetched]
    (generalise,) = re.findall(r'run-specs\.sh \S+ \S+ \w+ "(\w*)"', done.stdout)
    assert bool(generalise) == (fetched == "all")
