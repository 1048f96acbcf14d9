"""Figures 5.5 to 5.9 and table 5.5 of sfd-2013: where objects are, and how many of them the best boxes cover."""

import csv
import io
import os
import pathlib
import tarfile

import matplotlib.image
import numpy as np
from matplotlib.patches import Rectangle

from okbench.claims import numbers

from .. import style
from ..registry import figure, table

CLASSES = {
    "fig5-6": ("car", "cars"),
    "fig5-7": ("sofa", "sofas"),
    "fig5-8": ("chair", "chairs"),
    "fig5-9": ("cat", "cats"),
}
# When the thesis looks: after the first round, and after so many epochs.
FIRST_ROUND = 0
MOMENTS = (
    (FIRST_ROUND, "after one round", style.BLUE),
    (0.5, "half the first epoch", style.GREEN),
    (1, "the first epoch", style.VERMILION),
    (2, "both epochs", style.SKY),
)
COUNTS = (1, 10, 100, 500)


def moment(trace, epochs):
    """The step of a moment's checkpoint; None where the run does not go so far."""
    steps, examples = (np.asarray(trace.checkpoints[name]) for name in ("step", "examples"))
    reached = steps >= 1 if epochs == FIRST_ROUND else examples >= epochs * trace.provenance["data_shape"]["train"]
    step = int(steps[reached][0]) if reached.any() else None
    return None if epochs == FIRST_ROUND and step != 1 else step


def last(trace):
    """The step of the last checkpoint."""
    return int(trace.checkpoints["step"][-1])


def recall(trace, boxes, step):
    """Overlaps, and the share of objects that the best boxes cover by as much, at a checkpoint."""
    rows = trace.tables["recall"]
    chosen = (np.asarray(rows["boxes"]) == boxes) & (np.asarray(rows["step"]) == step)
    return np.asarray(rows["overlap"])[chosen], np.asarray(rows["recall"])[chosen]


def area(trace, boxes, step):
    return float(np.asarray(trace.checkpoints[f"area_{boxes}"])[np.asarray(trace.checkpoints["step"]) == step][0])


def batch_of(batch, name):
    """SVMstruct's run with the smallest lambda."""
    traces = [one for one in batch.by_learner("svm-struct") if one.data_set == name]
    return min(traces, key=lambda one: one.parameter("lambda"))


RANDOM = {"color": "#777777", "linestyle": "--"}
LARGEST = {"color": "#777777", "linestyle": (0, (1, 2))}
BATCH = {"color": style.BLACK, "linestyle": ":"}


def plot_recall(panel, trace, boxes, label, step=None, **look):
    """A curve between the overlaps that the thesis draws, with its area."""
    step = last(trace) if step is None else step
    x, y = recall(trace, boxes, step)
    shown = (x >= 0.25) & (x <= 0.75)
    text = f"{label} ({100 * area(trace, boxes, step):.1f})"
    panel.plot(x[shown], y[shown], label=text, linewidth=1.1, **look)


def plot_references(panel, experiment, svm, boxes):
    """What SFD is compared with: the batch optimum, and boxes that are not learned."""
    plot_recall(panel, svm, boxes, "SVMstruct", **BATCH)
    for key, look in (("random", RANDOM), ("largest", LARGEST)):
        trace = experiment.by_learner(key)[0]
        plot_recall(panel, trace, boxes, trace.label, **look)


def plot_moments(panel, run, boxes):
    for epochs, label, colour in MOMENTS:
        step = moment(run, epochs)
        if step is not None:
            plot_recall(panel, run, boxes, label, step, color=colour)


def finish_recall(panel, title):
    panel.set_title(title, loc="left")
    panel.set_xlabel("overlap, at least")
    panel.set_ylabel("recall")
    panel.set_ylim(0, 1)
    panel.set_xlim(0.25, 0.75)
    panel.set_xticks([0.25, 0.5, 0.75])
    # Below the panel: inside it would cover curves.
    panel.legend(fontsize=5.5, loc="upper left", bbox_to_anchor=(-0.02, -0.3), handlelength=1.8, frameon=False)


