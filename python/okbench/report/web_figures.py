"""Extracts the series of a matplotlib figure for the report's interactive charts."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer

from ..plotting import progress

POINTS = 800  # maximum points per series; longer series are thinned


# Dash patterns (strokes and gaps in pixels), which distinguish the series of a chart without colour.
DASHES = (
    *([9, 4], [2, 3], [9, 3, 2, 3], [18, 4], [5, 3], [9, 3, 2, 3, 2, 3], [2, 7], [18, 4, 2, 4], [5, 9]),
    *([18, 4, 9, 4], [18, 4, 2, 4, 2, 4], [5, 3, 2, 3], [9, 10], [18, 4, 5, 4], [9, 3, 2, 3, 2, 3, 2, 3]),
    *([5, 3, 2, 3, 2, 3], [18, 4, 2, 4, 2, 4, 2, 4], [2, 3, 2, 9], [5, 3, 5, 9], [9, 4, 9, 10], [18, 12]),
)
MARKS = 6  # number of point shapes in charts.js
CROSS = 4  # index of the cross among them


def places(x, y, log):
    """Indices of at most POINTS points: the first, the last, and the extremes of y in equal pieces of the x axis."""
    if len(x) <= POINTS:
        return np.arange(len(x))
    place = np.log(x) if log and np.all(x > 0) else x
    pieces = POINTS // 2 - 1
    piece = np.minimum(((place - place[0]) / max(place[-1] - place[0], 1e-300) * pieces).astype(int), pieces - 1)
    kept = {0, len(x) - 1}
    for run in np.split(np.arange(len(x)), np.flatnonzero(np.diff(piece)) + 1):
        kept |= {run[int(np.argmin(y[run]))], run[int(np.argmax(y[run]))]}
    return np.array(sorted(kept))


def numbers(values):
    """Numbers with six digits for JSON; None (null) for values that are not finite."""
    return [number(value) if np.isfinite(value) else None for value in np.asarray(values, dtype=float)]


def number(value):
    value = float(f"{value:.6g}")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def look_of(line):
    """(colour, kind) of a line; kind is "solid", "dashed" or "points"."""
    style = line.get_linestyle()
    kind = "points" if style in ("None", "none", "", " ") else "solid" if style == "-" else "dashed"
    return to_hex(line.get_color()), kind


def lines_of(axes):
    """Yields (line, label) of plotted lines, lines with error bars and reference lines."""
    bars = [container for container in axes.containers if isinstance(container, ErrorbarContainer)]
    caps = {cap for bar in bars for cap in bar.lines[1]}
    of_bar = {bar.lines[0]: bar.get_label() for bar in bars}
    for line in axes.get_lines():
        if line in caps:
            continue
        label = getattr(line, "series_name", None) or of_bar.get(line, line.get_label())
        yield line, "series" if label.startswith("_") else label


def points_of(line, axes):
    """(x, y) of a line in data coordinates. A horizontal reference line spans the axis. None for vertical lines."""
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    if line.get_transform() == axes.transData:
        return x, y
    if len(y) == 2 and y[0] == y[1]:
        return np.array(axes.get_xlim()), y
    return None


def title_of(axes):
    return axes.get_title() or axes.get_title(loc="left")


def inherited(axes, others, value, along):
    """The panel's own text, or that of another panel in its row ("rowspan") or column ("colspan")."""
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


def tell_apart(series):
    """Assigns dash patterns to lines and shapes to points, distinct by label within a panel."""
    curves = [entry for entry in series if entry["kind"] != "points"]
    solid = next((curve["label"] for curve in curves if curve["kind"] == "solid" and not curve["span"]), None)
    dashes = iter(DASHES)
    dash = {label: [] if label == solid else next(dashes, DASHES[-1]) for label in labels(curves)}
    mark = {label: i % MARKS for i, label in enumerate(labels(entry for entry in series if entry["kind"] == "points"))}
    for entry in series:
        entry |= (
            {"mark": entry.get("mark", mark[entry["label"]])}
            if entry["kind"] == "points"
            else {"dash": dash[entry["label"]]}
        )


