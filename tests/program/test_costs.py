"""Costs at a glance: means over seeds, what it took to reach an error, kernels as a grid, plots; on the real binary."""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from conftest import ROOT, SMOKE  # noqa: E402

from okbench.results import Results  # noqa: E402
from okbench.measures.steps import cost_until  # noqa: E402

SPEC = """format = 2
experiment = "test/costs"
repetitions = 3
[data]
name = "a8a"
synthetic_rows = 400
synthetic = true
order = "permutation"
batch = 20
test = "test"
[kernel]
name = "rbf"
gamma = {gamma}
[trace]
checkpoints = 4
[learners.norma]
learner = "norma"
[learners.perceptron]
learner = "perceptron"
[learners.pegasos]
learner = "pegasos"
[learners.sampled]
learner = "sampled-cuts"
"""


@pytest.fixture
def run(okbench, tmp_path):
    def start(*arguments, gamma="0.05", spec=SPEC, check=0):
        (tmp_path / "s.toml").write_text(spec.replace("{gamma}", gamma))
        return okbench("run", "s.toml", *arguments, check=check)

    return start


def test_means_are_those_of_the_rows(run, okbench):
    run("--out", "r")
    rows = json.loads(okbench("summary", "r", "--json", check=0).stdout)["trials"]
    means = json.loads(okbench("summary", "r", "--mean", "--json", check=0).stdout)["means"]
    assert [mean["key"] for mean in means] == ["norma", "perceptron", "pegasos", "sampled"]
    for mean in means:
        own = [row for row in rows if row["key"] == mean["key"]]
        assert mean["seeds"] == 3 and mean["failed"] == 0 and mean["kernel"] == "RBF, gamma = 0.05"
        for name in ("error_rate", "test_error", "support_vectors"):
            values = [row[name] for row in own]
            assert mean[name]["mean"] == pytest.approx(np.mean(values))
            assert mean[name]["deviation"] == pytest.approx(np.std(values, ddof=1))
        requested = [row["kernel_evaluations"]["requested"] for row in own]
        assert mean["kernel_evaluations"]["requested"]["mean"] == pytest.approx(np.mean(requested))
        assert mean["cost_to_reach"] is None
    text = okbench("summary", "r", "--mean", check=0).stdout
    assert len(text.splitlines()) == 5 and re.search(r"norma +- +a8a \(SYNTHETIC\) +3 +[\d.]+ \+- [\d.]+", text)
    assert "batch" in okbench("summary", "r", check=0).stdout.splitlines()[0]


@pytest.mark.parametrize("target", [0.6, 0.35, 0.25, 0.01])
def test_costs_are_equal_in_the_program_and_in_claims(run, okbench, tmp_path, target):
    run("--out", "r")
    rows = json.loads(okbench("summary", "r", "--target", target, "--json", check=0).stdout)["trials"]
    traces = {trial.trace.trial_id: trial.trace for trial in Results(tmp_path / "r").read("test/costs").trials}
    for row in rows:
        cost, trace = row["cost_to_reach"], traces[row["id"]]
        assert cost["error"] == target
        expected = cost_until(trace, target)
        assert (float("inf") if cost["requested"] is None else cost["requested"]) == expected
        # By hand: the last recorded step that is not below, and the next one.
        counted = trace.provenance["counted"]
        assert (counted == "training set") == (row["key"] == "sampled")
        over = [i for i, error in enumerate(trace.average_error) if not error < target]
        first = over[-1] + 1 if over else 0
        assert expected == (trace["kernel_requested"][first] if first < len(trace["step"]) else float("inf"))


def test_mistakes_of_learners_that_look_at_all_examples_are_over_all(run, tmp_path):
    run("--out", "r")
    for planned in Results(tmp_path / "r").read("test/costs").trials:
        trace = planned.trace
        assert trace.average_error[-1] == pytest.approx(trace.summary["error_rate"], abs=1e-12)
        assert np.all(np.diff(trace["seconds"]) >= 0) and trace["seconds"][-1] <= trace.provenance["wall_seconds"]


