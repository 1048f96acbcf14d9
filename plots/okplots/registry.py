"""Figures register themselves here: a name, the experiments they need, and a function that draws."""

FIGURES = {}


def figure(name, experiments):
    """Decorator: `draw(*experiments)` returns (matplotlib figure, title, caption, stand_in)."""

    def register(draw):
        FIGURES[name] = (experiments, draw)
        return draw

    return register
