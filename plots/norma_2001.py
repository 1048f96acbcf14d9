"""Figures of norma-2001: figure 1 (novelty detection), theorems 1 to 3, and online regression."""

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from okbench.measures import bounds

from okbench.plotting import captions, progress, style
from okbench.plotting.draw import main
from okbench.plotting.images import COLUMNS, digits, show
from okbench.plotting.registry import figure
from okbench.results.marks import data_marks

PLAIN = FuncFormatter(lambda value, _: f"{value:g}")

# Figure 1.


@figure("norma-2001/fig1", ["norma-2001/fig1-regularisation"])
def figure_1(experiment):
    trace = next(trace for trace in experiment.traces if trace.parameters["c"] == 0.1 and trace.spec["repetition"] == 0)
    fig = style.plt.figure(figsize=(style.WIDTH, 3.4))
    layout = fig.add_gridspec(2, 2, height_ratios=[0.5, 1.6])
    first, count = digits(trace, 0, int(2.5 * COLUMNS))
    show(fig.add_subplot(layout[0, :]), first, f"the first {count} patterns with a margin error")
    worst, count = digits(trace, 1, COLUMNS)
    show(fig.add_subplot(layout[1, 0]), worst, f"the {count} worst of the training patterns")
    worst, count = digits(trace, 2, COLUMNS)
    show(fig.add_subplot(layout[1, 1]), worst, f"the {count} worst of the test patterns")
    errors = trace.summary["margin_errors"]
    note = (
        f"Novelty detection, ν = 0.01, step size 1/√t, λ = {captions.number(trace.parameters['c'])}, margin from "
        f"{captions.number(trace.parameters['margin'])}. Worst: lowest f - ρ at the end, lowest first. {errors} "
        "patterns "
        f"({100 * errors / trace.summary['examples']:.2f} %) had a margin error. Seed 0 of the random order."
    )
    return (
        fig,
        "Figure 1: online novelty detection on USPS after one pass",
        captions.caption([trace], [], note),
        trace.data_mark,
    )


NU_LOOKS = {0.01: style.SOLID, 0.05: style.DOTTED, 0.1: style.DASHED}


@figure("norma-2001/nu", ["norma-2001/fig1"])
def figure_nu(experiment):
    fig, (shares, margins) = style.panels(2)
    drawn = [trace for trace in experiment.traces if trace.spec["repetition"] == 0]
    for trace in drawn:
        nu = trace.parameters["nu"]
        share = shares.plot(trace["step"], 100 * trace["margin_errors"] / trace["step"], **NU_LOOKS[nu])
        style.named(progress.mark(share, [trace]), f"ν = {nu:g}")
        style.named(shares.axhline(100 * nu, **style.THIN), f"{nu:g}")
        progress.mark(margins.plot(trace["step"], trace["margin"], label=f"ν = {nu:g}", **NU_LOOKS[nu]), [trace])
    for axes in (shares, margins):
        axes.set_xscale("log")
        axes.set_xlabel("iteration t")
    shares.set_ylabel("margin errors so far (%)")
    shares.set_yscale("log")
    shares.yaxis.set_major_formatter(PLAIN)
    margins.set_ylabel("margin ρ")
    margins.legend()
    note = "Thin lines: ν. Step size 1/√t, one pass in random order, seed 0."
    return (
        fig,
        "Margin errors and margin in novelty detection under the ν-trick",
        captions.caption(drawn, [], note, lambda trace: f"ν = {trace.parameters['nu']:g}"),
        drawn[0].data_mark,
    )


# Theorems 1 to 3.

MEASURED = {"color": style.BLUE, "linestyle": "-", "linewidth": 1.2}
BOUND = {"color": style.VERMILION, "linestyle": (0, (5, 2)), "linewidth": 1.2}
BEST = {"color": style.BLACK, "linestyle": (0, (1, 1.4)), "linewidth": 1.2}
KNOWN = {"color": style.GREEN, "linestyle": (0, (5, 1, 1, 1)), "linewidth": 1.2}


def of_seed(experiment, key, seed):
    return next(trace for trace in experiment.by_learner(key) if trace.spec["repetition"] == seed)


