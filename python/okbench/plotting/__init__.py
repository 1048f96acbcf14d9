"""Figures from traces: styles, curves, the registry of figures, and loading of the scripts in plots/."""
