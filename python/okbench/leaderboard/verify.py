"""Verifies a bundle: its files, its specs, its signature, and the bits of a sample of its trials."""

import dataclasses
import math
import pathlib
import secrets
import subprocess
import tempfile

import numpy as np

from ..errors import CONTENT_ERRORS, OkbenchError, RequestError, TraceFileError, cause_of
from ..reading import read_toml
from ..results import read_experiment
from . import bundle as bundles
from . import entry as entries
from . import rounding, running
from .bundle import BundleError
from .sandbox import MissingSandbox, Sandbox

NAMESPACE = "okbench"  # of SSH signatures


class CannotRerun(BundleError):
    """The learner could not be built or run. The message may quote what other people's code printed."""


@dataclasses.dataclass
class Verified:
    """What was checked."""

    entry: entries.Entry
    experiments: list
    trials: int
    rerun: int
    signer: str  # "by NAME", "not signed", or "not checked" without a list of signers
    version: str
    rounding: str = ""  # first difference of a learner that uses BLAS, and of which trial; "" if all bits are equal


def verify(path, sample=0.1, seed=None, trust=False, signers=None, work=None):
    """Verifies a bundle and returns Verified. `work`: folder to unpack in, which the result refers to.

    `seed`: text that determines the sample; None: drawn, so that nobody can choose what is not rerun. Raises
    BundleError with the reason for which a bundle is refused, RequestError if it cannot be checked here.
    """
    seed = seed or secrets.token_hex(8)
    if not 0 < sample <= 1:
        raise RequestError("--sample: expected a share greater than 0, up to 1")
    signer = signature(path, signers)
    folder, manifest = bundles.unpack(path, work)
    try:
        entry = entries.read(folder)
        if pathlib.Path(path).name != f"{entry.name}.tar.xz":
            raise BundleError(f"{path}: must be called {entry.name}.tar.xz")
        check_specs(entry, folder)
        experiments = bundles.experiments_of(folder)
        trials = check_results(path, entry, experiments)
        names = chosen(sorted(trials), sample, seed)
        with tempfile.TemporaryDirectory(prefix="okbench-") as place:
            box = Sandbox(place, trust)
            difference = rerun(entry, box, names, trials)
    except MissingSandbox:
        raise
    except (RequestError, TraceFileError) as error:
        raise BundleError(f"{path}: {str(error).replace(f'{folder}/', '')}") from None
    except (OSError, *CONTENT_ERRORS) as error:
        raise BundleError(f"{path}: has content that is not valid ({cause_of(error)})") from None
    version = str(manifest.get("version", ""))[:80]
    return Verified(entry, experiments, len(trials), len(names), signer, version, difference)


def check_specs(entry, folder):
    """Raises BundleError if the specs are not those of the leaderboard with this learner."""
    expected = {f"{name}.toml": spec for name, spec in entry.specs().items()}
    specs = {path.name: read_toml(path) for path in (folder / "specs").glob("*") if path.is_file()}
    for name in sorted(expected.keys() | specs.keys()):
        if specs.get(name) != expected.get(name):
            raise BundleError(f"specs/{name}: differs from the leaderboard's spec with the learner of entry.toml")


def check_results(path, entry, experiments):
    """{name: trial} of all trials. Raises BundleError if results are missing, synthetic, or of other settings."""
    if sorted(experiment.name for experiment in experiments) != sorted(entry.experiments()):
        raise BundleError(f"{path}: needs results of exactly {', '.join(entry.experiments())}")
    trials = {}
    for experiment in experiments:
        if experiment.overrides or experiment.tier != running.TIER or experiment.replaced_data:
            raise BundleError(f"{path}: {experiment.name} was not run in the {running.TIER} tier without changes")
        for trial in experiment.trials:
            if trial.trace is None:
                raise BundleError(f"{path}: {trial.missing}")
            if trial.trace.synthetic or trial.learner_key != entry.name:
                raise BundleError(f"{path}: {trial.name} is of another learner or of synthetic data")
            if trial.trace.name != trial.name:
                raise BundleError(f"{path}: {trial.name} has the trace of {trial.trace.name}")
            trials[trial.name] = trial
    return trials


