"""Figures 3, 4, 6, 7 and 8 of svmd-2006 (step size adaptation in RKHS)."""

import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from okbench.claims import numbers

from okbench.plotting import captions, progress, style
from okbench.plotting.draw import main
from okbench.plotting.images import digits, show
from okbench.plotting.registry import figure
from okbench.results.marks import data_marks

PLAIN = FuncFormatter(lambda value, _: f"{value:g}")

SERIES = (("norma", style.DASHED), ("svmd-single-step", style.DOTTED), ("svmd", style.SOLID))


def iterations_axis(axes, last):
    axes.set_xscale("log")
    axes.set_xlim(1, last)
    axes.set_xlabel("iterations")


LINES = {"svmd": "solid", "svmd-single-step": "dotted", "norma": "dashed"}


def series_note(traces):
    """The differences between the series, as text for the caption."""
    parts = []
    for trace in traces:
        own = captions.parameter_text(trace, ("mu", "trace_decay", "tau"))
        parts.append(f"{LINES[trace.provenance['learner_key']]}: {trace.spec['learner'].upper()} with {own}")
    return "; ".join(parts).capitalize() + "."


def error_and_step(experiment, title, shared, paper=()):
    """Draws the current average error (left) and the step size (right), as in figures 3, 4 and 6.

    `paper`: {learner: average error at the end that the paper prints}.
    """
    fig, (left, right) = style.panels(2)
    drawn = []
    for key, look in SERIES:
        for trace in experiment.by_learner(key):
            final = 100 * trace.summary["error_rate"]
            error = left.plot(trace["step"], 100 * trace.average_error, **look)
            style.named(progress.mark(error, [trace]), captions.series_label(trace))
            name = f"{captions.series_label(trace)} ({final:.1f} %)"
            progress.mark(right.plot(trace["step"], trace["step_size"], label=name, **look), [trace])
            drawn.append(trace)
    last = max(trace.summary["examples"] for trace in drawn)
    for axes in (left, right):
        iterations_axis(axes, last)
    left.set_ylim(0, 100)
    left.set_ylabel("current average error (%)")
    if paper:
        style.printed(left, [(100 * paper[key], look["color"]) for key, look in SERIES if key in paper])
        left.legend(*[items[-1:] for items in left.get_legend_handles_labels()], loc="upper right")
    right.set_yscale("log")
    right.set_ylabel("step size η")
    right.legend(
        *[items[::-1] for items in right.get_legend_handles_labels()],
        title="(average error at the end)",
        title_fontsize=7.5,
        alignment="left",
        loc="lower left",
    )
    drawn.reverse()
    return fig, title, captions.caption(drawn, shared, series_note(drawn)), data_marks(drawn)


NU_PARAMETERS = ("nu", "margin", "c", "eta0", "buffer")


@figure("svmd-2006/fig3", ["svmd-2006/fig3"])
def figure_3(experiment):
    return error_and_step(
        experiment,
        "Figure 3: binary ν-SVM, digits 0-4 against 5-9, one pass",
        NU_PARAMETERS,
    )


@figure("svmd-2006/fig4", ["svmd-2006/fig4"])
def figure_4(experiment):
    return error_and_step(
        experiment,
        "Figure 4: ten-class soft margin, one pass",
        ("c", "eta0", "buffer"),
    )


@figure("svmd-2006/fig5", ["svmd-2006/fig5"])
def figure_5(experiment):
    trace = experiment.traces[0]
    fig = style.plt.figure(figsize=(style.WIDTH, 1.2))
    sheet, count = digits(trace, 0, 30)
    show(fig.add_subplot(), sheet, f"the first {count} digits: 000, 001, ...")
    note = f"{captions.data_text(trace)}, in the order of a three-digit counter."
    return fig, "Figure 5: the counting sequence", note, trace.data_mark


@figure("svmd-2006/fig6", ["svmd-2006/fig6"])
def figure_6(experiment):
    return error_and_step(
        experiment,
        "Figure 6: ten-class ν-SVM on the counting sequence, one pass",
        NU_PARAMETERS,
        {key: numbers("svmd-2006").value(f"fig6.{key}") for key in ("svmd", "norma")},
    )


