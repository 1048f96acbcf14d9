"""okplots: draws the figures of okbench from trace files.

It draws what the package okbench (python/okbench) reads: trace files, the plans beside them, and the papers' claims.
"""
