"""An extension: docstrings as plain text, in which only backquotes mark anything, and sections as of numpydoc."""

import re

from sphinx.ext.napoleon import Config, NumpyDocstring

# Names of parameters in a section: napoleon reads them.
NAME = re.compile(r"\w+( :.*)?$")


def plain(line):
    """A line of which only what stands between backquotes is markup: ||f||^2 names no substitution, *x nothing."""
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
