"""The bounds of section 4 of norma-2001 on the cumulative regularised risk, from what traces say.

With |dl/df| <= 1, k(x, x) <= 1 and regularisation lambda, no hypothesis has a norm above U = 1/lambda, nor a
subgradient of R_t = l + lambda/2 ||f||^2 one above 2. From

    ||f_t - g||^2 - ||f_{t+1} - g||^2 >= 2 eta_t (R_t[f_t] - R_t[g]) - 4 eta_t^2

follow, for every g and every m, the paper's theorems (its own constants cannot be read in the copy at hand; those of
theorem 2 agree with the journal version, Kivinen, Smola and Williamson 2004, theorem 4):

    theorem 1   constant eta:            sum_t R_t[f_t] <= sum_t R_t[g] + ||g||^2 / (2 eta) + 2 eta m
                                         (with eta = B / (2 sqrt(m)) and ||g|| <= B at most 2 B sqrt(m))
    theorem 2   eta_t = eta / sqrt(t):   sum_t R_t[f_t] <= sum_t R_t[g] + a sqrt(m) + b,
                                         a = 4 eta + 2 U^2 / eta, b = U^2 / (2 eta), ||g|| <= U
    theorem 3   the same, independent examples, fbar the average of f_1 .. f_m:
                                         E R[fbar] <= R[g] + a / sqrt(m) + b / m
"""

import numpy as np


def check(trace):
    """Raises ValueError unless the trace is of a learner that the theorems are about."""
    kernel = trace.spec["kernel"]["name"]
    bounded = kernel == "rbf" or (
        kernel == "linear" and (trace.spec["data"]["unit_norm"] or trace.data_set == "margin")
    )
    if not bounded or trace.parameters["loss"] != "hinge" or trace.parameters["offset"] or trace.parameters["nu"]:
        raise ValueError(f"{trace.path}: theorems 1 to 3 are about k(x, x) <= 1 and the soft margin loss alone")
    if trace.parameters["buffer"] < trace.summary["examples"] or trace.parameters["truncation_error"]:
        raise ValueError(f"{trace.path}: theorems 1 to 3 are about hypotheses that keep every term")


def regret_bound(trace, comparator_norm, steps):
    """What the cumulative risk of NORMA may exceed that of a hypothesis of this norm by, after so many steps."""
    check(trace)
    eta, largest = trace.parameters["eta0"], 1 / trace.parameters["c"]
    steps = np.asarray(steps, dtype=float)
    if trace.parameters["schedule"] == "constant":
        return comparator_norm**2 / (2 * eta) + 2 * eta * steps
    if trace.parameters["schedule"] != "inverse-sqrt" or comparator_norm > largest:
        raise ValueError(f"{trace.path}: theorem 2 is about step sizes eta/sqrt(t) and hypotheses of norm <= 1/lambda")
    return (4 * eta + 2 * largest**2 / eta) * np.sqrt(steps) + largest**2 / (2 * eta)


def comparator_norm(best):
    """Norm of the best fixed hypothesis."""
    return float(np.sqrt(best["squared_norm"][-1]))


def cumulative_bound(trace, best):
    """Theorem 1 or 2: the bound at the recorded steps, against the best fixed hypothesis on the same stream."""
    if not np.array_equal(trace["example"], best["example"]):
        raise ValueError(f"{trace.path} and {best.path} saw different streams")
    return best["risk_sum"] + regret_bound(trace, comparator_norm(best), trace["step"])


def expected_bound(trace, best):
    """Theorem 3: the bound on the risk of the averaged hypothesis at the checkpoints."""
    steps = trace.checkpoints["step"]
    return best.checkpoints["test_risk"][-1] + regret_bound(trace, comparator_norm(best), steps) / steps


def known_margin_risk(trace):
    """Cumulative risk of the hypothesis known to separate a generated set: no loss, and the norm rho / margin."""
    norm = trace.parameters["margin"] / trace.provenance["data_shape"]["margin"]
    return norm, trace.parameters["c"] / 2 * norm**2 * trace["step"]
