"""Draws a measure of learners against its cost."""

import collections
import dataclasses
import fnmatch
import pathlib
import sys

import numpy as np

from .. import home
from ..errors import ClaimError, NotRun, RequestError
from ..reading import read_toml
from ..results import Results, results_below
from ..results.means import decimal
from ..results.table import ERRORS

from . import captions, style
from .curves import AXES, axis_label, mean_curves, points, reached
from .sweeps import grouped, sweep
from ..results.marks import data_marks

MAX_CURVES = 24
MAX_TRACES = 500  # traces that a figure reads, which takes some 2 s


def experiments_of(source, results):
    """[(results, name)] of the experiments that a spec or a result folder contains. Raises ClaimError."""
    path = pathlib.Path(source)
    if path.is_file() and path.suffix == ".toml":
        name = read_toml(path).get("experiment")
        if not isinstance(name, str):
            raise ClaimError(f"{path}: not a spec: the key `experiment` is missing")
        experiments = [(Results(pathlib.Path(results)), name)]
    elif path.is_dir():
        experiments = results_below(path)
    else:
        specs = (pathlib.Path(folder, f"{path}.toml") for folder in home.experiment_folders())
        spec = next((f"; did you mean {spec}?" for spec in specs if spec.is_file()), "")
        raise ClaimError(f"{path}: no such spec or folder{spec}")
    for folder, _ in experiments:
        folder.most = MAX_TRACES
    return experiments


def groups_of(sources, results, only):
    """(groups, incomplete, seeds, titles, notes) of the trials that match the glob `only`.

    groups: {(result folder, experiment, learner, grid point): trials with a result}, in the order of the plans, at most
    MAX_TRACES each. incomplete: keys of groups with a trial without a result.
    seeds: the largest number of planned trials of a group.
    titles: titles of the experiments of these trials. notes: missing trials and overridden values, for the caption.
    Raises RequestError, and NotRun if no trial matches.
    """
    groups, incomplete, planned, titles, notes = {}, set(), collections.Counter(), [], []
    for source in sources:
        for folder, name in experiments_of(source, results):
            experiment = folder.read(name)
            if experiment is None:
                raise RequestError(
                    f"no result of {name} in {folder.folder}; use okbench run first, or --results FOLDER"
                )
            if experiment.unplanned:
                notes.append(experiment.unplanned_note)
            results_folder = folder.folder.resolve()
            for trial in experiment.trials:
                whole = f"{name}/{trial.learner_key}" + (f"[{trial.grid_point}]" if trial.grid_point else "")
                if not any(fnmatch.fnmatchcase(text, only) for text in (whole, trial.name, trial.learner_key)):
                    continue
                key = (results_folder, name, trial.learner_key, trial.grid_point)
                if not trial.has_result:
                    notes.append(f"left out: {trial.missing}")
                    incomplete.add(key)
                    continue
                titles.append(experiment.title or experiment.name)
                if experiment.overridden:
                    notes.append(f"{name} was {experiment.overridden}")
                groups.setdefault(key, []).append(trial)
                planned[key] = experiment.planned.get(key[2:], len(groups[key]))
    if not groups:
        raise NotRun(f"no trial with a result matches '{only}'")
    return groups, incomplete, max(planned.values()), list(dict.fromkeys(titles)), list(dict.fromkeys(notes))


def error_of(trials):
    """Mean error of these trials: the test error if there is one, as in `okbench summary --best`; infinite without."""
    first = trials[0].trace.summary
    name = next((measure for measure in ERRORS if first.get(measure) is not None), None)
    return decimal(np.mean([trial.trace.summary[name] for trial in trials])) if name else float("inf")


def best_of(groups, incomplete):
    """(groups, note): the best grid point of each learner on each data set, by these trials; at most MAX_CURVES.

    As in `okbench summary --best`, an incomplete group is the best only if all are incomplete."""
    best = {}
    errors = {key: np.inf if key in incomplete else error_of(trials) for key, trials in groups.items()}
    for key, trials in groups.items():
        data = (*key[:3], trials[0].data_set)
        if data not in best or errors[key] < errors[best[data]]:
            best[data] = key
    kept = sorted(best.values(), key=errors.get)[:MAX_CURVES]
    left = len(best) - len(kept)
    note = f"the {MAX_CURVES} learners with the least error of {len(best)}" if left else ""
    return {key: groups[key] for key in groups if key in kept}, note


