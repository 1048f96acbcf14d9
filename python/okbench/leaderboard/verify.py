"""Verifies a bundle: its files, its specs, its signature, and the bits of a sample of its trials."""

import dataclasses
import math
import pathlib
import subprocess
import tempfile

import numpy as np

from ..errors import OkbenchError, RequestError, TraceFileError
from ..traces import read_experiment
from . import bundle as bundles
from . import entry as entries
from . import running
from .bundle import BundleError
from .sandbox import Sandbox

NAMESPACE = "okbench"  # of SSH signatures


@dataclasses.dataclass
class Verified:
    """What was checked."""

    entry: entries.Entry
    experiments: list
    trials: int
    rerun: int
    signer: str  # empty: not signed, or no list of signers
    version: str


def verify(path, sample=0.1, seed=None, trust=False, signers=None, work=None):
    """Verifies a bundle and returns Verified. `work`: folder to unpack in, which the result refers to.

    Raises BundleError with the reason for which a bundle is refused, RequestError if it cannot be checked here.
    """
    if not 0 < sample <= 1:
        raise RequestError("--sample: expected a share greater than 0, up to 1")
    signer = signature(path, signers)
    folder, manifest = bundles.unpack(path, work)
    try:
        entry = entries.read(folder)
    except RequestError as error:
        raise BundleError(str(error)) from None
    check_specs(entry, folder)
    try:
        experiments = bundles.experiments_of(folder)
    except (TraceFileError, OSError) as error:
        raise BundleError(f"{path}: {error}") from None
    trials = {trial.name: trial for one in experiments for trial in one.trials}
    check_results(path, entry, experiments, trials)
    names = chosen(sorted(trials), sample, seed or bundles.digest(path))
    with tempfile.TemporaryDirectory(prefix="okbench-") as place:
        box = Sandbox(place, trust)
        rerun(entry, box, names, {name: trials[name].trace.digest for name in names})
    return Verified(entry, experiments, len(trials), len(names), signer, str(manifest.get("version", "")))


def check_specs(entry, folder):
    """Raises BundleError if the specs are not those of the leaderboard with this learner."""
    import tomli_w

    expected = {f"{name}.toml": tomli_w.dumps(spec) for name, spec in entry.specs().items()}
    found = {one.name: one.read_text(encoding="utf-8", errors="replace") for one in (folder / "specs").glob("*")}
    for name in sorted(expected.keys() | found.keys()):
        if found.get(name) != expected.get(name):
            raise BundleError(f"specs/{name}: differs from the leaderboard's spec with the learner of entry.toml")


def check_results(path, entry, experiments, trials):
    """Raises BundleError if results are missing, synthetic, or of other settings or learners."""
    if sorted(one.name for one in experiments) != sorted(entry.experiments()):
        raise BundleError(f"{path}: needs results of exactly {', '.join(entry.experiments())}")
    for one in experiments:
        if one.overrides or one.tier != running.TIER or one.replaced_data:
            raise BundleError(f"{path}: {one.name} was not run in the {running.TIER} tier without changes")
    for name, trial in trials.items():
        if trial.trace is None:
            raise BundleError(f"{path}: {trial.missing}")
        if trial.trace.synthetic or trial.learner_key != entry.name:
            raise BundleError(f"{path}: {name} is of another learner or of synthetic data")


def chosen(names, sample, seed):
    """A seeded sample of at least one trial of each data set, and of the given share in all."""
    random = np.random.RandomState(np.frombuffer(seed.encode().ljust(4, b"\0"), dtype=np.uint8))
    groups = {}
    for name in names:
        groups.setdefault(name.split("/")[1], []).append(name)
    found = []
    for group in groups.values():
        count = max(1, math.ceil(sample * len(group)))
        found += [group[place] for place in random.permutation(len(group))[:count]]
    return sorted(found)


def rerun(entry, box, names, digests):
    """Builds the learner, reruns trials and compares the digests of their columns. Raises BundleError."""
    try:
        library = running.build(entry, box)
        specs = running.spec_files(entry, box.work / "specs")
        running.run(entry, box, library, specs, box.work / "results", names)
    except RequestError:
        raise
    except OkbenchError as error:
        raise BundleError(f"{entry.name}: cannot be rerun: {error}") from None
    made = {}
    for name in entry.experiments():
        experiment = read_experiment(box.work / "results", name)
        made |= {trial.name: trial.trace for trial in experiment.trials} if experiment else {}
    for name in names:
        if made.get(name) is None:
            raise BundleError(f"{name}: was not made again; the source differs from the one that made the results")
        if made[name].digest != digests[name]:
            raise BundleError(f"{name}: other bits than those of the bundle")


def sign(path, key):
    """Signs a bundle with an SSH key. Returns the path of the signature. Raises OkbenchError."""
    signature_path = pathlib.Path(f"{path}.sig")
    signature_path.unlink(missing_ok=True)
    done = subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(path)], capture_output=True, text=True
    )
    if done.returncode != 0 or not signature_path.is_file():
        cause = (done.stderr.strip().splitlines() or ["unknown cause"])[-1]
        raise OkbenchError(f"{path}: cannot be signed: {cause}")
    return signature_path


def signature(path, signers):
    """The principal that signed a bundle; empty without a signature or without `signers`, a file of allowed signers.

    Raises BundleError for a wrong signature, or one of nobody in the file.
    """
    signature_path = pathlib.Path(f"{path}.sig")
    if signers is None or not signature_path.is_file():
        return ""
    if not pathlib.Path(signers).is_file():
        raise RequestError(f"--signers: {signers}: no such file")
    common = ["-n", NAMESPACE, "-s", str(signature_path)]
    with open(path, "rb") as data:
        found = subprocess.run(
            ["ssh-keygen", "-Y", "find-principals", "-f", str(signers), "-s", str(signature_path)],
            capture_output=True,
            text=True,
        )
        name = (found.stdout.strip().splitlines() or [""])[0]
        if not name:
            raise BundleError(f"{path}: is signed by nobody of {signers}")
        words = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", name, *common]
        done = subprocess.run(words, stdin=data, capture_output=True, text=True)
    if done.returncode != 0:
        raise BundleError(f"{path}: the signature of {name} is not of these bytes")
    return name
