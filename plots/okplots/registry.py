"""Figures and tables register themselves here: a name, the experiments they need, and a function that draws."""

FIGURES = {}
TABLES = {}


def figure(name, experiments):
    """Decorator: `draw(*experiments)` returns (matplotlib figure, title, caption, stand_in)."""

    def register(draw):
        FIGURES[name] = (experiments, draw)
        return draw

    return register


def table(name, experiments):
    """Decorator: `fill(*experiments)` returns (header, rows, title, stand_in)."""

    def register(fill):
        TABLES[name] = (experiments, fill)
        return fill

    return register
