"""Style of all figures: small journal figures, readable in grey and by colour-blind readers.

Colours are from the palette of Okabe and Ito and differ in grey. Each series also has a distinct line style, as in the
papers: the method is solid, its simpler variant dotted, the baseline dashed.
"""

import hashlib
import io
import itertools
import re

import matplotlib
import numpy as np

from ..results.marks import marked
from ..writing import write_bytes
from . import legends

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (the backend comes first)

BLUE, VERMILION, BLACK, GREEN, PURPLE = "#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7"
SKY = "#56B4E9"

SOLID = {"color": BLUE, "linestyle": "-", "linewidth": 1.5}
DOTTED = {"color": VERMILION, "linestyle": (0, (1, 1.4)), "linewidth": 1.7}
DASHED = {"color": BLACK, "linestyle": (0, (5, 2)), "linewidth": 1.1}
THIN = {"color": "#888888", "linestyle": "-", "linewidth": 0.8}

WIDTH = 6.9  # width of a figure in inches: a text block

COLOURS = (BLUE, VERMILION, BLACK, GREEN, PURPLE, SKY, "#E69F00", "#888888")
DASHES = ("-", (0, (5, 2)), (0, (1, 1.4)), (0, (6, 1.5, 1, 1.5)))


def looks():
    """Yields line styles for any number of curves. Neighbours differ in both colour and dashes."""
    for n in itertools.count():
        for i, colour in enumerate(COLOURS):
            yield {"color": colour, "linestyle": DASHES[(i + n) % len(DASHES)]}


plt.rcParams.update(
    {
        "font.family": "serif",
        "font.serif": ["DejaVu Serif"],
        "mathtext.fontset": "dejavuserif",
        "font.size": 8,
        "axes.labelsize": 8.5,
        "axes.titlesize": 9,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.labelsize": 7.5,
        "ytick.labelsize": 7.5,
        "xtick.direction": "out",
        "ytick.direction": "out",
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "legend.fontsize": 7.5,
        "legend.frameon": False,
        "axes.grid": True,
        "grid.color": "#dddddd",
        "grid.linewidth": 0.4,
        "savefig.dpi": 200,
        "svg.hashsalt": "okbench",  # reproducible files
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
    }
)


def panels(count, height=2.6, **options):
    """(figure, list of axes) with one row of `count` panels; height in inches."""
    figure, axes = plt.subplots(1, count, figsize=(WIDTH, height), squeeze=False, **options)
    return figure, list(axes[0])


def grid(rows, columns, height, **options):
    """(figure, array of axes) with rows x columns panels; height in inches."""
    figure, axes = plt.subplots(rows, columns, figsize=(WIDTH, height), squeeze=False, **options)
    return figure, axes


def empty(axes, title, why):
    """Draws a panel without data: its title and the reason."""
    axes.set_title(title)
    axes.text(0.5, 0.5, "\n".join(wrap(why, 34)), ha="center", va="center", fontsize=7.5, transform=axes.transAxes)
    axes.grid(False)
    axes.set_xticks([])
    axes.set_yticks([])


def mark_changes(axes, traces):
    """Draws a dotted line at each step at which the data of these traces changes. The x axis must be the steps."""
    steps = {step for trace in traces for step in trace.provenance.get("changes", []) if step <= trace["step"][-1]}
    for step in sorted(steps):
        axes.axvline(step, color="#888888", linestyle=(0, (1, 2)), linewidth=0.8, zorder=0)


def named(lines, name):
    """Sets the name of lines in the report's charts, for lines whose label is in another panel's legend."""
    for line in lines if isinstance(lines, list) else [lines]:
        line.series_name = name


def printed(axes, values):
    """Marks numbers that the paper prints, at the right edge of a panel. values: [(y in data coordinates, colour)]."""
    for place, (y, colour) in enumerate(values):
        axes.plot(
            [1],
            [y],
            "<",
            color=colour,
            markersize=5,
            transform=axes.get_yaxis_transform(),
            clip_on=False,
            label="printed in the paper" if place == 0 else None,
        )


def plain(text):
    """Text that matplotlib shows as it is: without mathematics between dollars, and not hidden from legends."""
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def wrap(text, width):
    """Wraps text into lines of at most `width` characters. Keeps "name = value" together."""
    lines = [""]
    for word in re.sub(r" = ", "\u00a0=\u00a0", text).split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return [line.replace("\u00a0", " ") for line in lines]


def lay_out(figure, below, above):
    """Arranges panels and legends between margins in inches. The figure grows for legends above panels."""
    for last in (False, True):
        total = figure.get_figheight()
        figure.tight_layout(rect=(0, below / total, 1, 1 - above / total), w_pad=2.0)
        extra = 0 if last else legends.missing_height(figure)
        if not extra:
            break
        figure.set_figheight(total + extra)
    legends.settle(figure)


def finish(figure, title, caption, mark, bare=False):
    """Adds the title above and the wrapped caption below. `mark` follows the title in brackets (data_marks()).

    `bare`: adds neither, for documents with a caption of their own.
    """
    if bare:
        lay_out(figure, 0, 0)
        return
    lines = wrap(caption, 124)
    text_height = 0.145 * len(lines) + 0.1
    figure.set_figheight(figure.get_figheight() + text_height)
    lay_out(figure, text_height, 0.25)
    total = figure.get_figheight()
    figure.suptitle(
        marked(title, mark),
        x=0.02,
        ha="left",
        fontsize=9.5,
        y=1 - 0.06 / total,
        va="top",
    )
    figure.text(
        0.02,
        (text_height - 0.04) / total,
        "\n".join(lines),
        ha="left",
        va="top",
        fontsize=7,
        linespacing=1.35,
        color="#333333",
    )


UP = 1 + 1e-9


def digest_of(figure):
    """SHA-256 of what a figure shows: numbers of curves, areas and bars to five digits, and texts without tick labels.

    It does not depend on the version of Matplotlib, on fonts, or on a processor's last bits: a number such as 11.4875,
    halfway between two of five digits, is rounded up even if it is one bit smaller.
    """
    shown = [text.get_text() for text in figure.texts]
    for axes in figure.axes:
        legend = axes.get_legend()
        shown += [axes.get_title(), axes.get_xlabel(), axes.get_ylabel(), *(text.get_text() for text in axes.texts)]
        shown += [text.get_text() for text in (*legend.get_texts(), legend.get_title())] if legend else []
        arrays = [line.get_xydata() for line in axes.lines]
        arrays += [path.vertices for area in axes.collections for path in area.get_paths()]
        arrays += [np.array([bar.get_bbox().bounds]) for bar in axes.patches if hasattr(bar, "get_bbox")]
        shown += [f"{value * UP:.4e}" for array in arrays for value in np.asarray(array, dtype=float).ravel()]
    return hashlib.sha256("\n".join(shown).encode()).hexdigest()


def save(figure, path):
    """Saves the figure as PDF, SVG and PNG without time stamps, and closes it. Raises WriteError.

    The metadata of each file contain digest_of(figure), as Keywords.
    """
    digest = f"okbench-figure:{digest_of(figure)}"
    stamped = {
        "pdf": {"CreationDate": None, "Keywords": digest},
        "svg": {"Date": None, "Keywords": [digest]},
        "png": {"Keywords": digest},
    }
    for kind, stamps in stamped.items():
        drawn = io.BytesIO()
        figure.savefig(drawn, format=kind, metadata=stamps)
        write_bytes(path.with_suffix(f".{kind}"), drawn.getvalue(), folders=True)
    plt.close(figure)
