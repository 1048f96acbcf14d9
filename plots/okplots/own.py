"""Experiments of which no paper says anything: the user's own. The report draws what every learner's trace has."""

import numpy as np

from . import captions, progress, style
from .curves import error_values

MOST = 12  # curves of a figure
COLOURS = (style.BLUE, style.VERMILION, style.BLACK, style.GREEN, style.PURPLE, style.SKY)
LINES = ("-", (0, (5, 2)))


def names(results, papers):
    """{folder: names of its experiments} below a result folder, of folders that are none of the papers."""
    found = {}
    for plan in sorted(results.folder.glob("*/*/plan.json")):
        folder = plan.parent.parent.name
        if folder not in papers:
            found.setdefault(folder, []).append(f"{folder}/{plan.parent.name}")
    return found


def curves(experiment):
    """(label, traces over seeds, mean error so far) of each learner and point of its grid, least error first."""
    groups = {}
    for trial in experiment.trials:
        groups.setdefault((trial.label, trial.grid_point, trial.trace.data_set), []).append(trial.trace)
    several = len({data_set for _, _, data_set in groups}) > 1
    found = []
    for (label, grid, data_set), traces in groups.items():
        # Seeds that were recorded at other steps have no mean.
        alike = [trace for trace in traces if np.array_equal(trace["step"], traces[0]["step"])]
        label = ", ".join(part for part in (label, grid, data_set if several else "") if part)
        found.append((label, alike, np.mean([error_values(trace)[0] for trace in alike], axis=0)))
    return sorted(found, key=lambda one: one[2][-1])


def draw(experiment):
    """A figure of any experiment: the error so far of its learners, each against its own steps."""
    fig, (panel,) = style.panels(1, height=3.4)
    found = curves(experiment)
    for i, (label, traces, error) in enumerate(found[:MOST]):
        look = {"color": COLOURS[i % len(COLOURS)], "linestyle": LINES[i // len(COLOURS) % len(LINES)]}
        mark = "." if len(error) < 3 else None
        lines = panel.plot(traces[0]["step"], error, label=label, linewidth=1.2, marker=mark, **look)
        progress.tell(lines, traces)
    first = found[0][1][0]
    panel.set_xscale("log")
    panel.set_xlabel("steps")
    panel.set_ylabel("error so far, RMS" if first.summary.get("error_rate") is None else "error so far (%)")
    panel.legend(fontsize=6.5)
    seeds = max(len(traces) for _, traces, _ in found)
    left_out = f" Of {len(found)} curves the {MOST} that end lowest." if len(found) > MOST else ""
    note = f"{'Means over up to ' + str(seeds) + ' seeds' if seeds > 1 else 'One seed'}.{left_out}"
    caption = f"Data: {captions.data_text(first)}. Kernel: {first.provenance['kernel']}. {note}"
    return fig, experiment.title or experiment.name, caption, any(trace.stand_in for trace in experiment.traces)


def entry(experiment):
    """What the report has of it in place of a figure's table in a claims file."""
    learners = len({trial.learner_key for trial in experiment.trials})
    many = f"{len(experiment.trials)} trials of {learners} learner{'s' if learners > 1 else ''}"
    title = f"{experiment.title.rstrip('.')}. " if experiment.title else ""
    return {"name": experiment.name, "shows": f"{title}{many}; no claims are stated of them.", "claims": []}
