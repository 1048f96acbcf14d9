"""Means over seeds, once for all tables, figures and pages."""

import functools

import numpy as np

from .intervals import bootstrap
from .table import ERRORS, frame_name

# Trials that are equal in these fields differ in the seed alone; trials with results also have equal settings.
GROUP = ("experiment", "key", "grid_point", "data_set", "batch")
# What the trials of a group have in common.
IDENTITY = ("experiment", "key", "learner", "label", "grid_point", "data_set", "batch", "kernel", "synthetic")
IDENTITY += ("replacement", "tier", "overrides")
# What a mean over seeds must share with another one to be compared with it.
TASK = ("experiment", "data_set", "synthetic", "replacement", "tier", "overrides")
NOT_AVERAGED = ("seed", "fold", "batch", "tuned/candidate", "tuned/trials")


def decimal(value):
    """The value rounded to 12 digits, which removes errors of binary rounding: equal errors are then equal numbers."""
    return float(f"{value:.12g}")


def combined(keys):
    """An array of integers that are equal where all `keys` are."""
    codes = np.zeros(len(keys[0]), dtype=np.int64)
    for key in keys:
        key = key - key.min(initial=0)  # a missing text has the key -1
        codes = np.unique(codes * (key.max(initial=0) + 1) + key, return_inverse=True)[1]
    return codes


