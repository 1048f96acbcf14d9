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
    ids = [judgement.claim.id for judgement in judged]
    lines = [HEAD]
    for judgement in judged:
        names = [f"{judgement.claim.paper}:{judgement.claim.id}"]
        if ids.count(judgement.claim.id) == 1:
            names.append(judgement.claim.id)
        paper = "" if judgement.claim.paper_value is None else shown_paper(judgement.claim)
        for name in names:
            for kind, text in (("value", shown_values(judgement)), ("verdict", judgement.verdict), ("paper", paper)):
                lines.append(rf"\@namedef{{okbench@{kind}@{name}}}{{{tex(text)}}}" + "\n")
    return "".join(lines) + "\\makeatother\n"
