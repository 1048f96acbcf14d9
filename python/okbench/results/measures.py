"""Measures of trials: what the expressions of claims are made of.

A trial is named experiment/learner, or experiment/learner[axis=value,...] when the spec has a grid. Each function takes the
results and names of trials, and gives the mean over repetitions unless it says otherwise.
"""

import pathlib
import re

import numpy as np

from ..errors import ClaimError, NotRun
from . import bounds, traces


# Functions of trials.

FUNCTIONS = {}


def function(name):
    def register(f):
        FUNCTIONS[name] = f
        return f

    return register


class Results:
    """Traces below a result folder, read once."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.experiments = {}
        self.tier = None  # what the claim that is judged needs

    def experiment(self, name):
        if name not in self.experiments:
            self.experiments[name] = traces.read_experiment(self.folder, name)
        if self.experiments[name] is None:
            raise NotRun(f"no result of {name}")
        return self.experiments[name]

    def find(self, trial):
        """All repetitions of a trial, none of them on generated data."""
        match = re.fullmatch(r"([\w./-]+)/([\w-]+)(?:\[([^\]]*)\])?", trial)
        if not match:
            raise ClaimError(f"'{trial}' names no trial: experiment/learner[axis=value,...]")
        name, key, axes = match.groups()
        experiment = self.experiment(name)
        if self.tier not in (None, experiment.tier):
            raise NotRun(f"needs the tier {self.tier}, these results are of the tier {experiment.tier}")
        wanted = dict(pair.split("=", 1) for pair in axes.split(",")) if axes else {}
        found = [trace for trace in experiment.by_learner(key) if all(fits(trace, *pair) for pair in wanted.items())]
        if not found:
            raise NotRun(f"no result of {trial}")
        if any(trace.stand_in for trace in found):
            raise NotRun("generated stand-in data")
        return found

    def mean(self, trial, value):
        return float(np.mean([value(trace) for trace in self.find(trial)]))


def fits(trace, axis, text):
    """Whether a trace is at this place of an axis; "data" is the data set, "batch" the size of mini-batches."""
    value = {"data": trace.data_set, "batch": trace.spec["data"].get("batch")}.get(axis, trace.parameters.get(axis))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return np.isclose(float(text), float(value), rtol=1e-5, atol=0)
    return text == (str(value).lower() if isinstance(value, bool) else str(value))


def summary_function(name, value=None):
    value = value or (lambda trace: trace.summary[name])
    FUNCTIONS[name] = lambda results, trial: results.mean(trial, value)


for plain in ("error_rate", "test_error", "mistakes", "margin_errors", "support_vectors"):
    summary_function(plain)
summary_function("insertions", lambda trace: trace["insertions"][-1])
summary_function("max_step_size", lambda trace: np.max(trace["step_size"]))


@function("error_rate_last")
def error_rate_last(results, trial, count):
    """Mistakes among the last `count` examples, over `count`."""

    def value(trace):
        steps = trace["step"]
        before = np.searchsorted(steps, steps[-1] - count)
        if steps[before] != steps[-1] - count:
            raise ClaimError(f"{trial}: step {steps[-1] - count} is not recorded")
        return (trace["mistakes"][-1] - trace["mistakes"][before]) / count

    return results.mean(trial, value)


@function("error_rate_at")
def error_rate_at(results, trial, step):
    """Mistakes among the first `step` examples, over their number."""

    def value(trace):
        place = np.flatnonzero(trace["step"] == step)
        if not len(place):
            raise NotRun(f"{trial} has no step {step:g}")
        return trace.average_error[place[0]]

    return results.mean(trial, value)


@function("step_size")
def step_size(results, trial, step):
    """eta_t at this step, or at the next one that is recorded."""

    def value(trace):
        place = np.searchsorted(trace["step"], step)
        if place == len(trace["step"]):
            raise NotRun(f"{trial} has no step {step:g}")
        return trace["step_size"][place]

    return results.mean(trial, value)


@function("first_below")
def first_below(results, trial, other):
    """The step from which the average error of the one stays below the other's."""
    one, two = results.find(trial)[0], results.find(other)[0]
    below = one.average_error < np.interp(one["step"], two["step"], two.average_error)
    if not below[-1]:
        return float("inf")
    last = np.flatnonzero(~below)
    return float(one["step"][last[-1] + 1]) if len(last) else float(one["step"][0])


