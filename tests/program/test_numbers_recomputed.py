"""Fifty random specs: NumPy and h5py alone recompute what summary, export, league, plot and claims say of them."""

import csv
import json
import pathlib
import random
import subprocess
import sys
import zlib
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import rankdata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import h5py_reader  # noqa: E402

import okbench as package  # noqa: E402

pytestmark = pytest.mark.slow
SPECS = 50
DATA = {  # generated sets by the kind of their labels
    "binary": ["margin", "flipped-plane", "sea", "hyperplane", "moving-border"],
    "multiclass": ["led", "random-rbf"],
    "real": ["waves-gaussian", "waves-student"],
}
LEARNERS = {
    "binary": ["perceptron", "passive-aggressive", "kt", "svmd", "forgetron", "rbp", "fogd"],
    "multiclass": ["mira", "bpas", "fogd"],
    "real": ["norma", "qklms", "krls-t", "fogd"],
}
MORE = {"svmd": 'loss = "hinge"', "norma": 'loss = "squared"\nschedule = "constant"\neta0 = 0.1'}
GRID = {"binary": ("bpas", "budget"), "multiclass": ("bpas", "budget"), "real": ("qklms", "budget")}
MEASURES = {"binary": ["kappa", "auc", "g-mean", "balanced-accuracy"], "real": ["mae", "r2"]}
MEASURES["multiclass"] = ["kappa", "g-mean", "balanced-accuracy"]


def spec_text(number):
    """A random spec. Its experiment is league/sNUMBER."""
    draw = random.Random(number)
    kind = draw.choice(["binary", "binary", "multiclass", "real"])
    window, delay = draw.choice([None, 15, 40]), draw.choice([0, 0, 7])
    names = draw.sample(MEASURES[kind], draw.randint(1, 2))
    method, budget = GRID[kind]
    order = draw.choice(["permutation", "file"])
    repetitions = draw.randint(1, 3) if order == "permutation" else 1
    tested = kind == "binary" and draw.random() < 0.4
    lines = [
        f'format = 2\nexperiment = "league/s{number}"\ntitle = "s"\nrepetitions = {repetitions}',
        f'[data]\nname = "{"margin" if tested else draw.choice(DATA[kind])}"\nsynthetic_rows = 90',
        f'order = "{order}"\ntest = "{"test" if tested else "none"}"',
        *([f"delay = {delay}"] if delay else []),
        f'[kernel]\nname = "rbf"\ngamma = {draw.choice([0.1, 0.5, 2])}',
        "[trace]\nrecord_all_until = 1000\npredictions = true" + ("\ncheckpoints = 2" if tested else ""),
        f"[measures]\nnames = {json.dumps(names)}" + (f"\nwindow = {window}" if window else ""),
        "[tiers.default]\n" + draw.choice(['"data.synthetic_rows" = 70', f"repetitions = {min(2, repetitions)}"]),
    ]
    for key, learner in zip("ab", draw.sample(LEARNERS[kind], 2)):
        lines.append(f'[learners.{key}]\nlearner = "{learner}"\n{MORE.get(learner, "")}')
    lines.append(f'[learners.c]\nlearner = "{method}"\n[learners.c.grid]\n{budget} = [6, 12]')
    return "\n".join(lines) + "\n"


# Measures, from the definitions in docs: labels y, predictions p, scores f of the rows so far or of a window.


def recalls(y, p):
    return [np.mean(p[y == c] == c) for c in np.unique(y)]


def kappa(y, p, f):
    chance = sum(np.mean(y == c) * np.mean(p == c) for c in np.unique(y))
    return (np.mean(p == y) - chance) / (1 - chance) if chance < 1 else 0.0


def auc(y, p, f):
    ahead = f[y == 1][:, None] - f[y == -1][None, :]
    return np.mean((ahead > 0) + 0.5 * (ahead == 0)) if ahead.size else np.nan


def r2(y, p, f):
    return 1 - np.sum((y - p) ** 2) / np.sum((y - y.mean()) ** 2) if np.ptp(y) > 0 else np.nan


DEFINITIONS = {
    "kappa": kappa,
    "auc": auc,
    "g-mean": lambda y, p, f: np.prod(recalls(y, p)) ** (1 / len(recalls(y, p))),
    "balanced-accuracy": lambda y, p, f: np.mean(recalls(y, p)),
    "mae": lambda y, p, f: np.mean(np.abs(y - p)),
    "r2": r2,
}


def close(a, b):
    """Whether two numbers agree to 1e-9; missing ones with each other only."""
    a, b = (np.nan if number is None or number == "" else float(number) for number in (a, b))
    return np.isnan(a) and np.isnan(b) or abs(a - b) <= 1e-9 * max(1, abs(b))


