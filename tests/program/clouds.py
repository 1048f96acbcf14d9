"""What tests of whole trials beside NumPy share: overlapping clouds as a data set of their own, runs on them, and the
program's random numbers."""

import json
import math
import os
import subprocess

import numpy as np

GAMMA = 0.7
TESTS = 90
MASK = (1 << 64) - 1

CATALOG = """[clouds{classes}]
title = "clouds"
format = "csv"
features = 3
range = [-9.0, 9.0]
labels = {labels}
kind = "{kind}"
terms = "none"
synthetic = {{ generator = "clusters" }}
[clouds{classes}.train]
rows = {rows}
files = [{{ name = "train{classes}.csv", sha256 = "" }}]
[clouds{classes}.test]
rows = {tests}
files = [{{ name = "test{classes}.csv", sha256 = "" }}]
"""

SPEC = f"""format = 2
experiment = "test/baselines"
precision = "float64"
[data]
name = "clouds{{classes}}"
order = "permutation"
epochs = 2
test = "test"
[kernel]
name = "rbf"
gamma = {GAMMA}
"""


class Random:
    """xoshiro256++ with a state of SplitMix64, seeded by FNV-1a of named axes."""

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            self.state.append(self.mixed(seed))

    @staticmethod
    def mixed(z):
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    @classmethod
    def seed(cls, **axes):
        hashed = 0xCBF29CE484222325
        for name, value in axes.items():
            for byte in name.encode() + b"\1" + str(value).encode() + b"\2":
                hashed = (hashed ^ byte) * 0x100000001B3 & MASK
        return cls.mixed((hashed + 0x9E3779B97F4A7C15) & MASK)

    @classmethod
    def selection(cls, classes):
        """The seed of a learner's own draws in the first repetition."""
        return cls.seed(experiment="test/baselines", data=f"clouds{classes}", repetition=0, purpose="selection")

    def next(self):
        s = self.state
        drawn = (s[0] + s[3]) & MASK
        drawn = ((drawn << 23 | drawn >> 41) + s[0]) & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = (s[3] << 45 | s[3] >> 19) & MASK
        return drawn

    def below(self, bound):
        """An integer below the bound, as Lemire draws it."""
        while True:
            product = self.next() * bound
            if product & MASK >= -bound % (1 << 64) % bound:
                return product >> 64

    def normals(self, count):
        """Marsaglia's polar method."""
        out = []
        while len(out) < count:
            u, v = (2 * (self.next() >> 11) * 2.0**-53 - 1 for _ in range(2))
            s = u * u + v * v
            if 0 < s < 1:
                factor = math.sqrt(-2 * math.log(s) / s)
                out += [u * factor, v * factor]
        return np.array(out[:count])


def clouds(rows, classes, seed):
    """Overlapping clouds; labels from 0."""
    random = np.random.default_rng(seed)
    labels = random.integers(classes, size=rows)
    return random.normal(size=(rows, 3)) * 0.6 + np.eye(3)[labels], labels


def rbf(a, b):
    return np.exp(-GAMMA * ((a[:, None] - b[None]) ** 2).sum(axis=2))


def run_on_clouds(binary, folder, classes, rows, learners):
    """Runs [learners.*] tables on two passes over clouds: (rows and labels, those of the test part), trace files by
    learner, and the program: okbench(*words) is what it prints."""
    parts = [clouds(count, classes, seed) for seed, count in enumerate((rows, TESTS))]
    names = ["-1", "1"] if classes == 2 else ["0", "1", "2"]
    for part, (x, labels) in zip(("train", "test"), parts):
        lines = [",".join([names[label], *map(repr, map(float, row))]) for row, label in zip(x, labels)]
        (folder / f"{part}{classes}.csv").write_text("\n".join(lines) + "\n")
    kind = "binary" if classes == 2 else "multiclass"
    (folder / "catalog.toml").write_text(
        CATALOG.format(classes=classes, labels=json.dumps(names), kind=kind, rows=rows, tests=TESTS)
    )
    (folder / "spec.toml").write_text(SPEC.format(classes=classes) + learners)
    env = {key: value for key, value in os.environ.items() if not key.startswith("OKBENCH_")}
    env |= {"OKBENCH_CATALOG": str(folder / "catalog.toml"), "OKBENCH_MIRROR": str(folder)}
    env["OKBENCH_CACHE"] = str(folder / "cache")

    def okbench(*command):
        done = subprocess.run([binary, *command], env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    okbench("run", folder / "spec.toml", "--out", folder / "r", "--quiet", "--jobs", "1")
    return parts, {path.name.split("-")[0]: path for path in (folder / "r").rglob("*.h5")}, okbench