@function("min_rise")
def min_rise(results, trial, events, width):
    """Smallest rise of the step size over the events t: its largest value in t .. t + max(6, width t) over that before t."""

    def value(trace):
        steps, sizes = trace["step"], trace["step_size"]
        rises = []
        for event in events:
            window = (steps >= event) & (steps <= event + max(6, width * event))
            rises.append(np.max(sizes[window]) / sizes[np.searchsorted(steps, event) - 1])
        return min(rises)

    return results.mean(trial, value)


def caches(results, trial):
    """Sizes of a learner's grid of fixed caches, with their traces."""
    by_size = {}
    for trace in results.find(trial):
        by_size.setdefault(trace.parameters["size"], []).append(trace)
    return by_size


def measure(name):
    return (lambda trace: trace["insertions"][-1]) if name == "insertions" else (lambda trace: trace.summary[name])


@function("count_below")
def count_below(results, metric, trial, bound):
    """How many cache sizes have a mean of the metric below the bound."""
    return sum(np.mean([measure(metric)(trace) for trace in found]) < bound for found in caches(results, trial).values())


@function("best_fixed")
def best_fixed(results, metric, experiment):
    return min(float(np.mean([measure(metric)(trace) for trace in found]))
               for found in caches(results, f"{experiment}/fixed").values())


@function("rank_correlation")
def rank_correlation(results, metric, other, trial):
    """Spearman's rank correlation of two measures over the sizes of a grid of fixed caches."""
    columns = [[float(np.mean([measure(name)(trace) for trace in found])) for _, found in sorted(caches(results, trial).items())]
               for name in (metric, other)]
    if len(columns[0]) < 3:
        raise NotRun(f"{trial} has too few sizes")
    # Equal values share the mean of their ranks.
    ranks = [[np.mean(np.flatnonzero(np.sort(column) == value)) for value in column] for column in columns]
    if any(len(set(column)) == 1 for column in columns):
        raise NotRun(f"{trial} has the same value at every size")
    return float(np.corrcoef(ranks)[0, 1])


@function("chosen_by")
def chosen_by(results, metric, chooser, trial):
    """The first measure at the cache size where the second is least, over the least value of the first."""
    by_size = caches(results, trial)
    if len(by_size) < 3:
        raise NotRun(f"{trial} has too few sizes")
    mean = {size: [float(np.mean([measure(name)(trace) for trace in found])) for name in (metric, chooser)] for size, found in by_size.items()}
    chosen = min(mean.values(), key=lambda pair: pair[1])
    return chosen[0] / min(pair[0] for pair in mean.values())


@function("data_shape")
def data_shape(results, data_set):
    """Training and test examples, classes and features, as table 1 of budget-2003 saw them."""
    trace = results.find(f"budget-2003/table1/mira[data={data_set}]")[0]
    return [trace.provenance["data_shape"][key] for key in ("train", "test", "classes", "features")]


@function("cost")
def cost(results, trial, kind):
    """Kernel evaluations of one run with its cross validation."""
    return results.mean(trial, lambda trace: trace.cost(kind))


def mean_checkpoints(found, column):
    columns = [np.asarray(trace.checkpoints[column], dtype=float) for trace in found]
    length = min(len(values) for values in columns)
    return np.mean([values[:length] for values in columns], axis=0)


def shares(found):
    return mean_checkpoints(found, "examples") / found[0].summary["examples"]


@function("first_checkpoint_below")
def first_checkpoint_below(results, trial, bound):
    """Share of the examples after which the mean test error stays below the bound."""
    found = results.find(trial)
    above = np.flatnonzero(mean_checkpoints(found, "test_error") >= bound)
    first = above[-1] + 1 if len(above) else 0
    done = shares(found)
    return float(done[first]) if first < len(done) else float("inf")


@function("at")
def at(results, trial, column, share):
    """A column at the first checkpoint at or after a share of the run."""
    found = results.find(trial)
    done = shares(found)
    return float(mean_checkpoints(found, column)[min(np.searchsorted(done, share - 1e-9), len(done) - 1)])