class Trial:
    """The numbers of one trace, made from its recorded labels, predictions and scores."""

    def __init__(self, path):
        trace = h5py_reader.read(path)
        self.tables, self.id, spec = trace["tables"], trace["trial_id"], trace["spec"]
        self.columns = self.tables["trace"]
        self.experiment, self.seed = spec["experiment"], spec["repetition"]
        self.key, self.grid = trace["provenance"]["learner_key"], trace["provenance"]["grid_point"]
        predictions = self.tables["predictions"]
        self.real = "target" in predictions
        self.y = predictions["target" if self.real else "label"]
        self.p, self.f = predictions["score_0" if self.real else "predicted"], predictions["score_0"]
        binary = set(np.unique(self.y)) <= {-1, 1} and not self.real
        truth = self.columns.get("truth", self.y)  # generated series have targets without their noise
        loss = (truth - self.p) ** 2 if self.real else self.y * self.f <= 0 if binary else self.p != self.y
        self.losses = np.cumsum(loss)
        self.count = len(self.y)
        steps = np.arange(1, self.count + 1)
        self.errors = np.sqrt(self.losses / steps) if self.real else self.losses / steps  # after each row
        self.error = self.errors[-1]
        self.test_error = None
        if "checkpoints" in self.tables:
            self.test_error = self.tables["checkpoints"]["test_error"][-1]

    def measure(self, column, at):
        """A column such as kappa@15 after `at` rows."""
        name, _, window = column.partition("@")
        part = slice(max(0, at - int(window)) if window else 0, at)
        with np.errstate(invalid="ignore", divide="ignore"):
            return DEFINITIONS[name](self.y[part], self.p[part], self.f[part])

    @property
    def measures(self):
        return [column for column in self.columns if column.partition("@")[0] in DEFINITIONS]


def bootstrap(values):
    """The 95 % percentile interval of docs/explanation/league.md."""
    values = np.asarray(values, dtype=float)
    draw = np.random.RandomState(zlib.crc32(b"bootstrap")).random_sample((10000, len(values)))
    means = values[(draw * len(values)).astype(int)].mean(axis=1)
    return np.quantile(means, [0.025, 0.975])


