"""scikit-learn's own checks, on every estimator, with versions before and from 1.6, which renamed checks and tags."""

import functools
import operator
import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks
from unittest import SkipTest

from okbench.estimators import ESTIMATORS
from okbench.estimators.checks import expected_failures

FROM_1_6 = hasattr(estimator_checks, "estimator_checks_generator")
ORDER_REASON = "the result depends on the order of the rows, which the check changes"
# {estimator: {check: why it cannot hold}}, as an estimator declares it.
ORDER = dict.fromkeys(
    (
        "check_sample_weights_invariance",
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    ),
    ORDER_REASON,
)
SCALE = {"check_class_weight_classifiers": "the steps do not adapt to the scale of the features"}
LARGE = {"check_class_weight_classifiers": "second-order steps overshoot at class weights of 1000"}
EXPECTED_FAILURES = {
    name: ORDER | {"LinearOnlineSVM": SCALE, "AIOLI": LARGE, "ProsNKons": LARGE}.get(name, {})
    for name, estimator_class in ESTIMATORS.items()
    if estimator_class._learner["weights"]
}
# Tags of scikit-learn before 1.6 that an estimator may leave out.
DEFAULTS = {"no_validation": False, "non_deterministic": False, "_skip_test": False, "X_types": ["2darray"]}
DEFAULTS |= {"poor_score": False, "pairwise": False}
# What a check needs beyond scikit-learn, where it skips itself.
MISSING = ("SCIPY_ARRAY_API is not set",)


def expected(estimator):
    return expected_failures(estimator._learner)


@parametrize_with_checks(
    [estimator_class() for estimator_class in ESTIMATORS.values()],
    **({"expected_failed_checks": expected} if FROM_1_6 else {}),
)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        # The checks' data have no margin: a solver may stop at its limit, and says so.
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            check(estimator)
        except SkipTest as reason:
            if not str(reason).startswith(MISSING):
                pytest.fail(f"skipped: {reason}")


def test_checks_that_cannot_hold_are_those_declared():
    declared = {name: expected(estimator_class()) for name, estimator_class in ESTIMATORS.items()}
    assert {name: checks for name, checks in declared.items() if checks} == EXPECTED_FAILURES


@pytest.mark.parametrize("name", ESTIMATORS)
def test_no_check_is_left_out(name):
    estimator_class = ESTIMATORS[name]
    if FROM_1_6:
        checks = list(estimator_checks.estimator_checks_generator(estimator_class()))
        new = estimator_class().__sklearn_tags__()
        tags = {name: getattr(new, name) for name in ("no_validation", "non_deterministic", "_skip_test")}
        tags["X_types"] = ["2darray"] if new.input_tags.two_d_array else []
        tags["pairwise"] = new.input_tags.pairwise
        tags["poor_score"] = any(part and part.poor_score for part in (new.classifier_tags, new.regressor_tags))
    else:
        checks = list(check_estimator(estimator_class(), generate_only=True))
        declared = [
            base._more_tags(estimator_class())
            for base in reversed(estimator_class.__mro__)
            if "_more_tags" in vars(base)
        ]
        tags = functools.reduce(operator.or_, declared, DEFAULTS)
    assert len(checks) >= 34
    # What scikit-learn skips by a tag does not even become a check.
    assert not tags["no_validation"] and not tags["non_deterministic"] and not tags["_skip_test"]
    assert "2darray" in tags["X_types"] and not tags["poor_score"] and not tags["pairwise"]