def draw_detection(experiment, batch):
    runs = sorted(experiment.by_learner("sfd"), key=lambda one: -one.parameter("c"))
    svm = batch_of(batch, runs[0].data_set)
    fig, axes = style.grid(2, 4, height=7.2)
    for panel, run in zip(axes[0], runs):
        plot_moments(panel, run, 500)
        plot_references(panel, experiment, svm, 500)
        finish_recall(panel, f"500 boxes, λ = {run.parameter('c'):g}/k")
    for panel in axes[0][len(runs) :]:
        panel.axis("off")
    best = runs[-1]
    for panel, boxes in zip(axes[1], COUNTS[:3]):
        plot_moments(panel, best, boxes)
        plot_references(panel, experiment, svm, boxes)
        count = "the best box" if boxes == 1 else f"{boxes} boxes"
        finish_recall(panel, f"{count}, λ = {best.parameter('c'):g}/k")
    panel = axes[1][3]
    lines = (
        (experiment.by_learner("best")[0], "the best there are", {"color": "#777777", "linestyle": "-."}),
        (svm, "SVMstruct", BATCH),
        (best, f"SFD, λ = {best.parameter('c'):g}/k", {"color": style.SKY}),
        (experiment.by_learner("random")[0], "random boxes", RANDOM),
        (experiment.by_learner("largest")[0], "the largest boxes", LARGEST),
    )
    for trace, label, look in lines:
        areas = [area(trace, boxes, last(trace)) for boxes in COUNTS]
        panel.plot(COUNTS, areas, label=label, linewidth=1.1, marker="o", markersize=2.5, **look)
    panel.set_title("area by boxes", loc="left")
    panel.set_xscale("log")
    panel.set_xlabel("best boxes of an image")
    panel.set_ylabel("area under the curve")
    panel.set_ylim(0, 1)
    panel.legend(fontsize=5.5, loc="upper left", bbox_to_anchor=(-0.02, -0.3), handlelength=1.8, frameon=False)
    return fig


def register_detection(name, category, objects):
    @figure(f"sfd-2013/{name}", [f"sfd-2013/{name}", "sfd-2013/fig5-6-batch"])
    def of(experiment, batch):
        run = experiment.by_learner("sfd")[0]
        shape = run.provenance["data_shape"]
        svm = batch_of(batch, run.data_set)
        text = (
            f"PASCAL VOC 2007, {objects}: {shape['train']} training and {shape['test']} test images. Share of the "
            "objects that one of the best boxes of their image overlaps by at least so much, after suppression of "
            "overlaps of 0.9; in brackets the area under the curve from 0 to 1, in percent. "
            f"SFD in batches of {run.spec['data']['batch']} in the order of the images' numbers; SVMstruct with "
            f"λ = {svm.parameter('lambda'):g}."
        )
        stand_in = any(trace.stand_in for trace in (*experiment.traces, svm))
        return draw_detection(experiment, batch), f"Recall of {objects} by the best boxes of an image", text, stand_in


for known, (singular, plural) in CLASSES.items():
    register_detection(known, singular, plural)


@table("sfd-2013/table5-5", [f"sfd-2013/{name}" for name in CLASSES])
def table5_5(*experiments):
    header = [
        "class",
        "training images",
        "k",
        "λ k",
        "area, one round",
        "half",
        "one epoch",
        "two epochs",
        "overlap > 1/2 (%)",
    ]
    printed = numbers("sfd-2013")
    rows = []
    for (_, (singular, _)), experiment in zip(CLASSES.items(), experiments):
        said = printed.entry(f"table5-5.{singular}")
        constants = ", ".join(f"{one:g}" for one in said["lambda-k"])
        for run in sorted(experiment.by_learner("sfd"), key=lambda one: -one.parameter("c")):
            steps = [moment(run, epochs) for epochs, _, _ in MOMENTS]
            areas = ["" if step is None else f"{100 * area(run, 500, step):.1f}" for step in steps]
            rows.append(
                [
                    singular,
                    f"{run.provenance['data_shape']['train']} ({said['training']})",
                    f"{run.spec['data']['batch']} ({said['k']})",
                    f"{run.parameter('c'):g} ({constants})",
                    *areas,
                    f"{100 * (1 - run.summary['test_error']):.1f}",
                ]
            )
    stand_in = any(trace.stand_in for experiment in experiments for trace in experiment.traces)
    return (
        header,
        rows,
        "SFD on PASCAL VOC 2007: area of the 500 best boxes (%), in brackets the thesis' parameters",
        stand_in,
    )


# Figure 5.5: images with the true and the found box.


