"""Builders of reStructuredText for the generated pages."""

import re
from textwrap import indent, wrap


def escape(text):
    """Plain text without markup. Also escapes text that would start a list, such as "E. Borenstein"."""
    return re.sub(r"^(\w{1,4}(?=[.)] )|(?=[-+] ))", r"\1\\", re.sub(r"([\\*`_|<])", r"\\\1", str(text)))


def prose(text):
    """Text with code between backquotes, as in docstrings."""
    parts = re.split(r"`+([^`]+)`+", str(text))
    return "".join(literal(part) if n % 2 else escape(part) for n, part in enumerate(parts))


def anchored(name, text):
    """A cell with a label for links."""
    return f".. _{name}:\n\n{text}"


def literal(text):
    """Inline code; empty for empty text."""
    text = str(text)
    return f"``{text}``" if text.strip() == text and text else escape(text)


def title(text, line="="):
    return f"{text}\n{line * len(text)}\n"


def label(name):
    return f".. _{name}:\n"


def code(text, language="text"):
    lines = "\n".join(f"   {line}".rstrip() for line in text.strip("\n").splitlines())
    return f".. code-block:: {language}\n\n{lines}\n"


def short_lines(text, width=96):
    """A help text with long lines wrapped and aligned with the start of their descriptions."""
    lines = []
    for line in text.splitlines():
        start = re.match(r" *(?:-?\S.*? {2,}(?=\S))?", line)[0]
        lines += wrap(line, width, subsequent_indent=" " * len(start), break_on_hyphens=False) or [""]
    return "\n".join(lines)


def table(head, rows, widths, style=""):
    """A table whose cells are reStructuredText; `head` may be None."""
    lines = [".. list-table::", f"   :widths: {' '.join(map(str, widths))}"]
    lines += ["   :header-rows: 1"] if head else []
    lines += [f"   :class: {style}"] if style else []
    for row in ([head] if head else []) + list(rows):
        for n, cell in enumerate(row):
            text = indent(cell, " " * 7).lstrip()
            lines += [f"     - {text}".rstrip() if n else f"\n   * - {text}".rstrip()]
    return "\n".join(lines) + "\n"


def toctree(names, hidden=True):
    lines = [".. toctree::", "   :hidden:" if hidden else "   :maxdepth: 1", "", *(f"   {name}" for name in names)]
    return "\n".join(lines) + "\n"


def page(*parts):
    return "\n".join(parts)
