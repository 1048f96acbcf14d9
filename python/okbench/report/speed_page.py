"""The page of `okbench speed --report`: one chart per measured quantity, with its change points."""

from ..plotting import style
from ..writing import write_text
from .web_pages import drawn_item, render


def figure(series):
    """(figure, title, caption, mark) of one series."""
    fig, axes = style.plt.subplots(figsize=(style.WIDTH, 1.9), layout="constrained")
    places = range(1, len(series.values) + 1)
    axes.plot(places, series.values, marker="o", markersize=3, label=series.title, **style.SOLID)
    for change in series.changes:
        axes.axvline(change.at + 0.5, **style.THIN)
        axes.annotate(
            f"{change.ratio:.2f} times",
            (change.at + 0.5, 1),
            xycoords=("data", "axes fraction"),
            xytext=(3, -8),
            textcoords="offset points",
        )
    axes.set_ylim(0, 1.25 * max(series.values))
    axes.set_xlim(0.5, len(series.values) + 0.5)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("entry")
    axes.set_ylabel(series.unit)
    return fig, series.title, caption(series), False


def caption(series):
    first, last = series.entries[0], series.entries[-1]
    return f"{len(series.values)} entries, {first['date'][:10]} to {last['date'][:10]}. Lower is better."


def write(machine, all_series, path):
    """Writes the page. Returns the line to print. Raises WriteError."""
    items = []
    all_series = sorted(all_series, key=lambda series: not series.changes)  # changes first
    for number, series in enumerate(all_series):
        item = {"name": series.title, "id": f"series-{number}", "shows": shows(series), "claims": [], "counts": {}}
        items.append(item | drawn_item(figure(series), item["id"]))
    html = render(
        "speed.html",
        {item["id"]: item["panels"] for item in items},
        machine=machine,
        items=items,
        found=list(zip(items, all_series)),
        entries=max((series.entries for series in all_series), key=len),
    )
    write_text(path, html, folders=True)
    return f"{path} ({len(html) / 1e6:.1f} MB)"


def shows(series):
    """One sentence per change; that there are none otherwise."""
    if not series.changes:
        return "No change beyond noise."
    return " ".join(
        f"{change.ratio:.2f} times at commit {series.entries[change.at]['commit'][:10]} "
        f"({series.entries[change.at]['date'][:10]}), p = {change.p:.1g}."
        for change in series.changes
    )
