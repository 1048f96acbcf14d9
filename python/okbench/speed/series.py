"""Series of one quantity over the entries of a speed history, with their change points."""

import dataclasses

from .changes import change_points

# Kind of a series, with the unit of its values and the factor from the stored number to it.
KINDS = {"time": ("× reference", 1), "memory": ("MB", 1e-6), "size": ("MB", 1e-6)}


@dataclasses.dataclass
class Series:
    """Values of one quantity on one machine. entries: those of the history that have it. values: in the unit of
    KINDS[kind]. changes: list of Change."""

    kind: str
    name: str
    entries: list
    values: list
    changes: list

    @property
    def title(self):
        return {"time": self.name, "memory": f"{self.name}: peak memory", "size": f"{self.name}: file size"}[self.kind]

    @property
    def unit(self):
        return KINDS[self.kind][0]

    @property
    def last(self):
        """The last value as text, without its unit."""
        value = self.values[-1]
        return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def quantities(entry):
    """{(kind, name): stored number} of an entry."""
    times = {("time", name): benchmark["ratio"] for name, benchmark in entry["benchmarks"].items()}
    memory = {("memory", name): benchmark["memory"] for name, benchmark in entry["benchmarks"].items()}
    return times | memory | {("size", name): size for name, size in entry["sizes"].items()}


def series_of(entries, machine):
    """All series of the entries of one machine: times, then memory, then sizes. Speeds of machines do not mix."""
    mine = [(entry, quantities(entry)) for entry in entries if entry["machine"] == machine]
    keys = dict.fromkeys(key for _, numbers in mine for key in numbers)
    series = []
    for kind, name in sorted(keys, key=lambda key: list(KINDS).index(key[0])):
        having = [(entry, numbers[kind, name] * KINDS[kind][1]) for entry, numbers in mine if (kind, name) in numbers]
        values = [value for _, value in having]
        series.append(Series(kind, name, [entry for entry, _ in having], values, change_points(values)))
    return series
