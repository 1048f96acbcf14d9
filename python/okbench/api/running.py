"""okbench.run: the verb `run` in this process. okbench.load_data: rows of data sets."""

import pathlib
import sys
import tempfile
import tomllib

from .. import _native
from ..frames import load
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
):
    """Runs every trial of a spec that has no valid result, and returns the results as `okbench.load` does.

    `spec`: a file, or a dict with the same keys (docs/spec-format.md). `overrides`: {"data.limit": 100}, as --set.
    `out`: the result folder; default: the program's, of a dict a temporary one, whose traces are in the data frame.
    `only`: a glob over trial names. `jobs`: trials side by side, 0: one per core. `timeout`: seconds of learning of a
    trial. A trial that fails has its row, with a `status`. `learners`: {"mine": Mine} adds an entry `mine` to the spec;
    the class, or function, is called once a trial, with the counted `kernel` where it takes one, and what it makes has
    `decision_function(X)` and `partial_fit(X, y)` (docs/python.md). Raises ValueError for a bad spec, KeyboardInterrupt
    after Ctrl-C: what was finished is kept, and the same call goes on.
    """
    own = [PythonLearner(name, factory) for name, factory in (learners or {}).items()]
    options = (tier, only, jobs, timeout, force, progress, own)
    if not isinstance(spec, dict):
        path = pathlib.Path(spec)
        settings = _settings(overrides)
        if own:
            # As --set would add them: results have a folder of their own.
            settings += _entries(own, tomllib.loads(path.read_text(encoding="utf-8")))
        return _run_file(path, settings, out or _native.default_folder(tier, settings), *options)
    import tomli_w

    _entries(own, spec)
    entries = {one.name: {"learner": one.name} for one in own}
    spec = {**spec, "learners": {**spec.get("learners", {}), **entries}} if own else spec
    with tempfile.TemporaryDirectory(prefix="okbench-") as place:
        path = pathlib.Path(place) / "spec.toml"
        try:
            path.write_text(tomli_w.dumps(spec), encoding="utf-8")
        except TypeError as error:
            raise ValueError(f"the spec has a value that TOML does not have: {error}") from None
        return _run_file(path, _settings(overrides), out or f"{place}/results", *options)


def _entries(own, spec):
    """Settings that add learners to a spec, which must have none of their keys."""
    for one in own:
        if one.name in spec.get("learners", {}):
            raise ValueError(f"learners: the spec has an entry '{one.name}' already; give yours another name")
    return [f'learners.{one.name}.learner="{one.name}"' for one in own]


def _run_file(path, settings, out, tier, only, jobs, timeout, force, progress, own):
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
        raise KeyboardInterrupt("stopped; the same call goes on")
    return load(pathlib.Path(out) / _experiment(path))


def _experiment(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))["experiment"]


def _settings(overrides):
    """As --set has them."""
    return [f"{key}={_toml(value)}" for key, value in (overrides or {}).items()]


def _toml(value):
    import tomli_w

    return tomli_w.dumps({"x": value}).strip().removeprefix("x = ") if not isinstance(value, str) else value


class _Bar:
    """Progress in a notebook, where nothing that the module prints is seen."""

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
    """Rows and labels of a data set of the catalogue (`okbench list datasets`), as learners see them: (X, y).

    X is an array, or a SciPy CSR matrix; y has -1 and 1, class numbers from 0 on, or real targets. `positive`: classes
    that become 1, the others -1. `scale`: (low, high), where the catalogue's range goes. `rows`: of generated data.
    Raises ValueError where the data cannot be had.
    """
    if dtype not in ("float32", "float64"):
        raise ValueError(f"dtype must be 'float32' or 'float64', not {dtype!r}")
    X, y = _native.data(name, part, list(positive), scale, unit_norm, synthetic, rows, dtype == "float64")
    return python_rows(X), y