def draw_cumulative(axes, experiment, key, best_key, seeds, known):
    for seed in seeds:
        trace, best = of_seed(experiment, key, seed), of_seed(experiment, best_key, seed)

        def draw(x, y, name, look, seed=seed, trace=trace):
            # Bounds and the best hypothesis get the progress of NORMA on the same stream.
            lines = axes.plot(x, y, label=name if seed == seeds[0] else None, **look)
            style.named(progress.mark(lines, [trace]), f"{name}, seed {seed}")

        draw(trace["step"], bounds.cumulative_bound(trace, best), "bound", BOUND)
        if known:
            norm, risk = bounds.known_margin_risk(trace)
            if trace.parameters["schedule"] == "constant" or norm <= 1 / trace.parameters["c"]:
                draw(
                    trace["step"],
                    risk + bounds.regret_bound(trace, norm, trace["step"]),
                    "bound from the known margin",
                    KNOWN,
                )
        draw(trace["step"], trace["risk_sum"], "NORMA", MEASURED)
        draw(best["step"], best["risk_sum"], "best fixed hypothesis", BEST)
    axes.set_xlabel("examples t")
    axes.set_ylabel("cumulative risk")
    axes.set_ylim(0, None)
    axes.xaxis.set_major_locator(MaxNLocator(4))


def draw_theorems(experiment, name, known):
    seeds = sorted({trace.spec["repetition"] for trace in experiment.traces})
    fig, axes = style.panels(3, height=2.9)
    for panel, key, best_key, title in (
        (axes[0], "theorem1", "best1", "theorem 1"),
        (axes[1], "theorem2", "best2", "theorem 2"),
    ):
        draw_cumulative(panel, experiment, key, best_key, seeds, known)
        panel.set_title(f"{title}, λ = {captions.number(of_seed(experiment, key, 0).parameters['c'])}")
    for seed in seeds:
        trace, best = of_seed(experiment, "theorem3", seed), of_seed(experiment, "best2", seed)
        for name, risk, look in (
            ("bound", bounds.expected_bound(trace, best), BOUND),
            ("average of NORMA's hypotheses", trace.checkpoints["test_risk"], MEASURED),
        ):
            lines = axes[2].plot(trace.checkpoints["step"], risk, **look)
            style.named(progress.mark(lines, [trace], progress.at_checkpoints), f"{name}, seed {seed}")
        style.named(axes[2].axhline(best.checkpoints["test_risk"][-1], **BEST), f"best fixed hypothesis, seed {seed}")
    axes[2].set_title(f"theorem 3, λ = {captions.number(of_seed(experiment, 'theorem3', 0).parameters['c'])}")
    axes[2].set_ylim(0, None)
    axes[2].xaxis.set_major_locator(MaxNLocator(4))
    axes[2].set_xlabel("examples t")
    axes[2].set_ylabel("risk of the average")
    # The legend is in the second panel, above the curves.
    low, high = axes[1].get_ylim()
    axes[1].set_ylim(low, high * 1.45)
    axes[1].legend(loc="upper left", fontsize=6.5)
    first = of_seed(experiment, "theorem1", 0)
    m = first.summary["examples"]
    note = (
        f"{len(seeds)} seed{'s' if len(seeds) > 1 else ''} overlaid; soft margin, ρ = 1. The trivial hypothesis "
        "0 has the cumulative risk t. Bounds: theorem 1 "
        f"‖g‖²/(2η) + 2ηt above the best fixed hypothesis g, with η = {first.parameters['eta0']:.3g} chosen for t = "
        f"{m}; theorem 2 "
        "(4η + 2U²/η)√t + U²/(2η), U = 1/λ, step size η/√t; theorem 3: the bound of theorem 2 divided by t."
    )
    return (
        fig,
        f"Risk against the bounds of theorems 1 to 3, {name}",
        captions.caption(
            [first, of_seed(experiment, "theorem2", 0)], [], note, lambda trace: trace.provenance["learner_key"]
        ),
        first.data_mark,
    )


@figure("norma-2001/theorems-usps", ["norma-2001/theorems-usps"])
def figure_theorems_usps(experiment):
    return draw_theorems(experiment, "USPS, digits 0-4 against 5-9", False)


@figure("norma-2001/theorems-margin", ["norma-2001/theorems-margin"])
def figure_theorems_margin(experiment):
    return draw_theorems(experiment, "generated set with margin 0.1", True)