def chosen(names, sample, seed):
    """A seeded sample of at least one trial of each data set, and of the given share of its trials."""
    random = np.random.RandomState(np.frombuffer(seed.encode().ljust(4, b"\0"), dtype=np.uint8))
    groups = {}
    for name in names:
        groups.setdefault(name.split("/")[1], []).append(name)
    selection = []
    for group in groups.values():
        count = max(1, math.ceil(sample * len(group)))
        selection += [group[place] for place in random.permutation(len(group))[:count]]
    return sorted(selection)


def rerun(entry, box, names, trials):
    """Builds the learner, reruns trials, and compares plans, columns and summaries. Raises BundleError.

    `trials`: {name: trial} of the whole bundle. Its plans must have the trials that the specs ask for.
    Returns the first difference that BLAS explains, or "".
    """
    running.write_inputs(entry, box)
    try:
        running.run(entry, box, running.build(entry, box), "results", names)
    except OkbenchError as error:
        raise CannotRerun(f"{entry.name}: cannot be rerun: {error}") from None
    # The code has written this folder, so it may hold anything.
    if not all(path.is_dir() or path.is_file() and not path.is_symlink() for path in (box.work / "results").rglob("*")):
        raise BundleError(f"{entry.name}: its results are not regular files")
    rerun_trials = {}
    for name in entry.experiments():
        experiment = read_experiment(box.work / "results", name)
        rerun_trials |= {trial.name: trial for trial in experiment.trials} if experiment else {}
    for name in sorted(rerun_trials.keys() ^ trials.keys()):
        raise BundleError(f"{name}: is {'missing' if name in rerun_trials else 'not a trial of the specs'}")
    for name, trial in trials.items():
        if identity(trial) != identity(rerun_trials[name]):
            raise BundleError(f"{name}: its plan differs from the plan of the specs")
    discrepancy = ""
    for name in names:
        trace, other = trials[name].trace, rerun_trials[name].trace
        if other is None:
            raise BundleError(f"{name}: the rerun has no result")
        difference = None if trace.digest == other.digest else rounding.first_difference(trace, other)
        if difference and not (entry.blas and difference.tolerable):
            raise BundleError(f"{name}: the rerun gives other bits than the bundle: {difference.text}")
        same = rounding.same(trace.summary, other.summary) if entry.blas else trace.summary == other.summary
        if not same or content(trace) != content(other):
            raise BundleError(f"{name}: the rerun has another spec or summary than the bundle")
        if difference and not discrepancy:
            discrepancy = f"{name}, {difference.text}"
    return discrepancy


def identity(trial):
    """What a plan says of a trial, without its id and file, which depend on the compiler of the learner."""
    return trial.learner_key, trial.grid_point, trial.label, trial.repetition, trial.axes, trial.tuned


def content(trace):
    """Spec and provenance of a trace that the page uses, without the digest of a library, which a compiler decides."""
    spec = dict(trace.spec)
    if spec.get("code", {}).get("kind") == "plugin":
        del spec["code"]
    kept = ("data_shape", "learner_key", "grid_point", "label", "kernel", "synthetic", "counted")
    return spec, {key: trace.provenance.get(key) for key in kept}


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
    """Returns "by NAME" of the signer, "not signed", or "not checked" without `signers`, a file of allowed signers.

    Raises BundleError for a wrong signature, or one of nobody in the file.
    """
    signature_path = pathlib.Path(f"{path}.sig")
    if not signature_path.is_file():
        return "not signed"
    if signers is None:
        return "not checked"
    if not pathlib.Path(signers).is_file():
        raise RequestError(f"--signers: {signers}: no such file")
    common = ["-n", NAMESPACE, "-s", str(signature_path)]
    with open(path, "rb") as data:
        principals = subprocess.run(
            ["ssh-keygen", "-Y", "find-principals", "-f", str(signers), "-s", str(signature_path)],
            capture_output=True,
            text=True,
        )
        name = (principals.stdout.strip().splitlines() or [""])[0]
        if not name:
            raise BundleError(f"{path}: {signers} does not list its signer")
        words = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", name, *common]
        done = subprocess.run(words, stdin=data, capture_output=True, text=True)
    if done.returncode != 0:
        raise BundleError(f"{path}: the signature of {name} does not match this file")
    return f"by {name}"
