"""Legends that cover no curve: each is put where nothing is drawn; where a panel has no room, beside it."""

import numpy as np

PLACES = (
    *("upper right", "upper left", "lower left", "lower right", "center right", "center left"),
    *("upper center", "lower center", "center"),
)
STEP = 2.0  # pixels between the points of a curve that are looked at


def drawn_points(axes):
    """Points of everything that a legend could hide, in pixels: curves, markers, bars of errors."""
    parts = []
    for line in axes.lines:
        if line.get_visible() and line.get_zorder() >= 1:
            parts.append(line.get_transform().transform(np.column_stack(line.get_data()).astype(float)))
    for collection in axes.collections:
        for path in collection.get_paths():
            parts.append(collection.get_transform().transform(path.vertices))
        offsets = collection.get_offsets()
        if len(offsets) and len(collection.get_paths()) == 1:
            parts.append(collection.get_offset_transform().transform(offsets))
    return [np.asarray(part, dtype=float) for part in parts if len(part)]


def along(points):
    """The points of a curve, and those between them."""
    points = points[np.all(np.isfinite(points), axis=1)]
    if len(points) < 2:
        return points
    pieces = [points]
    lengths = np.hypot(*np.diff(points, axis=0).T)
    for start, end, length in zip(points, points[1:], lengths):
        if STEP < length < 1e5:
            pieces.append(start + (end - start) * np.linspace(0, 1, int(length / STEP) + 1)[:, None])
    return np.concatenate(pieces)


def covers(box, curves):
    """Whether any point of the curves lies inside a box."""
    return any(
        np.any((c[:, 0] > box.x0) & (c[:, 0] < box.x1) & (c[:, 1] > box.y0) & (c[:, 1] < box.y1)) for c in curves
    )


def hidden(figure):
    """The panels whose legends cover a curve."""
    figure.canvas.draw()
    return [
        axes
        for axes in figure.axes
        if (legend := axes.get_legend()) is not None
        and covers(legend.get_window_extent(), [along(part) for part in drawn_points(axes)])
    ]


def settle(figure):
    """Moves each legend that covers a curve to the first place in its panel where it covers none; where there is none,
    above its panel, which makes room for it."""
    for axes in hidden(figure):
        curves = [along(part) for part in drawn_points(axes)]
        legend = axes.get_legend()
        for place in PLACES:
            legend.set_loc(place)
            figure.canvas.draw()
            if not covers(legend.get_window_extent(), curves):
                break
        else:
            lower_panel(axes, legend)


def lower_panel(axes, legend):
    """Makes a panel less high and puts its legend into the room above it."""
    figure = axes.figure
    legend.set_loc("lower left")
    legend.set_bbox_to_anchor((0.0, 1.0), transform=axes.transAxes)
    figure.canvas.draw()
    needed = legend.get_window_extent().height / figure.bbox.height
    box = axes.get_position()
    axes.set_position([box.x0, box.y0, box.width, max(0.3 * box.height, box.height - needed)])
    if axes.get_title() or axes.get_title("left"):
        for where in ("center", "left"):
            title = axes.get_title(where)
            if title:
                axes.set_title(title, loc=where, pad=6 + legend.get_window_extent().height * 72 / figure.dpi)
