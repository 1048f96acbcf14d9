"""What an estimator keeps: parameters as they were when it learned, and its model when learning anew fails."""

import contextlib
import copy

CHECKED = ("n_features_in_", "feature_names_in_", "gamma_")  # set by checks of X, before learning


def kept(value):
    """A parameter's value, copied if a user may change it in place."""
    return copy.copy(value) if isinstance(value, (dict, list)) else value


@contextlib.contextmanager
def restored_on_failure(estimator):
    """Keeps an earlier model usable if the body raises: gives the attributes of CHECKED their values of before."""
    before = {name: estimator.__dict__[name] for name in CHECKED if name in estimator.__dict__}
    try:
        yield
    except BaseException:
        for name in CHECKED:
            estimator.__dict__.pop(name, None)
        estimator.__dict__.update(before)
        raise
