r"""Writes verdicts as TeX macros for papers: \okbenchClaim{ID}, \okbenchVerdict{ID} and \okbenchPaper{ID}."""

from ..escaping import tex
from .output import shown_paper, shown_values

HEAD = r"""% Written by okbench claims --tex. \okbenchClaim{ID} is the value of a claim, \okbenchVerdict{ID} its
% verdict, \okbenchPaper{ID} the paper's value (empty if the paper gives no number). ID is PAPER:CLAIM,
% or CLAIM if no other paper has a claim of that name. An unknown ID is an error.
\makeatletter
\newcommand{\okbench@get}[2]{\@ifundefined{okbench@#1@#2}%
  {\PackageError{okbench}{There is no claim '#2'}{okbench claims --json lists them.}}{\@nameuse{okbench@#1@#2}}}
\newcommand{\okbenchClaim}[1]{\okbench@get{value}{#1}}
\newcommand{\okbenchVerdict}[1]{\okbench@get{verdict}{#1}}
\newcommand{\okbenchPaper}[1]{\okbench@get{paper}{#1}}
"""


def macros(judged):
    """Text of a TeX file with the macros of judged claims."""
    ids = [one.claim.id for one in judged]
    lines = [HEAD]
    for one in judged:
        names = [f"{one.claim.paper}:{one.claim.id}"]
        if ids.count(one.claim.id) == 1:
            names.append(one.claim.id)
        paper = "" if one.claim.paper_value is None else shown_paper(one.claim)
        for name in names:
            for kind, text in (("value", shown_values(one)), ("verdict", one.verdict), ("paper", paper)):
                lines.append(rf"\@namedef{{okbench@{kind}@{name}}}{{{tex(text)}}}" + "\n")
    return "".join(lines) + "\\makeatother\n"
