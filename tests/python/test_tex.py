"""Verdicts as TeX macros."""

import pathlib
import re

from okbench import claims
from okbench.claims.tex import macros
from okbench.escaping import cell, markdown, tex
from okbench.results import Results

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def judged(tmp_path, *papers):
    specs = claims.Specs(ROOT / "experiments")
    results = Results(tmp_path)
    return [
        claims.judge(claim, results)
        for paper in papers
        for claim in claims.read(ROOT / "experiments" / paper / "claims.toml", specs).claims
    ]


def test_every_claim_has_its_three_macros(tmp_path):
    every = judged(tmp_path, "norma-2001", "linear-2010")
    text = macros(every)
    definitions = dict(re.findall(r"\\@namedef\{okbench@(.*?)\}\{(.*)\}\n", text))
    for judgement in every:
        for kind in ("value", "verdict", "paper"):
            assert f"{kind}@{judgement.claim.paper}:{judgement.claim.id}" in definitions
        assert definitions[f"verdict@{judgement.claim.paper}:{judgement.claim.id}"] == "not run"
        assert definitions[f"verdict@{judgement.claim.id}"] == "not run"
    assert text.count("\\makeatletter") == text.count("\\makeatother") == 1


def test_a_name_that_two_papers_have_needs_the_paper(tmp_path):
    every = judged(tmp_path, "norma-2001")
    text = macros(every + every)
    assert "okbench@verdict@norma-2001:" in text
    assert f"okbench@verdict@{every[0].claim.id}}}" not in text


def test_special_characters_of_tex_are_escaped():
    assert tex("4.5 % of a_b & #1 ~ ^ {x} \\y $") == (
        "4.5 \\% of a\\_b \\& \\#1 \\textasciitilde{} \\textasciicircum{} \\{x\\} \\textbackslash{}y \\$"
    )


def test_text_is_no_formula_no_column_and_no_html():
    assert cell("=1+2") == "'=1+2" and cell("@x") == "'@x" and cell("-a") == "'-a" and cell("+1 (2)") == "'+1 (2)"
    assert cell("-1.5") == "-1.5" and cell("+3e4") == "+3e4" and cell("") == "" and cell("a=b") == "a=b"
    assert markdown("a|b <i>\n[x](y) *z* `w`") == "a\\|b &lt;i> \\[x](y) \\*z\\* \\`w\\`"
    assert markdown("NORMA, \u03b5-insensitive_1") == "NORMA, \u03b5-insensitive_1"
