"""The attributes that docs/reference/python.md names exist."""

import doctest
import re

import pytest
from conftest import ROOT

from okbench.estimators import ESTIMATORS

PAGE = ROOT / "docs" / "reference" / "python.md"


def test_names_on_the_page_exist():
    text = PAGE.read_text()
    from sklearn.base import BaseEstimator

    for name in re.findall(r"`(\w+_)`", text):
        assert name in ("lambda_", "classes_", "gamma_") or any(
            hasattr(estimator_class, name) for estimator_class in ESTIMATORS.values()
        ), name
    for link in re.findall(r"\]\(([\w./-]+)\)", text):
        assert (PAGE.parent / link).exists(), link
    assert issubclass(ESTIMATORS["SVMD"], BaseEstimator)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_example_of_an_estimator_runs(name):
    (example,) = (
        test
        for test in doctest.DocTestFinder().find(ESTIMATORS[name], name, module=False, globs={})
        if test.name == name
    )
    assert len(example.examples) == 5
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0
    for line in ("Parameters\n----------", "Attributes\n----------", "Examples\n--------"):
        assert line in ESTIMATORS[name].__doc__