@pytest.fixture(scope="module")
def folder(binary, tmp_path_factory):
    home = tmp_path_factory.mktemp("recomputed")
    paper = home / "papers" / "mine"
    paper.mkdir(parents=True)
    for number in range(SPECS):
        (paper / f"s{number}.toml").write_text(spec_text(number))
    specs = sorted(map(str, paper.glob("s*.toml")))
    done = subprocess.run([binary, "run", *specs, "--out", home / "r"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return home


@pytest.fixture(scope="module")
def trials(folder):
    all_trials = [Trial(path) for path in sorted((folder / "r").rglob("*.h5"))]
    assert len({trial.experiment for trial in all_trials}) == SPECS
    return all_trials


@pytest.fixture
def call(binary, folder):
    def run(*words, check=0):
        done = subprocess.run([binary, *map(str, words)], cwd=folder, capture_output=True, text=True)
        assert done.returncode == check, done.stderr
        return done.stdout

    return run


def groups(trials):
    trial_groups = {}
    for trial in trials:
        trial_groups.setdefault((trial.experiment, trial.key, trial.grid), []).append(trial)
    return trial_groups


def test_traces_and_their_measures(trials):
    compared = 0
    for trial in trials:
        sums = trial.columns["squared_error_sum" if trial.real else "mistakes"]
        np.testing.assert_allclose(sums, trial.losses, rtol=1e-9)
        for column in trial.measures:
            for at in (1, 2, 10, 30, 41, trial.count):
                assert close(trial.columns[column][at - 1], trial.measure(column, at)), (trial.id, column, at)
                compared += 1
    assert compared > 2000


def test_summary(trials, call):
    rows = {row["id"]: row for row in json.loads(call("summary", "r", "--json"))["trials"]}
    assert len(rows) == len(trials)
    for trial in trials:
        row = rows[trial.id]
        assert row["examples"] == trial.count and row["seed"] == trial.seed and row["key"] == trial.key
        assert close(row["rmse"], trial.error) if trial.real else close(row["error_rate"], trial.error)
        assert close(row["test_error"], trial.test_error)
        assert row["support_vectors"] == trial.columns["support_vectors"][-1]
        assert row["kernel_evaluations"]["requested"] == trial.columns["kernel_requested"][-1]
        for column in trial.measures:
            assert close(row["measures"][column], trial.measure(column, trial.count)), (trial.id, column)


def test_export(trials, call, folder):
    call("export", "r", "--to", "tables", "--points", "0")
    by_id = {trial.id: trial for trial in trials}
    curves = list(csv.DictReader((folder / "tables/curves.csv").open()))
    assert len(curves) == sum(trial.count for trial in trials)
    for row in curves:
        trial, at = by_id[row["trial"]], int(row["step"])
        assert close(row["error"], trial.errors[at - 1]) and int(row["examples"]) == at
        assert int(row["requested"]) == trial.columns["kernel_requested"][at - 1]
    measured = list(csv.DictReader((folder / "tables/measures.csv").open()))
    assert len(measured) > len(trials)
    for row in measured[:: len(measured) // 5000 + 1]:
        trial = by_id[row["trial"]]
        if row["name"] in trial.measures:
            assert close(row["value"], trial.measure(row["name"], int(row["step"]))), row
    call("export", "r", "--to", "means.csv")
    means = list(csv.DictReader((folder / "means.csv").open()))
    of = groups(trials)
    assert len(means) == len(of)
    for row in means:
        runs = of[row["experiment"], row["learner"], row["grid_point"]]
        pick = {
            "test_error": lambda run: run.test_error,
            "error_rate": lambda run: run.error,
            "rmse": lambda run: run.error,
        }[row["measure"]]
        values = [pick(run) for run in runs]
        assert close(row["mean"], np.mean(values)) and int(row["seeds"]) == len(runs)
        if len(runs) > 1:
            assert np.allclose([float(row["low"]), float(row["high"])], bootstrap(values), atol=1e-9)
        assert close(row["requested"], np.mean([run.columns["kernel_requested"][-1] for run in runs]))


def test_league(trials, call):
    """Ranks and errors at the best budget of each learner, the smaller budget on ties."""
    ranking = json.loads(call("league", "r", "--json"))
    of = groups(trials)
    table = {}
    for (experiment, key, grid), runs in sorted(of.items(), key=lambda item: int(item[0][2].partition("=")[2] or 0)):
        if not runs[0].real:
            # Fractions with the number of steps, so that equal errors are equal.
            mean = float(sum(Fraction(run.error).limit_denominator(10**4) for run in runs) / len(runs))
            memory = np.mean([run.columns["support_vectors"].max() for run in runs])
            at = table.setdefault(experiment, {})
            if key not in at or mean < at[key][0]:
                at[key] = mean, memory
    keys = ["a", "b", "c"]
    errors = np.array([[at[key][0] for key in keys] for at in table.values()])
    ranks = dict(zip(keys, rankdata(errors, axis=1).mean(axis=0)))
    assert [row["learner"] for row in ranking["learners"]] == sorted(keys, key=lambda key: (ranks[key], key))
    for row in ranking["learners"]:
        assert row["sets"] == len(table) and close(row["mean_rank"], ranks[row["learner"]])
        assert close(row["error"], errors[:, keys.index(row["learner"])].mean())


def test_plot(trials, folder):
    of = groups(trials)
    for number in range(0, SPECS, 5):
        name = f"league/s{number}"
        figure = package.plot(str(folder / "r" / name), y="error", x="steps", results=str(folder / "r"))
        lines = [line for line in figure.axes[0].get_lines() if len(line.get_xdata()) > 2]
        expected = [runs for (experiment, _, _), runs in of.items() if experiment == name]
        assert len(lines) == len(expected)
        unit = 1 if expected[0][0].real else 100
        drawn = [np.column_stack([line.get_xdata(), line.get_ydata()]) for line in lines]
        for runs in expected:
            steps = np.arange(1, runs[0].count + 1)
            curve = unit * np.mean([run.errors for run in runs], axis=0)
            assert any(np.allclose(line, np.column_stack([steps, curve]), atol=1e-9) for line in drawn), name


def test_claims(trials, call, folder):
    """Claims that the values are these: each must be reproduced, and one with a changed value must not."""
    text = 'format = 1\npaper = "mine"\n[about]\ntitle = "t"\nauthors = "a"\nvenue = "v"\ntext = "t"\n'
    expected = {}
    for (experiment, key, grid), runs in groups(trials).items():
        if runs[0].real:
            continue
        value = float(np.mean([run.error for run in runs]))
        where = f"{experiment}/{key}" + (f"[{grid}]" if grid else "")
        for right in (True, False):
            ident = f"c{len(expected)}"
            expected[ident] = "reproduced" if right else "not reproduced"
            text += f'[[claims]]\nid = "{ident}"\nwhere = "w"\nstatement = "s"\nvalue = "error_rate({where})"\n'
            text += f'expect = "within 0.000000001 of it"\npaper = {value + (0 if right else 1e-6)!r}\n'
            text += 'tolerance = "t"\nnote = "n"\n'
    (folder / "papers/mine/claims.toml").write_text(text)
    report = json.loads(call("claims", "mine", "--results", "r", "--experiments", "papers", "--json", check=1))
    assert {claim["id"]: claim["verdict"] for claim in report["claims"]} == expected
