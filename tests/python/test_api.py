"""The program's verbs as functions: okbench.run, okbench.plot, okbench.data."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from scipy import sparse

import okbench

SPEC = {
    "format": 2,
    "experiment": "mine/first",
    "repetitions": 2,
    "data": {
        "name": "usps",
        "positive": [0, 1, 2, 3, 4],
        "synthetic": True,
        "synthetic_rows": 300,
        "order": "permutation",
    },
    "kernel": {"name": "rbf", "sigma": 8},
    "learners": {"svmd": {"learner": "svmd", "c": 1.0, "nu": 0.05, "margin": 0.1}},
}


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """No data but what is generated, and a working folder of its own."""
    monkeypatch.setenv("OKBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OKBENCH_MIRROR", raising=False)
    monkeypatch.chdir(tmp_path)


def test_a_dict_is_a_spec(okbench_program_digests, tmp_path):
    frame = okbench.run(SPEC, progress=False)
    assert list(frame["seed"]) == [0, 1] and set(frame["status"]) == {"ok"}
    assert not list(tmp_path.glob("results"))
    assert list(frame["digest"]) == okbench_program_digests
    assert len(frame["trace"][0].frame()) == 300


@pytest.fixture
def okbench_program_digests(okbench, tmp_path):
    """What the command line makes of the same spec."""
    import tomli_w

    path = tmp_path / "spec.toml"
    path.write_text(tomli_w.dumps(SPEC))
    okbench("run", path, "--out", tmp_path / "program", "--quiet", check=0)
    from okbench import load

    return list(load(tmp_path / "program")["digest"])


def test_overrides_and_results_in_a_folder(tmp_path):
    frame = okbench.run(SPEC, overrides={"data.max_examples": 50, "repetitions": 1}, out=tmp_path / "r", progress=False)
    assert list(frame["examples"]) == [50]
    assert list((tmp_path / "r").rglob("*.h5"))
    again = okbench.run(SPEC, overrides={"data.max_examples": 50, "repetitions": 1}, out=tmp_path / "r", progress=False)
    assert list(again["digest"]) == list(frame["digest"]) and list(again["seconds"]) == list(frame["seconds"])


def test_a_file_has_the_folders_of_the_program(tmp_path):
    import tomli_w

    path = tmp_path / "spec.toml"
    path.write_text(tomli_w.dumps(SPEC))
    assert len(okbench.run(path, only="*/r0", progress=False)) == 2  # one has not been run
    assert list(tmp_path.glob("results/default/mine/first/*.h5"))
    okbench.run(path, overrides={"data.max_examples": 50}, progress=False)
    assert list(tmp_path.glob("results/default-set-*/mine/first/*.h5"))


def test_a_failing_trial_has_a_row():
    spec = {**SPEC, "learners": {"wild": {"learner": "norma", "loss": "logistic", "eta0": 1e12, "c": 10.0}}}
    frame = okbench.run({**spec, "kernel": {"name": "polynomial", "degree": 60, "scale": 1e6}}, progress=False)
    assert len(frame) == 2 and all("diverged" in status for status in frame["status"])


@pytest.mark.parametrize(
    "change, text",
    [
        ({"data": {**SPEC["data"], "nam": 1}}, "nam"),
        ({"format": 3}, "format"),
        ({"learners": {"x": {"learner": "svmf"}}}, "did you mean svmd"),
        ({"title": object()}, "TOML"),
    ],
)
def test_bad_specs_are_value_errors_of_one_line(change, text):
    with pytest.raises(ValueError, match=text) as output:
        okbench.run({**SPEC, **change}, progress=False)
    assert "\n" not in str(output.value)


def test_ctrl_c_stops_a_run_and_python_gets_its_handler_back(tmp_path):
    script = tmp_path / "long.py"
    spec = {**SPEC, "repetitions": 50, "data": {**SPEC["data"], "synthetic_rows": 20000}}
    script.write_text(
        "import json, signal, sys, okbench\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "before = signal.getsignal(signal.SIGINT)\n"
        f"spec = json.loads({json.dumps(json.dumps(spec))})\n"
        "print('go', flush=True)\n"
        "try:\n"
        "    okbench.run(spec, out='r', progress=False)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', signal.getsignal(signal.SIGINT) is before)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment, cwd=tmp_path
    )
    assert process.stdout.readline() == "go\n"
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob("r/**/plan.json")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == "stopped True\n"


def test_plot_is_a_figure(tmp_path):
    okbench.run(SPEC, out=tmp_path / "r", progress=False)
    figure = okbench.plot(tmp_path / "r", y="error", log="x")
    (axes,) = figure.axes
    assert axes.get_xlabel() and axes.get_ylabel() and axes.get_xscale() == "log"
    with pytest.raises(okbench.errors.ClaimError, match="no such spec or folder"):
        okbench.plot(tmp_path / "nowhere")


def test_data_are_rows_as_learners_see_them():
    X, y = okbench.load_data("usps", positive=[0, 1, 2, 3, 4], synthetic=True, rows=50)
    assert X.shape == (50, 256) and X.dtype == np.float32 and set(y) == {-1, 1}
    X, y = okbench.load_data("a8a", synthetic=True, rows=40, dtype="float64")
    assert (X.toarray() if sparse.issparse(X) else X).dtype == np.float64
    X, y = okbench.load_data("waves-gaussian", rows=30)
    assert X.shape == (30, 1) and y.dtype == np.float64
    for arguments, text in [
        (("usp",), "usps"),
        (("usps", "tset"), "no part 'tset'"),
        (("margin", "train", (), None, False, False, 0, "int"), "dtype"),
    ]:
        with pytest.raises(ValueError, match=text):
            okbench.load_data(*arguments)


def test_public_names_are_listed_and_others_are_errors():
    names = dir(okbench)
    assert {"load", "run", "plot", "load_data", "claims", "to_xarray", "SVMD", "NORMARegressor"} <= set(names)
    with pytest.raises(AttributeError, match="SVMF"):
        okbench.SVMF


def test_a_missing_optional_package_is_named_with_its_remedy():
    # In a new process, where nothing has imported matplotlib.
    code = "import sys; sys.modules['matplotlib'] = None; import okbench; okbench.plot('r')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: okbench.plot needs matplotlib: pip install 'okbench[plots]'" in done.stderr