def labels(series):
    return dict.fromkeys(entry["label"] for entry in series)


def own_kind(label, lines):
    """The kind of progress that the panel's x axis shows, or None."""
    drawn = [(x, along) for x, along in lines if along]
    same = [kind for kind in progress.KINDS if drawn and all(np.array_equal(along.get(kind), x) for x, along in drawn)]
    named = label.replace("iteration", "step")
    return next((kind for kind in same if kind.rstrip("s") in named), None)


def choices(label, lines):
    """The x axes that a panel offers: {label, kind}; kind is None for the drawn axis. `lines`: [(x, progress)]."""
    own = own_kind(label, lines)
    kinds = [kind for kind in progress.KINDS if kind == own or any(kind in along for _, along in lines)]
    axes = [{"label": label if kind == own else kind, "kind": None if kind == own else kind} for kind in kinds]
    return axes if own in kinds or not axes else [{"label": label, "kind": None}, *axes]


def panel_of(axes, title, x_label, y_label):
    """The data of one panel, or None without series. `path`: x does not increase, so there is no chart."""
    series, path, drawn = [], False, []
    for line, label in lines_of(axes):
        points = points_of(line, axes)
        if points is None or len(points[0]) == 0:
            continue
        color, kind = look_of(line)
        x, y = points
        along = progress.of_line(line)
        drawn.append((x, along))
        kept = np.arange(len(x))
        if kind == "points":
            kept = np.argsort(x, kind="stable")
        elif np.any(np.diff(x) <= 0):
            path = True
        if kind != "points" and not path:
            kept = places(x, y, axes.get_xscale() == "log")
        entry = {"label": label, "color": color, "kind": kind, "span": line.get_transform() != axes.transData}
        entry |= {"x": numbers(x[kept]), "y": numbers(y[kept])}
        if hasattr(line, "series_mark"):
            entry |= {"mark": line.series_mark}
        if line.get_drawstyle() == "steps-post":
            entry |= {"steps": True}
        series.append(entry | {"along": {name: numbers(values[kept]) for name, values in along.items()}})
    if not series:
        return None
    tell_apart(series)
    return {
        "title": title,
        "x": x_label,
        "y": y_label,
        "xlog": axes.get_xscale() == "log",
        "ylog": axes.get_yscale() == "log",
        "path": path,
        "ylim": numbers(axes.get_ylim()),
        "axes": [] if path else choices(x_label, drawn),
        "series": series,
    }


def panels(figure):
    """The panels of a figure for interactive charts; empty for images."""
    figure_panels = []
    for axes in figure.axes:
        # Inner panels take labels from the panels at the edge.
        title = inherited(axes, figure.axes, title_of, "colspan")
        x_label = inherited(axes, figure.axes, lambda subplot: subplot.get_xlabel(), "colspan") or "x"
        y_label = inherited(axes, figure.axes, lambda subplot: subplot.get_ylabel(), "rowspan") or "y"
        panel = panel_of(axes, title, x_label, plain(y_label))
        if panel:
            figure_panels.append(panel)
    return figure_panels


def plain(label):
    """A label without TeX; figures use only this formula."""
    return label.replace(r"$\Vert u_t \Vert^2$", "‖u_t‖²")


def packed(charts):
    """{lists, figures}: each distinct list of numbers is stored once, and series refer to it by index."""
    numbered, lists = {}, []

    def place(values):
        key = tuple(values)
        if key not in numbered:
            numbered[key] = len(lists)
            lists.append(values)
        return numbered[key]

    def of_series(entry):
        along = {kind: place(values) for kind, values in entry["along"].items()}
        return entry | {"x": place(entry["x"]), "y": place(entry["y"]), "along": along}

    figures = {
        name: [panel | {"series": [of_series(entry) for entry in panel["series"]]} for panel in chart_panels]
        for name, chart_panels in charts.items()
    }
    return {"lists": lists, "figures": figures}
