"""Streams that change, labels that arrive late, and the width of the kernel."""

import numpy as np

from okbench.plotting import style
from okbench.plotting.draw import main
from okbench.plotting.registry import figure, table
from okbench.report.league_looks import label_ends, looks
from okbench.results.marks import data_marks

MEASURES = (
    ("error@500", "error of the last\n500 examples (%)", 100),
    ("kappa-temporal@500", "kappa against\nthe last label", 1),
    ("auc@500", "area under\nthe ROC curve", 1),
)


def draw_curves(axes, traces, column, factor):
    """One curve per trace from its first full window, with the steps at which the data changes."""
    for trace, look in zip(traces, style.looks()):
        full = trace["step"] >= 500
        axes.plot(trace["step"][full], factor * trace[column][full], label=trace.label, linewidth=1.0, **look)
    style.mark_changes(axes, traces)


@figure("streams/changes", ["streams/changes"])
def changes(experiment):
    traces = experiment.traces
    fig, panels = style.grid(3, 1, height=6.4, sharex=True)
    panels = panels[:, 0]
    for axes, (column, label, factor) in zip(panels, MEASURES):
        draw_curves(axes, traces, column, factor)
        axes.set_ylabel(label)
    panels[-1].set_xlabel("examples")
    panels[0].legend(fontsize=6, ncols=4, loc="upper right")
    caption = (
        f"{traces[0].data_set}: the classes are reversed at the dotted lines. Values are over the last 500 examples."
        f" {traces[0].provenance['kernel']}."
    )
    return fig, experiment.title, caption, data_marks(traces)


@figure("streams/delay", ["streams/delay"])
def delay(experiment):
    by_delay = {}
    for trace in experiment.traces:
        by_delay.setdefault(trace.spec["data"].get("delay", 0), []).append(trace)
    fig, panels = style.panels(len(by_delay), height=2.6, sharey=True)
    for axes, (steps, traces) in zip(panels, sorted(by_delay.items())):
        draw_curves(axes, traces, "error@500", 100)
        axes.set_title(f"delay {steps}", fontsize=8)
        axes.set_xlabel("examples")
    panels[0].set_ylabel("error of the last\n500 examples (%)")
    panels[-1].legend(fontsize=6)
    caption = (
        f"{experiment.traces[0].data_set}: labels are redrawn at the dotted lines, and become known the given number"
        f" of examples late. {experiment.traces[0].provenance['kernel']}."
    )
    return fig, experiment.title, caption, data_marks(experiment.traces)


@table("streams/reaction", ["streams/changes", "streams/delay"])
def reaction(stream, late):
    rows = []
    for experiment in (stream, late):
        for trace in experiment.traces:
            if "changes" not in trace.tables:
                continue
            change_table = trace.tables["changes"]
            examples = np.asarray(change_table["examples"])
            rows.append(
                [
                    experiment.name,
                    trace.label,
                    str(trace.spec["data"].get("delay", 0)),
                    f"{100 * np.mean(change_table['error_before']):.1f}",
                    f"{100 * np.mean(change_table['peak_error']):.1f}",
                    f"{np.mean(examples):.0f}" if np.all(examples >= 0) else f"back {np.sum(examples >= 0)} times",
                ]
            )
    header = ["experiment", "learner", "delay", "error before, %", "peak, %", "examples until back"]
    title = "Reaction to changes: error of 500 examples before, peak after, examples until 1.1 times the error before"
    return header, rows, title, data_marks(trace for study in (stream, late) for trace in study.traces)


@table("streams/electricity", ["streams/electricity"])
def electricity(experiment):
    names = ("error", "kappa", "kappa-m", "kappa-temporal", "auc")
    rows = [[trace.label, *(f"{trace.summary['measures'][name]:.3f}" for name in names)] for trace in experiment.traces]
    mark = data_marks(experiment.traces)
    return ["learner", *names], rows, "Electricity market, whole stream", mark


@figure("streams/widths", ["streams/widths"])
def widths(experiment):
    by_set = {}
    for trace in experiment.traces:
        by_set.setdefault(trace.data_set, {}).setdefault(trace.provenance["learner_key"], []).append(trace)
    fig, panels = style.panels(len(by_set), height=2.9, sharey=True)
    for axes, (data_set, learners) in zip(panels, by_set.items()):
        ends = []
        for key, look in looks(learners).items():
            traces = learners[key]
            if "kernel.gamma" in traces[0].planned_axes:
                traces.sort(key=lambda trace: trace.planned_axes["kernel.gamma"])
                gammas = [trace.planned_axes["kernel.gamma"] for trace in traces]
                errors = [100 * trace.metric("error_rate") for trace in traces]
                axes.plot(gammas, errors, label=traces[0].label, markersize=3.2, linewidth=1.2, **look)
                ends.append((errors[-1], traces[0].label, look["color"]))
            else:  # all widths at once
                error = 100 * traces[0].metric("error_rate")
                line = axes.axhline(error, label=traces[0].label, color="black", linestyle=(0, (5, 2)), linewidth=1.2)
                ends.append((error, traces[0].label, line.get_color()))
        (median,) = {
            trace.planned_axes["kernel.gamma"]
            for traces in learners.values()
            for trace in traces
            if trace.provenance["grid_point"].endswith("gamma_factor=1")
        }
        style.named(axes.axvline(median, **style.THIN), "median distance")
        axes.set_xscale("log")
        axes.set_title(data_set)
        axes.set_xlabel("gamma")
    panels[0].set_ylim(bottom=0)
    panels[0].set_ylabel("error (%)")
    label_ends(panels[-1], ends)
    caption = (
        f"Error over the first {int(experiment.traces[0]['step'][-1])} rows of each stream, one order, against the "
        "parameter gamma of the RBF kernel; the other parameters have their defaults. Vertical line: the width of the "
        "median distance. Dashed line: all widths at once. A score of 0 is a mistake. "
    )
    return fig, experiment.title, caption, data_marks(experiment.traces)


if __name__ == "__main__":
    main()
