"""How the league's figures show learners: one look each on every page, the best five labelled, the others grey."""

import functools

import numpy as np

from .. import home
from ..league import single, standings
from ..plotting import style
from ..reading import files_like, read_toml

MARKERS = "osD^v<>PXphd8H*"
BEST = 5  # learners with colours
GREY = {"color": "#b4b4b4", "linewidth": 0.7, "zorder": 1}
GREYS = ("#888888",)  # colours of style.looks() that are near GREY
# Learners that lead most rankings: seven with classes, seven with real targets. Each seven have seven colours.
LEADING = ("passive-aggressive", "raker", "bpas", "fogd", "ogd", "nogd", "aioli")
LEADING += ("krls-t", "krls", "fogd-squared", "fb-krls", "fogd-huber", "pkawv", "sw-krls")
LINE = 7.5  # points between the baselines of two labels


@functools.cache
def known():
    """The keys of the league's learners: those of LEADING, then the others, sorted."""
    files = files_like(home.experiment_folders()[0], "league", "learners", "*.toml")
    return [*LEADING, *sorted({key for path in files for key in read_toml(path).get("learners", {})} - {*LEADING})]


def looks(learners):
    """{key of a learner: line style}. Neighbours in known() differ in colour, dashes and marker."""
    keys = [*known(), *(learner for learner in learners if learner not in known())]
    styles = (look for look in style.looks() if look["color"] not in GREYS)
    all_looks = dict(zip(keys, ({**look, "marker": mark} for look, mark in zip(styles, 9 * MARKERS))))
    return {learner: all_looks[learner] for learner in learners}


def best(league):
    """The learners with the best mean ranks, best first; no baselines."""
    ranked = [row["learner"] for row in standings(league)]
    return [learner for learner in ranked if learner not in single.BASELINES][:BEST]


def label_ends(axes, ends):
    """Writes labels right of the axes at the heights of their curves' ends, without overlap.

    ends: [(y in data coordinates, text, colour)].
    """
    if not ends:
        return
    low, high = axes.get_ylim()
    place = np.log if axes.get_yscale() == "log" else float
    inches = axes.get_position().height * axes.figure.get_figheight()
    step = LINE / 72 / inches  # in axes coordinates
    heights = [(min(max((place(y) - place(low)) / (place(high) - place(low)), 0), 1), *rest) for y, *rest in ends]
    heights.sort(key=lambda label: label[0])
    placed = []
    for height, *_ in heights:
        placed.append(max(height, placed[-1] + step) if placed else height)
    # Moves a stack that leaves the axes at the top back down.
    for at in reversed(range(len(placed))):
        limit = 1 if at == len(placed) - 1 else placed[at + 1] - step
        placed[at] = min(placed[at], limit)
    for y, (_, text, colour) in zip(placed, heights):
        axes.annotate(
            style.plain(text),
            (1, y),
            xytext=(3, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=6.5,
            va="center",
            color=colour,
            annotation_clip=False,
        )
