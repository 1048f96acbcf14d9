"""okbench: the results of okbench in Python.

`okbench.results` reads trace files (HDF5) and the plans beside them, which docs/trace-format.md describes, and measures
trials; `okbench.claims` judges on them what the papers state. Nothing here draws: okplots does, on top of this.
"""
