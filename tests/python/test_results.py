"""Reading the program's traces, and the bounds of norma-2001 on them."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

from okbench.measures import bounds
from okbench.results import read_experiment

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

WITHOUT_DRAWING = """
import sys
sys.modules.update(dict.fromkeys(("matplotlib", "okbench.plotting")))  # importing them fails
import okbench.claims
import okbench.results
"""


def test_the_package_imports_without_matplotlib():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_DRAWING],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}/python", "HOME": "/tmp"},
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def norma(okbench, tmp_path):
    specs = [ROOT / "experiments" / "norma-2001" / f"{name}.toml" for name in ("fig1", "theorems-margin", "regression")]
    okbench("run", *specs, "--tier", "quick", "--quiet", "--out", "r", check=0)
    return tmp_path / "r"


def test_listed_examples_are_the_rows_they_name(norma):
    """The images of figure 1 against the generated rows, and the lists against each other."""
    traces = read_experiment(norma, "norma-2001/fig1").traces
    rows = {}
    for trace in traces:
        listed, values = trace.tables["listed"], trace.tables["listed_rows"]["value"].reshape(-1, 256)
        assert len(values) == len(listed["list"])
        for which in (1, 2):
            mine = listed["list"] == which
            assert list(listed["rank"][mine]) == list(range(1, 51))
            assert np.all(np.diff(listed["violation"][mine]) <= 0)
            assert len(set(listed["example"][mine])) == 50
        first = listed["list"] == 0
        assert np.all(np.diff(listed["step"][first]) > 0)
        # Margin errors are counted when they are made.
        steps = listed["step"][first]
        assert list(trace["margin_errors"][steps - 1]) == list(range(1, len(steps) + 1))
        assert list(trace["example"][steps - 1]) == list(listed["example"][first])
        for which, example, label, value in zip(listed["list"], listed["example"], listed["label"], values):
            seen = rows.setdefault((which == 2, example), (label, value))
            assert seen[0] == label and np.array_equal(seen[1], value)


def test_bounds_of_norma(norma):
    experiment = read_experiment(norma, "norma-2001/theorems-margin")
    theorem1, two, three, best1, best2 = (
        experiment.by_learner(key)[0] for key in ("theorem1", "theorem2", "theorem3", "best1", "best2")
    )
    # By hand: eta = 0.0424264, ||g|| = 2, m = 5000: 4 / (2 eta) + 2 eta m; eta = 10 / sqrt(2), U = 10:
    # a = 4 eta + 200 / eta.
    assert bounds.regret_bound(theorem1, 2, 5000) == pytest.approx(4 / 0.0848528 + 424.264)
    assert bounds.regret_bound(two, 2, 400) == pytest.approx((40 / 2**0.5 + 20 * 2**0.5) * 20 + 5 * 2**0.5)
    with pytest.raises(ValueError, match="norm <= 1/lambda"):
        bounds.regret_bound(two, 11, 400)
    assert np.all(theorem1["risk_sum"] <= bounds.cumulative_bound(theorem1, best1))
    assert np.all(two["risk_sum"] <= bounds.cumulative_bound(two, best2))
    assert np.all(three.checkpoints["test_risk"] <= bounds.expected_bound(three, best2))
    norm, risk = bounds.known_margin_risk(theorem1)
    assert norm == pytest.approx(10) and risk[-1] == pytest.approx(0.5 * theorem1["step"][-1])
    regression = read_experiment(norma, "norma-2001/regression").traces[0]
    with pytest.raises(ValueError, match="hinge loss without offset or nu"):
        bounds.regret_bound(regression, 1, 10)
