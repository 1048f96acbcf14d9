"""okbench.run runs trials in this process. okbench.load_data returns rows of data sets."""

import pathlib
import sys
import tempfile
import tomllib

from ..native import module as _native
from ..results.table import load
from ..rows import python_rows
from .python_learners import PythonLearner

INTERRUPTED = 130


def run(
    spec,
    tier="default",
    overrides=None,
    out=None,
    only="",
    jobs=0,
    timeout=0,
    force=False,
    progress=True,
    learners=None,
    measures=None,
):
    """Runs every trial of a spec that has no valid result. Returns the results as `okbench.load` does.

    spec: a file, or a dict with the same keys (docs/reference/specs.md).
    tier: tier of the spec.
    overrides: values that replace those of the spec, e.g. {"data.max_examples": 100}; like --set.
    out: result folder. Default for a file: as `okbench run`. Default for a dict: a temporary folder; set `out`
        for more than 10000 trials, whose traces are read from files.
    only: glob over trial names.
    jobs: number of parallel trials; 0: one per core.
    timeout: maximum learning time of a trial in seconds; 0: no limit.
    force: rerun trials that already have results.
    progress: show progress.
    learners: {"mine": Mine} adds a user-defined learner `mine` to the spec. The class or function is called once per
        trial, with the keyword `kernel` if its signature has it. The object needs `partial_fit(X, y)` and
        `decision_function(X)` or `predict(X)`, or River's methods (docs/reference/python.md).
    measures: {"mine": f} records predictions, and adds a column with f(labels, scores) of every stream.

    A failed trial has a row with its `status`. Raises ValueError for an invalid spec and KeyboardInterrupt after
    Ctrl-C. Finished trials are kept, so the same call resumes the run.
    """
    own = [PythonLearner(name, factory) for name, factory in (learners or {}).items()]
    options = (tier, only, jobs, timeout, force, progress, own, measures)
    if measures:
        overrides = {"trace.predictions": True, **(overrides or {})}
    if not isinstance(spec, dict):
        path = pathlib.Path(spec)
        settings = _settings(overrides)
        if own:
            # Added like --set, so that these results have a separate folder.
            settings += _entries(own, tomllib.loads(path.read_text(encoding="utf-8")))
        return _run_file(path, settings, out or _native.default_folder(tier, settings), *options)
    import tomli_w

    _entries(own, spec)
    entries = {learner.name: {"learner": learner.name} for learner in own}
    spec = {**spec, "learners": {**spec.get("learners", {}), **entries}} if own else spec
    with tempfile.TemporaryDirectory(prefix="okbench-") as place:
        path = pathlib.Path(place) / "spec.toml"
        try:
            path.write_text(tomli_w.dumps(spec), encoding="utf-8")
        except TypeError as error:
            raise ValueError(f"the spec has a value that TOML cannot represent: {error}") from None
        frame = _run_file(path, _settings(overrides), out or f"{place}/results", *options)
        for trace in frame["trace"]:
            if trace is not None:
                trace.read()  # before the folder is deleted
        return frame


def _entries(own, spec):
    """Settings that add user-defined learners to a spec. Raises ValueError if the spec has an entry of that name."""
    for learner in own:
        if learner.name in spec.get("learners", {}):
            raise ValueError(f"learners: the spec already has an entry '{learner.name}'; choose another name")
    return [f'learners.{learner.name}.learner="{learner.name}"' for learner in own]


def _run_file(path, settings, out, tier, only, jobs, timeout, force, progress, own, measures):
    notebook = "ipykernel" in sys.modules
    with _Bar(notebook and progress) as bar:
        status = _native.run(
            [str(path)],
            tier,
            settings,
            str(out),
            only,
            jobs,
            timeout,
            force,
            notebook or not progress,
            bar.update,
            own,
        )
    if status == INTERRUPTED:
        raise KeyboardInterrupt("stopped; the same call resumes the run")
    return load(pathlib.Path(out) / _experiment(path), measures)


def _experiment(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))["experiment"]


def _settings(overrides):
    """Overrides in the form KEY=VALUE of --set."""
    return [f"{key}={_toml(value)}" for key, value in (overrides or {}).items()]


def _toml(value):
    import tomli_w

    return tomli_w.dumps({"x": value}).strip().removeprefix("x = ") if not isinstance(value, str) else value


class _Bar:
    """Progress bar for notebooks, which do not show what the compiled module prints."""

    def __init__(self, shown):
        self.bar = None
        if shown:
            from tqdm.auto import tqdm

            self.bar = tqdm(unit="trial")

    def update(self, over, trials, line):
        if self.bar is not None:
            self.bar.total = trials
            self.bar.set_postfix_str(line.split(":")[0])
            self.bar.update(over - self.bar.n)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()


def load_data(name, part="train", positive=(), scale=None, unit_norm=False, synthetic=False, rows=0, dtype="float32"):
    """Rows and labels (X, y) of a data set of the catalog (`okbench help datasets`), prepared as for learners.

    X: array or SciPy CSR matrix, shape (rows, features). y: shape (rows,): -1 and 1, class numbers from 0, or targets.

    part: "train", "test" or "all" (train followed by test).
    positive: classes that become 1; all others become -1.
    scale: (low, high), the range to which the catalog's range of values is mapped.
    unit_norm: divide each row by its Euclidean norm, after `scale`.
    synthetic: use the synthetic fallback even if the data are available.
    rows: number of rows of generated data; 0: the data set's default.
    dtype: "float32" or "float64".

    Raises ValueError if the data are not available.
    """
    if dtype not in ("float32", "float64"):
        raise ValueError(f"dtype must be 'float32' or 'float64', not {dtype!r}")
    X, y = _native.data(name, part, list(positive), scale, unit_norm, synthetic, rows, dtype == "float64")
    return python_rows(X), y
