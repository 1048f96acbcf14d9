"""Figures and tables of the league: python plots/league.py RESULTS."""

import okbench.report.league_figures  # noqa: F401  (registers the figures)
from okbench.plotting.draw import main

if __name__ == "__main__":
    main()
