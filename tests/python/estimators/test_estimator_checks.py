"""scikit-learn's own checks, on every estimator."""

import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._testing import SkipTest
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

from okbench.estimators import ESTIMATORS

# {estimator: {check: why it cannot hold}}, as an estimator declares it in `_xfail_checks`.
ORDER = {"check_sample_weights_invariance": "the result depends on the order of the rows, which the check changes"}
SCALE = {"check_class_weight_classifiers": "the steps do not adapt to the scale of the features"}
LARGE = {"check_class_weight_classifiers": "second-order steps overshoot at class weights of 1000"}
EXPECTED_FAILURES = {
    name: ORDER | {"LinearOnlineSVM": SCALE, "AIOLI": LARGE, "ProsNKons": LARGE}.get(name, {})
    for name, made in ESTIMATORS.items()
    if made._learner["weights"]
}


@parametrize_with_checks([made() for made in ESTIMATORS.values()])
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        # The checks' data have no margin: a solver may stop at its limit, and says so.
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            check(estimator)
        except SkipTest as reason:
            pytest.fail(f"skipped: {reason}")


def test_checks_that_cannot_hold_are_those_declared():
    declared = {name: made()._get_tags()["_xfail_checks"] for name, made in ESTIMATORS.items()}
    assert {name: checks for name, checks in declared.items() if checks} == EXPECTED_FAILURES


@pytest.mark.parametrize("name", ESTIMATORS)
def test_no_check_is_left_out(name):
    checks = list(check_estimator(ESTIMATORS[name](), generate_only=True))
    assert len(checks) >= 34
    # What scikit-learn skips by a tag does not even become a check.
    tags = ESTIMATORS[name]()._get_tags()
    assert not tags["no_validation"] and not tags["non_deterministic"] and not tags["_skip_test"]
    assert "2darray" in tags["X_types"] and not tags["poor_score"] and not tags["pairwise"]
