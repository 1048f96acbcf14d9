"""Whole trials of NOGD and FOGD beside NumPy versions of them."""

import json
import math
import os
import subprocess

import h5py
import numpy as np
import pytest

GAMMA = 0.7
ROWS, TESTS = 260, 90
BUDGET, RANK, FREQUENCIES = 30, 12, 40
ETA = 0.3
MASK = (1 << 64) - 1

CATALOG = """[clouds{classes}]
title = "clouds"
format = "csv"
features = 3
range = [-9.0, 9.0]
labels = {labels}
kind = "{kind}"
terms = "none"
stand_in = {{ generator = "clusters" }}
[clouds{classes}.train]
rows = {rows}
files = [{{ name = "train{classes}.csv", sha256 = "" }}]
[clouds{classes}.test]
rows = {tests}
files = [{{ name = "test{classes}.csv", sha256 = "" }}]
"""

SPEC = f"""format = 1
experiment = "test/rivals"
precision = "float64"
[data]
name = "clouds{{classes}}"
order = "permutation"
epochs = 2
test = "test"
[kernel]
name = "rbf"
gamma = {GAMMA}
[learners.carried]
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
[learners.ogd]
learner = "ogd"
eta = {ETA}
"""


def mixed(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def seed_of(**axes):
    """FNV-1a of named axes, mixed."""
    hashed = 0xCBF29CE484222325
    for name, value in axes.items():
        for byte in name.encode() + b"\1" + str(value).encode() + b"\2":
            hashed = (hashed ^ byte) * 0x100000001B3 & MASK
    return mixed((hashed + 0x9E3779B97F4A7C15) & MASK)


def normals(seed, count):
    """Marsaglia's polar method on xoshiro256++."""
    state = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        state.append(mixed(seed))

    def uniform():
        drawn = (state[0] + state[3]) & MASK
        drawn = ((drawn << 23 | drawn >> 41) + state[0]) & MASK
        shifted = state[1] << 17 & MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = (state[3] << 45 | state[3] >> 19) & MASK
        return (drawn >> 11) * 2.0**-53

    out = []
    while len(out) < count:
        u, v = 2 * uniform() - 1, 2 * uniform() - 1
        s = u * u + v * v
        if 0 < s < 1:
            factor = math.sqrt(-2 * math.log(s) / s)
            out += [u * factor, v * factor]
    return np.array(out[:count])


class Nogd:
    def __init__(self, name):
        self.members, self.alpha, self.inverse, self.carried = [], np.zeros(0), None, name == "carried"
        self.features = 0

    def scores(self, kernel):
        return self.alpha @ kernel[self.members]

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

    def __init__(self, _name):
        self.w = np.zeros(2 * FREQUENCIES)

    def scores(self, z):
        return z @ self.w

    def learn(self, z, x, y, _step):
        self.w = self.w + ETA * y * z[x]


def clouds(rows, classes, seed):
    """Overlapping clouds; labels from 0."""
    random = np.random.default_rng(seed)
    labels = random.integers(classes, size=rows)
    return random.normal(size=(rows, 3)) * 0.6 + np.eye(3)[labels], labels


def rbf(a, b):
    return np.exp(-GAMMA * ((a[:, None] - b[None]) ** 2).sum(axis=2))


@pytest.fixture(scope="module", params=[2, 3], ids=["binary", "three classes"])
def trials(request, binary, tmp_path_factory):
    """(rows and labels, those of the test part, trace file by learner, rows of the summary by learner)."""
    classes, folder = request.param, tmp_path_factory.mktemp("rivals")
    parts = [clouds(rows, classes, seed) for seed, rows in enumerate((ROWS, TESTS))]
    names = ["-1", "1"] if classes == 2 else ["0", "1", "2"]
    for part, (x, labels) in zip(("train", "test"), parts):
        lines = [",".join([names[label], *map(repr, map(float, row))]) for row, label in zip(x, labels)]
        (folder / f"{part}{classes}.csv").write_text("\n".join(lines) + "\n")
    kind = "binary" if classes == 2 else "multiclass"
    (folder / "catalog.toml").write_text(
        CATALOG.format(classes=classes, labels=json.dumps(names), kind=kind, rows=ROWS, tests=TESTS)
    )
    (folder / "spec.toml").write_text(SPEC.format(classes=classes))
    env = {key: value for key, value in os.environ.items() if not key.startswith("OKBENCH_")}
    env |= {"OKBENCH_CATALOG": str(folder / "catalog.toml"), "OKBENCH_MIRROR": str(folder)}
    env["OKBENCH_CACHE"] = str(folder / "cache")

    def okbench(*command):
        done = subprocess.run([binary, *command], env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    okbench("run", folder / "spec.toml", "--out", folder / "r", "--quiet", "--jobs", "1")
    rows = json.loads(okbench("summary", folder / "r", "--json"))["trials"]
    means = json.loads(okbench("summary", folder / "r", "--json", "--mean"))["means"]
    files = {path.name.split("-")[0]: path for path in (folder / "r").rglob("*.h5")}
    return parts, files, {row["key"]: row for row in rows}, {row["key"]: row for row in means}


@pytest.mark.parametrize("name", ["carried", "zero", "fogd", "ogd"])
def test_a_trial_is_that_of_numpy(trials, name):
    ((train, labels), (test, truth)), files, rows, means = trials
    with h5py.File(files[name]) as file:
        trace = {column: values[:] for column, values in file["trace"].items()}
        summary = json.loads(file.attrs["summary"])
    classes = labels.max() + 1
    count = 1 if classes == 2 else classes
    if name == "fogd":
        seed = seed_of(experiment="test/rivals", data=f"clouds{classes}", repetition=0, purpose="selection")
        u = math.sqrt(2 * GAMMA) * normals(seed, FREQUENCIES * 3).reshape(FREQUENCIES, 3)
        shown, tested = (np.hstack([np.cos(x @ u.T), np.sin(x @ u.T)]) / math.sqrt(FREQUENCIES) for x in (train, test))
    else:
        shown, tested = rbf(train, train), rbf(train, test)
    functions = [{"fogd": Fogd, "ogd": Ogd}.get(name, Nogd)(name) for _ in range(count)]
    losses = mistakes = updates = 0
    support = set()
    assert len(trace["example"]) == 2 * ROWS
    for step, x in enumerate(trace["example"]):
        signs = [2 * labels[x] - 1] if classes == 2 else np.where(np.arange(classes) == labels[x], 1, -1)
        f = [function.scores(shown)[x] for function in functions]
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
        if name == "fogd":
            features = 2 * FREQUENCIES * (step + 1)
        else:
            features = sum(function.features for function in functions)
        if name != "ogd":
            assert trace["feature_evaluations"][step] == features
    assert summary["mistakes"] == mistakes
    scores = np.array([function.scores(tested) for function in functions])
    wrong = (2 * truth - 1) * scores[0] <= 0 if classes == 2 else scores.argmax(axis=0) != truth
    assert summary["test_error"] == pytest.approx(wrong.mean(), abs=1e-12)
    assert wrong.mean() < (0.25 if classes == 2 else 0.35)
    told = None if name == "ogd" else features
    assert summary.get("feature_evaluations") == rows[name]["feature_evaluations"] == told
    mean = means[name]["feature_evaluations"]
    assert mean == (None if told is None else {"mean": told, "deviation": None})
    if name == "fogd":
        assert summary["kernel_evaluations"] == {"requested": 0, "computed": 0, "evaluation": 0}
        assert summary["support_vectors"] == 0 and set(trace["features"]) == {2 * FREQUENCIES}
    elif name != "ogd":
        assert features > 100 and trace["rank"][-1] == RANK * count
