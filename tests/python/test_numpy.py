"""The compiled module under several versions of NumPy: equal bits, or a refusal."""

import hashlib
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The interpreter of another NumPy, for which the module was built, too: `make test-newest` sets it.
OTHER = os.environ.get("OKBENCH_OTHER_PYTHON", "")


def python(interpreter, *arguments, path=()):
    return subprocess.run(
        [interpreter, *arguments],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(map(str, (*path, ROOT / "python")))},
        capture_output=True,
        text=True,
    )


def results():
    """{name: SHA-256 of the bytes} of what estimators compute from rows that need no BLAS."""
    import okbench

    random = np.random.RandomState(0)
    X = random.randint(-8, 9, size=(600, 5)) / 8
    y = np.where(X[:, 0] * X[:, 1] > 0, "a", "b")
    models = {
        "NORMA": okbench.NORMA(gamma=1.0).fit(X, y),
        "LibLinear": okbench.LibLinear().fit(X, y),
        "LinearOnlineSVM": okbench.LinearOnlineSVM().fit(X, y),
        "KRLSRegressor": okbench.KRLSRegressor(gamma=1.0, standardize=False).fit(X, X[:, 2]),
    }
    digests = {}
    for name, model in models.items():
        parts = {"trace": model.trace_.filter(regex="^(?!.*seconds)").to_numpy(float), "predict": model.predict(X)}
        kernel = hasattr(model, "dual_coef_") and model.dual_coef_.size
        parts |= {"coef": model.dual_coef_ if kernel else model.coef_, "intercept": model.intercept_}
        for part, values in parts.items():
            values = np.ascontiguousarray(values.astype("U1") if values.dtype.kind in "OUT" else values)
            digests[f"{name} {part} {values.shape}"] = hashlib.sha256(values.tobytes()).hexdigest()
    return digests


@pytest.mark.skipif(not OTHER, reason="make test-newest sets OKBENCH_OTHER_PYTHON")
def test_two_versions_of_numpy_give_equal_bits():
    version = "import numpy; print(numpy.__version__)"
    assert python(OTHER, "-c", version).stdout.split(".")[0] != np.__version__.split(".")[0], "two major versions"
    other = python(OTHER, __file__)
    assert other.returncode == 0, other.stderr
    assert other.stdout.splitlines() == [f"{name} {digest}" for name, digest in results().items()]


def test_one_dimensional_arrays_have_all_their_values():
    """pybind11 before 2.12 gives NumPy 2 arrays whose values are all the first one."""
    import okbench

    X = np.array([[-2.0, 1], [-1, 0], [1, 0], [2, 1]])
    model = okbench.LibLinear().fit(X, [0, 0, 1, 1])
    steps = okbench.NORMA(gamma=1.0, epochs=2).fit(X, [0, 0, 1, 1]).trace_["step"]
    assert steps.tolist() == [*range(1, 9)]
    assert abs(model.coef_[0, 1]) < model.coef_[0, 0]


def test_a_numpy_that_is_too_new_is_refused(tmp_path):
    (tmp_path / "numpy.py").write_text('__version__ = "9.0.1"\n')
    done = python(sys.executable, "-c", "from okbench.native import module", path=[tmp_path])
    error = done.stderr.splitlines()[-1]
    assert done.returncode == 1 and error.startswith("ImportError: okbench's compiled module supports NumPy up to ")
    assert "but NumPy 9.0.1 is installed; build it with " in error


if __name__ == "__main__":
    print("\n".join(f"{name} {digest}" for name, digest in results().items()))
