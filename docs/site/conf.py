"""Configuration of Sphinx, used by build.py. The site loads nothing over the network."""

import os
import pathlib
import re

from pygments.lexers.special import TextLexer
from sphinx_gallery.sorting import FileNameSortKey

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

project = "okbench"
author = "the authors of okbench"
release = re.search(r"VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
extensions = ["myst_parser", "breathe", "namespaces", "foreign", "sphinx.ext.autodoc", "docstrings"]
extensions += ["sphinx_gallery.gen_gallery"]

myst_heading_anchors = 4
default_role = "literal"  # Python docstrings mark code with single backquotes
smartquotes = False
highlight_language = "none"

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}

breathe_projects = {"okbench": os.environ.get("OKBENCH_DOXYGEN", "")}
breathe_default_project = "okbench"
breathe_show_include = False

# Namespaces and template parameters; Python types, because few docstrings reference them.
nitpick_ignore_regex = [
    ("cpp:identifier", r"okbench(::[a-z_]+)?"),
    ("cpp:identifier", "Products"),
    ("cpp:identifier", "model|problem|parameter"),  # LIBLINEAR's
    ("py:.*", ".*"),
]

sphinx_gallery_conf = {
    "examples_dirs": os.environ.get("OKBENCH_GALLERY", "gallery"),
    "gallery_dirs": "gallery",
    "within_subsection_order": FileNameSortKey,
    "download_all_examples": False,
    "min_reported_time": 1e9,
    "capture_repr": (),
}

html_theme = "furo"
html_title = "okbench"
pygments_style = "default"
pygments_dark_style = "native"
html_static_path = ["static"]
html_css_files = ["okbench.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# Summaries of search results would be fetched, which browsers do not allow for pages on disk.
html_show_search_summary = False


def setup(app):
    app.add_lexer("mermaid", TextLexer)
