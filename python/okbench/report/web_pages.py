"""What the report's pages share: templates, styles, scripts, pictures, and how they are written."""

import base64
import io
import json
import pathlib

import jinja2

from .. import claims

from ..plotting import style
from . import web_figures

WEB = pathlib.Path(__file__).resolve().parent / "web"
CHART_LIBRARY = WEB / "node_modules" / "uplot"


def library(name):
    path = CHART_LIBRARY / "dist" / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def picture(figure):
    """An image and the size that it has on a page before it is loaded."""
    width, height = (round(150 * inches) for inches in figure.get_size_inches())
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=150)
    style.plt.close(figure)
    source = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    return {"source": source, "width": width, "height": height}


def drawn_item(content):
    """What a page has of a figure: title, caption, picture, and panels to inspect."""
    figure, title, caption, synthetic = content
    panels = web_figures.panels(figure)
    style.finish(figure, title, caption, synthetic)
    return {"title": title, "caption": caption, "synthetic": synthetic, "panels": panels, "image": picture(figure)}


def table_item(content):
    """The same of a table."""
    header, rows, title, synthetic = content
    return {"title": title, "header": header, "rows": rows, "synthetic": synthetic}


def tight(text):
    """Numbers and their units on one line."""
    return text.replace(" %", "\u00a0%").replace(" ± ", "\u00a0±\u00a0")


def told(counts):
    """ "5 reproduced, 2 not reproduced", what there is none of left out."""
    return ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number) or "none"


def count(value):
    """A count for reading: 3 432 459, or 1.05e12 beyond a billion."""
    return f"{value:,.0f}".replace(",", "\u202f") if value < 1e9 else f"{value:.2e}"


def as_script(content):
    """JSON for a script element: no text of a label may end it, or begin one."""
    return json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")


def render(template, charts, scripts=("report.js", "charts.js"), **context):
    """A page's HTML; `charts`: {id: panels} of the figures that can be inspected."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(WEB),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"count": count, "told": told, "tight": tight}
    environment.globals["claims"] = claims
    return environment.get_template(template).render(
        style=library("uPlot.min.css") + (WEB / "report.css").read_text(encoding="utf-8"),
        chart_script=library("uPlot.iife.min.js"),
        script="".join((WEB / name).read_text(encoding="utf-8") for name in scripts),
        charts=as_script(web_figures.packed(charts)),
        **context,
    )