def image_folders():
    """Where data sets' files are looked for."""
    cache = os.environ.get("OKBENCH_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folders = [pathlib.Path(cache) if cache else pathlib.Path(base) / "okbench"]
    if os.environ.get("OKBENCH_MIRROR"):
        folders.append(pathlib.Path(os.environ["OKBENCH_MIRROR"]))
    return folders


def number_in(name):
    """The number in a name: its first digits."""
    digits = "".join(c if c.isdigit() else " " for c in name).split()
    return int(digits[0]) if digits else 0


def read_images(name):
    """Images by number, from the stored archive; empty where it is not."""
    for folder in image_folders():
        if not (folder / name / "images.tar").is_file():
            continue
        images = {}
        with open(folder / name / "annotations.csv", encoding="utf-8") as rows:
            wanted = {row["image"] for row in csv.DictReader(rows)}
        with tarfile.open(folder / name / "images.tar") as archive:
            for member in archive:
                if member.name in wanted:
                    content = io.BytesIO(archive.extractfile(member).read())
                    images[number_in(member.name)] = (content, member.name.rsplit(".", 1)[-1])
        return images
    return {}


def draw_box(panel, sides, colour):
    left, top, right, bottom = sides
    panel.add_patch(
        Rectangle((left - 0.5, top - 0.5), right - left, bottom - top, fill=False, edgecolor=colour, linewidth=1.4)
    )


def draw_localised(panel, row, images):
    """One test image; without its pixels, its boxes alone."""
    number = int(row["image"])
    true = [int(row[f"true_{side}"]) for side in ("left", "top", "right", "bottom")]
    found = [int(row[side]) for side in ("left", "top", "right", "bottom")]
    if number in images:
        content, kind = images[number]
        panel.imshow(matplotlib.image.imread(content, format=kind), cmap="gray")
    else:
        panel.set_xlim(0, 1.2 * max(true[2], found[2]))
        panel.set_ylim(1.2 * max(true[3], found[3]), 0)
        panel.set_aspect("equal")
        panel.set_facecolor("#cccccc")
    draw_box(panel, true, "#ffe000")
    draw_box(panel, found, "#00e000")
    panel.set_xticks([])
    panel.set_yticks([])
    panel.grid(False)
    panel.set_title(f"{number}: overlap {float(row['overlap']):.2f}", fontsize=6.5, pad=2)


def localised(trace):
    """Rows of the table, the least overlap first."""
    columns = trace.tables["localised"]
    rows = [dict(zip(columns, values)) for values in zip(*(np.asarray(columns[name]) for name in columns))]
    return sorted(rows, key=lambda row: row["overlap"])


def spaced(rows, count):
    """So many rows, evenly spaced around the middle."""
    first, last = len(rows) // 4, 3 * len(rows) // 4
    return [rows[round(first + i * (last - first) / (count - 1))] for i in range(count)]


@figure("sfd-2013/fig5-5", ["sfd-2013/fig5-5-cows", "sfd-2013/fig5-5-faces"])
def fig5_5(cows, faces):
    fig, axes = style.grid(4, 5, height=6.4)
    texts, stand_in = [], False
    for experiment, folder, panels in ((cows, "cows", axes[:2]), (faces, "faces", axes[2:])):
        trace = experiment.by_learner("sfd")[0]
        stand_in = stand_in or trace.stand_in
        images = {} if trace.stand_in else read_images(folder)
        rows = localised(trace)
        for row, panel in zip(spaced(rows, 5), panels[0]):
            draw_localised(panel, row, images)
        for row, panel in zip(rows, panels[1]):
            draw_localised(panel, row, images)
        panels[0][0].set_ylabel(f"{folder}, typical", fontsize=7)
        panels[1][0].set_ylabel(f"{folder}, the worst", fontsize=7)
        wrong = sum(row["overlap"] <= 0.5 for row in rows)
        mean = np.mean([row["overlap"] for row in rows])
        texts.append(
            f"{folder}: {len(rows)} test images, {wrong} with an overlap of at most 0.5, mean overlap {mean:.3f} "
            f"({trace.provenance['grid_point']})"
        )
    caption = (
        "Yellow: the true box. Green: where SFD finds the object after one epoch. Even in quality from the first "
        "quarter to the last, then the worst. "
    )
    return fig, "Localisation of cows and faces", caption + "; ".join(texts) + ".", stand_in
