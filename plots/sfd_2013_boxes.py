"""Figures 5.6 to 5.9 and table 5.5 of sfd-2013: how many objects the best boxes of an image cover."""

import numpy as np

from okbench.claims import numbers

from okbench.plotting import style
from okbench.plotting.draw import main
from okbench.plotting.registry import figure, table
from okbench.results.marks import data_marks

CLASSES = {
    "fig5-6": ("car", "cars"),
    "fig5-7": ("sofa", "sofas"),
    "fig5-8": ("chair", "chairs"),
    "fig5-9": ("cat", "cats"),
}
# Checkpoints of the thesis: after the first round, and after these epochs.
FIRST_ROUND = 0
MOMENTS = (
    (FIRST_ROUND, "one round", style.BLUE),
    (0.5, "half an epoch", style.GREEN),
    (1, "one epoch", style.VERMILION),
    (2, "two epochs", style.SKY),
)
COUNTS = (1, 10, 100, 500)


def moment(trace, epochs):
    """The step of the first checkpoint at or after `epochs` epochs; None if the run is shorter."""
    steps, examples = (np.asarray(trace.checkpoints[name]) for name in ("step", "examples"))
    reached = steps >= 1 if epochs == FIRST_ROUND else examples >= epochs * trace.provenance["data_shape"]["train"]
    step = int(steps[reached][0]) if reached.any() else None
    return None if epochs == FIRST_ROUND and step != 1 else step


def last(trace):
    """The step of the last checkpoint."""
    return int(trace.checkpoints["step"][-1])


def recall(trace, boxes, step):
    """(overlaps, recall at each overlap) of the best `boxes` boxes at a checkpoint."""
    rows = trace.tables["recall"]
    chosen = (np.asarray(rows["boxes"]) == boxes) & (np.asarray(rows["step"]) == step)
    return np.asarray(rows["overlap"])[chosen], np.asarray(rows["recall"])[chosen]


def area(trace, boxes, step):
    return float(np.asarray(trace.checkpoints[f"area_{boxes}"])[np.asarray(trace.checkpoints["step"]) == step][0])


def batch_of(batch, name):
    """The run of SVMstruct with lambda chosen by cross validation."""
    return next(trace for trace in batch.by_learner("svm-struct-validated") if trace.data_set == name)


RANDOM = {"color": "#777777", "linestyle": "--"}
LARGEST = {"color": "#777777", "linestyle": (0, (1, 2))}
BATCH = {"color": style.BLACK, "linestyle": ":"}


def by_constant(experiment):
    """The runs of SFD, the largest lambda first."""
    return sorted(experiment.by_learner("sfd"), key=lambda trace: -trace.parameter("schedule_c"))


def by_class(classes, rows_of):
    """(rows of a table, the mark of their data). Concatenates rows_of(class, experiment) over the classes."""
    rows = [row for (name, _), experiment in zip(CLASSES.values(), classes) for row in rows_of(name, experiment)]
    return rows, data_marks(trace for experiment in classes for trace in experiment.traces)


def plot_recall(panel, trace, boxes, label, step=None, **look):
    """Draws a recall curve for overlaps from 0.25 to 0.75, as in the thesis. The label includes its area."""
    step = last(trace) if step is None else step
    x, y = recall(trace, boxes, step)
    shown = (x >= 0.25) & (x <= 0.75)
    text = f"{label} ({100 * area(trace, boxes, step):.1f})"
    panel.plot(x[shown], y[shown], label=text, linewidth=1.1, **look)


def plot_references(panel, experiment, svm, boxes):
    """Draws the baselines: SVMstruct, and boxes that are chosen without learning."""
    plot_recall(panel, svm, boxes, "SVMstruct", **BATCH)
    for key, look in (("random", RANDOM), ("largest", LARGEST)):
        trace = experiment.by_learner(key)[0]
        plot_recall(panel, trace, boxes, f"{key} boxes", **look)


def plot_moments(panel, run, boxes):
    for epochs, label, colour in MOMENTS:
        step = moment(run, epochs)
        if step is not None:
            plot_recall(panel, run, boxes, label, step, color=colour)


def finish_recall(panel, title, what):
    panel.set_title(title, loc="left", fontsize=8)
    panel.set_xlabel("least overlap", fontsize=7.5)
    panel.set_ylabel(what, fontsize=7.5)
    panel.set_ylim(0, 1)
    panel.set_xlim(0.25, 0.75)
    panel.set_xticks([0.25, 0.5, 0.75])
    # The legend is below the panel, because inside it would cover curves.
    panel.legend(fontsize=5.5, loc="upper left", bbox_to_anchor=(-0.1, -0.26), handlelength=1.8, frameon=False)


