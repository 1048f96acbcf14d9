"""Whole trials of NOGD and FOGD beside NumPy versions of them."""

import json
import math

import h5py
import numpy as np
import pytest
from clouds import GAMMA, Random, rbf, run_on_clouds

ROWS = 260
BUDGET, RANK, FREQUENCIES = 30, 12, 40
ETA = 0.3

LEARNERS = f"""[learners.carried]
learner = "nogd"
budget = {BUDGET}
rank = 0.4
eta = {ETA}
[learners.zero]
learner = "nogd"
budget = {BUDGET}
rank = 0.4
eta = {ETA}
start = "zero"
[learners.fogd]
learner = "fogd"
features = {FREQUENCIES}
eta = {ETA}
[learners.fogdaverage]
learner = "fogd"
features = {FREQUENCIES}
eta = {ETA}
average = true
[learners.ogd]
learner = "ogd"
eta = {ETA}
"""


class Nogd:
    def __init__(self, name):
        self.members, self.alpha, self.inverse, self.carried = [], np.zeros(0), None, name == "carried"
        self.features = 0

    def scores(self, kernel):
        return self.alpha @ kernel[self.members]

    final_scores = scores

    def count_step(self):
        pass

    def learn(self, kernel, x, y, _step):
        if self.inverse is not None:
            self.alpha = self.alpha + ETA * y * self.inverse @ kernel[self.members, x]
            self.features += RANK
            return
        self.members.append(x)
        self.alpha = np.append(self.alpha, ETA * y)
        if len(self.members) == BUDGET:
            values, vectors = np.linalg.eigh(kernel[np.ix_(self.members, self.members)])
            values, vectors = values[-RANK:], vectors[:, -RANK:]
            self.inverse = vectors / values @ vectors.T
            self.alpha = vectors @ (vectors.T @ self.alpha) * self.carried


class Ogd(Nogd):
    def learn(self, kernel, x, y, _step):
        self.members.append(x)
        self.alpha = np.append(self.alpha, ETA * y)


class Fogd:
    """On z, rows of coordinates in place of kernel values."""

    def __init__(self, name):
        self.w, self.sum = np.zeros(2 * FREQUENCIES), np.zeros(2 * FREQUENCIES)
        self.average = name == "fogdaverage"

    def scores(self, z):
        return z @ self.w

    def count_step(self):
        self.sum = self.sum + self.w

    def final_scores(self, z):
        return z @ (self.sum / (2 * ROWS) if self.average else self.w)

    def learn(self, z, x, y, _step):
        self.w = self.w + ETA * y * z[x]


@pytest.fixture(scope="module", params=[2, 3], ids=["binary", "three classes"])
def trials(request, binary, tmp_path_factory):
    """(rows and labels, those of the test part, trace file by learner, rows of the summary by learner)."""
    folder = tmp_path_factory.mktemp("baselines")
    parts, files, okbench = run_on_clouds(binary, folder, request.param, ROWS, LEARNERS)
    rows = json.loads(okbench("summary", folder / "r", "--json"))["trials"]
    means = json.loads(okbench("summary", folder / "r", "--json", "--mean"))["means"]
    return parts, files, {row["key"]: row for row in rows}, {row["key"]: row for row in means}


@pytest.mark.parametrize("name", ["carried", "zero", "fogd", "fogdaverage", "ogd"])
def test_a_trial_is_that_of_numpy(trials, name):
    ((train, labels), (test, truth)), files, rows, means = trials
    with h5py.File(files[name]) as file:
        trace = {column: values[:] for column, values in file["trace"].items()}
        summary = json.loads(file.attrs["summary"])
    classes = labels.max() + 1
    count = 1 if classes == 2 else classes
    fogd = name.startswith("fogd")
    if fogd:
        drawn = Random(Random.selection(classes)).normals(FREQUENCIES * 3)
        u = math.sqrt(2 * GAMMA) * drawn.reshape(FREQUENCIES, 3)
        shown, tested = (np.hstack([np.cos(x @ u.T), np.sin(x @ u.T)]) / math.sqrt(FREQUENCIES) for x in (train, test))
    else:
        shown, tested = rbf(train, train), rbf(train, test)
    functions = [(Fogd if fogd else Ogd if name == "ogd" else Nogd)(name) for _ in range(count)]
    losses = mistakes = updates = 0
    support = set()
    assert len(trace["example"]) == 2 * ROWS
    for step, x in enumerate(trace["example"]):
        signs = [2 * labels[x] - 1] if classes == 2 else np.where(np.arange(classes) == labels[x], 1, -1)
        f = [function.scores(shown)[x] for function in functions]
        for function in functions:
            function.count_step()
        losses += sum(max(0, 1 - y * score) for y, score in zip(signs, f))
        mistakes += signs[0] * f[0] <= 0 if classes == 2 else np.argmax(f) != labels[x]
        for function, score, y in zip(functions, f, signs):
            if y * score >= 1:
                continue
            updates += 1
            before = len(getattr(function, "members", []))
            function.learn(shown, x, y, step)
            if len(getattr(function, "members", [])) > before:
                support.add(step)
        assert trace["mistakes"][step] == mistakes
        assert trace["loss_sum"][step] == pytest.approx(losses, rel=1e-9, abs=1e-9)
        assert trace["updates"][step] == updates
        assert trace["support_vectors"][step] == len(support)
        if fogd:
            features = 2 * FREQUENCIES * (step + 1)
        else:
            features = sum(function.features for function in functions)
        if name != "ogd":
            assert trace["feature_evaluations"][step] == features
    assert summary["mistakes"] == mistakes
    scores = np.array([function.final_scores(tested) for function in functions])
    wrong = (2 * truth - 1) * scores[0] <= 0 if classes == 2 else scores.argmax(axis=0) != truth
    assert summary["test_error"] == pytest.approx(wrong.mean(), abs=1e-12)
    assert wrong.mean() < (0.25 if classes == 2 else 0.35)
    output = None if name == "ogd" else features
    assert summary.get("feature_evaluations") == rows[name].get("feature_evaluations") == output
    mean = means[name].get("feature_evaluations")
    assert mean == (None if output is None else {"mean": output, "deviation": None})
    if fogd:
        assert summary["kernel_evaluations"] == {"requested": 0, "computed": 0, "evaluation": 0}
        assert summary["support_vectors"] == 0 and set(trace["features"]) == {2 * FREQUENCIES}
    elif name != "ogd":
        assert features > 100 and trace["rank"][-1] == RANK * count
