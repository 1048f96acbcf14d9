"""okbench compare on two result folders: bits, then errors over seeds and counts."""

import json

import numpy as np
import pytest

SPEC = """format = 2
experiment = "test/compare"
repetitions = 6
[data]
name = "usps"
synthetic_rows = 300
order = "permutation"
test = "test"
[kernel]
name = "rbf"
sigma = 8
[learners.one]
learner = "norma"
loss = "multiclass-hinge"
eta0 = {eta0}
buffer = {buffer}
[learners.two]
learner = "mira"
"""


@pytest.fixture
def results(okbench, tmp_path):
    def make(name, eta0=0.1, buffer=100):
        (tmp_path / f"{name}.toml").write_text(SPEC.format(eta0=eta0, buffer=buffer))
        okbench("run", f"{name}.toml", "--out", name, "--quiet", check=0)
        return name

    return make


def test_equal_results_print_the_summary_only(okbench, results):
    done = okbench("compare", results("a"), results("b"), check=0)
    assert done.stdout == "12 traces agree bit for bit\n"
    okbench("compare", "a", "b", "--level", "0.05", check=0)


def test_errors_over_seeds_and_exact_counts(okbench, results, summary):
    done = okbench("compare", results("a"), results("b", eta0=0.0001, buffer=20), "--json")
    assert done.returncode == 1
    content = json.loads(done.stdout)
    comparison, two = content["sets"]["learners"]
    assert (comparison["name"], two["name"]) == ("test/compare/one", "test/compare/two")
    rows = {name: [row for row in summary(name) if row["key"] == "one"] for name in "ab"}
    errors = {
        name: np.array([row["test_error"] for row in sorted(trials, key=lambda row: row["seed"])])
        for name, trials in rows.items()
    }
    difference = errors["b"] - errors["a"]
    stats = pytest.importorskip("scipy.stats")
    peer = stats.ttest_rel(errors["b"], errors["a"])
    assert comparison["difference"] == pytest.approx(difference.mean()) and comparison["seeds"] == 6
    assert comparison["p"] == pytest.approx(peer.pvalue, rel=1e-9)
    assert comparison["effect"] == pytest.approx(difference.mean() / difference.std(ddof=1))
    low, high = stats.t.interval(0.95, 5, difference.mean(), difference.std(ddof=1) / 6**0.5)
    assert comparison["interval"] == pytest.approx([low, high])
    for kind in ("requested", "computed", "evaluation"):
        total = {name: sum(row["kernel_evaluations"][kind] for row in trials) for name, trials in rows.items()}
        assert comparison[kind] == total["b"] - total["a"]
    assert two["difference"] == 0 and two["requested"] == 0 and two["p"] == 1
    text = okbench("compare", "a", "b").stdout
    assert "6 of 6 traces agree bit for bit" in text  # mira's; the others have other ids
    assert f"{comparison['requested']:+d}" in text and "test error %" in text and "95 % interval" in text


def test_status_by_level(okbench, results):
    a, b = results("a"), results("b", eta0=0.1000001)
    assert okbench("compare", a, b).returncode == 1
    # Other bits, but neither errors nor counts differ: that is what a level asks about.
    assert okbench("compare", a, b, "--level", "0.05").returncode == 0
    c = results("c", buffer=10)
    assert okbench("compare", a, c, "--level", "0.05").returncode == 1


def test_missing_trials_are_named(okbench, results, tmp_path):
    a, b = results("a"), results("b")
    next((tmp_path / "b").rglob("two-r3-*.h5")).unlink()
    done = okbench("compare", a, b, "--level", "0.05")
    assert done.returncode == 1
    assert "test/compare/two/r3: only in a" in done.stdout


def test_a_level_is_for_folders(okbench, results, tmp_path):
    results("a")
    files = [str(path) for path in (tmp_path / "a").rglob("*.h5")][:1] * 2
    done = okbench("compare", *files, "--level", "0.05")
    assert done.returncode == 2 and "needs two folders" in done.stderr


def test_failures_are_never_agreement(okbench, results, tmp_path):
    a, b = results("a"), results("b")
    for name in (a, b):
        trace = next((tmp_path / name).rglob("two-r3-*.h5"))
        trace.with_suffix(".failed.json").write_text(
            json.dumps(
                {
                    "experiment": "test/compare",
                    "learner": "mira",
                    "parameters": {},
                    "repetition": 3,
                    "data_set": "usps",
                    "synthetic": True,
                    "kind": "timeout",
                    "message": "m",
                    "name": "n",
                }
            )
        )
        trace.unlink()
    done = okbench("compare", a, b)
    assert done.returncode == 1 and "failed: timeout in a" in done.stdout and "failed: timeout in b" in done.stdout
    assert okbench("compare", a, b, "--level", "0.05").returncode == 1


def test_trials_on_other_data_are_not_compared(okbench, results, tmp_path):
    a = results("a")
    (tmp_path / "short.toml").write_text(
        SPEC.format(eta0=0.1, buffer=100).replace("order =", "max_examples = 200\norder =")
    )
    okbench("run", "short.toml", "--out", "short", "--quiet", check=0)
    done = okbench("compare", a, "short", "--json")
    assert done.returncode == 1
    assert len(json.loads(done.stdout)["sets"]["unlike"]) == 12 and json.loads(done.stdout)["sets"]["learners"] == []
