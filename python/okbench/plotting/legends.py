"""Moves legends so that they do not cover curves: to a free corner of the panel, else above the panel."""

import numpy as np

# Candidate positions of a legend in its panel: 0 is left or bottom, 1 is right or top.
PLACES = ((1, 1), (0, 1), (0, 0), (1, 0), (1, 0.5), (0, 0.5), (0.5, 1), (0.5, 0), (0.5, 0.5))
STEP = 2.0  # pixels between the checked points of a curve


def drawn_points(axes):
    """Points, in pixels, of everything that a legend could hide: curves, markers, error bars."""
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
    """The points of a curve, and interpolated points every STEP pixels."""
    points = points[np.all(np.isfinite(points), axis=1)]
    if len(points) < 2:
        return points
    pieces = [points]
    lengths = np.hypot(*np.diff(points, axis=0).T)
    for start, end, length in zip(points, points[1:], lengths):
        if STEP < length < 1e5:
            pieces.append(start + (end - start) * np.linspace(0, 1, int(length / STEP) + 1)[:, None])
    return np.concatenate(pieces)


def visible(axes):
    """The points drawn inside a panel, one array per curve."""
    axes.get_xlim(), axes.get_ylim()  # forces matplotlib to compute pending limits
    box, curves = axes.bbox, []
    for part in drawn_points(axes):
        c = along(part)
        curves.append(c[(c[:, 0] >= box.x0) & (c[:, 0] <= box.x1) & (c[:, 1] >= box.y0) & (c[:, 1] <= box.y1)])
    return curves


def covers(box, curves):
    """Whether any point of the curves is inside a box."""
    return any(
        np.any((c[:, 0] > box.x0) & (c[:, 0] < box.x1) & (c[:, 1] > box.y0) & (c[:, 1] < box.y1)) for c in curves
    )


def hidden(figure):
    """The panels whose legend covers a curve."""
    return [
        axes
        for axes in figure.axes
        if (legend := axes.get_legend()) is not None and covers(legend.get_window_extent(), visible(axes))
    ]


def settle(figure):
    """Moves each legend that covers a curve to the first position in PLACES where it covers none.

    Without such a position, shrinks the panel and puts the legend above it.
    """
    for axes, size in crowded(figure):
        lower_panel(axes, axes.get_legend(), size)
    level(figure)


def crowded(figure):
    """Moves legends as settle() does. Returns [(panel, size of its legend in panel coordinates)] without a position."""
    panels = []
    for axes in hidden(figure):
        curves = visible(axes)
        legend = axes.get_legend()
        size = legend.get_window_extent().transformed(axes.transAxes.inverted())
        for x, y in PLACES:
            put(axes, legend, x * (1 - size.width), y * (1 - size.height), size)
            if not covers(legend.get_window_extent(), curves):
                break
        else:
            panels.append((axes, size))
    return panels


def missing_height(figure):
    """Height in inches by which a figure must grow so that no panel shrinks for its legend."""
    heights = [axes.get_legend().get_window_extent().height / figure.dpi for axes, _ in crowded(figure)]
    return max(heights, default=0)


def level(figure):
    """Gives the panels of a row the height of the lowest one."""
    rows = {}
    for axes in figure.axes:
        place = axes.get_subplotspec()
        if place is not None and axes.axison:
            rows.setdefault((id(place.get_gridspec()), place.rowspan.start, place.rowspan.stop), []).append(axes)
    for panels in rows.values():
        top = min(axes.get_position().y1 for axes in panels)
        for axes in panels:
            box = axes.get_position()
            if box.y1 > top + 1e-6:
                axes.set_position([box.x0, box.y0, box.width, top - box.y0])


def put(axes, legend, x, y, size):
    """Moves the lower left corner of a legend to (x, y) in panel coordinates."""
    legend.set_bbox_to_anchor((x, y, size.width, size.height), transform=axes.transAxes)


def lower_panel(axes, legend, size):
    """Shrinks a panel from above and puts its legend into the freed space."""
    box, height = axes.get_position(), legend.get_window_extent().height
    kept = max(0.3, 1 - size.height)
    axes.set_position([box.x0, box.y0, box.width, kept * box.height])
    size = legend.get_window_extent().transformed(axes.transAxes.inverted())
    put(axes, legend, 0, 1.02, size)
    # Corrects for the padding of the legend, which moves it down.
    sunk = (axes.bbox.y1 - legend.get_window_extent().y0) / axes.bbox.height
    if sunk > 0:
        put(axes, legend, 0, 1.05 + sunk, size)
    for where in ("center", "left"):
        if title := axes.get_title(where):
            axes.set_title(title, loc=where, pad=8 + height * 72 / axes.figure.dpi)
