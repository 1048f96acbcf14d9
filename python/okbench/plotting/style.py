"""The look of all figures: small journal figures, readable in grey and by colour-blind readers.

Colours are from the palette of Okabe and Ito, chosen so that their greys differ; each series also has its own line
style, after the papers: the method solid, its simpler variant dotted, the baseline dashed.
"""

import io
import itertools
import re

import matplotlib

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

WIDTH = 6.9  # inches: a text block

COLOURS = (BLUE, VERMILION, BLACK, GREEN, PURPLE, SKY, "#E69F00", "#888888")
DASHES = ("-", (0, (5, 2)), (0, (1, 1.4)), (0, (6, 1.5, 1, 1.5)))


def looks():
    """Looks of any number of curves: neither colour nor dash alone tells two neighbours apart."""
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
        "svg.hashsalt": "okbench",  # the same file for the same traces
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
    }
)


def panels(count, height=2.6, **options):
    """A row of panels."""
    figure, axes = plt.subplots(1, count, figsize=(WIDTH, height), squeeze=False, **options)
    return figure, list(axes[0])


def grid(rows, columns, height, **options):
    """Rows of panels."""
    figure, axes = plt.subplots(rows, columns, figsize=(WIDTH, height), squeeze=False, **options)
    return figure, axes


def empty(axes, title, why):
    """A panel without data: a line that says why."""
    axes.set_title(title)
    axes.text(0.5, 0.5, "\n".join(wrap(why, 34)), ha="center", va="center", fontsize=7.5, transform=axes.transAxes)
    axes.grid(False)
    axes.set_xticks([])
    axes.set_yticks([])


def named(lines, name):
    """Gives lines the name that the report's charts call them by, where a legend elsewhere does."""
    for line in lines if isinstance(lines, list) else [lines]:
        line.series_name = name


def wrap(text, width):
    """Lines of at most `width` characters that keep "name = value" together."""
    lines = [""]
    for word in re.sub(r" = ", "\u00a0=\u00a0", text).split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return [line.replace("\u00a0", " ") for line in lines]


def finish(figure, title, caption, synthetic):
    """Title above, wrapped caption below; a synthetic fallback is named in both."""
    lines = wrap(caption, 124)
    height = figure.get_figheight()
    text_height = 0.145 * len(lines) + 0.1
    figure.set_figheight(height + text_height)
    total = height + text_height
    figure.tight_layout(rect=(0, text_height / total, 1, 1 - 0.25 / total), w_pad=2.0)
    legends.settle(figure)
    figure.suptitle(
        title + (" (generated synthetic data)" if synthetic else ""),
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


def save(figure, path):
    """PDF, SVG and PNG beside each other, without time stamps. Raises WriteError."""
    for kind, stamps in (("pdf", {"CreationDate": None}), ("svg", {"Date": None}), ("png", None)):
        drawn = io.BytesIO()
        figure.savefig(drawn, format=kind, metadata=stamps)
        write_bytes(path.with_suffix(f".{kind}"), drawn.getvalue(), folders=True)
    plt.close(figure)
