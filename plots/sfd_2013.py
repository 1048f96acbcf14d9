"""Figures 5.1 to 5.4 and tables 5.1 to 5.4 of sfd-2013 (stochastic functional descent, binary)."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from okbench.claims import numbers
from okbench.results import mean_and_spread

from okbench.plotting import captions, progress, style, tables
from okbench.plotting.draw import main
from okbench.plotting.progress import average, select
from okbench.plotting.registry import figure, table
from okbench.results.marks import data_marks, data_title

DATA = ("ijcnn1", "a8a", "w8a", "timit")
NAMES = {"ijcnn1": "IJCNN", "a8a": "Adult", "w8a": "Web", "timit": "TIMIT"}

LOOKS = {
    "sfd1": {"color": style.BLUE, "linestyle": "-", "marker": "o"},
    "sfd2": {"color": style.BLUE, "linestyle": (0, (5, 2)), "marker": "s"},
    "pegasos1": {"color": style.VERMILION, "linestyle": "-", "marker": "v"},
    "pegasos2": {"color": style.VERMILION, "linestyle": (0, (1, 1.4)), "marker": "^"},
    "lasvm": {"color": style.BLACK, "linestyle": "-", "marker": "D"},
    "sampled-cuts": {"color": style.GREEN, "linestyle": (0, (5, 1, 1, 1)), "marker": "X"},
}
COMPARED = ("pegasos1", "pegasos2", "lasvm", "sampled-cuts")


# Figures 5.1 and 5.2.

STUDY = (
    ("training hinge loss", lambda trace: trace.checkpoints["training_loss"]),
    (
        "nonzero loss (% of training)",
        lambda trace: 100 * trace.checkpoints["training_nonzero"] / trace.provenance["data_shape"]["train"],
    ),
    (r"$\Vert u_t \Vert^2$", None),
    ("test error (%)", lambda trace: 100 * trace.checkpoints["test_error"]),
)


def smoothed(values, window):
    """Moving average of a column that is too noisy to draw."""
    window = max(1, min(window, len(values)))
    sums = np.cumsum(np.insert(np.asarray(values, dtype=float), 0, 0.0))
    return (sums[window:] - sums[:-window]) / window


def draw_mean(panel, x, rows, name, look, recorded):
    """Draws the mean over seeds and a band of one standard deviation.

    recorded: (traces, column, change) of mark().
    """
    length = min(len(row) for row in rows)
    values = np.array([row[:length] for row in rows], dtype=float)
    mean = np.mean(values, axis=0)
    traces, column, change = recorded
    progress.mark(panel.plot(x[:length], mean, label=name, **look), traces, column, lambda all: change(all)[:length])
    if len(rows) > 1:
        spread = np.std(values, axis=0, ddof=1)
        panel.fill_between(x[:length], mean - spread, mean + spread, color=look["color"], alpha=0.15, linewidth=0)


def draw_updates(panel, series):
    """Draws ||u_t||^2, the bound of theorem 3 (thin), and a reference line 1/t."""
    for traces, name, look in series:
        window = max(1, len(traces[0]["step"]) // 150)
        steps = smoothed(traces[0]["step"], window)
        recorded = traces, progress.at_rows, lambda values, window=window: smoothed(values, window)
        draw_mean(panel, steps, [smoothed(trace["update_norm"], window) for trace in traces], name, look, recorded)
        bound = np.mean([smoothed(trace["update_bound"], window) for trace in traces], axis=0)
        lines = panel.plot(steps, bound, color=look["color"], linewidth=0.5, alpha=0.8)
        style.named(progress.mark(lines, *recorded), f"{name}: bound")
    steps = np.geomspace(1, max(traces[0]["step"][-1] for traces, _, _ in series), 2)
    top = max(float(traces[0]["update_bound"][0]) for traces, _, _ in series)
    style.named(panel.plot(steps, 2 * top / steps, color="#888888", linewidth=0.8, linestyle=(0, (1, 2))), "1/t")
    panel.set_yscale("log")


def draw_study(series):
    """Draws four panels against the iteration. `series`: [(traces of all seeds, label, line style)]."""
    fig, axes = style.grid(2, 2, height=4.8)
    for panel, (label, value) in zip(axes.flat, STUDY):
        if value is None:
            draw_updates(panel, series)
        else:
            for traces, name, look in series:
                recorded = traces, progress.at_checkpoints, lambda values: values
                draw_mean(
                    panel, traces[0].checkpoints["step"], [value(trace) for trace in traces], name, look, recorded
                )
        panel.set_xlabel("iteration t")
        panel.set_ylabel(label)
        panel.set_xscale("log")
    # Cuts off the large errors of the first rounds.
    errors = [100 * traces[0].checkpoints["test_error"] for traces, _, _ in series]
    axes[1][1].set_ylim(min(map(min, errors)) - 0.3, max(values[-1] for values in errors) + 5)
    axes[0][0].legend(loc="best")
    return fig


def study_caption(traces, name, note):
    worst = max(float(np.max(trace["update_norm"] / np.maximum(trace["update_bound"], 1e-300))) for trace in traces)
    seeds = len({trace.spec["repetition"] for trace in traces})
    if seeds > 1:
        note += f"Means over {seeds} seeds, bands of one standard deviation. "
    note += (
        "||u_t||² is a moving average. Thin lines: its bound by theorem 3. Dotted line: 1/t. The largest ratio of "
        f"||u_t||² to its bound is {worst:.3f}."
    )
    return captions.caption([trace for trace in traces if trace.spec["repetition"] == 0], [], note, name)


FOUR = (
    {"color": style.BLACK, "linewidth": 0.9},
    {"color": style.BLUE, "linewidth": 1.1},
    {"color": style.GREEN, "linewidth": 1.2, "linestyle": (0, (5, 2))},
    {"color": style.VERMILION, "linewidth": 1.4, "linestyle": (0, (1, 1.2))},
)


def on_adult(experiment):
    """The traces on Adult, the data set of these figures. The thesis describes the others only in words."""
    return [trace for trace in experiment.traces if trace.data_set == "a8a"]


def series_by(traces, name):
    """[(traces of all seeds, name, line style)] for each name, in the order of the traces."""
    groups = {}
    for trace in traces:
        groups.setdefault(name(trace), []).append(trace)
    return [(group, series_name, look) for (series_name, group), look in zip(groups.items(), FOUR)]


def batch_name(trace):
    return f"k = {trace.spec['data']['batch']}"


@figure("sfd-2013/fig5-1", ["sfd-2013/fig5-1"])
def figure_5_1(experiment):
    traces = sorted(on_adult(experiment), key=lambda trace: trace.spec["data"]["batch"])
    fig = draw_study(series_by(traces, batch_name))
    caption = study_caption(traces, batch_name, "SFD with λ_t = t/N, k examples per round. ")
    return fig, "Figure 5.1: effect of the batch size k on SFD", caption, data_marks(experiment.traces)


def schedule_name(trace):
    if trace.provenance["learner_key"] == "diminishing":
        return "λ = t/N"
    return f"λ = {captions.number(trace.parameters['schedule_c'])}/k"


@figure("sfd-2013/fig5-2", ["sfd-2013/fig5-2"])
def figure_5_2(experiment):
    traces = on_adult(experiment)
    fig = draw_study(series_by(traces, schedule_name))
    caption = study_caption(traces, schedule_name, f"SFD, k = {traces[0].spec['data']['batch']} examples per round. ")
    return fig, "Figure 5.2: effect of λ on SFD", caption, data_marks(experiment.traces)


# Figures 5.3 and 5.4.


def shown(experiment):
    """The data sets of the thesis with traces."""
    there = {trace.data_set for trace in experiment.traces}
    return [data_set for data_set in DATA if data_set in there]


def left_out(experiment, data_set):
    """The reason why a panel is empty; None if it is not. Synthetic data are not shown next to real data."""
    generated = {trace.data_set for trace in experiment.traces if trace.synthetic}
    real = {trace.data_set for trace in experiment.traces} - generated
    if not real or data_set in real:
        return None
    return f"{NAMES[data_set]} is not available. Synthetic data are not comparable."


def draw_comparison(experiment, x_column, x_label):
    fig, axes = style.grid(2, 2, height=5.0)
    for panel, data_set in zip(axes.flat, DATA):
        present = {key: select(experiment, key, data_set) for key in LOOKS}
        if why := left_out(experiment, data_set):
            style.empty(panel, NAMES[data_set], why)
            continue
        finals = []
        for key, traces in present.items():
            x, y = average(traces, x_column), 100 * average(traces, "test_error")
            finals.append(y[-1])
            marks = {"linewidth": 1.1, "markersize": 3, "markevery": max(1, len(x) // 8)}
            lines = panel.plot(x, y, label=traces[0].label, **marks, **LOOKS[key])
            progress.mark(lines, traces, progress.at_checkpoints)
        shown = [trace for traces in present.values() for trace in traces]
        panel.set_title(data_title(NAMES[data_set], shown))
        lowest = min(finals)
        panel.set_ylim(
            max(0, lowest - 0.15 * (max(finals) - lowest) - 0.1), max(max(finals) * 1.6, lowest * 2.2, lowest + 0.5)
        )
        panel.set_xlabel(x_label)
        panel.set_ylabel("test error (%)")
        panel.xaxis.set_major_locator(MaxNLocator(5))
    # The legend is in an empty panel if there is one.
    handles = axes[0][0].get_legend_handles_labels()
    empty = next((panel for panel in axes.flat if not panel.lines), None)
    place = {"loc": "upper right"} if empty is None else {"loc": "lower center"}
    (axes[0][1] if empty is None else empty).legend(*handles, ncols=2, columnspacing=1.0, **place)
    return fig


def comparison_caption(experiment):
    seeds = len({trace.spec["repetition"] for trace in experiment.traces})
    first = experiment.by_learner("pegasos1")[0].summary["tuned"]
    return (
        f"Means over {seeds} seed{'s' if seeds > 1 else ''}, two epochs in batches of 1 % of the training set; LaSVM "
        "selects one of 50 examples per round. RBF kernel. λ of all learners except SFD "
        f"by {first['trials'] // len(first['validation_errors'])}-fold cross "
        f"validation over {len(first['validation_errors'])} values. Curves "
        "above a panel are cut off. SFD's residual margin is bounded below by 0. "
    )


@figure("sfd-2013/fig5-3", ["sfd-2013/table5-3"])
def figure_5_3(experiment):
    fig = draw_comparison(experiment, "examples", "examples processed")
    return fig, "Figure 5.3: test error against examples processed", comparison_caption(experiment), False


@figure("sfd-2013/fig5-4", ["sfd-2013/table5-3"])
def figure_5_4(experiment):
    fig = draw_comparison(experiment, "support_vectors", "support vectors")
    return fig, "Figure 5.4: test error against support vectors", comparison_caption(experiment), False


# Tables.


def name_of(experiment, data_set):
    return data_title(NAMES[data_set], [trace for trace in experiment.traces if trace.data_set == data_set])


def label_of(experiment, key):
    return experiment.by_learner(key)[0].label


@table("sfd-2013/table5-1", ["sfd-2013/table5-3"])
def table_5_1(experiment):
    printed = numbers("sfd-2013")
    rows = []
    for data_set in shown(experiment):
        trace = select(experiment, "sfd1", data_set)[0]
        shape = trace.provenance["data_shape"]
        gamma = float(trace.provenance["kernel"].split("gamma = ")[1].split(")")[0].split(",")[0])
        ours = [shape["features"], shape["train"], shape["test"], gamma]
        theirs = [printed.value(f"table5-1.{data_set}.{key}") for key in ("features", "training", "testing", "gamma")]
        rows.append(
            [name_of(experiment, data_set)]
            + [tables.beside(captions.number(mine), captions.number(paper)) for mine, paper in zip(ours, theirs)]
        )
    return (
        ["data set", "features (paper)", "training (paper)", "testing (paper)", "γ (paper)"],
        rows,
        "Table 5.1: binary data sets",
        False,
    )


@table("sfd-2013/table5-2", ["sfd-2013/table5-3"])
def table_5_2(experiment):
    printed = numbers("sfd-2013")
    rows = []
    for data_set in shown(experiment):
        row = [name_of(experiment, data_set)]
        for key in COMPARED:
            trace = select(experiment, key, data_set)[0]
            paper = printed.value(f"table5-2.{data_set}.{key}") * printed.value(f"table5-1.{data_set}.training")
            row.append(tables.beside(f"{trace.parameters['lambda']:.3g}", f"{paper:.3g}"))
        rows.append(row)
    header = ["data set"] + [f"{label_of(experiment, key)} (paper times N)" for key in COMPARED]
    return header, rows, "Table 5.2: regularisation λ chosen by cross validation", False


def mean_and_sd(traces):
    mean, spread = mean_and_spread(traces, lambda trace: 100 * trace.summary["test_error"])
    return f"{mean:.2f} ± {spread:.2f}" if len(traces) > 1 else f"{mean:.2f}"


@table("sfd-2013/table5-3", ["sfd-2013/table5-3"])
def table_5_3(experiment):
    printed = numbers("sfd-2013")
    rows = []
    for key in ("sfd1", "sfd2", "sfd1-unbounded", "sfd2-unbounded", *COMPARED):
        row = [label_of(experiment, key)]
        for data_set in shown(experiment):
            ours = mean_and_sd(select(experiment, key, data_set))
            path = f"table5-3.{key.removesuffix('-unbounded')}.{data_set}"
            paper = f"{100 * printed.value(path):.2f} ± {100 * printed.deviation(path):.2f}"
            row.append(tables.beside(ours, paper))
        rows.append(row)
    first = [select(experiment, "sfd1", data_set) for data_set in shown(experiment)]
    rows.append(["Majority class", *map(tables.majority, first)])
    header = ["test error in %"] + [f"{name_of(experiment, data_set)} (paper)" for data_set in shown(experiment)]
    return header, rows, "Table 5.3: test errors after two epochs, mean ± standard deviation over the seeds", False


@table("sfd-2013/table5-4", ["sfd-2013/table5-3"])
def table_5_4(experiment):
    printed = numbers("sfd-2013")
    rows = []
    keys = (*COMPARED, "sfd1")
    for data_set in shown(experiment):
        for kind in ("requested", "computed"):
            row = [f"{name_of(experiment, data_set)}, {kind}"]
            for key in keys:
                ours = str(select(experiment, key, data_set)[0].cost(kind))
                row.append(
                    tables.beside(ours, f"{printed.value(f'table5-4.{data_set}.{key}'):.3e}")
                    if kind == "requested"
                    else ours
                )
            rows.append(row)
    header = ["kernel evaluations"] + [f"{label_of(experiment, key)} (paper)" for key in keys]
    return (
        header,
        rows,
        "Table 5.4: kernel evaluations of the first seed and its cross validation, requested and computed",
        False,
    )


# What was tried for the IJCNN column of table 5.3.

READINGS = (  # experiment, learner, examples a round (None: any), label
    ("sfd-2013/table5-3", "sfd1", None, "as printed: SFD1"),
    ("sfd-2013/table5-3", "sfd2", None, "as printed: SFD2"),
    ("sfd-2013/table5-3", "sfd1-unbounded", None, "no lower bound of the residual margin"),
    ("sfd-2013/printed", "sfd1", None, "cutting planes, tolerance 0.002"),
    ("sfd-2013/printed-gamma9", "sfd1", None, "γ = 9"),
    ("sfd-2013/draws-permutation", "sfd1", None, "passes over permutations"),
    ("sfd-2013/draws-sliding", "sfd1", None, "sliding window"),
    ("sfd-2013/draws-importance", "sfd1", None, "importance sampling"),
    ("sfd-2013/ijcnn-readings", "sfd1", 700, "k = 700 (2 %)"),
    ("sfd-2013/ijcnn-readings", "sfd1", 917, "k = 917 (1 % of the test set): SFD1"),
    ("sfd-2013/ijcnn-readings", "sfd2", 917, "k = 917: SFD2"),
    ("sfd-2013/ijcnn-readings", "sfd1", 1750, "k = 1750 (5 %)"),
    ("sfd-2013/ijcnn-validated", "sfd", None, "c of c/k by cross validation"),
    ("sfd-2013/ijcnn-weights", "sfd1", None, "class weights"),
    ("sfd-2013/ijcnn-scaled", "sfd1", None, "values in [0, 1]"),
    ("sfd-2013/ijcnn-unit-norm", "sfd1", None, "rows of unit norm"),
)


@figure("sfd-2013/ijcnn", list(dict.fromkeys(experiment for experiment, *_ in READINGS)))
def figure_ijcnn(*experiments):
    studies = {experiment.name: experiment for experiment in experiments}
    fig, (panel,) = style.panels(1, height=3.6)
    used, places = [], []
    for row, (name, key, batch, _) in enumerate(READINGS):
        traces = [
            trace
            for trace in studies[name].by_learner(key)
            if trace.data_set == "ijcnn1" and batch in (None, trace.spec["data"]["batch"])
        ]
        errors = [100 * trace.metric("test_error") for trace in traces]
        places += [(error, -row) for error in errors]
        used += traces
    points = panel.plot(*zip(*places), "o", color=style.BLUE, markersize=4, alpha=0.8)
    style.named(points, "readings, from the top")
    panel.set_yticks([-row for row in range(len(READINGS))], [label for *_, label in READINGS], fontsize=7)
    for learner, color in (("sfd1", style.VERMILION), ("sfd2", style.GREEN)):
        mean, deviation = numbers("sfd-2013").entry(f"table5-3.{learner}.ijcnn1")
        panel.axvspan(100 * (mean - deviation), 100 * (mean + deviation), color=color, alpha=0.3, linewidth=0)
    panel.set_xlim(left=0)
    panel.set_xlabel("test error on IJCNN (%)")
    note = "One point a seed. Bands: the thesis, mean and one standard deviation, SFD1 (left) and SFD2 (right)."
    return (
        fig,
        "Readings of the thesis that were tried for its IJCNN column",
        note,
        data_marks(used),
    )


if __name__ == "__main__":
    main()