def test_a_kernel_can_be_a_grid_and_be_tuned(run, okbench, tmp_path):
    streams = SPEC.replace('[learners.sampled]\nlearner = "sampled-cuts"\n', "")
    run("--out", "r", gamma="{ grid = [0.01, 0.05, 0.25] }", spec=streams)
    results = Results(tmp_path / "r")
    experiment = results.read("test/costs")
    assert len(experiment.trials) == 27 and not experiment.missing
    for planned in experiment.trials:
        gamma = planned.axes["kernel.gamma"]
        assert planned.trace.spec["kernel"] == {"name": "rbf", "gamma": gamma}
        assert f"kernel.gamma={gamma}" in planned.grid_point
    # Another gamma is another trial; one alone has the id that it had without a grid.
    run("--out", "plain", gamma="0.05", spec=streams)
    ids = {trial.trace.trial_id for trial in experiment.trials if trial.axes["kernel.gamma"] == 0.05}
    stale = rows_of(okbench, "r", "--stale")  # the spec file was written again
    digests = {row["trace_digest"] for row in stale if row["parameters"]["kernel.gamma"] == 0.05}
    assert digests == {row["trace_digest"] for row in rows_of(okbench, "plain")} and len(ids) == 9
    assert "kernel.gamma=0.25" in okbench("summary", "r", "--stale", check=0).stdout

    rounds = re.sub(r'\[learners.(norma|perceptron)\]\nlearner = "\w+"\n', "", streams)
    run("--out", "t", gamma="{ tune = [0.01, 0.25] }", spec=rounds)
    tuned = Results(tmp_path / "t").read("test/costs").trials
    for planned in tuned:
        search = planned.trace.summary["tuned"]
        assert search["trials"] == 10 and set(search["chosen"]) == {"kernel.gamma"}
        best = int(np.argmin(search["validation_errors"]))
        assert search["chosen"]["kernel.gamma"] == [0.01, 0.25][best]
        assert planned.trace.provenance["kernel"] == f"RBF, gamma = {[0.01, 0.25][best]}"
        assert planned.trace.parameters["kernel.gamma"] == [0.01, 0.25][best]
    # Streams choose on how each begins: one trial a candidate and repetition.
    run("--out", "u", gamma="{ tune = [0.01, 0.25] }", spec=streams)
    online = [
        trial for trial in Results(tmp_path / "u").read("test/costs").trials if trial.trace.spec["learner"] == "norma"
    ]
    assert online and all(trial.trace.summary["tuned"]["trials"] == 2 for trial in online)
    assert all(set(trial.trace.summary["tuned"]["chosen"]) == {"kernel.gamma"} for trial in online)
    for bad in (
        "{ grid = [] }",
        "{ grid = [1, -1] }",
        '{ grid = ["a"] }',
        "{ grid = [1], tune = [2] }",
        "{ gird = [1] }",
    ):
        error = run("--out", "u", gamma=bad, check=2).stderr
        assert "kernel.gamma" in error and error.count("\n") == 1, error


def test_of_a_grid_the_best_point_is_reported(run, okbench):
    run("--out", "r", gamma="{ grid = [0.001, 0.05, 2] }", spec=SPEC)
    means = json.loads(okbench("summary", "r", "--mean", "--json", check=0).stdout)["means"]
    best = json.loads(okbench("summary", "r", "--best", "--json", check=0).stdout)["means"]
    assert [point["key"] for point in best] == ["norma", "perceptron", "pegasos", "sampled"]
    for point in best:
        own = [row for row in means if row["key"] == point["key"]]
        assert point["points"] == len(own) == 3
        assert point["test_error"]["mean"] == min(row["test_error"]["mean"] for row in own)
    assert "(best of 3)" in okbench("summary", "r", "--best", check=0).stdout


def rows_of(okbench, folder, *options):
    return json.loads(okbench("summary", folder, "--json", *options, check=0).stdout)["trials"]


def test_overridden_results_have_a_folder_of_their_own(okbench, tmp_path):
    done = okbench("run", SMOKE, "--tier", "quick", "--set", "repetitions=1", check=0)
    (folder,) = (tmp_path / "results").iterdir()
    assert re.fullmatch(r"quick-set-[0-9a-f]{8}", folder.name) and f"results/{folder.name}" in done.stderr
    plan = json.loads((folder / "smoke" / "online-svm" / "plan.json").read_text())
    assert plan["overrides"] == ["repetitions=1"]
    # The same overrides find what they have made, others do not.
    same = okbench("run", SMOKE, "--tier", "quick", "--set", "repetitions=1", check=0).stderr
    assert ", 0 to run" in same
    okbench("run", SMOKE, "--tier", "quick", "--set", "repetitions=2", check=0)
    assert len(list((tmp_path / "results").iterdir())) == 2


