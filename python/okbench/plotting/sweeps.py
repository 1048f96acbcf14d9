"""Curves over a parameter of the grid: the last value of each trial, such as the error at each kernel width."""

import numpy as np

from ..errors import ClaimError
from ..results.intervals import bootstrap
from ..results.names import is_number
from .curves import AXES, RESAMPLES, Curve, series

KERNEL = "kernel."


def value_of(trace, parameter):
    """The value of a grid parameter of a trial, `gamma` for `kernel.gamma`. Raises ClaimError without a number."""
    axes = trace.planned_axes
    value = axes.get(parameter, axes.get(KERNEL + parameter))
    if not is_number(value):
        known = sorted(name.removeprefix(KERNEL) for name, axis_value in axes.items() if is_number(axis_value))
        of_grid = f"a number of its grid ({', '.join(known)})" if known else "a number of a grid"
        raise ClaimError(f"{trace.name}: '{parameter}' is neither a cost ({', '.join(sorted(AXES))}) nor {of_grid}")
    return float(value)


def rest_of(point, parameter):
    """A grid point without the parameter: "budget=64" of "budget=64,gamma_factor=4"."""
    own = (parameter, KERNEL + parameter, *(["gamma_factor"] if parameter == "gamma" else []))
    return ",".join(part for part in point.split(",") if part.partition("=")[0] not in own)


def grouped(groups, parameter):
    """{(folder, experiment, learner, rest of the grid point): trials of all values}, of groups as in plot.groups_of."""
    merged_groups = {}
    for (folder, name, learner, point), trials in groups.items():
        merged_groups.setdefault((folder, name, learner, rest_of(point, parameter)), []).extend(trials)
    return merged_groups


def sweep(label, traces, parameter, y, log_x):
    """([Curve], label of y): the mean of the last values over seeds, for each value of the parameter.

    On a logarithmic axis, values <= 0 are left out: gamma is 0 for the kernel <x, x'> + 1.
    """
    values, name = {}, ""
    for trace in traces:
        _, step_values, name = series(trace, y)
        values.setdefault(value_of(trace, parameter), []).append(step_values[-1])
    places = sorted(value for value in values if value > 0 or not log_x)
    seeds = {len(values[place]) for place in places}
    means = np.array([np.mean(values[place]) for place in places])
    if not seeds or min(seeds) < 2:
        return [Curve(label, np.array(places), means, None, None, min(seeds, default=0))], name
    low, high = np.transpose([bootstrap(values[place], resamples=RESAMPLES) for place in places])
    return [Curve(label, np.array(places), means, low, high, min(seeds))], name
