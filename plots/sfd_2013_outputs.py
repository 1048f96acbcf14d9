"""SFD and baselines on classes and label trees (OP1, OP3 and OP5 of sfd-2013): test error against three costs."""

import numpy as np

from okbench.plotting import captions, progress, style
from okbench.plotting.draw import main
from okbench.plotting.progress import at_checkpoints, mean_of, select
from okbench.plotting.registry import figure
from okbench.results.marks import data_marks


# Line styles by learner: the method first, then its variants.
LOOKS = {
    "sfd": {"color": style.BLUE, "linestyle": "-", "marker": "o"},
    "sfd-bounded": {"color": style.BLUE, "linestyle": (0, (5, 2)), "marker": "s", "markerfacecolor": "white"},
    "sfd-planes": {"color": style.GREEN, "linestyle": (0, (5, 1, 1, 1)), "marker": "X"},
    "sfd-flat": {"color": style.PURPLE, "linestyle": "-", "marker": "P"},
    "mira": {"color": style.VERMILION, "linestyle": (0, (1, 1.4)), "marker": "v"},
    "bcfw": {"color": style.BLACK, "linestyle": "-", "marker": "D"},
    "bcfw-flat": {"color": style.PURPLE, "linestyle": (0, (1, 1.4)), "marker": "P"},
    "svm-struct": {"color": style.VERMILION, "linestyle": (0, (5, 2)), "marker": "^"},
}
COSTS = (
    ("kernel_requested", "kernel evaluations requested"),
    ("oracle_calls", "oracle calls"),
    ("examples", "examples processed"),
)
MEASURES = (("test_error", 100, "test error (%)"), ("test_task_loss", 1, "Δ of the test predictions"))


def mean_curve(traces, column):
    """The mean over seeds of a column at the checkpoints; None if a trace lacks the column."""
    columns = [at_checkpoints(trace, column) for trace in traces]
    return None if any(values is None for values in columns) else mean_of(columns)


def plain_ticks(panel):
    """Plain numbers as tick labels of a logarithmic y axis; fewer labels if the axis spans more than a factor of 3."""
    low, high = panel.get_ylim()
    shown = "123456789" if high < 3 * low else "235"
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.yaxis.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:.0e}"[0] in shown else "")


def draw_errors(experiment):
    data_sets = sorted({trace.data_set for trace in experiment.traces})
    measures = [metric for metric in MEASURES if metric[0] in experiment.traces[0].checkpoints]
    rows = [(data_set, metric) for data_set in data_sets for metric in measures]
    fig, axes = style.grid(len(rows) + 1, len(COSTS), height=0.7 + 1.75 * len(rows))
    for panels, (data_set, (measure, factor, name)) in zip(axes, rows):
        for panel, (cost, cost_name) in zip(panels, COSTS):
            for key, look in LOOKS.items():
                traces = select(experiment, key, data_set)
                x = mean_curve(traces, cost) if traces else None
                if x is not None:
                    y = factor * mean_curve(traces, measure)
                    lines = panel.plot(x, y, label=traces[0].label, linewidth=1.1, markersize=3, **look)
                    progress.mark(lines, traces, at_checkpoints)
            panel.set_yscale("log")
            plain_ticks(panel)
            panel.set_xscale("log")
            panel.set_xlabel(cost_name)
        panels[0].set_ylabel(name)
        if len(data_sets) > 1:
            panels[0].set_title(captions.DATA_NAMES.get(data_set, data_set), loc="left")
    return fig, axes


def draw_convergence(experiment):
    """Draws objective / optimum - 1; the optimum is the best dual value of BCFW on the same loss."""
    fig, axes = style.grid(2, len(COSTS), height=2.5)
    best = {}
    for trace in experiment.by_learner("bcfw") + experiment.by_learner("bcfw-flat"):
        best[trace.parameter("distance")] = float(np.max(trace["dual"]))
    for panel, (cost, cost_name) in zip(axes[0], COSTS):
        for key, look in LOOKS.items():
            for trace in experiment.by_learner(key):
                y = np.asarray(trace["primal"], dtype=float) / best[trace.parameter("distance")] - 1
                marks = {"linewidth": 1.1, "markersize": 3, "markevery": max(1, len(y) // 8)}
                progress.mark(panel.plot(trace[cost], y, label=trace.label, **marks, **look), [trace])
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xlabel(cost_name)
    axes[0][0].set_ylabel("objective / optimum − 1")
    return fig, axes


def with_legend(fig, axes):
    """Replaces the last row of panels by a common legend."""
    gridspec = axes[-1][0].get_gridspec()
    for panel in axes[-1]:
        panel.remove()
    legend_area = fig.add_subplot(gridspec[-1, :])
    legend_area.axis("off")
    handles, labels = axes[0][0].get_legend_handles_labels()
    columns = 2 if len(labels) > 3 else len(labels)
    lines = -(-len(labels) // columns)
    gridspec.set_height_ratios([1.0] * (len(axes) - 1) + [0.1 * lines])
    legend_area.legend(handles, labels, loc="center", ncols=columns, borderaxespad=0.0)
    return fig


def caption(experiment, kind):
    seeds = len({trace.spec["repetition"] for trace in experiment.traces})
    data_sets = {}
    for trace in experiment.traces:
        name = captions.DATA_NAMES.get(trace.data_set, trace.data_set)
        data_sets[name] = f"{trace.provenance['data_shape']['train']} training examples, {trace.provenance['kernel']}"
    of = "; ".join(f"{name}: {text}" for name, text in sorted(data_sets.items()))
    means = f"Means over {seeds} seeds" if seeds > 1 else "One seed"
    text = f"{kind} {means}. {of}. "
    if any("oracle_calls" not in trace.tables["trace"] for trace in experiment.traces):
        text += "MIRA does not call an oracle. "
    if kind == ONLINE and "test_task_loss" in experiment.traces[0].checkpoints:
        text += "Δ is the mean tree distance between the predicted and the true class. "
    return text


def register(name, title, kind, draw):
    @figure(f"sfd-2013/{name}", [f"sfd-2013/{name}"])
    def of(experiment):
        mark = data_marks(experiment.traces)
        return with_legend(*draw(experiment)), title, caption(experiment, kind), mark


ONLINE = "Two epochs; SFD in batches of 1 % of the training set."
BATCH = "The optimum is the best dual value that BCFW reaches on the same loss."
register("multiclass", "SFD over classes: USPS and letter", ONLINE, draw_errors)
register("multiclass-wide", "SFD over classes: USPS with a wide kernel", ONLINE, draw_errors)
register("multiclass-mnist", "SFD over classes: MNIST", ONLINE, draw_errors)
register("multiclass-imageclef", "SFD over the leaves of a tree: ImageCLEF 2007", ONLINE, draw_errors)
register("multiclass-newsgroups", "SFD over the leaves of a tree: 20 Newsgroups", ONLINE, draw_errors)
register("structural", "The structural SVM on USPS", BATCH, draw_convergence)
register("structural-imageclef", "The structural SVM with a tree's loss: ImageCLEF 2007", BATCH, draw_convergence)
register("structural-newsgroups", "The structural SVM with a tree's loss: 20 Newsgroups", BATCH, draw_convergence)


if __name__ == "__main__":
    main()
