"""Figures from traces: styles, curves, the registry of figures, and the scripts of plots/."""
