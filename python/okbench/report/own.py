"""Experiments of which no paper says anything: the user's own. The report draws what every learner's trace has."""

import numpy as np

from .. import league
from ..reading import files_like

from ..plotting import captions, progress, style
from ..plotting.curves import mean_curves

MOST = 12  # curves of a figure


def names(results, papers):
    """{folder: names of its experiments} below a result folder, of folders that are none of the papers, nor the
    league."""
    found = {}
    for plan in files_like(results.folder, "*", "*", "plan.json"):
        folder = plan.parent.parent.name
        if folder not in papers and f"{folder}/" != league.PREFIX:
            found.setdefault(folder, []).append(f"{folder}/{plan.parent.name}")
    return found


def curves(experiment):
    """(label, traces over seeds, mean error so far over steps) of each learner and point of its grid, least error
    first."""
    groups = {}
    for trial in experiment.trials:
        groups.setdefault((trial.label, trial.grid_point, trial.trace.data_set), []).append(trial.trace)
    several = len({data_set for _, _, data_set in groups}) > 1
    found = []
    for (label, grid, data_set), traces in groups.items():
        label = ", ".join(part for part in (label, grid, data_set if several else "") if part)
        (curve,), _ = mean_curves(label, traces, "steps", "error", True)
        found.append((label, traces, curve))
    return sorted(found, key=lambda one: one[2].y[-1])


def draw(experiment):
    """A figure of any experiment: the error so far of its learners, each against its own steps."""
    fig, (panel,) = style.panels(1, height=3.4)
    found = curves(experiment)
    for (label, traces, curve), look in zip(found[:MOST], style.looks()):
        mark = "." if len(curve.y) < 3 else None
        lines = panel.plot(curve.x, curve.y, label=label, linewidth=1.2, marker=mark, **look)
        if np.array_equal(curve.x, traces[0]["step"]):  # not where seeds were recorded at other steps
            progress.tell(lines, traces)
    first = found[0][1][0]
    panel.set_xscale("log")
    panel.set_xlabel("steps")
    panel.set_ylabel("error so far, RMS" if first.summary.get("error_rate") is None else "error so far (%)")
    panel.legend(fontsize=6.5)
    seeds = max(len(traces) for _, traces, _ in found)
    left_out = f" Of {len(found)} curves the {MOST} that end lowest." if len(found) > MOST else ""
    note = f"{'Means over ' + str(seeds) + ' seeds' if seeds > 1 else 'One seed'}.{left_out}"
    caption = f"Data: {captions.data_text(first)}. Kernel: {first.provenance['kernel']}. {note}"
    return fig, experiment.title or experiment.name, caption, any(trace.synthetic for trace in experiment.traces)


def entry(experiment):
    """What the report has of it in place of a figure's table in a claims file."""
    learners = len({trial.learner_key for trial in experiment.trials})
    many = f"{len(experiment.trials)} trials of {learners} learner{'s' if learners > 1 else ''}"
    title = f"{experiment.title.rstrip('.')}. " if experiment.title else ""
    return {"name": experiment.name, "shows": f"{title}{many}; no claims are stated of them.", "claims": []}
