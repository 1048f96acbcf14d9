"""Bounds on the cumulative regularised risk (norma-2001, section 4), computed from traces.

Assume |dl/df| <= 1, k(x, x) <= 1 and regularisation lambda. Then every hypothesis has norm <= U = 1/lambda, and every
subgradient of R_t = l + lambda/2 ||f||^2 has norm <= 2. For every g and m, the paper's theorems follow from

    ||f_t - g||^2 - ||f_{t+1} - g||^2 >= 2 eta_t (R_t[f_t] - R_t[g]) - 4 eta_t^2

The constants are derived here, because they are illegible in the available copy of the paper. The constants of
theorem 2 agree with theorem 4 of the journal version (Kivinen, Smola and Williamson 2004).

    theorem 1   constant eta:            sum_t R_t[f_t] <= sum_t R_t[g] + ||g||^2 / (2 eta) + 2 eta m
                                         (for eta = B / (2 sqrt(m)) and ||g|| <= B, the regret is <= 2 B sqrt(m))
    theorem 2   eta_t = eta / sqrt(t):   sum_t R_t[f_t] <= sum_t R_t[g] + a sqrt(m) + b,
                                         a = 4 eta + 2 U^2 / eta, b = U^2 / (2 eta), ||g|| <= U
    theorem 3   as theorem 2, for independent examples and fbar, the average of f_1 .. f_m:
                                         E R[fbar] <= R[g] + a / sqrt(m) + b / m
"""

import numpy as np


def check(trace):
    """Raises ValueError if the trace does not satisfy the assumptions of the theorems."""
    kernel = trace.spec["kernel"]["name"]
    bounded = kernel == "rbf" or (
        kernel == "linear" and (trace.spec["data"]["unit_norm"] or trace.data_set == "margin")
    )
    if not bounded or trace.parameters["loss"] != "hinge" or trace.parameters["offset"] or trace.parameters["nu"]:
        raise ValueError(f"{trace.path}: theorems 1 to 3 need k(x, x) <= 1 and the hinge loss without offset or nu")
    if trace.parameters["buffer"] < trace.summary["examples"] or trace.parameters["truncation_error"]:
        raise ValueError(f"{trace.path}: theorems 1 to 3 need hypotheses that keep every term")


def regret_bound(trace, comparator_norm, steps):
    """Bound on the cumulative risk of NORMA minus that of a hypothesis of norm `comparator_norm`, after `steps` steps.

    Theorem 1 for a constant step size, theorem 2 for inverse-sqrt. Raises ValueError for other traces.
    """
    check(trace)
    eta, largest = trace.parameters["eta0"], 1 / trace.parameters["c"]
    steps = np.asarray(steps, dtype=float)
    if trace.parameters["schedule"] == "constant":
        return comparator_norm**2 / (2 * eta) + 2 * eta * steps
    if trace.parameters["schedule"] != "inverse-sqrt" or comparator_norm > largest:
        raise ValueError(f"{trace.path}: theorem 2 needs step sizes eta/sqrt(t) and a comparator of norm <= 1/lambda")
    return (4 * eta + 2 * largest**2 / eta) * np.sqrt(steps) + largest**2 / (2 * eta)


def comparator_norm(best):
    """Norm of the best fixed hypothesis: the final one of the trace `best`."""
    return float(np.sqrt(best["squared_norm"][-1]))


def cumulative_bound(trace, best):
    """Theorem 1 or 2: bound on the cumulative risk at the recorded steps. `best`: trace of the best fixed hypothesis on
    the same stream. Raises ValueError if the streams differ."""
    if not np.array_equal(trace["example"], best["example"]):
        raise ValueError(f"{trace.path} and {best.path} saw different streams")
    return best["risk_sum"] + regret_bound(trace, comparator_norm(best), trace["step"])


def expected_bound(trace, best):
    """Theorem 3: bound on the risk of the averaged hypothesis at the checkpoints."""
    steps = trace.checkpoints["step"]
    return best.checkpoints["test_risk"][-1] + regret_bound(trace, comparator_norm(best), steps) / steps


def known_margin_risk(trace):
    """(norm, cumulative risk at the recorded steps) of the hypothesis known to separate a generated set.

    It has zero loss and norm rho / margin, so its risk after t steps is lambda/2 norm^2 t.
    """
    norm = trace.parameters["margin"] / trace.provenance["data_shape"]["margin"]
    return norm, trace.parameters["c"] / 2 * norm**2 * trace["step"]
