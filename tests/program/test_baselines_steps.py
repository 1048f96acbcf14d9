"""Whole trials of RBP, Forgetron, BPA-S, KT, passive-aggressive and OGD beside NumPy versions of them."""

import json

import h5py
import numpy as np
import pytest
from clouds import Random, rbf, run_on_clouds

ROWS = 240

LEARNERS = {
    "passive": 'learner = "passive-aggressive"\nC = 0.3',
    "ogd": 'learner = "ogd"\neta = 0.2',
    "rbp": 'learner = "rbp"\nbudget = 12',
    "forgetron": 'learner = "forgetron"\nbudget = 12',
    "bpas": 'learner = "bpas"\nbudget = 12\nC = 0.5',
    "kt": 'learner = "kt"',
}


class Function:
    """One function: its members as rows of the training set, and their coefficients."""

    margin = 1

    def __init__(self, kernel, number, classes):
        self.kernel, self.members, self.steps, self.alpha = kernel, [], [], np.zeros(0)
        self.random = Random(Random.seed(selection=Random.selection(classes), function=number))
        self.mistakes, self.spent, self.wealth, self.t = 0, 0.0, 1.0, 0

    def score(self, x):
        return self.alpha @ self.kernel[self.members, x]

    def add(self, x, alpha):
        self.members.append(x)
        self.steps.append(self.step)
        self.alpha = np.append(self.alpha, alpha)

    def remove(self, place):
        del self.members[place], self.steps[place]
        self.alpha = np.delete(self.alpha, place)


class Passive(Function):
    def learn(self, x, f, y):
        if y * f < 1:
            self.add(x, y * min(0.3, 1 - y * f))


class Ogd(Function):
    def learn(self, x, f, y):
        if y * f < 1:
            self.add(x, 0.2 * y)


class Rbp(Function):
    margin = 0

    def learn(self, x, f, y):
        if y * f <= 0:
            if len(self.members) == 12:
                self.remove(self.random.below(12))
            self.add(x, y)


class Forgetron(Function):
    margin = 0

    def learn(self, x, f, y):
        if y * f > 0:
            return
        self.mistakes += 1
        self.add(x, y)
        if len(self.members) <= 12:
            return
        sigma, oldest = abs(self.alpha[0]), self.members[0]
        m = np.sign(self.alpha[0]) * self.score(oldest)
        left = np.array([sigma**2 - 2 * sigma * m, 2 * sigma, 0])
        limit = 15 / 32 * self.mistakes - self.spent
        phi = 1.0
        if np.polyval(left, 1) > limit:
            roots = np.roots(left - [0, 0, limit])
            phi = min(root.real for root in roots if abs(root.imag) < 1e-9 and 0 < root.real <= 1)
        self.spent += np.polyval(left, phi)
        self.alpha *= phi
        self.remove(0)


class Bpas(Function):
    def learn(self, x, f, y):
        if y * f >= 1:
            return
        step = y * min(0.5, 1 - y * f)
        if len(self.members) == 12:
            k = self.kernel[self.members, x]
            beta = step + self.alpha * k
            change = (self.alpha**2 - 2 * self.alpha * beta * k + beta**2) / 2
            place = np.argmin(change + 0.5 * np.maximum(0, 1 - y * (f - self.alpha * k + beta)))
            step = beta[place]
            self.remove(place)
        self.add(x, step)


class Kt(Function):
    """With coefficients of theta, +1 and -1."""

    def score(self, x):
        return self.wealth / (self.t + 1) * super().score(x)

    def learn(self, x, f, y):
        self.t += 1
        if y * f < 1:
            self.wealth += y * f
            self.add(x, y)


FUNCTIONS = {"passive": Passive, "ogd": Ogd, "rbp": Rbp, "forgetron": Forgetron, "bpas": Bpas, "kt": Kt}


@pytest.fixture(scope="module", params=[2, 3], ids=["binary", "three classes"])
def trials(request, binary, tmp_path_factory):
    """(rows and labels, those of the test part, trace file by learner)."""
    tables = "".join(f"[learners.{name}]\n{text}\n" for name, text in LEARNERS.items())
    return run_on_clouds(binary, tmp_path_factory.mktemp("baselines"), request.param, ROWS, tables)[:2]


@pytest.mark.parametrize("name", LEARNERS)
def test_a_trial_is_that_of_numpy(trials, name):
    ((train, labels), (test, truth)), files = trials
    with h5py.File(files[name]) as file:
        trace = {column: values[:] for column, values in file["trace"].items()}
        summary = json.loads(file.attrs["summary"])
    classes = labels.max() + 1
    kernel = rbf(train, train)
    functions = [FUNCTIONS[name](kernel, r, classes) for r in range(1 if classes == 2 else classes)]
    losses = mistakes = 0
    assert len(trace["example"]) == 2 * ROWS
    for step, x in enumerate(trace["example"]):
        signs = [2 * labels[x] - 1] if classes == 2 else np.where(np.arange(classes) == labels[x], 1, -1)
        f = [function.score(x) for function in functions]
        losses += sum(max(0, functions[0].margin - y * score) for y, score in zip(signs, f))
        mistakes += signs[0] * f[0] <= 0 if classes == 2 else np.argmax(f) != labels[x]
        assert trace["mistakes"][step] == mistakes
        assert trace["loss_sum"][step] == pytest.approx(losses, rel=1e-9, abs=1e-9)
        for function, score, y in zip(functions, f, signs):
            function.step = step
            function.learn(x, score, y)
        # Functions share what one step has added; a row that comes again is another support vector.
        assert trace["support_vectors"][step] == len(set().union(*(function.steps for function in functions)))
    assert summary["mistakes"] == mistakes
    for function in functions:
        function.kernel = rbf(train, test)
    scores = np.array([function.score(slice(None)) for function in functions])
    wrong = (2 * truth - 1) * scores[0] <= 0 if classes == 2 else scores.argmax(axis=0) != truth
    assert summary["test_error"] == pytest.approx(wrong.mean(), abs=1e-12)
    if name in ("rbp", "forgetron", "bpas"):
        assert trace["removals"][-1] > 0 and all(len(function.members) == 12 for function in functions)