def test_plots_are_of_the_traces(run, okbench, tmp_path):
    run("--out", "r")
    for x, label in (("computed", "kernel evaluations computed"), ("examples", "examples"), ("steps", "steps")):
        okbench("plot", "s.toml", "--results", "r", "--x", x, "--out", f"p-{x}", check=0)
        assert label in (tmp_path / f"p-{x}.svg").read_text()
    svg = okbench("plot", "r", "--y", "test_error", "--target", "0.9", "--out", "t.svg", check=0).stdout
    assert "t.png (also .svg, .pdf)" in svg
    text = (tmp_path / "t.svg").read_text()
    assert "kernel evaluations requested to 90 %" in text and "generated synthetic data" in text
    for arguments, status, message in (
        (["nowhere"], 2, "nowhere: no such spec or folder"),
        (["r", "--y", "nothing"], 2, "no column 'nothing'"),
        (["r", "--only", "nothing"], 1, "no trial with a result matches 'nothing'"),
        (["s.toml", "--results", "empty"], 2, "no result of test/costs in empty"),
        (["r", "--log", "z"], 2, "--log: expected x, y or x,y"),
    ):
        error = okbench("plot", *arguments, check=status).stderr
        assert message in error and "Traceback" not in error


def words_of(svg):
    """What a figure says, its lines joined."""
    return " ".join(re.sub("<[^>]+>", " ", svg.read_text()).split())


def test_a_plot_names_its_missing_seeds(run, okbench, tmp_path):
    run("--out", "r")
    run("--out", "other", "--set", "learners.norma.eta0=0.5")
    next((tmp_path / "r" / "test" / "costs").glob("norma-r1-*.h5")).unlink()
    said = okbench("plot", "r", "--only", "norma", "--out", "a", check=0).stderr
    text = words_of(tmp_path / "a.svg")
    assert "left out: no result of test/costs/norma/r1" in said
    assert "Means over 2 seeds" in text and "Left out: no result of test/costs/norma/r1" in text
    # Two folders with trials of the same names are two curves, not six seeds of one.
    okbench("plot", "r", "other", "--only", "norma", "--out", "b", check=0)
    text = words_of(tmp_path / "b.svg")
    assert "Means over 2 to 3 seeds" in text and "norma [r]" in text and "norma [other]" in text
    assert "was run with --set learners.norma.eta0=0.5" in text


def test_many_trials_are_reported_by_tenths(okbench):
    specs = sorted((ROOT / "experiments" / "svmd-2006").glob("[di]*.toml"))
    arguments = ["run", *specs, "--tier", "quick", "--out", "r"]
    output = okbench(*arguments, check=0).stderr
    lines = re.findall(r"^\[[#.]{20}\] \d+ of 57 trials, about .* left", output, re.M)
    assert 5 <= len(lines) <= 12 and "unknown left" not in output
    assert not re.search(r"^\[\d+/\d+\]", output, re.M)
    every = okbench(*arguments, "--force", "-v", check=0).stderr
    assert len(re.findall(r"^\[\d+/\d+\]", every, re.M)) > 40


def test_version_help_and_suggestions(okbench, sanitized):
    compiler = "Clang" if sanitized else "GNU"
    said = rf"okbench \d+\.\d+\.\d+, commit \w+( \(modified\))?, {compiler} [\d.]+\n"
    assert re.fullmatch(said, okbench("--version").stdout)
    assert "unknown verb 'sumary'; did you mean summary?" in okbench("sumary", check=2).stderr
    assert "unknown verb 'xyzzy'; verbs are run, " in okbench("xyzzy", check=2).stderr
    assert "unknown name 'mirra'; did you mean mira?" in okbench("help", "learners", "mirra", check=2).stderr
    assert okbench("help", "learners", "mira", check=0).stdout.startswith("mira: ")
    learners = json.loads(okbench("help", "learners", "norma", "--json", check=0).stdout)
    assert [row["name"] for row in learners] == ["norma"] and learners[0]["labels"] == ["binary", "multiclass", "real"]


# Words that people know, and what their help contains.
HELP_WORDS = {
    "hinge": "max(0, rho - y f)",
    "auc": "ties one half",
    "rbf": "exp(-gamma ||x-x'||^2)",
    "pa": "passive-aggressive: ",
    "PA-I": "passive-aggressive: ",
    "PassiveAggressive": "passive-aggressive: ",
    "sigma": "kernel.sigma (rbf)",
    "budget": "bpas  ",
    "NORMA": "norma: ",
}


