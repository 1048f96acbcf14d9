"""Figures and tables of the league: python plots/league.py RESULTS."""

import okbench.report.league_regression  # noqa: F401  (registers the figures, with those of league_figures)
from okbench.plotting.draw import main

if __name__ == "__main__":
    main()
