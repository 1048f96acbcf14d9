"""Checks of scikit-learn's check_estimator that estimators cannot pass, with the reasons."""

# Checks of scikit-learn before and from 1.6 that compare weights with repeated rows in another order.
ORDER_CHECKS = ("check_sample_weights_invariance",)
ORDER_CHECKS += tuple(f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse"))
LARGE_WEIGHTS = "second-order steps overshoot at class weights of 1000"


def expected_failures(learner):
    """{check of scikit-learn: why it cannot hold} of a learner's entry in the registry."""
    if not learner["weights"]:
        return {}
    reason = "the result depends on the order of the rows, which the check changes"
    cause = {
        "aioli": LARGE_WEIGHTS,
        "pros-n-kons": LARGE_WEIGHTS,
        "linear": "the steps do not adapt to the scale of the features",
    }.get(learner["name"])
    more = {"check_class_weight_classifiers": cause} if cause else {}
    return dict.fromkeys(ORDER_CHECKS, reason) | more