def jump_note(trace):
    """A note on the rise of the error after a large buffer is full; empty if the error rises by less than a fifth.

    A full buffer drops its oldest terms, which have the largest coefficients, while the step size is small.
    """
    steps, error, buffer = trace["step"], trace.average_error, trace.spec["parameters"]["buffer"]
    full = np.flatnonzero(trace["support_vectors"] >= buffer)
    if not len(full) or full[0] + 2 >= len(steps):
        return ""
    low = full[0] + int(np.argmin(error[full[0] :]))
    high = low + int(np.argmax(error[low:]))
    if error[high] < 1.2 * error[low]:
        return ""
    return (
        f" With {buffer} terms the buffer is full at t = {steps[full[0]]} and drops its oldest terms, which have the "
        f"largest coefficients, while η has fallen to {trace['step_size'][low]:.2g}: from t = {steps[low]} to "
        f"{steps[high]} the "
        f"average error rises from {100 * error[low]:.2f} to {100 * error[high]:.2f} %, until SVMD has raised η again."
    )


@figure("svmd-2006/fig7", ["svmd-2006/fig7-left", "svmd-2006/fig7-right"])
def figure_7(novelty, mnist):
    fig, (left, right) = style.panels(2, height=2.7)
    trace = novelty.by_learner("svmd")[0]
    last = trace.summary["examples"]
    for event in numbers("svmd-2006").value("fig7-left.events"):
        if event < last:
            left.axvline(event, color="#999999", linewidth=0.5, linestyle=":", zorder=0)
    sizes = left.plot(trace["step"], trace["step_size"], **{**style.SOLID, "linewidth": 0.9})
    style.named(progress.mark(sizes, [trace]), "SVMD")
    iterations_axis(left, last)
    left.set_yscale("log")
    left.set_ylabel("step size η")
    left.set_title("novelty detection, counting sequence", loc="left", fontsize=8)

    # The largest buffer, the best of the method, is solid; the line styles differ in grey.
    traces = mnist.by_learner("svmd")
    looks = [style.DASHED, style.DOTTED, style.SOLID]
    for place, series in enumerate(traces):
        look = looks[place - len(traces)] if len(traces) - place <= len(looks) else style.THIN
        size = series.spec["parameters"]["buffer"]
        name = f"buffer {size}: {100 * series.summary['error_rate']:.1f} %"
        progress.mark(right.plot(series["step"], 100 * series.average_error, label=name, **look), [series])
    iterations_axis(right, max(series.summary["examples"] for series in traces))
    right.set_yscale("log")
    right.set_ylim(top=100)
    right.yaxis.set_major_formatter(PLAIN)
    right.yaxis.set_minor_formatter(NullFormatter())
    right.set_ylabel("current average error (%)")
    paper = numbers("svmd-2006")
    looks_of = {series.spec["parameters"]["buffer"]: look for series, look in zip(traces, looks[-len(traces) :])}
    style.printed(
        right,
        [
            (100 * paper.value(f"fig7-right.buffer-{size}"), look["color"])
            for size, look in looks_of.items()
            if size in (256, 4096)
        ],
    )
    right.set_title("MNIST, three buffer sizes", loc="left", fontsize=8)
    right.legend(title="at the end", title_fontsize=7.5, alignment="left", loc="lower left")

    note = (
        f"Left: SVMD, {captions.parameter_text(trace, ('mu', 'trace_decay') + NU_PARAMETERS)}, "
        f"{trace.provenance['kernel']}; {captions.data_text(trace)}; "
        f"{captions.number(trace.summary['kernel_evaluations']['requested'])} kernel evaluations; "
        "dotted lines: larger carries of the counter. Right: SVMD, "
        f"{captions.parameter_text(traces[0], ('mu', 'trace_decay', 'c', 'eta0'))}, {traces[0].provenance['kernel']}; "
        f"{captions.data_text(traces[0])}; kernel evaluations "
        + ", ".join(
            f"{captions.number(series.summary['kernel_evaluations']['requested'])} (buffer "
            f"{series.spec['parameters']['buffer']})"
            for series in traces
        )
        + "."
        + jump_note(traces[-1])
    )
    mark = data_marks([trace, *traces])
    return (
        fig,
        "Figure 7: step size under non-stationarity (left) and effect of the buffer size (right)",
        note,
        mark,
    )


