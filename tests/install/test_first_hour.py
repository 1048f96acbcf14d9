"""A new user's first hour on the real program: own data, own learner, a picture of costs, own figure, own claim, the
report. What the documents show is what is built and run here."""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT  # noqa: E402

SPEC = """format = 2
experiment = "mine/first"
title = "Cats against dogs"
repetitions = 3
[data]
name = "pets"
order = "permutation"
test = "test"
[kernel]
name = "rbf"
sigma = { grid = [1, 4] }
[trace]
checkpoints = 4
[learners.pa]
learner = "pa"
label = "PA-I"
budget = 100
[learners.perceptron]
learner = "perceptron"
label = "perceptron"
"""

CLAIMS = """format = 1
paper = "mine"
[about]
title = "Cats and dogs"
authors = "I"
venue = "here"
text = "What I think."
[[figures]]
name = "mine/first"
shows = "The error falls."
claims = ["*"]
[[claims]]
id = "learns"
where = "my notes"
statement = "the aggressive learner makes fewer errors than chance, and reaches 40 %"
value = ["error_rate(mine/first/pa[kernel.sigma=1])", "cost_to_reach(mine/first/pa[kernel.sigma=1], 0.4) / 1e9"]
expect = "all < 0.4"
tolerance = "chance is a half"
note = "It does."
plausible = [0, 1]
"""


def block(document, first_line):
    """The code of a document that begins with a line."""
    text = (ROOT / "docs" / document).read_text()
    return next(code for code in re.findall(r"```\w+\n(.*?)```", text, re.S) if code.startswith(first_line))


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A user's folder, and a program that has his learner."""
    folder = tmp_path_factory.mktemp("hour")
    (folder / "learners" / "pa").mkdir(parents=True)
    (folder / "learners" / "pa" / "learner.cpp").write_text(block("tutorials/first-learner.md", "// pa/learner.cpp"))
    # Beside the program's own build, which has compiled most of it (ccache).
    build = ROOT / "build" / "first-hour"
    shutil.rmtree(build, ignore_errors=True)
    for command in [
        ["cmake", "--preset", "release", "-S", ROOT, "-B", build, "-DOKBENCH_PYTHON_IN_PLACE=OFF"]
        + [f"-DOKBENCH_LEARNERS={folder / 'learners'}", f"-DOKBENCH_PLUGIN_FOLDERS={folder / 'learners' / 'pa'}"]
        + [f"-DOKBENCH_PYTHON={sys.executable}", f"-DOKBENCH_WERROR={os.environ.get('OKBENCH_WERROR', 'OFF')}"],
        ["cmake", "--build", build, "--target", "okbench_program", "okbench_native", "okbench_plugins"],
    ]:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (folder / "build").symlink_to(build)
    # The source tree with the module of that build.
    package = folder / "home" / "python" / "okbench"
    package.mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in ("python", "build"):
            (folder / "home" / path.name).symlink_to(path)
    for path in (ROOT / "python" / "okbench").iterdir():
        if not path.name.startswith("_native."):
            (package / path.name).symlink_to(path)
    for path in (build / "python" / "okbench").glob("_native.*"):
        (package / path.name).symlink_to(path)
    yield folder
    shutil.rmtree(build)


