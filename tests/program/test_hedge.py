"""Specs with a Hedge: the trial is recomputed from the predictions of its learners alone."""

import numpy as np
import pytest

from hedge_by_hand import HedgeByHand
from okbench.results import read_trace

SPEC = """format = 2
experiment = "test/{name}"
[data]
name = "{data}"
order = "file"
synthetic = true
synthetic_rows = 400
[kernel]
name = "rbf"
gamma = {gamma}
[trace]
record_all_until = 400
predictions = true
[learners.a]
learner = "{learner}"
{given}
[learners.a.{kind}]
gamma_factor = [1, 16, 0]
"""
CASES = {
    "two classes": {"data": "phishing", "gamma": 0.5, "learner": "bpas", "given": "budget = 20"},
    "ten classes": {"data": "usps", "gamma": 0.01, "learner": "passive-aggressive", "given": "C = 1"},
    "real targets": {"data": "waves-gaussian", "gamma": 5, "learner": "norma", "given": 'loss = "squared"'},
}


def traces(okbench, tmp_path, case, kind):
    text = SPEC.format(name=kind, kind=kind, **CASES[case])
    (tmp_path / f"{kind}.toml").write_text(text)
    okbench("run", tmp_path / f"{kind}.toml", "--out", tmp_path / "r", check=0)
    trial_traces = [read_trace(path) for path in (tmp_path / "r" / "test" / kind).glob("*.h5")]
    return sorted(
        trial_traces, key=lambda trace: [0.0, 1.0, 16.0].index(trace.axes["kernel.gamma"] / CASES[case]["gamma"])
    )


def scores_of(trace):
    columns = [name for name in trace.tables["predictions"] if name.startswith("score")]
    return np.column_stack([trace.tables["predictions"][name] for name in columns])


def is_wrong(votes, label):
    """1 or 0. votes: of the classes; for two classes of +1 minus -1, 0 is wrong."""
    return float(label * votes[0] <= 0 if len(votes) == 1 else np.argmax(votes) != label)


@pytest.mark.parametrize("case", CASES)
def test_a_hedge_equals_its_recomputation_from_single_learners(okbench, tmp_path, case):
    alone = traces(okbench, tmp_path, case, "grid")
    (tmp_path / "hedge.toml").write_text(SPEC.format(name="hedge", kind="hedge", **CASES[case]))
    okbench("run", tmp_path / "hedge.toml", "--out", tmp_path / "r", check=0)
    hedge = read_trace(next((tmp_path / "r" / "test" / "hedge").glob("*.h5")))
    assert set(hedge.spec["hedge"]) == {"axes", "beta", "discounts"} and "hedge" in hedge.spec["revisions"]
    counts = hedge.summary["kernel_evaluations"]
    assert counts["requested"] == sum(trace.summary["kernel_evaluations"]["requested"] for trace in alone)
    assert hedge.summary["support_vectors"] == sum(trace.summary["support_vectors"] for trace in alone)
    scores = [scores_of(trace) for trace in alone]
    expected, largest, wrong, squares = HedgeByHand(3), 0.0, 0, 0.0
    low, high = np.inf, -np.inf
    for row in range(400):
        weights = expected.weights
        if case == "real targets":
            y = alone[0]["target"][row]
            values = np.array([trace["prediction"][row] for trace in alone])
            if row:
                values = np.clip(values, 2 * low - high, 2 * high - low)
            squares += (weights @ values / weights.sum() - alone[0]["truth"][row]) ** 2
            losses = (values - y) ** 2
            low, high, largest = min(low, y), max(high, y), max(largest, losses.max())
            unit = largest if largest > 0 else 1
            expected.update(losses / unit, lambda mean, y=y, values=values, unit=unit: (mean @ values - y) ** 2 / unit)
        else:
            label = alone[0].tables["predictions"]["label"][row]
            if scores[0].shape[1] == 1:
                votes = np.array([[np.sign(outputs[row, 0])] for outputs in scores])
            else:
                votes = np.eye(scores[0].shape[1])[[int(np.argmax(outputs[row])) for outputs in scores]]
            wrong += is_wrong(weights @ votes, label)
            losses = [is_wrong(vote, label) for vote in votes]
            expected.update(losses, lambda mean, votes=votes, label=label: is_wrong(mean @ votes, label))
    if case == "real targets":
        assert hedge.summary["rmse"] == pytest.approx((squares / 400) ** 0.5, rel=1e-9)
    else:
        assert hedge.summary["mistakes"] == wrong
    assert hedge["leader_weight"][-1] == pytest.approx(1 / expected.weights.sum(), rel=1e-9)


@pytest.mark.parametrize(
    "change, message",
    [
        (("[learners.a.hedge]", "[learners.a.tune]\nC = [1, 2]\n[learners.a.hedge]"), "hedge: cannot be combined"),
        (("gamma_factor = [1, 16, 0]", "gamma_factor = [-1]"), "gamma_factor: must be >= 0"),
        (('name = "rbf"\ngamma = 0.5', 'name = "linear"'), "gamma_factor needs an RBF kernel"),
        (('"bpas"\nbudget = 20', '"sfd"'), "hedge: is for stream learners"),
        (("budget = 20", "budget = 20\nhedge_beta = 1"), "hedge_beta: 1 is out of range"),
        (("budget = 20", "budget = 20\nhedge_discounts = [0.1, 1]"), "hedge_discounts: must be numbers >= 0 and < 1"),
        (("budget = 20", "budget = 20\nhedge_discounts = []"), "hedge_discounts: must be numbers >= 0 and < 1"),
    ],
)
def test_an_invalid_hedge_is_one_line(okbench, tmp_path, change, message):
    text = SPEC.format(name="hedge", kind="hedge", **CASES["two classes"])
    assert change[0] in text
    (tmp_path / "bad.toml").write_text(text.replace(*change))
    done = okbench("plan", tmp_path / "bad.toml", check=2)
    assert message in done.stderr and done.stderr.count("\n") == 1, done.stderr
