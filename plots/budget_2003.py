"""Figure 4 and table 1 of budget-2003 (online classification on a budget)."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from okbench.claims import numbers
from okbench.results import mean_and_spread

from okbench.plotting import captions, style, tables
from okbench.plotting.draw import main
from okbench.plotting.registry import figure, table
from okbench.results.marks import data_marks, data_title

COLUMNS = (
    ("budget-2003/fig4-mnist", "MNIST"),
    ("budget-2003/fig4-usps", "USPS"),
    ("budget-2003/fig4-letter", "letter"),
)

# (axis label, value of a trace, whether the SVM has it, top of the axis as a multiple of MIRA's value). The smallest
# caches have much larger values and are cut off.
ROWS = (
    ("test error (%)", lambda trace: 100 * trace.summary["test_error"], True, 1.5),
    ("online errors", lambda trace: trace.summary["mistakes"], False, 1.2),
    ("online margin errors", lambda trace: trace.summary["margin_errors"], False, None),
)

MARKS = {
    "adaptive": {"marker": "s", "color": style.VERMILION, "markersize": 5},
    "mira": {"marker": "o", "color": style.BLACK, "markersize": 5, "markerfacecolor": "white"},
    "perceptron": {"marker": "o", "color": style.BLACK, "markersize": 5, "markerfacecolor": "white"},
    "svm": {"marker": "^", "color": style.GREEN, "markersize": 5.5},
}


def marks_of(experiment, svm=None):
    """{learner: traces} of the learners in MARKS. `svm`: traces of the batch SVM if they are in another experiment."""
    marks = {key: experiment.by_learner(key) for key in MARKS}
    if svm is not None:
        marks["svm"] = svm
    return {key: traces for key, traces in marks.items() if traces}


def without(marks, key):
    return {learner: traces for learner, traces in marks.items() if learner != key}


def draw_panel(axes, experiment, marks, value, top):
    by_size = {}
    for trace in experiment.by_learner("fixed"):
        by_size.setdefault(trace.spec["parameters"]["budget"], []).append(trace)
    sizes = sorted(by_size)
    points = [mean_and_spread(by_size[size], value) for size in sizes]
    axes.errorbar(
        sizes,
        [mean for mean, _ in points],
        [spread for _, spread in points],
        color=style.BLUE,
        marker=".",
        markersize=4,
        linewidth=1.2,
        elinewidth=0.8,
        capsize=1.5,
        label="Fixed",
    )
    for key, traces in marks.items():
        x, x_spread = mean_and_spread(traces, lambda trace: trace.summary["support_vectors"])
        y, y_spread = mean_and_spread(traces, value)
        axes.errorbar(
            [x],
            [y],
            [y_spread],
            [x_spread],
            linestyle="none",
            elinewidth=0.8,
            capsize=1.5,
            label=traces[0].label,
            **MARKS[key],
        )
    if top is not None:
        limit = top * mean_and_spread(experiment.by_learner("mira"), value)[0]
        ends = [mean_and_spread(traces, value) for traces in marks.values()]
        lowest = min(mean - spread for mean, spread in points + ends)
        if max(mean for mean, _ in points) > limit:
            axes.set_ylim(lowest - 0.05 * (limit - lowest), limit)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.yaxis.set_major_locator(MaxNLocator(5))


@figure("budget-2003/fig4", [*(name for name, _ in COLUMNS), "budget-2003/fig4-mnist-svm"])
def figure_4(*experiments):
    *experiments, batch = experiments
    # The batch SVM of MNIST is a separate experiment. It is shown only if it has learned from all digits.
    whole = [trace for trace in batch.traces if trace.summary["examples"] == trace.provenance["data_shape"]["train"]]
    fig, axes = style.grid(3, 3, height=6.2, sharex="col")
    for column, ((_, name), experiment) in enumerate(zip(COLUMNS, experiments)):
        marks = marks_of(experiment, whole if column == 0 else None)
        for row, (label, value, with_svm, top) in enumerate(ROWS):
            draw_panel(axes[row][column], experiment, marks if with_svm else without(marks, "svm"), value, top)
            if column == 0:
                axes[row][column].set_ylabel(label)
        axes[0][column].set_title(name)
        axes[2][column].set_xlabel("support patterns")
    known = {label: handle for panel in axes[0] for handle, label in zip(*panel.get_legend_handles_labels())}
    axes[0][0].legend(known.values(), known.keys(), loc="upper right")
    parts = []
    for (_, name), experiment in zip(COLUMNS, experiments):
        first = experiment.traces[0]
        repetitions = len({trace.spec["repetition"] for trace in experiment.traces})
        requested = {
            key: int(np.mean([t.summary["kernel_evaluations"]["requested"] for t in experiment.by_learner(key)]))
            for key in ("mira", "adaptive", "svm")
            if experiment.by_learner(key)
        }
        costs = ", ".join(
            f"{key.upper() if key != 'adaptive' else key} {captions.number(count)}" for key, count in requested.items()
        )
        parts.append(
            f"{captions.data_text(first)}, {first.provenance['kernel']}, {repetitions} "
            f"permutation{'s' if repetitions > 1 else ''}, kernel evaluations requested on average {costs}."
        )
    beta = experiments[0].by_learner("mira")[0].spec["parameters"]["beta"]
    text = (
        f"MIRA with a fixed cache (line), an adaptive cache and none, margin β = {beta}; batch multiclass SVM. "
        "Bars: standard deviation over permutations. "
    )
    text += "Values above a panel are not shown. "
    if not whole:
        text += "The SVM on all digits of MNIST runs only in the paper tier. "
    mark = data_marks(trace for experiment in experiments for trace in experiment.traces)
    return fig, "Figure 4: errors against the number of support patterns", text + " ".join(parts), mark


@figure("budget-2003/perceptron", ["budget-2003/perceptron-usps", "budget-2003/perceptron-margin"])
def figure_perceptron(*experiments):
    fig, axes = style.grid(2, 2, height=4.6, sharex="col")
    for column, (name, experiment) in enumerate(zip(("USPS, 0-4 against 5-9", "generated, margin 0.1"), experiments)):
        marks = marks_of(experiment)
        draw_panel(axes[0][column], experiment, marks, lambda trace: 100 * trace.summary["test_error"], None)
        draw_panel(axes[1][column], experiment, marks, lambda trace: trace.metric("insertions"), None)
        axes[0][column].set_title(name)
        axes[1][column].set_xlabel("support patterns")
    trace = experiments[1].by_learner("perceptron")[0]
    beta, margin = trace.parameters["beta"], trace.provenance["data_shape"]["margin"]
    bound = (1 + 2 * beta) / margin**2
    style.named(axes[1][1].axhline(bound, **style.THIN), "bound of theorem 1")
    axes[0][0].set_ylabel("test error (%)")
    axes[1][0].set_ylabel("insertions")
    axes[0][0].legend(loc="upper right")
    note = (
        f"The aggressive perceptron, β = {beta:g}, with a fixed cache (line), the adaptive cache, and none. Bars: "
        f"standard deviation over {len({run.spec['repetition'] for run in experiments[0].traces})} permutations. Thin "
        f"line: the bound of theorem 1, (R² + 2β)/γ² = {bound:.0f}. "
        + " ".join(
            f"{captions.data_text(study.traces[0])}, {study.traces[0].provenance['kernel']}." for study in experiments
        )
    )
    mark = experiments[0].traces[0].data_mark
    return fig, "The perceptron on a budget", note, mark


@table("budget-2003/table1", ["budget-2003/table1"])
def table_1(experiment):
    printed = numbers("budget-2003")
    rows = []
    for trace in experiment.traces:
        name = trace.spec["data"]["name"]
        shape = trace.provenance["data_shape"]
        ours = [shape[key] for key in ("train", "test", "classes", "features")]
        rows.append(
            [data_title(name, [trace])]
            + [tables.beside(mine, paper) for mine, paper in zip(ours, printed.value(f"table1.{name}"))]
        )
    header = ["data set", "training examples (paper)", "test examples (paper)", "classes (paper)", "attributes (paper)"]
    return header, rows, "Table 1: data sets", data_marks(experiment.traces)


if __name__ == "__main__":
    main()
