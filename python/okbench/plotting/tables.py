"""Writes tables as Markdown, CSV and LaTeX (booktabs)."""

import csv
import io

from ..escaping import cell, markdown, tex
from ..writing import write_text


def beside(ours, paper):
    """Our value, followed by the paper's value in parentheses."""
    return f"{ours} ({paper})"


def majority(traces):
    """Test error in percent of always predicting the most frequent training class, or "-" if a trace lacks it."""
    error = traces[0].provenance.get("majority_test_error")
    return "-" if error is None else f"{100 * error:.2f}"


def save(header, rows, title, path):
    """Writes PATH.md, PATH.csv and PATH.tex. Raises WriteError."""
    rows = [[str(cell_value) for cell_value in row] for row in rows]
    lines = [
        f"# {title}",
        "",
        "| " + " | ".join(map(markdown, header)) + " |",
        "|" + "|".join(["---"] + ["---:"] * (len(header) - 1)) + "|",
    ]
    lines += ["| " + " | ".join(map(markdown, row)) + " |" for row in rows]
    separated = io.StringIO()
    csv.writer(separated).writerows([map(cell, row) for row in (header, *rows)])
    body = [" & ".join(map(tex, row)) + r" \\" for row in rows]
    latex = [
        r"\begin{tabular}{l" + "r" * (len(header) - 1) + "}",
        r"\toprule",
        " & ".join(map(tex, header)) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    texts = {
        "md": "\n".join(lines) + "\n",
        "csv": separated.getvalue(),
        "tex": "\n".join([f"% {title}", *latex]) + "\n",
    }
    for kind, text in texts.items():
        write_text(path.with_suffix(f".{kind}"), text, folders=True)
