"""Figures and tables register themselves here: a name, the experiments they need, and a function that draws."""

FIGURES = {}
TABLES = {}
# Those of the league, which are of whatever experiments it has: a name and a function that draws.
LEAGUE_FIGURES = {}
LEAGUE_TABLES = {}


def figure(name, experiments):
    """Decorator: `draw(*experiments)` returns (matplotlib figure, title, caption, synthetic)."""

    def register(draw):
        FIGURES[name] = (experiments, draw)
        return draw

    return register


def table(name, experiments):
    """Decorator: `fill(*experiments)` returns (header, rows, title, synthetic)."""

    def register(fill):
        TABLES[name] = (experiments, fill)
        return fill

    return register


def league_figure(name):
    """Decorator: `draw(league)` returns what figures return; it raises NotRun where the league has too little."""

    def register(draw):
        LEAGUE_FIGURES[name] = draw
        return draw

    return register


def league_table(name):
    """Decorator: `fill(league)` returns what tables return."""

    def register(fill):
        LEAGUE_TABLES[name] = fill
        return fill

    return register