def test_completion_has_every_option_of_every_verb(okbench, binary, tmp_path, monkeypatch):
    text = okbench("--help", check=0).stdout
    assert re.findall(r"^(\w+):\n", text, re.M) == ["Options", "Run", "Read", "Verify", "Help"]
    verbs = re.findall(r"^  (\w+) {2,}", text, re.M)
    assert "plot" in verbs and not {"completion", "speed", "list"} & {*verbs}
    scripts = {shell: okbench("completion", shell, check=0).stdout for shell in ("bash", "zsh", "fish")}
    (tmp_path / "c.bash").write_text(scripts["bash"])

    def offered(*words):
        asked = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}"
        code = f"source c.bash; {asked}; _okbench; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
        return done.stdout.split()

    assert set(verbs) <= set(offered("okbench", '""'))
    for verb in verbs:
        own = re.findall(r"^  (?:-\w, ?)?(--[\w-]+)", okbench(verb, "--help", check=0).stdout, re.M)
        assert "--help" in own and set(own) - {"--help"} <= set(offered("okbench", verb, '""'))
        for option in (flag for flag in own if flag in ("--tier", "--json", "--results", "--x")):
            assert option in scripts["zsh"] and f"-l {option[2:]}" in scripts["fish"]
    assert offered("okbench", "run", "--tier", '""') == ["quick", "default", "paper"]
    assert "--plugin" in offered("okbench", "--")
    both = {"data add": "--name", "data fetch": "--specs", "check history": "--experiment", "board submit": "--sign"}
    for verb, option in both.items():
        first, second = verb.split()
        assert second in offered("okbench", first, second[:2]) and option in offered("okbench", *verb.split(), "--")
        assert option not in offered("okbench", first, "--") or verb == "data fetch"
        assert f"'{verb}')" in scripts["zsh"]
        assert f"_from {first}; and __fish_seen_subcommand_from {second}" in scripts["fish"]
    assert offered("okbench", "data", "add", "--kind", '""') == ["binary", "multiclass", "real"]
    assert "%(" not in "".join(scripts.values())
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/okbench").symlink_to(binary)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert "svmd-2006/fig3" in offered("okbench", "claims", "svmd") and "svmd-2006" in offered("okbench", "claims", "s")
    assert "kernel.sigma=" in offered("okbench", "run", "--set", "kernel.s")
    assert str(ROOT / "experiments/svmd-2006/fig3.toml") in offered("okbench", "run", f"{ROOT}/exp")
    assert {"norma-2001", "kernel.gamma"} <= {*offered("okbench", "help", '""')}

    assert offered("okbench", "plot", "--x", "s") == ["seconds", "steps", "support_vectors"]


def test_help_knows_papers_experiments_and_keys(okbench):
    assert "svmd-2006/fig3  " in okbench("help", "svmd-2006", check=0).stdout
    out = okbench("help", "svmd-2006/fig3", check=0).stdout
    assert "okbench run " in out and "okbench claims svmd-2006" in out
    assert "a number > 0" in okbench("help", "kernel.sigma", check=0).stdout
    assert okbench("help", "norma", check=0).stdout.startswith("norma: ")
    for word, text in HELP_WORDS.items():
        assert text in okbench("help", word, check=0).stdout, word
    assert "did you mean kernel.sigma?" in okbench("help", "kernel.sgma", check=2).stderr


@pytest.mark.parametrize(
    "before, now",
    [
        (["list", "losses"], ["help", "losses"]),
        (["figures", "--help"], ["report", "figures", "--help"]),
        (["history", "--help"], ["check", "history", "--help"]),
        (["merge", "--help"], ["verify", "--help"]),
        (["crate", "--help"], ["export", "crate", "--help"]),
        (["league", "submit", "--help"], ["board", "submit", "--help"]),
        (["league", "board", "--help"], ["board", "--help"]),
    ],
)
def test_a_verb_of_an_earlier_version_names_the_new_one(okbench, before, now):
    done = okbench(*before, check=0)
    old, new = (" ".join(words).removesuffix(" --help").removesuffix(" losses") for words in (before, now))
    assert done.stderr == f"okbench: `okbench {old}` is now `okbench {new}`\n"
    assert done.stdout == okbench(*now, check=0).stdout
