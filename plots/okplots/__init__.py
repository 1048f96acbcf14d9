"""okplots: draws the figures of okbench from trace files.

It reads trace files (HDF5) and the plans beside them, nothing else; docs/trace-format.md describes both.
"""
