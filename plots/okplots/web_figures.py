"""The series of a matplotlib figure, for the report's interactive charts: what is inspected there is what is drawn."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer

POINTS = 800  # of a series; longer ones are thinned


def thinned(x, y, log):
    """At most POINTS of the points: the first, the last, and in between the extremes of equal pieces of the axis."""
    if len(x) <= POINTS:
        return x, y
    place = np.log(x) if log and np.all(x > 0) else x
    pieces = POINTS // 2 - 1
    piece = np.minimum(((place - place[0]) / max(place[-1] - place[0], 1e-300) * pieces).astype(int), pieces - 1)
    kept = {0, len(x) - 1}
    for run in np.split(np.arange(len(x)), np.flatnonzero(np.diff(piece)) + 1):
        kept |= {run[int(np.argmin(y[run]))], run[int(np.argmax(y[run]))]}
    kept = sorted(kept)
    return x[kept], y[kept]


def numbers(values):
    """JSON numbers of six digits; null for what is not finite."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in np.asarray(values, dtype=float)]


def look_of(line):
    """What tells a line from others: colour, and whether it is solid, dashed or only marked."""
    style = line.get_linestyle()
    kind = "points" if style in ("None", "none", "", " ") else "solid" if style == "-" else "dashed"
    return to_hex(line.get_color()), kind


def lines_of(axes):
    """(line, label) of what is drawn with data: plotted lines, the lines of error bars, horizontal reference lines."""
    bars = [container for container in axes.containers if isinstance(container, ErrorbarContainer)]
    caps = {cap for bar in bars for cap in bar.lines[1]}
    of_bar = {bar.lines[0]: bar.get_label() for bar in bars}
    for line in axes.get_lines():
        if line in caps:
            continue
        label = getattr(line, "series_name", None) or of_bar.get(line, line.get_label())
        yield line, "series" if label.startswith("_") else label


def points_of(line, axes):
    """Its points in data coordinates; a horizontal line spans the axis; None for vertical ones."""
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    if line.get_transform() == axes.transData:
        return x, y
    if len(y) == 2 and y[0] == y[1]:
        return np.array(axes.get_xlim()), y
    return None


def title_of(axes):
    return axes.get_title() or axes.get_title(loc="left")


def inherited(axes, others, value, along):
    """What a panel shows itself, or else another panel of its row ("rowspan") or column ("colspan")."""
    own = value(axes)
    place = axes.get_subplotspec()
    if own or place is None:
        return own
    beside = [
        other
        for other in others
        if other.get_subplotspec() is not None
        and value(other)
        and getattr(other.get_subplotspec(), along) == getattr(place, along)
    ]
    return value(beside[0]) if beside else ""


def panel_of(axes):
    """One panel, or None when it has no series. Curves that turn back in x ("path") have no chart: charts need one
    value for each x."""
    series, path = [], False
    for line, label in lines_of(axes):
        points = points_of(line, axes)
        if points is None or len(points[0]) == 0:
            continue
        color, kind = look_of(line)
        x, y = points
        if kind == "points":
            order = np.argsort(x, kind="stable")
            x, y = x[order], y[order]
        elif np.any(np.diff(x) <= 0):
            path = True
        if not path:
            x, y = thinned(x, y, axes.get_xscale() == "log")
        series.append({"label": label, "color": color, "kind": kind, "x": numbers(x), "y": numbers(y)})
    if not series:
        return None
    return {
        "title": title_of(axes),
        "x": axes.get_xlabel(),
        "y": axes.get_ylabel(),
        "xlog": axes.get_xscale() == "log",
        "ylog": axes.get_yscale() == "log",
        "path": path,
        "ylim": numbers(axes.get_ylim()),
        "series": series,
    }


def panels(figure):
    """The panels of a figure that can be inspected; none for pictures."""
    found = []
    for axes in figure.axes:
        panel = panel_of(axes)
        if panel:
            # Inner panels leave names to those at the edge.
            panel["title"] = inherited(axes, figure.axes, title_of, "colspan")
            panel["x"] = inherited(axes, figure.axes, lambda one: one.get_xlabel(), "colspan") or "x"
            panel["y"] = inherited(axes, figure.axes, lambda one: one.get_ylabel(), "rowspan") or "y"
            found.append(panel)
    return found