def first_seeds(groups, seeds):
    """(groups, note): the first seeds of each curve, MAX_TRACES in all, and a note if `seeds` is more."""
    most = MAX_TRACES
    if sum(map(len, groups.values())) > MAX_TRACES:
        most = max(2, MAX_TRACES // len(groups))
    note = f"only the first {most} of {seeds} seeds" if most < seeds else ""
    return {key: trials[:most] for key, trials in groups.items()}, note


def fitting(groups):
    """A glob for --only that selects at most MAX_CURVES curves: one learner, or one of its grid points."""
    learners = [f"{name}/{learner}" for _, name, learner, _ in groups]
    for learner in dict.fromkeys(learners):
        if learners.count(learner) <= MAX_CURVES:
            return f"{learner}*"
    _, name, learner, grid = next(iter(groups))
    return f"{name}/{learner}[[]{grid}]"


def label_of(key, trials, groups):
    """The label of a curve: learner, grid point, and result folder and experiment if the figure has several."""
    folder, name, _, grid = key
    several = [len({group_key[part] for group_key in groups}) > 1 for part in (0, 1)]
    origin = "/".join(part for part, named in zip((folder.name, name), several) if named)
    parts = [trials[0].label, f"({grid})" if grid else "", f"[{origin}]" if origin else ""]
    return " ".join(part for part in parts if part)


def reaching(traces, x, y, target):
    """The mean cost over seeds to get below the target, as text for the legend."""
    costs = [reached(*points(trace, x, y)[:2], target) for trace in traces]
    if not np.all(np.isfinite(costs)):
        return "not reached"
    mean = float(f"{np.mean(costs):.3g}")
    return f"{mean:,.0f}" if mean >= 100 else captions.number(mean)


def draw(
    sources, x="requested", y="error", only="*", log=(), results="results/default", target=None, best=False, bare=False
):
    """Draws a matplotlib figure. Arguments as in okbench.plot (api/__init__.py).

    `best`: only the best grid point of each learner. `bare`: without title and caption. `target`: level of y, for
    errors as a fraction. A line marks it, and the legend shows the cost to reach it.
    Raises ClaimError, NotRun, TraceFileError.
    """
    groups, incomplete, planned, titles, notes = groups_of(sources, results, only)
    sweeps = x not in AXES
    if sweeps and (best or target is not None):
        raise ClaimError(f"--x {x} shows a parameter of the grid: omit --best and --target")
    if sweeps:
        groups = grouped(groups, x)
    if best:
        groups, note = best_of(groups, incomplete)
        notes += [note] if note else []
    for message in notes:
        print(f"okbench: {message}", file=sys.stderr)
    if len(groups) > MAX_CURVES:
        raise ClaimError(
            f"{len(groups)} curves; a figure shows at most {MAX_CURVES}; try --best, or --only '{fitting(groups)}'"
        )
    fig, (axes,) = style.panels(1, height=3.4 + 0.1 * max(0, len(groups) - 6))
    groups, cut = (groups, "") if sweeps else first_seeds(groups, planned)
    notes += [cut] if cut else []
    seeds, traces, names, apart = set(), [], [], False
    for (key, trials), look in zip(groups.items(), style.looks()):
        own = [trial.trace for trial in trials]
        label = style.plain(label_of(key, trials, groups))
        curves, name = (sweep if sweeps else mean_curves)(label, own, x, y, "x" in log)
        if target is not None and name.endswith("(%)") and not 0 <= target <= 1:
            raise ClaimError(f"the target {target:g} must be a share between 0 and 1: 20 % is 0.2")
        level = None if target is None else target * (100 if name.endswith("(%)") else 1)
        if level is not None:
            cost = reaching(own, x, y, level)
            curves = [
                dataclasses.replace(mean_curve, label=mean_curve.label and f"{label}: {cost}") for mean_curve in curves
            ]
        for curve in curves:
            marked = {"marker": "o", "markersize": 3} if sweeps else {}
            axes.plot(curve.x, curve.y, linewidth=1.3, label=curve.label or None, **look | marked)
            if curve.low is not None:
                axes.fill_between(curve.x, curve.low, curve.high, color=look["color"], alpha=0.15, linewidth=0)
        seeds.add(curves[0].seeds if sweeps else len(own))
        apart = apart or len(curves) > 1
        names.append(name)
        traces += own
    if level is not None:
        axes.axhline(level, **style.THIN)
    if x == "steps":
        style.mark_changes(axes, traces)
    along = x if sweeps else axis_label(traces, x)
    axes.set_xlabel(along)
    axes.set_ylabel(" / ".join(dict.fromkeys(names)))
    for mark in log:
        getattr(axes, f"set_{mark}scale")("log")
    if len(groups) > 1:
        head = f"{along} to {level:g}{' %' if names[-1].endswith('(%)') else ''}" if level is not None else None
        axes.legend(fontsize=7, title=head, title_fontsize=7)
    mark = data_marks(traces)
    style.finish(fig, style.plain("; ".join(titles)), style.plain(caption(traces, seeds, apart, notes)), mark, bare)
    return fig


def caption(traces, seeds, apart, notes):
    """The caption: seeds, data, kernels and notes. `apart`: whether some learner has one curve per seed."""
    data = ", ".join(dict.fromkeys(trace.data_set for trace in traces))
    kernels = list(dict.fromkeys(trace.provenance["kernel"] for trace in traces))
    kernels = ", ".join(kernels) if len(kernels) <= 4 else f"{len(kernels)} different ones"
    many = max(seeds)
    number = f"{min(seeds)} to {many}" if len(seeds) > 1 else f"{many}"
    band = f"Means over {number} seeds, with 95 % bootstrap intervals as bands" if many > 1 else "One seed"
    if apart:
        band += "; one curve per seed if x does not increase with the steps"
    return f"{band}. Data: {data}. Kernel: {kernels}." + "".join(f" {note[0].upper()}{note[1:]}." for note in notes)


def is_format(path):
    """Whether a path has the suffix of a figure."""
    return pathlib.Path(path).suffix in (".png", ".svg", ".pdf")


def out_path(given, sources, x, y):
    """The path of the figure: `given`, with suffix .png by default, or a name made from the first source, y and x."""
    if given:
        path = pathlib.Path(given)
        return path if is_format(path) else path.with_name(path.name + ".png")
    return pathlib.Path(f"{pathlib.Path(sources[0]).stem or 'plot'}-{y}-{x}.png")
