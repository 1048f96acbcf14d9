"""Helpers shared by the report's pages: templates, styles, scripts, images and text filters."""

import base64
import io
import json
import pathlib
import re

import jinja2
from PIL import Image

from .. import claims

from ..plotting import style
from . import web_figures

WEB = pathlib.Path(__file__).resolve().parent / "web"
MODULES = WEB / "node_modules"
CHARTS = ("uplot/dist/uPlot.min.css", "uplot/dist/uPlot.iife.min.js")
TABLES = ("tabulator-tables/dist/css/tabulator_simple.min.css", "tabulator-tables/dist/js/tabulator.min.js")
SOURCE_MAP = re.compile(r"/[/*]# sourceMappingURL=\S+( \*/)?")  # browsers' developer tools would request it


def library(name):
    """The text of a file of a web library; empty if the library is not installed."""
    path = MODULES / name
    return SOURCE_MAP.sub("", path.read_text(encoding="utf-8")) if path.is_file() else ""


def png(figure):
    """The figure as a PNG file of 128 colours, with its width and height in pixels. Closes the figure."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=150)
    style.plt.close(figure)
    image = Image.open(buffer).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    drawn = io.BytesIO()
    image.save(drawn, format="png", optimize=True)
    return drawn.getvalue(), *image.size


def picture(figure, name, files=None):
    """The source of an img element, with its width and height in pixels. Closes the figure.

    `files`: {path relative to the page: content}, which gets the image. Without it, the source is a data URL.
    """
    content, width, height = png(figure)
    if files is None:
        source = "data:image/png;base64," + base64.b64encode(content).decode()
    else:
        source = f"figures/{name}.png"
        files[source] = content
    return {"source": source, "width": width, "height": height}


def drawn_item(content, name, files=None):
    """The page entry of a figure: title, caption, image, and panels for interactive charts. See picture()."""
    figure, title, caption, mark = content
    panels = web_figures.panels(figure)
    style.finish(figure, title, caption, mark)
    return {"title": title, "caption": caption, "mark": mark, "panels": panels, "image": picture(figure, name, files)}


def table_item(content):
    """The page entry of a table."""
    header, rows, title, mark = content
    return {"title": title, "header": header, "rows": rows, "mark": mark}


def nonbreaking_units(text):
    """Replaces spaces between numbers and units by non-breaking spaces."""
    return text.replace(" %", "\u00a0%").replace(" ± ", "\u00a0±\u00a0")


def counts_text(counts):
    """Counts as text without zeros, e.g. "5 reproduced, 2 not reproduced"."""
    return ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number) or "none"


def count(value):
    """A count as text: 3 432 459, or 1.05e+12 from a billion."""
    return f"{value:,.0f}".replace(",", "\u202f") if value < 1e9 else f"{value:.2e}"


def as_script(content):
    """JSON for a script element. Escapes "<", so that a label can neither close nor open an element."""
    return json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")


def render(template, charts, scripts=("report.js", "charts.js"), tables=False, **context):
    """The HTML of a page. charts: {id: panels} of the interactive charts. scripts: file names in web/. tables: whether
    the page has the explorer."""
    styles, code = zip(CHARTS, *([TABLES] if tables else []))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(WEB),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"count": count, "counts_text": counts_text, "nonbreaking_units": nonbreaking_units}
    environment.globals["claims"] = claims
    return environment.get_template(template).render(
        style="".join(map(library, styles)) + (WEB / "report.css").read_text(encoding="utf-8"),
        chart_script="\n".join(filter(None, map(library, code))).replace("</script", "<\\/script"),
        script="".join((WEB / name).read_text(encoding="utf-8") for name in scripts),
        charts=as_script(web_figures.packed(charts)),
        **context,
    )
