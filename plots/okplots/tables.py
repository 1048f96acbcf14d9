"""Tables as Markdown, CSV and LaTeX (booktabs), with the paper's number beside ours."""

import csv


def beside(ours, paper):
    """Ours, and the paper's in brackets."""
    return f"{ours} ({paper})"


def tex(text):
    """Text with LaTeX's special characters escaped."""
    for special in "&%$#_{}":
        text = text.replace(special, "\\" + special)
    return text


def save(header, rows, title, path):
    """PATH.md, PATH.csv and PATH.tex."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [[str(cell) for cell in row] for row in rows]
    lines = [
        f"# {title}",
        "",
        "| " + " | ".join(header) + " |",
        "|" + "|".join(["---"] + ["---:"] * (len(header) - 1)) + "|",
    ]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    path.with_suffix(".md").write_text("\n".join(lines) + "\n")
    with open(path.with_suffix(".csv"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
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
    path.with_suffix(".tex").write_text("\n".join([f"% {title}", *latex]) + "\n")
