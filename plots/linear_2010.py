"""Learning curves of linear-2010 (linear online SVM), which the paper describes but does not show."""

import numpy as np
from matplotlib.lines import Line2D

from okbench.plotting import captions, progress, style
from okbench.plotting.draw import main
from okbench.plotting.progress import average
from okbench.plotting.registry import figure
from okbench.results.marks import data_marks, data_title

DATA = ("a9a", "w8a", "ijcnn1")
LOOKS = {  # projection, average
    (False, False): {"color": style.BLACK, "label": "plain"},
    (True, False): {"color": style.GREEN, "label": "projection"},
    (False, True): {"color": style.VERMILION, "label": "average"},
    (True, True): {"color": style.BLUE, "label": "projection, average"},
}
BOX = {"frameon": True, "facecolor": "white", "edgecolor": "none", "framealpha": 0.9}
BATCHES = {1: "-", 100: (0, (1, 1.3))}


def select_traces(experiment, data_set, projection, average_too, batch):
    return [
        trace
        for trace in experiment.traces
        if trace.data_set == data_set
        and trace.parameters["projection"] == projection
        and trace.parameters["average"] == average_too
        and trace.spec["data"]["batch"] == batch
    ]


@figure("linear-2010/curves", ["linear-2010/curves", "linear-2010/optimum"])
def figure_curves(curves, optimum):
    fig, axes = style.grid(2, 3, height=4.6)
    batches = sorted({trace.spec["data"]["batch"] for trace in curves.traces})
    excess = []
    for column, data_set in enumerate(DATA):
        best = next(trace for trace in optimum.traces if trace.data_set == data_set)
        least = best.checkpoints["objective"][-1]
        least_error = 100 * best.summary["test_error"]
        objective, error = axes[0][column], axes[1][column]
        finals = []
        for (projection, average_too), look in LOOKS.items():
            for batch in batches:
                traces = select_traces(curves, data_set, projection, average_too, batch)
                epochs = average(traces, "examples") / traces[0].provenance["data_shape"]["train"]
                line = {"color": look["color"], "linestyle": BATCHES.get(batch, "-"), "linewidth": 1.1}
                name = f"{look['label']}, {batch} per step"
                finals.append(100 * average(traces, "test_error"))
                for panel, values in ((objective, average(traces, "objective")), (error, finals[-1])):
                    lines = panel.plot(epochs, values, **line)
                    style.named(progress.mark(lines, traces, progress.at_checkpoints), name)
                if data_set == "w8a" and batch == 1:
                    excess.append(f"{look['label']} {100 * (average(traces, 'objective')[-1] / least - 1):.2f} %")
        style.named(objective.axhline(least, **style.THIN), "optimum (LIBLINEAR)")
        style.named(error.axhline(least_error, **style.THIN), "optimum (LIBLINEAR)")
        objective.set_ylim(least * 0.985, least * 1.5)
        spread = max(max(values[-1] for values in finals) - least_error, 0.2)
        error.set_ylim(min(min(map(np.min, finals)), least_error) - 0.1 * spread, least_error + 2.5 * spread)
        title = data_title(captions.DATA_NAMES[data_set], [best])
        objective.set_title(title)
        for panel, name in ((objective, "objective"), (error, "test error (%)")):
            panel.set_xscale("log")
            panel.set_xlabel("epochs")
            panel.set_ylabel(name)
    axes[0][1].legend(
        handles=[Line2D([], [], color=look["color"], label=look["label"]) for look in LOOKS.values()],
        loc="upper right",
        fontsize=6.5,
        **BOX,
    )
    axes[0][2].legend(
        handles=[
            Line2D(
                [],
                [],
                color=style.BLACK,
                linestyle=BATCHES.get(batch, "-"),
                label=f"{batch} example{'s' if batch > 1 else ''} per step",
            )
            for batch in batches
        ]
        + [Line2D([], [], label="optimum (LIBLINEAR)", **style.THIN)],
        loc="upper right",
        fontsize=6.5,
        **BOX,
    )
    first = curves.traces[0]
    seeds = len({trace.spec["repetition"] for trace in curves.traces})
    note = (
        f"Objective λ/2 ‖w‖² + mean hinge loss on the training set, and test error, means over {seeds} "
        f"seed{'s' if seeds > 1 else ''}; λ = {captions.number(first.parameters['lambda'])}, rows of "
        "unit norm in random order. Curves above a panel are cut off. Excess of the objective over the optimum on w8a "
        f"at the end, one example per step: {', '.join(excess)}. "
        "f(x) = 0 counts as an error, so empty rows of w8a are always errors."
    )
    return (
        fig,
        "Linear online SVM: projection, averaging and mini-batches",
        note,
        data_marks(curves.traces),
    )


RATES = {"inverse": {"color": style.BLUE, "label": "1/(λ t)"}, "inverse-root": {"color": style.VERMILION}}


@figure("linear-2010/rates", ["linear-2010/rates", "linear-2010/optimum"])
def figure_rates(rates, optimum):
    fig, panels = style.panels(3, height=2.4)
    for panel, data_set in zip(panels, DATA):
        best = next(trace for trace in optimum.traces if trace.data_set == data_set)
        least = best.checkpoints["objective"][-1]
        by_step = {}
        for trace in rates.traces:
            if trace.data_set == data_set and not trace.parameters["average"]:
                key = trace.provenance["learner_key"], trace.parameters["eta0"]
                by_step.setdefault(key, []).append(trace)
        final = {key: average(traces, "objective")[-1] for key, traces in by_step.items()}
        lowest = min((key for key in final if key[0] == "inverse-root"), key=final.get)
        for (learner, eta), traces in sorted(by_step.items()):
            epochs = average(traces, "examples") / traces[0].provenance["data_shape"]["train"]
            chosen = learner == "inverse" or (learner, eta) == lowest
            name = "1/(λ t)" if learner == "inverse" else f"{eta:g}/√t"
            lines = panel.plot(
                epochs,
                average(traces, "objective") / least - 1,
                color=RATES[learner]["color"],
                linewidth=1.4 if chosen else 0.6,
                alpha=1 if chosen else 0.5,
                label=name if chosen else None,
            )
            style.named(progress.mark(lines, traces, progress.at_checkpoints), name)
        panel.set_title(data_title(captions.DATA_NAMES[data_set], [best]))
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xlabel("epochs")
        panel.legend(loc="upper right", fontsize=6.5, **BOX)
    panels[0].set_ylabel("excess of the objective")
    etas = ", ".join(f"{eta:g}" for learner, eta in sorted(by_step) if learner == "inverse-root")
    note = (
        "Objective over its optimum (LIBLINEAR), minus 1, of the last weights; one example a step. Thin lines: "
        f"η₀/√t with η₀ = {etas}; the thick one has the best."
    )
    return fig, "Steps 1/(λ t) and η₀/√t", note, data_marks(rates.traces)


if __name__ == "__main__":
    main()