@pytest.fixture
def program(home, environment):
    def run(*arguments, check=0, **env):
        done = subprocess.run(
            [str(home / "build" / "okbench"), *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=home,
            env={
                **environment,
                "OKBENCH_HOME": str(home / "home"),
                "OKBENCH_DATA": str(home / "data"),
                "OKBENCH_EXPERIMENTS": str(home / "experiments"),
                "OKBENCH_FIGURES": str(home / "figures"),
                **env,
            },
        )
        assert done.returncode == check, done.stdout + done.stderr
        return done

    return run


def write_pets(path):
    generator = random.Random(1)
    lines = ["weight,kind,ears"]
    for _ in range(400):
        kind = generator.choice(["cat", "dog"])
        centre = 1 if kind == "dog" else -1
        lines.append(f"{generator.gauss(centre, 1):.4f},{kind},{generator.gauss(-centre, 1):.4f}")
    path.write_text("\n".join(lines) + "\n")


def test_the_first_hour(home, program):
    # Data of one's own.
    write_pets(home / "pets.csv")
    added = program("data", "add", "pets.csv", "--name", "pets", "--label", "kind", "--test", "0.25").stdout
    assert "cat" in added and "dog" in added and "train 300 rows, test 100 rows" in added
    read = program("data", "verify", "pets").stdout
    assert re.search(r"pets train: 300 rows, 2 features, labels cat \(\d+\), dog \(\d+\)", read)
    assert "pets" in program("help", "datasets").stdout

    # A learner of one's own.
    shown = program("help", "learners", "pa").stdout
    assert "Kernel passive-aggressive" in shown and "binary or multiclass labels" in shown and "budget" in shown
    (about,) = json.loads(program("help", "learners", "pa", "--json").stdout)
    assert about["estimator"]["name"] == "Pa" and about["resumable"]
    (home / "experiments" / "mine").mkdir(parents=True)
    (home / "experiments" / "mine" / "first.toml").write_text(SPEC)
    planned = program("plan", "experiments/mine/first.toml").stdout
    assert "mine/first/pa[kernel.sigma=1]/r0" in planned
    done = program("run", "experiments/mine/first.toml")
    assert "next: okbench summary results/default --best" in done.stderr
    assert "mine/first" in program("help", "experiments").stdout

    # Costs at a glance.
    means = json.loads(program("summary", "results/default", "--mean", "--target", "0.4", "--json").stdout)["means"]
    assert {(mean["key"], mean["grid_point"]) for mean in means} == {
        (key, f"kernel.sigma={sigma}") for key in ("pa", "perceptron") for sigma in (1, 4)
    }
    assert all(mean["seeds"] == 3 and mean["error_rate"]["deviation"] > 0 for mean in means)
    reached = {
        mean["key"]: mean["cost_to_reach"]["requested"] for mean in means if mean["grid_point"] == "kernel.sigma=1"
    }
    assert 0 < reached["pa"]["mean"] < 300 * 300
    for x in ("requested", "seconds", "support_vectors"):
        program("plot", "experiments/mine/first.toml", "--x", x, "--y", "error", "--out", f"costs-{x}.png")
        assert all((home / f"costs-{x}.{kind}").stat().st_size > 1000 for kind in ("png", "svg", "pdf"))
    program("plot", "results/default/mine", "--y", "test_error", "--only", "pa", "--log", "x", "--out", "test.svg")
    svg = (home / "test.svg").read_text()
    assert "PA-I (kernel.sigma=1)" in svg and "perceptron" not in svg and "test error (%)" in svg

    # A figure of one's own, a claim of one's own, the report.
    (home / "figures").mkdir()
    (home / "figures" / "mine.py").write_text(block("howto/add-a-figure.md", "# ~/mine/figures/mine.py"))
    assert "figure mine/first: " in program("report", "figures", "--only", "mine/*").stdout
    assert (home / "results" / "default" / "figures" / "mine" / "first.png").stat().st_size > 1000
    (home / "experiments" / "mine" / "claims.toml").write_text(CLAIMS)
    judged = program("claims", "mine").stdout
    assert "reproduced: learns (my notes)" in judged and "all: of 1 statement judged, 1 holds" in judged
    output = program("report").stdout
    assert "of 1 statement judged, 1 holds" in output
    assert "Cats and dogs" in (home / "results" / "report" / "index.html").read_text()
    page = (home / "results" / "report" / "mine.html").read_text()
    assert "The first figure" in page and (home / "results/report/figures/mine-first.png").is_file()


def test_traces_record_local_changes_and_data_files(home, program):
    """Where the program is not that of a commit, and which data it was."""
    from okbench.results import read_trace

    trace = next((home / "results" / "default" / "mine" / "first").glob("pa-r0-*.h5"))
    provenance = read_trace(trace).provenance
    assert provenance["git_dirty"] is True and not provenance["synthetic"]
    assert list(provenance["data_files"]) == ["pets/test.csv.gz", "pets/train.csv.gz"]


def test_the_learner_is_the_same_outside_of_the_program(home, program, okbench, tmp_path):
    """Built in, and as a plugin of the program that was built without it: the same digests, other ids."""
    plugin = home / "build" / "plugins" / "libpa.so"
    spec = tmp_path / "spec.toml"
    spec.write_text(SPEC.replace('"pets"', '"margin"\nsynthetic_rows = 500'))
    program("run", spec, "--out", tmp_path / "within")
    okbench("run", spec, "--out", tmp_path / "outside", "--plugin", plugin, check=0)

    def output(folder, run):
        (rows,) = [json.loads(run("summary", folder, "--json").stdout)["trials"]]
        return {(row["key"], row["grid_point"], row["seed"]): (row["trace_digest"], row["id"]) for row in rows}

    within, outside = output(tmp_path / "within", program), output(tmp_path / "outside", okbench)
    assert set(within) == set(outside) and len(within) == 12
    for key, (digest, trial) in within.items():
        assert outside[key][0] == digest and (outside[key][1] == trial) == (key[0] == "perceptron"), key
    error = program("help", "learners", "--plugin", plugin, check=2).stderr
    assert "learner 'pa' already exists, in the program" in error and error.count("\n") == 1


def test_mistakes_of_a_first_hour_are_reported(home, program, tmp_path):
    broken = SPEC.replace('name = "pets"', 'name = "usps"').replace('learner = "pa"', 'learner = "bpas"')
    (tmp_path / "s.toml").write_text(broken)
    error = program("run", tmp_path / "s.toml", "--dry-run", check=2).stderr
    assert "perceptron needs binary labels" in error and "data.positive = [0]" in error and error.count("\n") == 1
    (home / "data" / "pets" / "train.csv.gz").rename(tmp_path / "away")
    try:
        error = program("run", home / "experiments" / "mine" / "first.toml", "--force", check=2).stderr
        assert "pets/train.csv.gz not found in" in error and "has no synthetic" in error
    finally:
        os.replace(tmp_path / "away", home / "data" / "pets" / "train.csv.gz")
    (tmp_path / "bad.py").write_text("import nothing_of_this_name\n")
    error = program("report", "figures", check=2, OKBENCH_FIGURES=str(tmp_path)).stderr
    assert "bad.py: cannot be imported: ModuleNotFoundError" in error and error.count("\n") == 1
    claims = home / "experiments" / "mine" / "claims.toml"
    text = claims.read_text()
    claims.write_text(re.sub(r'(note|where|tolerance) = "[^"]*"\n', "", text))
    try:
        error = program("claims", "mine", check=2).stderr
        assert "keys 'where', 'tolerance', 'note' are missing" in error
    finally:
        claims.write_text(text)