@function("roughness")
def roughness(results, trial, share):
    """Mean absolute change of the test error, in points, between checkpoints after a share of the run."""

    def value(trace):
        after = trace.checkpoints["examples"] >= share * trace.summary["examples"]
        return 100 * np.mean(np.abs(np.diff(trace.checkpoints["test_error"][after])))

    return results.mean(trial, value)


@function("max_ratio")
def max_ratio(results, trial, column, other):
    """Largest quotient of two columns over all rounds and repetitions; 0/0 counts as 0."""
    return max(float(np.max(trace[column] / np.where(trace[other] > 0, trace[other], np.inf) if np.all(trace[column][trace[other] <= 0] <= 0)
                            else np.inf)) for trace in results.find(trial))


@function("last_over_first")
def last_over_first(results, trial, column, count):
    """Mean of a column over the last rounds, divided by that over the first."""
    return results.mean(trial, lambda trace: np.mean(trace[column][-int(count):]) / np.mean(trace[column][:int(count)]))


FUNCTIONS["max"] = lambda results, *values: float(np.max(values))
FUNCTIONS["min"] = lambda results, *values: float(np.min(values))
summary_function("mean_loss")
summary_function("rmse")
summary_function("margin_error_rate", lambda trace: trace.summary["margin_errors"] / trace.summary["examples"])
summary_function("objective", lambda trace: trace.checkpoints["objective"][-1])


@function("least")
def least(results, metric, trial, axis):
    """The least mean of a measure over the values of an axis of the grid."""
    by_value = {}
    for trace in results.find(trial):
        by_value.setdefault(trace.parameters[axis], []).append(trace.summary[metric])
    return min(float(np.mean(values)) for values in by_value.values())


@function("margin_error_rate_last")
def margin_error_rate_last(results, trial, share):
    """Margin errors over the last part of the run, each trace for itself: the mean over all."""

    def value(trace):
        step, errors = trace["step"], trace["margin_errors"].astype(float)
        start = step[-1] * (1 - share)
        return (errors[-1] - np.interp(start, step, errors)) / (step[-1] - start)

    return results.mean(trial, value)


def pairs(results, trial, best):
    """Each repetition of a trial with the best fixed hypothesis on the same stream."""
    others = {trace.spec["repetition"]: trace for trace in results.find(best)}
    return [(trace, others[trace.spec["repetition"]]) for trace in results.find(trial)]


@function("risk_over_bound")
def risk_over_bound(results, trial, best):
    """Theorems 1 and 2: the largest cumulative risk over its bound, over all steps and repetitions."""
    return max(float(np.max(one["risk_sum"] / bounds.cumulative_bound(one, two))) for one, two in pairs(results, trial, best))


@function("risk_over_known_margin")
def risk_over_known_margin(results, trial):
    """The same against the hypothesis that is known to separate a generated set."""

    def value(trace):
        norm, risk = bounds.known_margin_risk(trace)
        return np.max(trace["risk_sum"] / (risk + bounds.regret_bound(trace, norm, trace["step"])))

    return max(float(value(trace)) for trace in results.find(trial))


@function("average_over_bound")
def average_over_bound(results, trial, best):
    """Theorem 3: the largest risk of the averaged hypothesis over its bound, over all checkpoints and repetitions."""
    return max(float(np.max(one.checkpoints["test_risk"] / bounds.expected_bound(one, two))) for one, two in pairs(results, trial, best))


@function("listed_overlap")
def listed_overlap(results, trial, which):
    """Share of the examples in one list of a trace that are in another repetition's, too: the mean over all pairs."""
    lists = [set(trace.tables["listed"]["example"][trace.tables["listed"]["list"] == which]) for trace in results.find(trial)]
    shares = [len(one & two) / len(one) for one in lists for two in lists if one is not two]
    if not shares:
        raise NotRun(f"{trial} has one repetition only")
    return float(np.mean(shares))


@function("largest_change")
def largest_change(results, trial, other, column):
    """The largest difference of a column between two trials on the same stream, over all recorded steps and repetitions."""
    changes = []
    for one, two in pairs(results, trial, other):
        if not np.array_equal(one["example"], two["example"]):
            raise ClaimError(f"{trial} and {other} saw different streams")
        changes.append(float(np.max(np.abs(one[column] - two[column]))))
    return max(changes)
