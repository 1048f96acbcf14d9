"""okbench plot: means over seeds on a logarithmic axis, and texts that matplotlib would take for mathematics."""

import dataclasses

import numpy as np
import pytest
from conftest import QUICK, SMOKE

from okbench.plotting import curves, plot, style


@dataclasses.dataclass
class OneTrace:
    """A trace with an average loss over kernel evaluations; the first step requests no evaluation."""

    requested: list
    losses: list

    def __post_init__(self):
        self.tables = {"trace": {"kernel_requested": np.array(self.requested)}}

    def __getitem__(self, name):
        return {"step": np.arange(1, len(self.losses) + 1), "loss_sum": np.array(self.losses)}.get(
            name, self.tables["trace"].get(name)
        )

    def cumulative(self, kind):
        return np.asarray(self.tables["trace"][f"kernel_{kind}"], dtype=float)

    @property
    def counted(self):
        return np.ones(len(self.losses))


def test_points_at_zero_evaluations_are_left_out_of_a_logarithmic_axis():
    ((curve,), _) = curves.mean_curves("a", [OneTrace([0, 10, 100], [3.0, 2.0, 1.0])], "requested", "loss", True)
    assert curve.x.tolist() == [10, 100] and curve.y.tolist() == [2, 1]
    ((curve,), _) = curves.mean_curves("a", [OneTrace([0, 10, 100], [3.0, 2.0, 1.0])], "requested", "loss", False)
    assert curve.x.tolist() == [0, 10, 100]
    empty, _ = curves.mean_curves("a", [OneTrace([0, 0], [3.0, 2.0])], "requested", "loss", True)
    assert empty == [] or len(empty[0].x) == 0


def test_means_on_a_logarithmic_axis_follow_the_lines_of_the_seeds():
    """A seed's line between (10, 2) and (1000, 0) is 1 at 100 on a logarithmic axis, the middle of the line."""
    trace, other = OneTrace([0, 10, 1000], [9.0, 2.0, 0.0]), OneTrace([0, 10, 100, 1000], [9.0, 2.0, 1.0, 0.0])
    ((curve,), _) = curves.mean_curves("a", [trace, other], "requested", "loss", True)
    assert curve.x[0] == pytest.approx(10) and curve.x[-1] == pytest.approx(1000)
    assert np.allclose(curve.y, 3 - np.log10(curve.x))
    assert np.allclose(curve.low, curve.y) and np.allclose(curve.high, curve.y)


def test_the_title_is_of_the_trials_that_are_drawn(okbench, tmp_path):
    spec = tmp_path / "dollar.toml"
    text = SMOKE.read_text().replace('experiment = "smoke/online-svm"', 'experiment = "smoke/dollar"')
    spec.write_text(
        text.replace('title = "', 'title = "Costs $1_a$, ', 1).replace(
            "[learners.svmd]", '[learners.svmd]\nlabel = "_x $y^2$"', 1
        )
    )
    okbench("run", SMOKE, spec, *QUICK, "--quiet", check=0)
    places = [tmp_path / "r" / "smoke" / name for name in ("online-svm", "dollar")]
    figure = plot.draw(places, only="smoke/dollar/*", log=("x",))
    assert figure._suptitle.get_text().startswith("Costs \\$1_a\\$, ") and ";" not in figure._suptitle.get_text()
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert any("x \\$y^2\\$" in label for label in labels)
    style.save(figure, tmp_path / "p.png")
    svg = (tmp_path / "p.svg").read_text()
    assert "Costs $1_a$, " in svg and "_x $y^2$" in svg
