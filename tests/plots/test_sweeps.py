"""okbench plot --x PARAMETER: errors over a parameter of the grid."""

import numpy as np
import pytest

from okbench.errors import ClaimError
from okbench.plotting import plot, sweeps
from okbench.results import read_trace

SPEC = """format = 2
experiment = "test/widths"
repetitions = 3
[data]
name = "margin"
synthetic_rows = 200
order = "permutation"
[kernel]
name = "rbf"
gamma = 2
[learners.a]
learner = "bpas"
grid = { gamma_factor = [4, 0, 0.5], budget = [8, 16] }
[learners.b]
learner = "norma"
grid = { gamma_factor = [1, 2] }
"""


@pytest.fixture
def results(okbench, tmp_path):
    folder = tmp_path
    (folder / "widths.toml").write_text(SPEC)
    okbench("run", folder / "widths.toml", "--out", folder / "r", check=0)
    return folder / "r"


def test_each_learner_is_a_curve_of_its_last_errors(results):
    figure = plot.draw([results], x="gamma")
    (axes,) = [panel for panel in figure.axes if panel.get_xlabel() == "gamma"]
    lines = {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}
    assert list(lines) == ["a (budget=8)", "a (budget=16)", "b"]
    errors = {}
    for path in (results / "test" / "widths").glob("a-*.h5"):
        trace = read_trace(path)
        if trace.axes["budget"] == 8:
            errors.setdefault(trace.axes["kernel.gamma"], []).append(100 * trace.summary["error_rate"])
    assert lines["a (budget=8)"].get_xdata().tolist() == [0, 1, 8] == sorted(errors)
    np.testing.assert_allclose(lines["a (budget=8)"].get_ydata(), [np.mean(errors[gamma]) for gamma in (0, 1, 8)])
    assert "3 seeds" in "".join(text.get_text() for text in figure.texts)


def test_a_logarithmic_axis_leaves_out_the_kernel_without_a_width(results):
    (axes, *_) = plot.draw([results], x="gamma", log=("x",)).axes
    assert [len(line.get_xdata()) for line in axes.lines] == [2, 2, 2]


def test_other_parameters_of_the_grid(results):
    (axes, *_) = plot.draw([results], x="budget", only="*/a*").axes
    assert [line.get_xdata().tolist() for line in axes.lines] == [[8, 16]] * 3


def test_an_unknown_parameter_is_refused(okbench, results):
    with pytest.raises(ClaimError, match="'sigma' is neither a cost .*requested.* nor a number of its grid .*gamma"):
        plot.draw([results], x="sigma")
    with pytest.raises(ClaimError, match="omit --best and --target"):
        plot.draw([results], x="gamma", best=True)
    done = okbench("plot", results, "--x", "sigma", check=2)
    assert done.stderr.count("\n") == 1


def test_rest_of_a_grid_point():
    assert sweeps.rest_of("budget=8,gamma_factor=4", "gamma") == "budget=8"
    assert sweeps.rest_of("kernel.gamma=3,lambda=0.1", "gamma") == "lambda=0.1"
    assert sweeps.rest_of("budget=8,gamma_factor=4", "budget") == "gamma_factor=4"