# Regression.

SETS = {
    "waves-gaussian": "stationary, Gaussian noise",
    "waves-student": "stationary, heavy-tailed noise",
    "drifting-gaussian": "drifting, Gaussian noise",
    "drifting-student": "drifting, heavy-tailed noise",
}
LOSS_LOOKS = {
    "squared": {"color": style.VERMILION, "linestyle": "-", "linewidth": 1.0},
    "eps-insensitive": {"color": style.GREEN, "linestyle": (0, (5, 1, 1, 1)), "linewidth": 1.2},
    "huber": {"color": style.BLACK, "linestyle": (0, (5, 2)), "linewidth": 1.0},
    "trimmed": {"color": style.BLUE, "linestyle": "-", "linewidth": 1.5},
}
WINDOW = 0.05  # window of a moving average, as a share of the run


def best_of(experiment, key, data_set):
    """The trace with the lowest error over all step sizes."""
    return min(
        (trace for trace in experiment.by_learner(key) if trace.data_set == data_set),
        key=lambda trace: trace.summary["rmse"],
    )


def draw_windowed(panel, trace, column, power, factor=1.0, **look):
    """Draws factor * mean^power, where mean is the mean of a cumulative column over the window before each step."""
    step, total = trace["step"], trace[column].astype(float)
    width = max(1.0, WINDOW * step[-1])
    late = step > width
    mean = ((total[late] - np.interp(step[late] - width, step, total)) / width) ** power
    progress.mark(panel.plot(step[late], factor * mean, **look), [trace], change=lambda values: values[late])


@figure("norma-2001/regression", ["norma-2001/regression"])
def figure_regression(experiment):
    fig, axes = style.grid(2, 2, height=4.6)
    for panel, (data_set, title) in zip(axes.flat, SETS.items()):
        for key, look in LOSS_LOOKS.items():
            trace = best_of(experiment, key, data_set)
            label = f"{trace.label}: {trace.summary['rmse']:.3f} (η = {trace.parameters['eta0']:g})"
            draw_windowed(panel, trace, "squared_error_sum", 0.5, label=label, **look)
        panel.set_title(title)
        panel.set_xlabel("examples t")
        panel.set_ylabel("error, RMS")
        panel.set_yscale("log")
        panel.yaxis.set_major_locator(FixedLocator([0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1]))
        panel.yaxis.set_major_formatter(PLAIN)
        panel.yaxis.set_minor_formatter(NullFormatter())
        panel.legend(loc="upper right", fontsize=6.5)
        low, high = panel.get_ylim()
        panel.set_ylim(low, high * (high / low) ** 0.55)
    first = best_of(experiment, "squared", "waves-gaussian")
    window = WINDOW * first.summary["examples"]
    note = (
        "Root mean squared error of the predictions f_t(x_t) against the function without noise, over the last "
        f"{window:.0f} examples. The legends show the error over "
        "the whole run. Each loss has the best of "
        f"{len([t for t in experiment.by_learner('squared') if t.data_set == 'waves-gaussian'])} constant step sizes "
        "η. "
        f"Kernel: {first.provenance['kernel']}, c = {first.parameters['c']:g}, buffer {first.parameters['buffer']}."
    )
    return fig, "Online regression: error of four losses under two kinds of noise", note, first.data_mark


ETA = 0.1  # step size of both learners in the panel after an outlier


def after_outlier(trace, length):
    """(index of the largest noise, slice of the `length` steps after it), among the densely recorded first steps."""
    noise = np.abs(trace["target"] - trace["truth"])
    dense = int(np.sum(np.diff(trace["step"], prepend=0) == 1))
    place = int(np.argmax(noise[: dense - length]))
    return place, slice(place + 1, place + 1 + length)


