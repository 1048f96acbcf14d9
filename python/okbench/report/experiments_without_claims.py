"""User-defined experiments without claims, for the report. Draws the average error of every learner."""

import numpy as np

from .. import league
from ..reading import files_like

from ..plotting import captions, progress, style
from ..plotting.curves import mean_curves
from ..results.marks import data_marks

MAX_CURVES = 12  # maximum number of curves in a figure


def names(results, papers):
    """{folder: names of its experiments} in the results, except for the papers and the league."""
    experiments = {}
    for plan in files_like(results.folder, "*", "*", "plan.json"):
        folder = plan.parent.parent.name
        if folder not in papers and f"{folder}/" != league.PREFIX:
            experiments.setdefault(folder, []).append(f"{folder}/{plan.parent.name}")
    return experiments


def curves(experiment):
    """[(label, traces over seeds, curve of the mean error)] per learner and grid point, lowest final error first."""
    groups = {}
    for trial in experiment.trials:
        groups.setdefault((trial.label, trial.grid_point, trial.trace.data_set), []).append(trial.trace)
    several = len({data_set for _, _, data_set in groups}) > 1
    curve_entries = []
    for (label, grid, data_set), traces in groups.items():
        label = ", ".join(part for part in (label, grid, data_set if several else "") if part)
        (curve,), _ = mean_curves(label, traces, "steps", "error", True)
        curve_entries.append((label, traces, curve))
    return sorted(curve_entries, key=lambda triple: triple[2].y[-1])


def draw(experiment):
    """The figure of an experiment: average error of its learners against steps."""
    fig, (panel,) = style.panels(1, height=3.4)
    curve_entries = curves(experiment)
    for (label, traces, curve), look in zip(curve_entries[:MAX_CURVES], style.looks()):
        mark = "." if len(curve.y) < 3 else None
        lines = panel.plot(curve.x, curve.y, label=label, linewidth=1.2, marker=mark, **look)
        if np.array_equal(curve.x, traces[0]["step"]):  # all seeds have recorded the same steps
            progress.mark(lines, traces)
    first = curve_entries[0][1][0]
    panel.set_xscale("log")
    panel.set_xlabel("steps")
    panel.set_ylabel("error so far, RMS" if first.summary.get("error_rate") is None else "error so far (%)")
    panel.legend(fontsize=6.5)
    seeds = max(len(traces) for _, traces, _ in curve_entries)
    left_out = (
        f" The {MAX_CURVES} of {len(curve_entries)} curves that end lowest." if len(curve_entries) > MAX_CURVES else ""
    )
    note = f"{'Means over ' + str(seeds) + ' seeds' if seeds > 1 else 'One seed'}.{left_out}"
    caption = f"Data: {captions.data_text(first)}. Kernel: {first.provenance['kernel']}. {note}"
    return fig, experiment.title or experiment.name, caption, data_marks(experiment.traces)


def entry(experiment):
    """The entry of an experiment for the report, in the form of a figure's table in a claims file."""
    learners = len({trial.learner_key for trial in experiment.trials})
    many = f"{len(experiment.trials)} trials of {learners} learner{'s' if learners > 1 else ''}"
    title = f"{experiment.title.rstrip('.')}. " if experiment.title else ""
    return {"name": experiment.name, "shows": f"{title}{many}, without claims.", "claims": []}
