"""Figure 5.5 of sfd-2013 and its data: localisation of cows and faces, and its costs."""

import csv
import hashlib
import io
import os
import pathlib
import tarfile

import matplotlib.image
import numpy as np
from matplotlib.patches import Rectangle

from okbench.plotting import progress, style
from okbench.plotting.draw import main
from okbench.plotting.registry import figure, table
from okbench.results.marks import data_marks

MAX_BYTES = 1 << 26  # maximum size of an image file: more than 16 million pixels of three bytes


def image_folders():
    """The folders that may contain files of data sets: cache and mirror."""
    cache = os.environ.get("OKBENCH_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folders = [pathlib.Path(cache) if cache else pathlib.Path(base) / "okbench"]
    if os.environ.get("OKBENCH_MIRROR"):
        folders.append(pathlib.Path(os.environ["OKBENCH_MIRROR"]))
    return folders


def number_in(name):
    """The first number in a name; 0 if it has none."""
    digits = "".join(c if c.isdigit() else " " for c in name).split()
    return int(digits[0]) if digits else 0


def find_file(trace, ending):
    """The path of a file that the trial has read, if it still exists with the same content; else None."""
    for name, digest in trace.provenance.get("data_files", {}).items():
        for folder in image_folders() if name.endswith(ending) else ():
            path = folder / name
            if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest:
                return path
    return None


def read_images(trace):
    """{number: (file, format)} of the images of a trial; empty if the files are missing. Raises ValueError."""
    archive, boxes = find_file(trace, "images.tar"), find_file(trace, "annotations.csv")
    if archive is None or boxes is None:
        return {}
    with open(boxes, encoding="utf-8") as rows:
        wanted = {row["image"] for row in csv.DictReader(rows)}
    try:
        with tarfile.open(archive) as members:
            return {
                number_in(member.name): (image_of(members, member), member.name.rsplit(".", 1)[-1])
                for member in members
                if member.name in wanted
            }
    except tarfile.TarError as error:
        raise ValueError(f"{archive}: {error}") from error


def image_of(members, member):
    """The bytes of an image in an archive. Raises ValueError for links, devices, and sparse or oversized files."""
    if not member.isreg() or member.issparse() or member.size > MAX_BYTES:
        raise ValueError(f"{member.name} is not a regular file of at most {MAX_BYTES} bytes")
    return io.BytesIO(members.extractfile(member).read())


def draw_box(panel, sides, colour):
    left, top, right, bottom = sides
    panel.add_patch(
        Rectangle((left - 0.5, top - 0.5), right - left, bottom - top, fill=False, edgecolor=colour, linewidth=1.4)
    )


def draw_localised(panel, row, images):
    """Draws a test image with its boxes; only the boxes if the image is not available."""
    number = int(row["image"])
    true = [int(row[f"true_{side}"]) for side in ("left", "top", "right", "bottom")]
    prediction = [int(row[side]) for side in ("left", "top", "right", "bottom")]
    if number in images:
        content, kind = images[number]
        panel.imshow(matplotlib.image.imread(content, format=kind), cmap="gray")
    else:
        panel.set_xlim(0, 1.2 * max(true[2], prediction[2]))
        panel.set_ylim(1.2 * max(true[3], prediction[3]), 0)
        panel.set_aspect("equal")
        panel.set_facecolor("#cccccc")
    draw_box(panel, true, "#ffe000")
    draw_box(panel, prediction, "#00e000")
    panel.set_xticks([])
    panel.set_yticks([])
    panel.grid(False)
    panel.set_title(f"{number}: overlap {float(row['overlap']):.2f}", fontsize=6.5, pad=2)


def localised(trace):
    """The rows of the table "localised", the smallest overlap first."""
    columns = trace.tables["localised"]
    rows = [dict(zip(columns, values)) for values in zip(*(np.asarray(columns[name]) for name in columns))]
    return sorted(rows, key=lambda row: row["overlap"])


def spaced(rows, count):
    """`count` rows, evenly spaced from the first to the third quartile."""
    first, last = len(rows) // 4, 3 * len(rows) // 4
    return [rows[round(first + i * (last - first) / (count - 1))] for i in range(count)]


@figure("sfd-2013/fig5-5", ["sfd-2013/fig5-5-cows", "sfd-2013/fig5-5-faces"])
def fig5_5(cows, faces):
    fig, axes = style.grid(4, 5, height=4.9)
    texts, mark = [], ""
    for experiment, folder, panels in ((cows, "cows", axes[:2]), (faces, "faces", axes[2:])):
        trace = experiment.by_learner("sfd")[0]
        mark = mark or trace.data_mark
        images = read_images(trace)
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
        "Yellow: the true box. Green: the box that SFD predicts after one epoch. Typical: images evenly spaced from "
        "the first to the third quartile of the overlap. "
    )
    return fig, "Localisation of cows and faces", caption + "; ".join(texts) + ".", mark


# Data sets that all methods have in common: splits by group.
SETS = ("cows", "faces")


