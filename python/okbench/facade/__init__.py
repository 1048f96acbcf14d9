"""The program's verbs as functions: `okbench.run`, `okbench.plot`, `okbench.data`. They stand above all other rooms, so
that the package loads them by name, when one is first asked for."""

from .drawing import plot
from .running import data, run

__all__ = ["data", "plot", "run"]
