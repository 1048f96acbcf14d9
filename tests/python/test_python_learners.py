"""okbench.run(spec, learners={...}): learners that are Python objects, and the counted kernel that they are handed."""

import functools
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from scipy import sparse

import okbench
from okbench.api.identity import source_of

SPEC = {
    "format": 2,
    "experiment": "mine/own",
    "data": {"name": "usps", "positive": [0, 1, 2, 3, 4], "synthetic": True, "synthetic_rows": 200, "order": "file"},
    "kernel": {"name": "rbf", "sigma": 8},
    "learners": {"perceptron": {"learner": "perceptron"}},
}
SPARSE = {
    **SPEC,
    "data": {"name": "a8a", "synthetic": True, "synthetic_rows": 200, "order": "permutation", "test": "test"},
    "kernel": {"name": "rbf", "gamma": 0.05},
}


def stacked(parts):
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.vstack(parts)


class Perceptron:
    """The kernel perceptron; as the program's, it asks for k(x, x) of what it takes in."""

    def __init__(self, kernel):
        self.kernel, self.rows, self.labels, self.f = kernel, [], [], 0.0

    def decision_function(self, X):
        if not self.rows:
            return np.zeros(X.shape[0])
        f = self.kernel(X, stacked(self.rows)).astype(float) @ np.array(self.labels, dtype=float)
        if X.shape[0] == 1:
            self.f = f[0]
        return f

    def partial_fit(self, X, y):
        if y[0] * self.f <= 0:
            self.kernel(X, X)
            self.rows.append(X)
            self.labels.append(y[0])

    @property
    def support_vectors(self):
        return len(self.rows)


class Constant:
    """Learns nothing."""

    def decision_function(self, X):
        return np.ones(len(X))

    def partial_fit(self, X, y):
        pass


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """No data but what is generated, and a working folder of its own."""
    monkeypatch.setenv("OKBENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OKBENCH_MIRROR", raising=False)
    monkeypatch.chdir(tmp_path)


def run(learner, spec=SPEC, **options):
    """The rows of a run with this learner, by their entries in the spec."""
    frame = okbench.run(spec, learners={"mine": learner}, progress=False, **options)
    return {row["learner"]: row for _, row in frame.iterrows()}


@pytest.mark.parametrize("spec", [SPEC, SPARSE, {**SPARSE, "precision": "float64"}])
def test_a_perceptron_is_the_programs(spec):
    rows = run(Perceptron, spec)
    mine, theirs = rows["mine"], rows["perceptron"]
    for name in ("error_rate", "requested", "support_vectors"):
        assert mine[name] == theirs[name] > 0, name
    assert mine["trace"]["mistakes"].tolist() == theirs["trace"]["mistakes"].tolist()
    assert mine["trace"]["kernel_requested"].tolist() == theirs["trace"]["kernel_requested"].tolist()
    assert mine["computed"] == mine["requested"]
    if "test" in spec["data"]:
        assert mine["test_error"] == theirs["test_error"] and mine["evaluation"] == theirs["evaluation"] > 0
    assert mine["counted"] == "handed kernel" and mine["trace"].summary["counted"] == "handed kernel"
    assert "counted" not in theirs["trace"].summary and mine["trace"].provenance["counted"] == "examples shown"
    code = mine["trace"].provenance["learner_code"]
    assert code["kind"] == "python" and code["name"].endswith("test_python_learners.Perceptron")
    assert mine["trace"].spec["code"] == {"kind": "python", "sha256": code["sha256"]}


def test_losses_are_hinge_losses():
    trace = run(Constant)["mine"]["trace"]
    X, y = okbench.load_data("usps", positive=[0, 1, 2, 3, 4], synthetic=True, rows=200)
    assert trace["loss"].tolist() == [0.0 if label == 1 else 2.0 for label in y]
    assert trace["mistakes"][-1] == trace["margin_errors"][-1] == sum(y == -1)
    assert trace["kernel_requested"][-1] == 0 and trace["support_vectors"][-1] == 0