@figure("norma-2001/regression-fit", ["norma-2001/regression"])
def figure_regression_fit(experiment):
    fig, (fit, tube) = style.panels(2, height=2.8, width_ratios=[1.25, 1])
    data_set = "waves-student"
    at_eta = {
        key: next(
            trace
            for trace in experiment.by_learner(key)
            if trace.data_set == data_set and trace.parameters["eta0"] == ETA
        )
        for key in ("squared", "trimmed")
    }
    length = min(150, at_eta["squared"].summary["examples"] // 3)
    place, rows = after_outlier(at_eta["squared"], length)
    x = at_eta["squared"]["input"][rows]
    order = np.argsort(x)
    fit.plot(x, at_eta["squared"]["target"][rows], ".", color="#bbbbbb", markersize=3, label="observations")
    fit.plot(
        x[order],
        at_eta["squared"]["truth"][rows][order],
        color=style.BLACK,
        linewidth=1.0,
        label="function without noise",
    )
    for key, mark in (("squared", "o"), ("trimmed", "x")):
        fit.plot(
            x,
            at_eta[key]["prediction"][rows],
            mark,
            color=LOSS_LOOKS[key]["color"],
            markersize=3,
            label=f"predictions, {at_eta[key].label}",
        )
    outlier = at_eta["squared"]["target"][place]
    where = at_eta["squared"]["input"][place]
    fit.axvline(where, **style.THIN)
    fit.set_xlabel("x")
    fit.set_ylabel("y")
    reach = at_eta["squared"]["prediction"][rows]
    fit.set_ylim(min(-3, reach.min() - 1), max(3, reach.max() + 1))
    fit.legend(loc="lower left", fontsize=6.5)
    fit.set_title(f"the {length} examples after an outlier, η = {ETA}")
    for key in ("eps-insensitive", "trimmed"):
        for name, transparency in ((data_set, 1.0), ("drifting-student", 0.5)):
            trace = best_of(experiment, key, name)
            label = f"{trace.label.split(',')[0]}, {SETS[name].split(',')[0]}"
            look = {**LOSS_LOOKS[key], "alpha": transparency}
            draw_windowed(tube, trace, "margin_errors", 1.0, 100, label=label, **look)
    style.named(tube.axhline(50, **style.THIN), "ν")
    tube.set_xlabel("examples t")
    tube.set_ylabel("outside the tube (%)")
    tube.set_ylim(45, 57)
    tube.legend(fontsize=6.5)
    tube.set_title("heavy-tailed noise, ν = 0.5")
    note = (
        f"Left: stationary function, heavy-tailed noise. At example {at_eta['squared']['step'][place]} an observation "
        f"of {outlier:.1f} occurs at the thin line, x = {where:.2f}. The panel shows the "
        f"predictions on the next {length} examples. Error over the run at this step size: squared "
        f"{at_eta['squared'].summary['rmse']:.3f}, trimmed mean "
        f"{at_eta['trimmed'].summary['rmse']:.3f}. Right: share of points outside the tube over the last "
        f"{WINDOW * trace.summary['examples']:.0f} examples, best step sizes."
    )
    return (
        fig,
        "Online regression: effect of an outlier on squared loss, and share of points outside the tube",
        note,
        trace.data_mark,
    )


DRIFT = (("moving-border", "moving border"), ("sine-recurring", "classes reversed every 4000 rows"))


@figure("norma-2001/nu-drift", ["norma-2001/nu-drift"])
def figure_nu_drift(experiment):
    fig, panels = style.panels(2)
    for panel, (data_set, title) in zip(panels, DRIFT):
        runs = [trace for trace in experiment.traces if trace.data_set == data_set]
        largest = max(trace.parameters["nu"] for trace in runs if trace.spec["learner"] == "norma")
        for trace in runs:
            plain = trace.spec["learner"] == "perceptron"
            if not plain and trace.parameters["nu"] != largest:
                continue
            name = "perceptron" if plain else f"ν = {largest:g}, c = {trace.parameters['c']:g}"
            look = style.DASHED if plain else style.SOLID if trace.parameters["c"] else style.DOTTED
            lines = panel.plot(trace["step"], 100 * trace.average_error, label=name, **look)
            style.named(progress.mark(lines, [trace]), name)
        panel.set_title(title)
        panel.set_xscale("log")
        panel.set_xlim(left=50)
        panel.set_ylim(0, 60)
        panel.set_xlabel("iteration t")
    panels[0].set_ylabel("average error (%)")
    panels[1].legend()
    note = "NORMA with the ν-trick; c = 0 keeps every term at its first size, c > 0 forgets."
    return (
        fig,
        "Online ν-classification on streams that drift",
        note,
        data_marks(experiment.traces),
    )


if __name__ == "__main__":
    main()