class SeedMeans:
    """The means of a Table over seeds, one per group of trials that differ in the seed alone.

    A group whose trials have not all a valid result has no means, because they would not be comparable. A value that
    one trial lacks has no mean. `members`: for each group, the rows with numbers; `lacking`: the rows without, which
    belong to all groups of their name. `failed`, `missing`, `stale`: numbers of such trials; accepted stale results
    count in `stale`, too.
    """

    def __init__(self, table):
        self.table, self._moments = table, {}
        own = np.isnan(table.columns["fold"].numbers) if len(table) else np.zeros(0, dtype=bool)
        names = combined([table.columns[name].keys() for name in GROUP])
        groups = combined([names, table.columns["setting"].keys()])
        has = table.has_numbers & own
        named_groups = [(names[places[0]], places) for places in split(np.flatnonzero(has), groups)]
        without = {names[places[0]]: places for places in split(np.flatnonzero(~has & own), names)}
        known = {name for name, _ in named_groups}
        named_groups += [(name, np.zeros(0, dtype=int)) for name in without if name not in known]
        nothing = np.zeros(0, dtype=int)
        lacking = [without.get(name, nothing) for name, _ in named_groups]
        order = sorted(range(len(named_groups)), key=lambda i: min([*named_groups[i][1][:1], *lacking[i][:1]]))
        self.members, self.lacking = [named_groups[i][1] for i in order], [lacking[i] for i in order]
        status = table["status"]
        self.missing = np.array([np.sum(status[places] == "missing") for places in self.lacking], dtype=int)
        lacked = np.array([np.sum(status[places] == "stale") for places in self.lacking], dtype=int)
        self.failed = np.array([*map(len, self.lacking)], dtype=int) - self.missing - lacked
        accepted = [np.sum(status[places] == "ok (stale)") for places in self.members]
        self.stale = lacked + np.array(accepted, dtype=int)
        self.seeds = np.array([*map(len, self.members)], dtype=int)
        self.complete = np.array([len(places) == 0 for places in self.lacking], dtype=bool)

    def __len__(self):
        return len(self.members)

    def first(self, group):
        """The row that stands for a group."""
        return int((self.members[group] if len(self.members[group]) else self.lacking[group])[0])

    @functools.cached_property
    def firsts(self):
        return np.array([self.first(group) for group in range(len(self))], dtype=int)

    @functools.cached_property
    def averaged(self):
        """Names of the columns that have means."""
        return [
            name
            for name, column in self.table.columns.items()
            if column.is_number and name not in NOT_AVERAGED and not name.startswith(("parameters/", "tuned/chosen/"))
        ]

    def moments(self, name):
        """(means, standard deviations) of a column by group; NaN without one. The deviation is over n - 1 seeds."""
        if name not in self._moments:
            self._moments[name] = self._computed(name)
        return self._moments[name]

    def _computed(self, name):
        mean, deviation = np.full(len(self), np.nan), np.full(len(self), np.nan)
        groups = np.flatnonzero(self.complete & (self.seeds > 0))
        if not len(groups) or name not in self.table or not self.table.columns[name].is_number:
            return mean, deviation
        values = self.table.columns[name].numbers[np.concatenate([self.members[group] for group in groups])]
        counts = self.seeds[groups]
        starts = np.cumsum(counts) - counts
        least = np.minimum.reduceat(values, starts)
        means = np.add.reduceat(values, starts) / counts
        # The mean of equal values is that value, whatever the rounding of the sum.
        mean[groups] = np.where(least == np.maximum.reduceat(values, starts), least, means)
        squares = np.add.reduceat((values - np.repeat(mean[groups], counts)) ** 2, starts)
        deviation[groups[counts > 1]] = np.sqrt(squares[counts > 1] / (counts[counts > 1] - 1))
        return mean, deviation

    def mean(self, name):
        return self.moments(name)[0]

    def deviation(self, name):
        return self.moments(name)[1]

    def error_name(self, group, errors=ERRORS):
        """The error that ranks a group: the first of `errors` that it has a mean of; None without one."""
        return next((name for name in errors if not np.isnan(self.mean(name)[group])), None)

    def error(self, group):
        """The mean of that error, without errors of rounding, so that equal errors are ties; infinite without one."""
        name = self.error_name(group)
        return decimal(self.mean(name)[group]) if name else np.inf

    def interval(self, group, name):
        """(low, high): bootstrap interval of a mean; None for fewer than two seeds."""
        return bootstrap(self.table.columns[name].numbers[self.members[group]]) if self.seeds[group] > 1 else None

    def best(self):
        """{group: number of complete groups}: for each learner and TASK, the group with the least error among its grid
        points."""
        same = combined([self.table.columns[name].keys() for name in ("key", *TASK)])[self.firsts]
        winners = {}
        for group, key in enumerate(same.tolist()):
            kept, points = winners.get(key, (group, 0))
            kept = group if self.error(group) < self.error(kept) else kept
            winners[key] = (kept, points + int(self.complete[group]))
        return dict(winners.values())

    def status(self, group):
        """ "ok", or why the group has no means."""
        if self.complete[group]:
            return "ok"
        place = self.lacking[group][0]
        return f"no mean: {self.table.name(place)}: {self.table['status'][place]}"

    def records(self, errors=ERRORS):
        """A dictionary per group with the names of data frames: identity, parameters, `seeds`, `status`, means, and
        the interval of the error that ranks it: `low`, `high`."""
        parameters = [name for name in self.table.columns if name.startswith("parameters/") or name == "delay"]
        columns = {name: self.table[name] for name in (*IDENTITY, *parameters)}
        rows = []
        for group in range(len(self)):
            place = self.firsts[group]
            row = {frame_name(name): columns[name][place] for name in IDENTITY}
            for name in parameters:
                # Cross validation may choose other values for other seeds.
                chosen = list(dict.fromkeys(columns[name][self.members[group]].tolist())) or [columns[name][place]]
                row[frame_name(name)] = chosen[0] if len(chosen) == 1 else ", ".join(sorted(map(plain, chosen)))
            row |= {"seed": None, "seeds": int(self.seeds[group]), "status": self.status(group)}
            row |= {frame_name(name): float(self.mean(name)[group]) for name in self.averaged}
            error = self.error_name(group, errors)
            row["measure"] = error
            row["low"], row["high"] = (error and self.interval(group, error)) or (None, None)
            rows.append(row)
        return rows


def plain(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def split(places, keys):
    """The places with equal keys, as a list of increasing arrays."""
    order = places[np.argsort(keys[places], kind="stable")]
    ends = np.flatnonzero(np.diff(keys[order])) + 1
    return np.split(order, ends) if len(order) else []