def methods(experiment, batch, bcfw, folder):
    """[(label, traces over splits and seeds, line style)] of each method on the splits by group of cows or faces."""

    def of(study, key):
        return [trace for trace in study.by_learner(key) if trace.data_set.startswith(f"{folder}-group")]

    colours = iter((style.SKY, style.BLUE, style.GREEN))
    curves = []
    for c in sorted({trace.parameter("schedule_c") for trace in of(experiment, "sfd")}, reverse=True):
        runs = [trace for trace in of(experiment, "sfd") if trace.parameter("schedule_c") == c]
        curves.append((f"SFD, λ = {c:g}", runs, {"color": next(colours)}))
    curves.append(("SFD, λ = 0.1, tolerance 0.1", of(experiment, "sfd-coarse"), {"color": style.VERMILION}))
    for epsilon, line in ((0.01, ":"), (0.1, "--")):
        runs = [trace for trace in of(batch, "svm-struct") if trace.parameter("tolerance") == epsilon]
        curves.append((f"SVMstruct, tolerance {epsilon:g}", runs, {"color": style.BLACK, "linestyle": line}))
    curves.append(("BCFW", of(bcfw, "bcfw"), {"color": style.PURPLE, "linestyle": "-."}))
    curves.append(("the best boxes", of(experiment, "best"), {"color": "#777777", "linestyle": (0, (1, 2))}))
    return [curve for curve in curves if curve[1]]


def means(traces, column):
    """The mean over traces of a column, at the checkpoints that all traces share and at the end of each."""
    rounds = [list(trace.checkpoints["step"])[:-1] for trace in traces]
    shared = [step for step in rounds[0] if all(step in of for of in rounds)]
    rows = [[*(of.index(step) for step in shared), -1] for of in rounds]
    return np.mean(
        [np.asarray(trace.checkpoints[column], dtype=float)[row] for trace, row in zip(traces, rows)], axis=0
    )


@figure(
    "sfd-2013/fig5-5-rounds",
    ["sfd-2013/fig5-5-cows", "sfd-2013/fig5-5-faces", "sfd-2013/fig5-5-batch", "sfd-2013/fig5-5-bcfw"],
)
def fig5_5_rounds(cows, faces, batch, bcfw):
    fig, axes = style.grid(2, 2, height=5.2)
    for folder, experiment, row in zip(SETS, (cows, faces), axes):
        for label, traces, look in methods(experiment, batch, bcfw, folder):
            if label == "the best boxes":
                row[0].axhline(means(traces, "test_task_loss")[-1], label=label, linewidth=1, **look)
                continue
            cost = means(traces, "kernel_requested")
            done = {kind: means(traces, column) for kind, column in progress.COLUMNS.items()}
            for panel, column in zip(row, ("test_task_loss", "test_error")):
                marks = {"linewidth": 1.1, "marker": "o", "markersize": 2.2}
                progress.put(panel.plot(cost, means(traces, column), label=label, **marks, **look), done)
        row[0].set_ylabel(f"{folder}: mean loss, 1 - overlap")
        row[1].set_ylabel(f"{folder}: share with overlap ≤ 1/2")
        top = max(0.01, row[1].get_ylim()[1])
        row[1].set_ylim(-0.03 * top, top)
        for panel in row:
            panel.set_xscale("log")
            panel.set_xlabel("kernel evaluations requested")
    axes[0][1].legend(*axes[0][0].get_legend_handles_labels(), fontsize=5.8, loc="upper right")
    text = (
        "Test images of three splits by group, means over splits and seeds. Marks: measured rounds. SFD makes one pass "
        "over the training images. SVMstruct and BCFW, with λ = 0.01, run to their tolerance or last epoch."
    )
    mark = data_marks(trace for study in (cows, faces, batch, bcfw) for trace in study.traces)
    return fig, "Localisation against kernel evaluations", text, mark


@table(
    "sfd-2013/fig5-5-costs",
    ["sfd-2013/fig5-5-cows", "sfd-2013/fig5-5-faces", "sfd-2013/fig5-5-batch", "sfd-2013/fig5-5-bcfw"],
)
def fig5_5_costs(cows, faces, batch, bcfw):
    header = [
        *("set", "method", "loss", "wrong (%)", "support boxes", "requested", "computed"),
        *("oracle calls", "boxes scored", "seconds"),
    ]
    rows = []
    for folder, experiment in zip(SETS, (cows, faces)):
        for label, traces, _ in methods(experiment, batch, bcfw, folder):

            def mean(value, of=traces):
                return float(np.mean([value(trace) for trace in of]))

            rows.append(
                [
                    folder,
                    label,
                    f"{mean(lambda trace: trace.summary['test_task_loss']):.4f}",
                    f"{100 * mean(lambda trace: trace.summary['test_error']):.2f}",
                    f"{mean(lambda trace: trace.summary['support_vectors']):.0f}",
                    *(
                        f"{mean(lambda trace, k=kind: trace.summary['kernel_evaluations'][k]):.3g}"
                        for kind in ("requested", "computed")
                    ),
                    f"{mean(lambda trace: trace.summary['oracle_calls']):.0f}",
                    f"{mean(lambda trace: trace.summary['boxes_scored']):.3g}",
                    f"{mean(lambda trace: trace.provenance['wall_seconds']):.2f}",
                ]
            )
    mark = data_marks(trace for study in (cows, faces, batch, bcfw) for trace in study.traces)
    return (
        header,
        rows,
        "Localisation on three splits by group: means over splits and seeds; seconds on this machine",
        mark,
    )


if __name__ == "__main__":
    main()
