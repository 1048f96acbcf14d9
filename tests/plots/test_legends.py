"""Legends cover no curve, whatever is drawn."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from okbench.plotting import legends, style


@pytest.fixture
def panel():
    figure, axes = plt.subplots(figsize=(3, 2))
    yield axes
    plt.close(figure)


def test_a_legend_moves_off_the_curve(panel):
    panel.plot([0, 1], [0, 1], label="rises")
    panel.legend(loc="upper right")
    assert legends.hidden(panel.figure) == [panel]
    legends.settle(panel.figure)
    assert not legends.hidden(panel.figure) and panel.get_legend().get_window_extent().y1 <= panel.bbox.y1 + 5


def test_a_full_panel_has_its_legend_above(panel):
    rows = np.linspace(0, 1, 30)
    for number, row in enumerate(rows):
        panel.plot([0, 1], [row, row], label=f"curve {number}" if number < 3 else None)
    panel.set_title("full")
    panel.legend(loc="upper right")
    before = panel.get_position().height
    legends.settle(panel.figure)
    assert not legends.hidden(panel.figure)
    assert panel.get_position().height < before
    assert panel.get_legend().get_window_extent().y0 >= panel.bbox.y1


def test_legends_avoid_curves_between_their_points(panel):
    # Two far points: the line between them runs through the legend, which neither touches.
    panel.plot([0, 1], [0.2, 0.9], label="line")
    panel.plot([0.5], [0.5], "o")
    panel.legend(loc="center")
    assert legends.hidden(panel.figure) == [panel]


def test_clipped_points_do_not_move_the_legend(panel):
    panel.plot([0, 1], [5, 5], label="above")
    panel.plot([0, 1], [0.1, 0.1])
    panel.set_ylim(0, 1)
    panel.legend(loc="upper right")
    assert not legends.hidden(panel.figure)


def test_bands_and_bars_count(panel):
    panel.fill_between([0, 1], [0.6, 0.6], [1, 1], label="band")
    panel.errorbar([0.1], [0.3], [0.2], label="bar")
    panel.legend(loc="upper left")
    assert legends.hidden(panel.figure) == [panel]
    legends.settle(panel.figure)
    assert not legends.hidden(panel.figure)


def test_finish_settles(panel):
    panel.plot([0, 1], [0, 1], label="rises")
    panel.legend(loc="upper right")
    style.finish(panel.figure, "title", "caption", False)
    assert not legends.hidden(panel.figure)


def test_an_empty_panel_gives_its_reason(panel):
    style.empty(panel, "TIMIT", "TIMIT is not to be had.")
    assert panel.get_title() == "TIMIT" and "not to be had" in panel.texts[0].get_text() and not panel.lines