def test_each_value_is_counted_once_a_call():
    """By hand: 4 * 6 values in the constructor, 1 + 2 per step, and 1 per 256 test rows at each of 2 checkpoints."""
    seen = {}

    class Counting(Constant):
        def __init__(self, kernel):
            self.kernel = kernel
            A, B = np.arange(6.0).reshape(3, 2), np.ones((2, 2))
            values = kernel(A, B)
            expected = np.exp(-0.05 * ((A[:, None, :] - B[None, :, :]) ** 2).sum(2))
            seen["values"] = values.dtype == np.float32 and np.allclose(values, expected, rtol=1e-5)
            compressed = kernel(sparse.csr_matrix(A), sparse.csr_matrix(B))
            seen["compressed"] = np.array_equal(values, compressed)
            seen["turned"] = np.array_equal(kernel(B, A), values.T)
            seen["mixed"] = np.array_equal(kernel(A, sparse.csr_matrix(B)), values)
            seen["none"] = kernel(A, np.empty((0, 2))).shape == (3, 0)

        def decision_function(self, X):
            self.kernel(X[:1], X[:1])
            return np.ones(X.shape[0])

        def partial_fit(self, X, y):
            self.kernel(sparse.vstack([X, X]), X)

    row = run(Counting, {**SPARSE, "trace": {"checkpoints": 2}}, jobs=1)["mine"]
    assert seen == dict.fromkeys(("values", "compressed", "turned", "mixed", "none"), True)
    assert row["requested"] == row["computed"] == 4 * 6 + 200 * (1 + 2)
    tests = okbench.load_data("a8a", "test", synthetic=True, rows=200)[0].shape[0]
    assert row["evaluation"] == 2 * -(-tests // 256)


def test_several_classes_and_scikit_learn():
    from sklearn.linear_model import SGDClassifier

    several = {**SPEC, "data": {key: value for key, value in SPEC["data"].items() if key != "positive"}, "learners": {}}
    factory = functools.partial(SGDClassifier, random_state=0)
    row = run(factory, several)["mine"]
    assert row["status"] == "ok" and 0 < row["error_rate"] < 0.9
    model, mistakes, losses = SGDClassifier(random_state=0), 0, []
    X, y = okbench.load_data("usps", synthetic=True, rows=200)
    for i in range(len(X)):
        f = model.decision_function(X[i : i + 1])[0] if i else np.zeros(10)
        mistakes += np.argmax(f) != y[i]
        losses.append(max(0, 1 + np.delete(f, y[i]).max() - f[y[i]]))
        model.partial_fit(X[i : i + 1], y[i : i + 1], classes=range(10))
    assert row["trace"]["mistakes"][-1] == mistakes and np.allclose(row["trace"]["loss"], losses)
    assert run(factory)["mine"]["error_rate"] < 0.5  # two classes


def module_with(folder, text):
    path = folder / "theirs.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("theirs", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["theirs"] = module
    spec.loader.exec_module(module)
    return module


LEARNER = """
class Base:
    def decision_function(self, X):
        return [1.0]
class Mine(Base):
    def partial_fit(self, X, y):
        pass
"""


def test_other_code_is_another_trial(tmp_path):
    def trial(text):
        import linecache

        linecache.clearcache()
        return run(module_with(tmp_path, text).Mine)["mine"]["id"]

    first = trial(LEARNER)
    assert trial(LEARNER) == first
    others = {trial(LEARNER.replace("pass", "return")), trial(LEARNER.replace("[1.0]", "[2.0]"))}
    assert len(others | {first}) == 3
    ids = run(Constant), run(Perceptron)
    assert ids[0]["perceptron"]["id"] == ids[1]["perceptron"]["id"] and ids[0]["mine"]["id"] != ids[1]["mine"]["id"]


def test_a_learner_joins_a_spec_file_and_resumes_results(tmp_path):
    import tomli_w

    path = tmp_path / "spec.toml"
    path.write_text(tomli_w.dumps(SPEC))
    assert set(run(Constant, path)) == {"mine", "perceptron"}
    (folder,) = tmp_path.glob("results/default-set-*")  # never where claims look for the spec's own
    stamps = {file: file.stat().st_mtime_ns for file in folder.rglob("*.h5")}
    run(Constant, path)
    assert stamps == {file: file.stat().st_mtime_ns for file in folder.rglob("*.h5")} and len(stamps) == 2
    okbench.run(path, progress=False)
    assert len(list(tmp_path.glob("results/default/**/*.h5"))) == 1


def failing(where, error):
    class Failing(Constant):
        version = "1"

        def __init__(self):
            if where == "init":
                raise error

        def decision_function(self, X):
            if where == "decision_function":
                raise error
            return error if where == "score" else super().decision_function(X)

        def partial_fit(self, X, y):
            if where == "partial_fit":
                raise error

    return Failing


@pytest.mark.parametrize(
    "learner, text",
    [
        (failing("init", OSError("no\nluck")), "OSError in the constructor: no luck"),
        (failing("partial_fit", ValueError("odd")), "ValueError in partial_fit at step 1: odd"),
        (failing("decision_function", RuntimeError()), "RuntimeError in decision_function at step 1"),
        (failing("partial_fit", KeyboardInterrupt()), "KeyboardInterrupt in partial_fit at step 1"),
        (failing("score", np.ones(3)), "scores have the shape (3,), not (1, 1)"),
        (failing("score", "much"), "ValueError in decision_function at step 1"),
        (object, "object has neither partial_fit and predict, nor learn_one and predict_one, nor decision_function"),
        (type("Odd", (Constant,), {"support_vectors": "many", "version": "1"}), "TypeError in support_vectors"),
        (
            type(
                "Wide",
                (Perceptron,),
                {"partial_fit": lambda self, X, y: self.kernel(X, np.ones((1, 3))), "version": "1"},
            ),
            "256",
        ),
    ],
)
def test_an_error_fails_its_trial_only(learner, text, tmp_path):
    rows = run(learner, out=tmp_path / "r")
    assert rows["perceptron"]["status"] == "ok" and "learner" in rows["mine"]["status"]
    (record,) = (tmp_path / "r").rglob("*.failed.json")
    content = json.loads(record.read_text())
    assert content["kind"] == "learner" and text in content["message"] and "\n" not in content["message"]


def test_scores_that_are_not_finite_are_a_divergence():
    assert "diverged" in run(failing("score", [np.nan]))["mine"]["status"]


@pytest.mark.parametrize(
    "learners, text",
    [
        ({"perceptron": Constant}, "already has an entry 'perceptron'"),
        ({"svmd": Constant}, "learner 'svmd' already exists, in the program"),
        ({"a b": Constant}, "invalid name 'a b'"),
        ({"mine": Constant()}, "must be a class, or a function"),
    ],
)
def test_bad_requests_are_value_errors_of_one_line(learners, text):
    with pytest.raises(ValueError, match=text) as output:
        okbench.run(SPEC, learners=learners, progress=False)
    assert "\n" not in str(output.value)
    # Nothing of it stays.
    assert set(run(Constant)) == {"mine", "perceptron"}


def test_real_targets_are_refused():
    spec = {**SPEC, "data": {"name": "waves-gaussian", "synthetic_rows": 50, "order": "file"}, "learners": {}}
    with pytest.raises(ValueError, match="mine needs binary or multiclass labels"):
        run(Constant, spec)


def test_side_by_side_is_the_same(tmp_path):
    spec = {**SPARSE, "repetitions": 6}
    digests = []
    for jobs in (1, 3):
        frame = okbench.run(spec, learners={"mine": Perceptron, "too": Constant_of_any_rows}, jobs=jobs, progress=False)
        assert set(frame["status"]) == {"ok"} and len(frame) == 18
        digests.append(sorted(frame["digest"]))
    assert digests[0] == digests[1]


class Constant_of_any_rows(Constant):
    def decision_function(self, X):
        return np.ones(X.shape[0])


def test_two_runs_at_once_are_refused():
    began, over = threading.Event(), threading.Event()

    class Waiting(Constant):
        version = "1"

        def __init__(self):
            began.set()
            assert over.wait(60)

    thread = threading.Thread(target=run, args=(Waiting,))
    thread.start()
    try:
        assert began.wait(60)
        with pytest.raises(ValueError, match="another run is active"):
            run(Constant)
    finally:
        over.set()
        thread.join()
    assert run(Constant)["mine"]["status"] == "ok"


@pytest.mark.parametrize("slow", ["time.sleep(0.05)", "while True: pass"])
def test_ctrl_c_ends_it(tmp_path, slow):
    script = tmp_path / "long.py"
    script.write_text(
        "import json, signal, sys, time, numpy, okbench\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "before = signal.getsignal(signal.SIGINT)\n"
        "class Slow:\n"
        "    def decision_function(self, X): return [1.0]\n"
        "    def partial_fit(self, X, y):\n"
        "        print('go', flush=True)\n"
        f"        {slow}\n"
        f"spec = json.loads({json.dumps(json.dumps({**SPEC, 'learners': {}}))})\n"
        "try:\n"
        "    okbench.run(spec, learners={'mine': Slow}, out='r', progress=False, jobs=1)\n"
        "except KeyboardInterrupt as stop:\n"
        "    time.sleep(0.2)\n"
        "    print(stop, signal.getsignal(signal.SIGINT) is before)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    assert process.stdout.readline() == "go\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=30)
    assert out.splitlines()[-1] == "stopped; the same call resumes the run True", error
    assert "0 of 1 trials have results" in error and not list(tmp_path.glob("r/**/*.failed.json"))


def made_with(value, default=1):
    class Inner(Perceptron):
        def partial_fit(self, X, y, scale=default):
            if value is not None:
                super().partial_fit(X, y)

    return Inner


def identity(factory):
    return source_of(factory)[1]


def test_the_identity_covers_both_kinds_of_defaults():
    def factory(first=1, *, second=1):
        return Perceptron(None)

    digests = [identity(factory)]
    factory.__defaults__ = (2,)
    digests.append(identity(factory))
    factory.__kwdefaults__ = {"second": 2}
    assert len({*digests, identity(factory)}) == 3


def test_the_identity_covers_closures_defaults_and_arguments():
    values = [
        None,
        0,
        1,
        True,
        1.0,
        "1",
        (1,),
        [1],
        {1},
        {"a": 1},
        np.ones(2),
        np.ones(2, np.float32),
        Perceptron,
        made_with,
    ]
    digests = [identity(made_with(value)) for value in values]
    digests += [identity(made_with(0, 2)), identity(functools.partial(Perceptron, kernel=None)), identity(Perceptron)]
    digests += [identity(functools.partial(made_with(0), 1)), identity(functools.partial(made_with(0), 2))]
    assert len(set(digests)) == len(digests)
    assert [identity(made_with(value)) for value in values] == digests[: len(values)]
    assert identity(functools.partial(Perceptron, np.zeros(3))) == identity(functools.partial(Perceptron, np.zeros(3)))
    recursive = [1]
    recursive.append(recursive)
    assert identity(made_with(recursive)) == identity(made_with(recursive))


def test_unidentifiable_code_needs_a_version(tmp_path):
    learner_class = made_with(threading.Lock())
    with pytest.raises(ValueError, match='learners: mine: closure variable value of .* is a lock.*version = "1"'):
        okbench.run(SPEC, learners={"mine": learner_class}, out=tmp_path / "r")
    learner_class.version = "1"
    first = identity(learner_class)
    assert first == identity(learner_class)
    learner_class.version = "2"
    assert identity(learner_class) != first


def test_classes_without_source_are_identified_by_their_byte_code():
    def entered(body):
        built = {}
        exec(f"class Nowhere:\n    def partial_fit(self, X, y): {body}", built)
        return identity(built["Nowhere"])

    assert entered("return 1") == entered("return 1")
    rates = [type("Made", (Perceptron,), {"rate": rate}) for rate in (0.1, 0.2)]
    assert identity(rates[0]) != identity(rates[1])
    assert len({entered(body) for body in ("return 1", "return 2", "return X", "return y", "X.f()", "X.g()")}) == 6