def draw_detection(experiment, batch):
    runs = by_constant(experiment)
    svm = batch_of(batch, runs[0].data_set)
    fig, axes = style.grid(2, 4, height=6.6)
    for panel, run in zip(axes[0], runs):
        plot_moments(panel, run, 500)
        plot_references(panel, experiment, svm, 500)
        finish_recall(panel, f"λ = {run.parameter('schedule_c'):g}/k", "recall by 500 boxes")
    for panel in axes[0][len(runs) :]:
        panel.axis("off")
    best = runs[-1]
    for panel, boxes in zip(axes[1], COUNTS[:3]):
        plot_moments(panel, best, boxes)
        plot_references(panel, experiment, svm, boxes)
        count = "the best box" if boxes == 1 else f"{boxes} boxes"
        finish_recall(panel, f"λ = {best.parameter('schedule_c'):g}/k", f"recall by {count}")
    panel = axes[1][3]
    lines = (
        (experiment.by_learner("best")[0], "best possible boxes", {"color": "#777777", "linestyle": "-."}),
        (svm, "SVMstruct", BATCH),
        (best, f"SFD, λ = {best.parameter('schedule_c'):g}/k", {"color": style.SKY}),
        (experiment.by_learner("random")[0], "random boxes", RANDOM),
        (experiment.by_learner("largest")[0], "the largest boxes", LARGEST),
    )
    for trace, label, look in lines:
        areas = [area(trace, boxes, last(trace)) for boxes in COUNTS]
        panel.plot(COUNTS, areas, label=label, linewidth=1.1, marker="o", markersize=2.5, **look)
    panel.set_title("areas", loc="left", fontsize=8)
    panel.set_xscale("log")
    panel.set_xticks(COUNTS, [str(boxes) for boxes in COUNTS])
    panel.minorticks_off()
    panel.set_xlabel("boxes of an image", fontsize=7.5)
    panel.set_ylabel("area under the curve", fontsize=7.5)
    panel.set_ylim(0, 1)
    panel.legend(fontsize=5.5, loc="upper left", bbox_to_anchor=(-0.1, -0.26), handlelength=1.8, frameon=False)
    return fig


def register_detection(name, category, objects):
    @figure(f"sfd-2013/{name}", [f"sfd-2013/{name}", "sfd-2013/fig5-6-batch"])
    def of(experiment, batch):
        run = experiment.by_learner("sfd")[0]
        shape = run.provenance["data_shape"]
        svm = batch_of(batch, run.data_set)
        text = (
            f"PASCAL VOC 2007, {objects}: {shape['train']} training and {shape['test']} test images. Recall: share of "
            "objects that one of the best boxes of their image overlaps by at least this much, after suppression of "
            "overlaps of 0.9. In parentheses: area under the curve from 0 to 1, in percent. "
            f"SFD in batches of {run.spec['data']['batch']} in the order of the images' numbers; SVMstruct with "
            f"λ = {svm.parameter('lambda'):g}."
        )
        mark = data_marks((*experiment.traces, svm))
        return draw_detection(experiment, batch), f"Recall of {objects} by the best boxes of an image", text, mark


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

    def rows_of(name, experiment):
        said = printed.entry(f"table5-5.{name}")
        constants = ", ".join(f"{constant:g}" for constant in said["lambda-k"])
        for run in by_constant(experiment):
            steps = [moment(run, epochs) for epochs, _, _ in MOMENTS]
            yield [
                name,
                f"{run.provenance['data_shape']['train']} ({said['training']})",
                f"{run.spec['data']['batch']} ({said['k']})",
                f"{run.parameter('schedule_c'):g} ({constants})",
                *("" if step is None else f"{100 * area(run, 500, step):.1f}" for step in steps),
                f"{100 * (1 - run.summary['test_error']):.1f}",
            ]

    rows, mark = by_class(experiments, rows_of)
    return (
        header,
        rows,
        "SFD on PASCAL VOC 2007: area of the 500 best boxes (%); parameters of the thesis in parentheses",
        mark,
    )


@table("sfd-2013/detection-costs", [f"sfd-2013/{name}" for name in CLASSES] + ["sfd-2013/fig5-6-batch"])
def detection_costs(*experiments):
    *classes, batch = experiments
    header = ["class", "method", "λ", "requested", "computed", "oracle calls", "boxes scored", "seconds", "area"]

    def rows_of(name, experiment):
        validated = batch_of(batch, experiment.traces[0].data_set)
        svm = [trace for trace in batch.by_learner("svm-struct") if trace.data_set == validated.data_set]
        runs = [("SFD, two epochs", f"{trace.parameter('schedule_c'):g}/k", trace) for trace in by_constant(experiment)]
        runs += [("SVMstruct", f"{trace.parameter('lambda'):g}", trace) for trace in svm]
        runs += [("SVMstruct, validated", f"{validated.parameter('lambda'):g}", validated)]
        for method, constant, trace in runs:
            yield [
                name,
                method,
                constant,
                *(f"{trace.summary['kernel_evaluations'][kind]:.3g}" for kind in ("requested", "computed")),
                str(trace.summary["oracle_calls"]),
                f"{trace.summary['boxes_scored']:.3g}",
                f"{trace.provenance['wall_seconds']:.1f}",
                f"{100 * area(trace, 500, last(trace)):.1f}",
            ]

    rows, mark = by_class(classes, rows_of)
    mark = mark or data_marks(batch.traces)
    return (
        header,
        rows,
        "Costs of learning on PASCAL VOC 2007, without cross validation; seconds on this machine",
        mark,
    )


if __name__ == "__main__":
    main()
