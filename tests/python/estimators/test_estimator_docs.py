"""The attributes that docs/reference/python.md names exist."""

import re

from conftest import ROOT

from okbench.estimators import ESTIMATORS

PAGE = ROOT / "docs" / "reference" / "python.md"


def test_what_the_page_names_is_there():
    text = PAGE.read_text()
    from sklearn.base import BaseEstimator

    for name in re.findall(r"`(\w+_)`", text):
        assert name in ("lambda_", "classes_", "gamma_") or any(
            hasattr(made, name) for made in ESTIMATORS.values()
        ), name
    for link in re.findall(r"\]\(([\w./-]+)\)", text):
        assert (PAGE.parent / link).exists(), link
    assert issubclass(ESTIMATORS["SVMD"], BaseEstimator)
