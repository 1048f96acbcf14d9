"""Whole trials of Projectron, KRLS-ALD and BSGD against independent versions in numpy, which solve their systems anew
in each step: mistakes, support vectors and test errors are equal, and so are losses but for rounding."""

import hashlib
import json
import pathlib

import h5py
import numpy as np
import pytest

SPEC = """format = 2
experiment = "test/baselines"
precision = "float64"
[data]
name = "baselines"
part = "train"
order = "file"
epochs = 2
test = "test"
[kernel]
name = "rbf"
gamma = {gamma}
[learners.x]
learner = "{learner}"
"""
GAMMA = 0.3
NEAR = 2.0**-10  # squared distances up to here count as none


def kernel(a, b):
    return np.exp(-GAMMA * np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=2))


def table(kind, classes, part, x, y, folder):
    """Writes a part as CSV; its tables of the catalog."""
    text = "".join(f"{label!r}," + ",".join(repr(float(v)) for v in row) + "\n" for row, label in zip(x, y.tolist()))
    (folder / f"{part}.csv").write_text(text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"[baselines.{part}]\nrows={len(y)}\nfiles=[{{name='{part}.csv', sha256='{digest}'}}]\n"


@pytest.fixture
def trial(okbench, tmp_path):
    """Runs a learner on two passes over (x, y); the summary of its trace."""

    def run(learner, options, data, kind, classes=2):
        parts = "".join(table(kind, classes, part, *data[part], tmp_path) for part in ("train", "test"))
        labels = "" if kind == "real" else f"labels={[str(c) for c in range(classes)]}\n"
        features = data["train"][0].shape[1]
        generator = "waves" if kind == "real" else "clusters"
        (tmp_path / "catalog.toml").write_text(
            f"[baselines]\ntitle='toy'\nformat='csv'\nfeatures={features}\nrange=[-9.0,9.0]\n{labels}"
            f"kind='{kind}'\nterms=''\nsynthetic={{generator='{generator}'}}\n{parts}"
        )
        lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in options.items())
        (tmp_path / "s.toml").write_text(SPEC.format(gamma=GAMMA, learner=learner) + lines)
        environment = {"OKBENCH_CATALOG": str(tmp_path / "catalog.toml"), "OKBENCH_MIRROR": str(tmp_path)}
        okbench("run", "s.toml", "--out", "r", check=0, env=environment)
        with h5py.File(next(pathlib.Path(tmp_path, "r").rglob("*.h5"))) as file:
            return json.loads(file.attrs["summary"]) | {"loss_sum": np.sum(file["trace"]["loss"][:])}

    return run


def sets(seed, classes, real=False):
    random = np.random.default_rng(seed)

    def rows(count):
        y = random.integers(0, classes, count)
        x = random.normal(size=(count, 3)) + 1.2 * y[:, None] / (classes - 1)
        return x, (np.sin(2 * x[:, 0]) + 0.2 * random.normal(size=count) if real else y)

    return {"train": rows(130), "test": rows(90)}


class Function:
    """sum_j a_j k(x_j, .), and what all methods do with it."""

    def __init__(self, features):
        self.x, self.a = np.zeros((0, features)), np.zeros(0)
        self.came, self.now = [], 0  # the step in which each member came: one vector of all functions

    def __call__(self, rows):
        return kernel(rows, self.x) @ self.a

    def add(self, x, a):
        self.x, self.a = np.vstack([self.x, x]), np.append(self.a, a)
        self.came.append(self.now)

    def remove(self, *places):
        self.x, self.a = np.delete(self.x, places, axis=0), np.delete(self.a, places)
        self.came = [step for place, step in enumerate(self.came) if place not in places]

    def project(self, x):
        """Coordinates of the projection of k(x, .) onto the members, and its squared distance from them."""
        k = kernel(self.x, x[None])[:, 0]
        d = np.linalg.solve(kernel(self.x, self.x), k)
        return d, k @ d, max(0.0, 1 - k @ d)


class Projectron(Function):
    def __init__(self, features, eta=0.1, variant="plus-plus", compare="delta", budget=0):
        super().__init__(features)
        self.eta, self.plus, self.square, self.budget = eta, variant == "plus-plus", compare == "squared", budget

    def learn(self, x, f, y):
        if y * f >= 1 or (y * f > 0 and not self.plus):
            return
        d, n, squared = self.project(x)
        delta = squared if self.square else np.sqrt(squared)
        if y * f <= 0:
            full = self.budget > 0 and len(self.a) >= self.budget
            if full or delta <= self.eta or squared <= NEAR:
                self.a = self.a + y * d
            else:
                self.add(x, y)
        elif 1 - y * f > delta / self.eta:
            loss = 1 - y * f
            self.a = self.a + y * d * min(loss / n, 2 * (loss - delta / self.eta) / n, 1)


class Krls(Function):
    def __init__(self, features, nu=0.001, budget=0):
        super().__init__(features)
        self.nu, self.budget, self.p = nu, budget, np.zeros((0, 0))

    def learn(self, x, f, y):
        d, _, delta = self.project(x)
        if (self.budget == 0 or len(self.a) < self.budget) and delta > max(self.nu, NEAR):
            self.a = self.a - d * (y - f) / delta
            self.add(x, (y - f) / delta)
            self.p = np.block([[self.p, np.zeros((len(d), 1))], [np.zeros((1, len(d))), np.ones((1, 1))]])
            return
        q = self.p @ d / (1 + d @ self.p @ d)
        self.p = self.p - np.outer(q, d @ self.p)
        self.a = self.a + np.linalg.solve(kernel(self.x, self.x), q) * (y - f)