TREES = (
    ("norma", "online SVM, τ = 100", style.DASHED),
    ("svmd-flat", "SVMD, flat loss, μ = 0.01", style.DOTTED),
    ("svmd", "SVMD, μ = 0.1", style.SOLID),
    ("svmd-slow", "SVMD, μ = 0.01", {**style.SOLID, "color": style.GREEN}),
)


def over_passes(trace, column):
    """The running mean of a cumulative column, restarted in each pass."""
    passes = trace.spec["data"]["epochs"]
    length = trace.summary["examples"] // passes
    steps, values = trace["step"], trace[column].astype(float)
    starts = (steps - 1) // length * length
    before = np.where(starts == 0, 0.0, np.interp(starts, steps, values))
    return (values - before) / (steps - starts)


def series_of(experiment, key):
    """The traces of a series; for the online SVM only those with tau = 100."""
    traces = experiment.by_learner(key)
    return [trace for trace in traces if key != "norma" or trace.parameters["tau"] == 100]


def mean_over_passes(traces, column):
    return np.mean([over_passes(trace, column) for trace in traces], axis=0)


def draw_trees(experiment, row):
    """Draws error, tree distance of the predictions, and step size for one data set."""
    left, middle, right = row
    for key, label, look in TREES:
        traces = series_of(experiment, key)
        steps = traces[0]["step"]
        progress.mark(left.plot(steps, 100 * mean_over_passes(traces, "mistakes"), label=label, **look), traces)
        distances = middle.plot(steps, mean_over_passes(traces, "task_loss_sum"), **look)
        style.named(progress.mark(distances, traces), label)
        style.named(progress.mark(right.plot(steps, traces[0]["step_size"], **look), traces[:1]), label)
    examples = traces[0].summary["examples"]
    for axes in row:
        axes.axvline(examples // 2, color="#999999", linewidth=0.6, linestyle=":", zorder=0)
        axes.set_xlim(0, examples)
        axes.set_xlabel("examples")
        axes.xaxis.set_major_locator(MaxNLocator(3))
    left.set_ylim(0, 100)
    left.set_ylabel("average error of the pass (%)")
    middle.set_ylim(bottom=0)
    middle.set_ylabel("average Δ of the pass")
    right.set_yscale("log")
    right.set_ylabel("step size η (seed 0)")
    left.set_title(captions.DATA_NAMES[traces[0].data_set], loc="left", fontsize=8)
    return traces


@figure("svmd-2006/fig8", ["svmd-2006/fig8-enron", "svmd-2006/fig8", "svmd-2006/fig8-imageclef"])
def figure_8(enron, news, images):
    fig, axes = style.grid(3, 3, height=6.6)
    drawn = [draw_trees(experiment, row) for experiment, row in zip((enron, news, images), axes)]
    axes[2][0].legend(loc="upper right", fontsize=6, handlelength=1.6)
    seeds = [f"{len(traces)} seed{'s' if len(traces) > 1 else ''}" for traces in drawn]
    note = "; ".join(
        f"{place}: {captions.data_text(traces[0])}, {traces[0].provenance['kernel']}, mean of {count}"
        for place, traces, count in zip(("Top", "middle", "bottom"), drawn, seeds)
    )
    shared = captions.parameter_text(drawn[0][0], ("eta0", "buffer"))
    note += (
        f". {shared}, c = 1/n; SVMD with λ = 0.999; tree loss with the tree kernel, except for the flat loss. "
        "Averages restart at the dotted line, the second pass. WIPO-alpha, used in the paper, is not available."
    )
    mark = data_marks(trace for traces in drawn for trace in traces)
    return fig, "Figure 8: tree-structured loss, two passes, on data sets in place of the paper's", note, mark


COLLAPSE = ({"color": style.BLUE, "marker": "o"}, {"color": style.VERMILION, "marker": "s"})


@figure("svmd-2006/fig8-collapse", ["svmd-2006/fig8-buffers-1710", "svmd-2006/fig8-buffers-enron"])
def figure_collapse(news, enron):
    fig, (panel,) = style.panels(1, height=2.8)
    drawn = []
    for experiment, look in zip((news, enron), COLLAPSE):
        traces = experiment.by_learner("svmd")
        documents = traces[0].summary["examples"] // traces[0].spec["data"]["epochs"]
        shares = np.array([trace.parameters["buffer"] / documents for trace in traces])
        sizes = np.array([trace["step_size"][-1] for trace in traces])
        points = panel.plot(shares, sizes, linestyle="", alpha=0.5, markeredgewidth=0, markersize=3, **look)
        medians = [(share, np.median(sizes[shares == share])) for share in np.unique(shares)]
        name = captions.DATA_NAMES[traces[0].data_set]
        style.named(points, f"{name}, one order")
        style.named(panel.plot(*zip(*medians), label=name, markersize=0, **look), f"{name}, median")
        drawn.append(traces)
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.xaxis.set_major_formatter(PLAIN)
    panel.axvline(1, color="#999999", linewidth=0.6, linestyle=":", zorder=0)
    panel.set_xlabel("size of the buffer / number of documents")
    panel.set_ylabel("step size after two passes")
    panel.legend()
    note = "; ".join(f"{captions.data_text(traces[0])}, {traces[0].provenance['kernel']}" for traces in drawn)
    note += ". SVMD, tree loss, μ = 0.1, λ = 0.999, c = 1/n. A point per order of the documents; lines: medians."
    mark = data_marks(trace for traces in drawn for trace in traces)
    return fig, "Step size of SVMD with the tree-structured loss, by size of the buffer", note, mark


# Buffers that drop the least important term (section 5.5).

BUFFERS = (
    ("svmd-2006/buffer-removal", "svmd", "SVMD, stationary", style.BLUE),
    ("svmd-2006/buffer-removal", "norma", "online SVM, stationary", style.BLACK),
    ("svmd-2006/buffer-removal-counting", "svmd", "SVMD, counting sequence", style.VERMILION),
)


@figure("svmd-2006/buffer-removal", ["svmd-2006/buffer-removal", "svmd-2006/buffer-removal-counting"])
def figure_buffer_removal(stationary, counting):
    fig, (panel,) = style.panels(1, height=2.8)
    studies = {experiment.name: experiment for experiment in (stationary, counting)}
    for name, key, label, color in BUFFERS:
        for removal, dash in (("oldest", "-"), ("smallest", (0, (1, 1.3)))):
            traces = [trace for trace in studies[name].by_learner(key) if trace.parameters["removal"] == removal]
            traces.sort(key=lambda trace: trace.parameters["buffer"])
            sizes = [trace.parameters["buffer"] for trace in traces]
            errors = [100 * trace.metric("error_rate") for trace in traces]
            lines = panel.plot(sizes, errors, color=color, linestyle=dash, marker="o", markersize=3)
            style.named(lines, f"{label}, drops the {removal}")
            if removal == "oldest":
                lines[0].set_label(label)
    panel.set_xscale("log", base=2)
    panel.xaxis.set_major_formatter(PLAIN)
    panel.set_xlabel("size of the buffer (support vectors)")
    panel.set_ylabel("average error (%)")
    panel.legend()
    note = "Solid: a full buffer drops the oldest term; dotted: the one with the least sum of squared coefficients."
    traces = [*stationary.traces, *counting.traces]
    return fig, "Which term a full buffer drops", note, data_marks(traces)


if __name__ == "__main__":
    main()
