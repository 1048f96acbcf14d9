"""Requests without a sensible result are refused, or a warning says what happens."""

import json
import os
import subprocess

import h5py
import pytest

SPEC = """
format = 2
experiment = "refused/one"
title = "A small run"
repetitions = 2
[data]
name = "DATA"
order = "ORDER"
MORE
[kernel]
name = "rbf"
sigma = 2
[learners.one]
learner = "LEARNER"
"""


def spec(folder, data="wine", more="positive = [0]", learner="perceptron", order="permutation"):
    path = folder / "spec.toml"
    path.write_text(
        SPEC.replace("DATA", data).replace("MORE", more).replace("LEARNER", learner).replace("ORDER", order)
    )
    return path


def test_equal_repetitions_are_refused(okbench, tmp_path):
    refused = okbench("run", spec(tmp_path, order="file"), "--out", "r", check=2)
    assert "all 2 repetitions would be equal; use repetitions = 1, or data.order" in refused.stderr
    # A method that draws random numbers has different repetitions.
    path = spec(tmp_path, order="file", learner="rbp")
    path.write_text(path.read_text() + "budget = 5\n")
    okbench("run", path, "--out", "r", check=0)
    digests = set()
    for trace in (tmp_path / "r").rglob("*.h5"):
        with h5py.File(trace) as file:
            digests.add(file.attrs["trace_digest"])
    assert len(digests) == 2


def test_positive_classes_leave_two_classes(okbench, tmp_path):
    refused = okbench("run", spec(tmp_path, more="positive = [0, 1, 2]"), "--out", "r", check=1)
    assert "data.positive names every class of 'wine', so one class is left" in refused.stderr


def test_a_limit_beyond_the_data_is_named(okbench, tmp_path):
    path = spec(tmp_path, data="breast-cancer", more="max_examples = 1000")
    assert (
        f"{path}: data.max_examples = 1000, but breast-cancer has 400 rows"
        in okbench("run", path, "--out", "r", check=0).stderr
    )
    assert "data.max_examples" not in okbench("run", path, "--out", "r", "--quiet", check=0).stderr


@pytest.mark.parametrize(
    "arguments, cause",
    [
        (("run", "spec.toml", "--out", ""), "--out: must not be empty"),
        (("plot", "spec.toml", "--out", ""), "--out: must not be empty"),
        (("summary", ""), "must not be empty"),
        (("run", "spec.toml", "--quiet", "--verbose"), "--quiet excludes --verbose"),
        (("run", "spec.toml", "--only", "*", "--trial", "0123456789abcdef"), "--only excludes --trial"),
    ],
)
def test_senseless_options_are_refused(okbench, tmp_path, arguments, cause):
    spec(tmp_path)
    refused = okbench(*arguments, check=2)
    assert cause in refused.stderr and refused.stderr.count("\n") == 1 and not refused.stdout


def test_a_target_in_percent_is_refused(okbench, tmp_path):
    path = spec(tmp_path)
    okbench("run", path, "--out", "r", check=0)
    refused = okbench("plot", path, "--results", "r", "--target", 20, "--out", "p.png", check=2)
    assert "the target 20 must be a share between 0 and 1: 20 % is 0.2" in refused.stderr
    okbench("plot", path, "--results", "r", "--target", 0.2, "--out", "p.png", check=0)


def test_the_choice_of_distances_is_recorded(okbench, tmp_path):
    def recorded(sigma):
        path = spec(tmp_path)
        path.write_text(path.read_text().replace("sigma = 2", f"sigma = {sigma}"))
        okbench("run", path, "--out", f"r{sigma}", check=0)
        with h5py.File(next((tmp_path / f"r{sigma}").rglob("*.h5"))) as file:
            return json.loads(file.attrs["provenance"]).get("rbf_distances")

    # Rows of wine have norms of about 1000.
    assert recorded(1) == "from differences where the expansion may be off by 1e-5"
    assert recorded(10000) is None


def test_a_grid_beyond_memory_is_one_line(okbench, tmp_path):
    path = spec(tmp_path, learner="norma")
    values = [number / 1000 for number in range(1, 6001)]
    path.write_text(path.read_text() + f"[learners.one.grid]\neta0 = {values}\nc = {values}\n")
    refused = okbench("plan", path, check=2)
    assert "plans 72000000 trials, which need 158.4 GB of memory; the limit is " in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_label_graph_scales_the_margin_and_a_bad_one_is_named(okbench, tmp_path):
    """The loss of a stream with Delta = 2 between any two classes is not that with Delta = 1; task_loss counts 2."""
    graph = 'graph = ["0 hub 1", "1 hub 1", "2 hub 1"]'
    path = spec(tmp_path, more=graph, learner="norma")
    text = path.read_text().replace("repetitions = 2", "repetitions = 1")
    path.write_text(text + 'loss = "graph-hinge"\neta0 = 0.1\nbuffer = 100\n')
    okbench("run", path, "--out", "r", check=0)
    trace = next((tmp_path / "r").rglob("*.h5"))
    with h5py.File(trace) as file:
        rows = file["trace"]
        assert rows["loss_sum"][0] == 2
        assert (rows["task_loss_sum"][:] == 2 * rows["mistakes"][:]).all()
    for wrong, message in (
        ('graph = ["0 hub 1", "1 hub 1"]', "class '2' has no path to class '0'"),
        ('graph = ["0 1 -2"]', "edge '0 1 -2': expected two nodes and a weight >= 0"),
        (graph + '\ntree = "full"', "data.tree"),
        (graph + "\npositive = [0]", "data.positive, which leaves two"),
    ):
        path.write_text(path.read_text().replace(graph, wrong))
        refused = okbench("run", path, "--out", "r", check=2).stderr
        assert message in refused and refused.count("\n") == 1
        path.write_text(path.read_text().replace(wrong, graph))
    path.write_text(path.read_text().replace(graph, ""))
    missing = okbench("run", path, "--out", "r", check=1).stderr
    assert "the loss 'graph-hinge' needs a label graph: data.graph" in missing


@pytest.mark.parametrize("name", ["new\nline", "ctrl\x01", "delete\x7f", b"bad\xff"], ids=repr)
@pytest.mark.parametrize("verb", ["run", "summary", "plot", "export", "league"])
def test_paths_that_no_line_can_hold_are_refused_in_every_verb(binary, environment, tmp_path, verb, name):
    path = os.path.join(os.fsencode(tmp_path), os.fsencode(name))
    done = subprocess.run([os.fsencode(binary), verb.encode(), path], env=environment, capture_output=True)
    cause = b"is not valid UTF-8" if isinstance(name, bytes) else b"contains a control character"
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and cause in done.stderr


def test_a_folder_with_a_leading_dash_works_in_a_league(binary, environment, tmp_path):
    rows = "".join(f"{i % 7},{i % 5},{'even' if (i % 7 + i % 5) % 2 else 'odd'}\n" for i in range(120))
    (tmp_path / "-dash").mkdir()
    (tmp_path / "-dash" / "my data.csv").write_text("a,b,kind\n" + rows)
    words = ["league", "./-dash/my data.csv", "--label", "kind", "--tier", "quick", "--out", "./-dash/out"]
    environment = {**environment, "OKBENCH_DATA": str(tmp_path / "data")}
    done = subprocess.run([binary, *words], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and (tmp_path / "-dash" / "out" / "index.html").is_file(), done.stderr
