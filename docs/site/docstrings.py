"""Sphinx extension: docstrings are plain text with code in backquotes and numpydoc sections."""

import re

from sphinx.ext.napoleon import Config, NumpyDocstring

# A parameter in a section, which napoleon parses.
NAME = re.compile(r"\w+( :.*)?$")


def plain(line):
    """Escapes markup outside backquotes: ||f||^2 is not a substitution, *x is not emphasis."""
    if NAME.match(line):
        return line
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if n % 2 else re.sub(r"([|*]|_(?!\w))", r"\\\1", part) for n, part in enumerate(parts))


def read(app, what, name, obj, options, lines):
    underlined = any(line.strip() and set(line.strip()) == {"-"} for line in lines)
    lines[:] = [plain(line) for line in lines]
    if underlined:
        lines[:] = NumpyDocstring(lines, Config(), app, what, name, obj, options).lines()


def setup(app):
    app.connect("autodoc-process-docstring", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