class Bsgd(Function):
    """Its coefficients are those of lambda t f."""

    def __init__(self, features, maintenance, budget=1000, **options):
        super().__init__(features)
        self.lam, self.maintenance, self.budget, self.t = options["lambda"], maintenance, budget, 0

    def __call__(self, rows):
        return super().__call__(rows) / (self.lam * max(self.t, 1))

    def learn(self, x, f, y):
        self.t += 1
        if y * f >= 1:
            return
        full = len(self.a) >= self.budget
        if self.maintenance == "projection":
            d, _, squared = self.project(x)
            if squared <= NEAR or (full and np.all(np.abs(self.a) > 1)):
                self.a = self.a + y * d
                return
        self.add(x, y)
        if self.maintenance == "none" or not full:
            return
        p = np.argmin(np.abs(self.a))
        gone, c = self.x[p], self.a[p]
        if self.maintenance == "merging" and self.merge(p):
            return
        self.remove(p)
        if self.maintenance == "projection":
            self.a = self.a + c * self.project(gone)[0]

    def merge(self, p):
        best = None
        for q in range(len(self.a)):
            if q == p or self.a[q] * self.a[p] < 0:
                continue
            a, b = self.a[p], self.a[q]
            kappa = kernel(self.x[p : p + 1], self.x[q : q + 1])[0, 0]
            h = self.share(a / (a + b), kappa)
            c = a * kappa ** ((1 - h) ** 2) + b * kappa ** (h**2)
            loss = a * a + b * b + 2 * a * b * kappa - c * c
            if best is None or loss < best[0] - 1e-12 * (1 + best[0]):
                best = loss, q, h, c
        if best is None:
            return False
        _, q, h, c = best
        z = h * self.x[p] + (1 - h) * self.x[q]
        self.remove(p, q)
        self.add(z, c)
        self.came[-1] = (id(self), self.now)  # of this function alone
        return True

    @staticmethod
    def share(m, kappa):
        """Golden section for the largest coefficient."""
        golden, low, high = (np.sqrt(5) - 1) / 2, 0.0, 1.0

        def value(h):
            return m * kappa ** ((1 - h) ** 2) + (1 - m) * kappa ** (h**2)

        for _ in range(20):
            left, right = high - golden * (high - low), low + golden * (high - low)
            if value(right) > value(left) + 1e-12:
                low = left
            else:
                high = right
        return (low + high) / 2


METHODS = {"projectron": Projectron, "bsgd": Bsgd}
CASES = [
    ("projectron", {}),
    ("projectron", {"eta": 0.4, "compare": "squared"}),
    ("projectron", {"variant": "plain", "budget": 14}),
    *(("bsgd", {"lambda": 0.01, "maintenance": m, "budget": 15}) for m in ("none", "removal", "projection", "merging")),
]


@pytest.mark.parametrize("learner, options", CASES)
@pytest.mark.parametrize("classes", [2, 3])
def test_classification(trial, learner, options, classes):
    data = sets(3, classes)
    (x, y), (test, truth) = data["train"], data["test"]
    functions = [METHODS[learner](x.shape[1], **options) for _ in range(1 if classes == 2 else classes)]
    losses, mistakes = 0.0, 0

    def predicted(f):
        return (f[0] > 0).astype(int) if classes == 2 else np.argmax(f, axis=0)

    for step, i in enumerate([*range(len(y)), *range(len(y))]):
        f = np.array([function(x[i : i + 1])[0] for function in functions])
        targets = [2 * y[i] - 1] if classes == 2 else [1 if y[i] == r else -1 for r in range(classes)]
        losses += sum(max(0.0, 1 - t * s) for t, s in zip(targets, f))
        mistakes += int(targets[0] * f[0] <= 0 if classes == 2 else predicted(f) != y[i])
        for function, score, target in zip(functions, f, targets):
            function.now = step
            function.learn(x[i], score, target)
    wrong = predicted(np.array([function(test) for function in functions])) != truth
    summary = trial(learner, options, data, "binary" if classes == 2 else "multiclass", classes)
    assert summary["mistakes"] == mistakes
    assert summary["support_vectors"] == len({step for function in functions for step in function.came})
    assert summary["test_error"] == pytest.approx(np.mean(wrong), abs=1e-15)
    assert summary["loss_sum"] == pytest.approx(losses, rel=1e-9)


@pytest.mark.parametrize("options", [{"nu": 0.05}, {"nu": 0.3}, {"nu": 0.05, "budget": 9}])
def test_regression(trial, options):
    data = sets(5, 2, real=True)
    (x, y), (test, truth) = data["train"], data["test"]
    function, losses = Krls(x.shape[1], **options), 0.0
    for i in [*range(len(y)), *range(len(y))]:
        f = function(x[i : i + 1])[0]
        losses += (y[i] - f) ** 2 / 2
        function.learn(x[i], f, y[i])
    summary = trial("krls", options, data, "real")
    assert summary["support_vectors"] == len(function.a)
    assert summary["loss_sum"] == pytest.approx(losses, rel=1e-9)
    assert summary["test_rmse"] == pytest.approx(np.sqrt(np.mean((function(test) - truth) ** 2)), rel=1e-9)
