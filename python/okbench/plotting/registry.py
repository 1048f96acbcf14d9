"""Registry of figures and tables: a name, the required experiments, and a function that makes the content."""

FIGURES = {}
TABLES = {}
# Figures and tables of the league, which take all experiments of the league.
LEAGUE_FIGURES = {}
LEAGUE_TABLES = {}


def figure(name, experiments):
    """Decorator: `draw(*experiments)` returns (matplotlib figure, title, caption, mark)."""

    def register(draw):
        FIGURES[name] = (experiments, draw)
        return draw

    return register


def table(name, experiments):
    """Decorator: `fill(*experiments)` returns (header, rows, title, mark)."""

    def register(fill):
        TABLES[name] = (experiments, fill)
        return fill

    return register


def league_figure(name):
    """Decorator: `draw(league)` returns as in figure(). It raises NotRun if the league has too few results."""

    def register(draw):
        LEAGUE_FIGURES[name] = draw
        return draw

    return register


def league_table(name):
    """Decorator: `fill(league)` returns as in table(). It raises NotRun if the league has too few results."""

    def register(fill):
        LEAGUE_TABLES[name] = fill
        return fill

    return register
