"""Escapes text for LaTeX, Markdown and CSV files. Names in specs and data sets may contain any printable character."""

TEX = {
    **{mark: "\\" + mark for mark in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
}


def tex(text):
    """Text with LaTeX's special characters escaped."""
    return "".join(TEX.get(mark, mark) for mark in text)


def markdown(text):
    """Text for a cell of a Markdown table: no columns, HTML, links or formats."""
    text = " ".join(text.split())
    return "".join("&lt;" if mark == "<" else "\\" + mark if mark in "\\|`*[" else mark for mark in text)


def cell(text):
    """Text for a cell of a CSV file. A quote stops spreadsheets from reading = + - @ at its start as a formula."""
    try:
        float(text)
    except ValueError:
        return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
    return text
