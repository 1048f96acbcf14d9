"""Shared by the whole-program tests: the binary, a private environment, and result folders."""

import atexit
import fcntl
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import pytest

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("python", "plots", "workflow")]
os.environ["PYTHONPATH"] = str(ROOT / "python")  # of the programs that tests start

# Variables that choose what the tests test. The suite sees no other settings or caches of the user.
CHOICES = ("OKBENCH_BINARY", "OKBENCH_PYTHON", "OKBENCH_OTHER_PYTHON", "OKBENCH_FAULTS", "OKBENCH_FUZZ")
CHOICES += ("OKBENCH_FUZZ_TRACES", "OKBENCH_TEST_MIRROR", "OKBENCH_CONTAINER", "OKBENCH_WHEEL", "OKBENCH_WERROR")


def forget_user():
    """Removes the user's settings of okbench and Slurm, and sets an empty cache and configuration for this run."""
    if "OKBENCH_MIRROR" in os.environ:
        os.environ["OKBENCH_TEST_MIRROR"] = os.environ["OKBENCH_MIRROR"]  # for tests of the data that it has
    for name in [*os.environ]:
        if name.startswith(("OKBENCH_", "SLURM_")) and name not in CHOICES:
            del os.environ[name]
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # workers inherit the folders
    os.environ.setdefault("CCACHE_DIR", str(pathlib.Path.home() / ".cache" / "ccache"))
    folder = tempfile.mkdtemp(prefix="okbench-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
        os.environ[f"XDG_{kind}_HOME"] = str(pathlib.Path(folder, kind.lower()))


forget_user()
SMOKE = ROOT / "experiments" / "smoke" / "online-svm.toml"
QUICK = ("--tier", "quick", "--out", "r")


def tuned_spec(experiment, more=""):
    """Text of a small spec with a learner that is tuned: twice 2 trials, and 4 folds; `more` follows."""
    return f"""format = 2
experiment = "{experiment}"
repetitions = 2
[data]
name = "a8a"
synthetic_rows = 300
order = "uniform"
batch = 0.1
test = "test"
[kernel]
name = "rbf"
gamma = 0.05
[cross_validation]
folds = 2
[learners.plain]
learner = "sfd"
[learners.tuned]
learner = "pegasos"
[learners.tuned.tune]
lambda = [0.001, 0.01]
{more}"""


def boxes_spec(data, boxes="", more=""):
    """Text of a spec that learns boxes of a set of images; `boxes` of [data.boxes], `more` tables follow."""
    return f"""
format = 2
experiment = "own/boxes"
title = "own images"
[data]
name = "{data}"
part = "train"
order = "file"
batch = 2
test = "test"
[data.boxes]
stride = 12
{boxes}[kernel]
name = "linear"
{more}[learners.sfd]
learner = "structural-sfd"
schedule = "c/k"
schedule_c = 0.1
solver = "cutting-planes"
"""


TOY = """format = 2
experiment = "test/toy"
[data]
name = "toy"
test = "test"
[kernel]
name = "rbf"
gamma = 1
[learners.svmd]
learner = "svmd"
loss = "hinge"
"""


def snakemake(settings):
    """Starts the workflow for the spec s.toml in the current folder, without figures, which exist only for the
    project's specs."""
    pytest.importorskip("snakemake")
    names = ("tier", "results", "binary", "job_minutes", "job_cores")
    config = [f"{name}={'' if settings[name] is None else settings[name]}" for name in names]
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "results",
        "--snakefile",
        ROOT / "workflow" / "Snakefile",
        "--cores",
        "2",
        "--profile",
        ROOT / "workflow" / "profiles" / "local",
        "--config",
        *config,
        "specs=s.toml",
        f"python={sys.executable}",
        "report=r/index.html",
    ]
    environment = {**os.environ, "XDG_CACHE_HOME": str(pathlib.Path.cwd() / "snakemake-cache")}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, start_new_session=True
    )


def put(file, name, text):
    """Replaces a text attribute. An in-place change would cut off the last character of the text."""
    del file.attrs[name]
    file.attrs.create(name, np.bytes_(text))


def reseal(path, change):
    """Applies `change` to an open trace file, then recomputes its digests of content, provenance and bytes."""
    text = "utf-8"
    with h5py.File(path, "r+") as file:
        change(file)
        parts = [file.attrs[name].decode(text) for name in ("spec", "summary", "trial_id", "trace_digest")]
        digest = hashlib.sha256("\n".join(parts).encode(text)).hexdigest()
        put(file, "content_digest", digest)
        if "provenance_digest" in file.attrs:
            put(file, "provenance_digest", hashlib.sha256(file.attrs["provenance"]).hexdigest())
    image = path.read_bytes()[512:]
    path.write_bytes(
        (b"okbench-trace 2\n" + hashlib.sha256(image).hexdigest().encode() + b"\n").ljust(512, b"\0") + image
    )


# Folders and files with the marker `slow`: `make slow-test` runs them, `make test` leaves them out.
SLOW = ("workflow", "report", "plots", "install", "faults", "docs/test_site.py", "program/test_leaderboard.py")
SLOW += ("program/test_league_file.py", "program/test_plugins.py")
# The slowest files. They start first, so that no worker runs one alone at the end.
LONG = ("test_slurm", "test_leaderboard", "test_report_layout", "test_site", "test_league_file", "test_plots")
LONG += ("test_default_scores", "test_documents", "test_check", "test_estimator_resources", "test_commands")


def pytest_make_parametrize_id(val, argname):
    """Names bytes by argument and number. A gzip contains its time, so workers would give a test different names, and
    pytest-xdist would stop."""
    return argname if isinstance(val, bytes) else None


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes long; make slow-test runs it")
    config.option.loadscopereorder = False  # newer pytest-xdist starts the files with most tests, not those of LONG


def pytest_collection_modifyitems(items):
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))
    for item in items:
        if item.path.is_relative_to(TESTS) and item.path.relative_to(TESTS).as_posix().startswith(SLOW):
            item.add_marker("slow")


def once(tmp_path_factory, name, make):
    """The folder that `make` fills, once for all workers of a run."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    done = base / f"{name}.done"
    with open(base / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(base / name, ignore_errors=True)
            make(base / name)
            done.touch()
    return base / name


@pytest.fixture(scope="session")
def binary():
    path = os.environ.get("OKBENCH_BINARY", str(ROOT / "build" / "release" / "okbench"))
    if not os.path.exists(path):
        pytest.fail(f"{path} is not built; run make test")
    return path


@pytest.fixture(scope="session")
def sanitized(binary):
    """Whether the program was built with sanitizers: slower, and with an allocator of its own."""
    return b"__asan_init" in pathlib.Path(binary).read_bytes()


class Faults:
    """The library of tests/faults/faults.c, which makes calls of the system fail."""

    CALLS = ("read", "write", "pwrite", "fsync", "close", "rename", "open", "mkdir", "unlink", "flock")
    CALLS += ("fork", "thread")

    def __init__(self, folder):
        self.library = folder / "faults.so"
        source = ROOT / "tests" / "faults" / "faults.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, source], check=True)

    def environment(self, counters, **how):
        """Variables that make a program count its system calls in the file `counters` and let some of them fail.

        `how`: call, at, run, errno and below, as described in faults.c.
        """
        counters.write_bytes(bytes(8 * len(self.CALLS)))
        variables = {f"FAULT_{name.upper()}": str(value) for name, value in how.items()}
        return {"LD_PRELOAD": str(self.library), "FAULT_COUNTERS": str(counters), **variables}

    def counted(self, counters):
        """How many calls there were of each name, with those of child processes."""
        return dict(zip(self.CALLS, np.fromfile(counters, dtype=np.int64).tolist()))


@pytest.fixture(scope="session")
def faults(sanitized, tmp_path_factory):
    """Built with the system's compiler."""
    if sanitized:
        pytest.skip("the sanitizer has an allocator of its own")
    return Faults(tmp_path_factory.mktemp("faults"))


def run_all(binary, folder, *options):
    """The quick tier of all specs on generated data, into folder/r."""
    specs = sorted(path for path in (ROOT / "experiments").glob("*/*.toml") if path.name != "claims.toml")
    subprocess.run(
        [binary, "run", *specs, "--tier", "quick", "--quiet", "--out", folder / "r", *options],
        check=True,
        env={"OKBENCH_CACHE": str(folder.parent / "words"), "PATH": "/usr/bin:/bin"},  # visual words are made once
    )


class MinimalResults:
    """Results of all specs on generated data. Their traces record as few steps as possible."""

    OVERRIDES = ("trace.record_all_until=1", "trace.per_decade=1", "trace.checkpoints=1")

    def __init__(self, folder):
        self.folder = folder / "r"

    @classmethod
    def make(cls, binary, folder):
        run_all(binary, folder, *(word for override in cls.OVERRIDES for word in ("--set", override)))

    def as_default_tier(self, copy):
        """A copy whose plans name the default tier, no overrides and no spec file."""
        shutil.copytree(self.folder, copy)
        for path in copy.glob("*/*/plan.json"):
            plan = json.loads(path.read_text())
            path.write_text(json.dumps({**plan, "tier": "default", "overrides": [], "spec": ""}))
        return copy


@pytest.fixture(scope="session")
def minimal_results(binary, tmp_path_factory):
    return MinimalResults(once(tmp_path_factory, "minimal_results", lambda folder: MinimalResults.make(binary, folder)))


@pytest.fixture
def environment(tmp_path):
    """No mirror, an empty cache: only synthetic fallbacks run unless a test says otherwise."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("OKBENCH_", "SLURM_"))}
    env["OKBENCH_CACHE"] = str(tmp_path / "cache")
    env["OKBENCH_PYTHON"] = os.environ.get("OKBENCH_PYTHON", "/usr/bin/python3")
    return env


@pytest.fixture
def okbench(binary, environment, tmp_path):
    """Runs the program; returns the finished process."""

    def run(*arguments, env=None, check=None, cwd=tmp_path):
        done = subprocess.run(
            [binary, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=900,
            cwd=cwd,
            env={**environment, **(env or {})},
        )
        if check is not None:
            assert done.returncode == check, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def summary(okbench):
    """Rows of `okbench summary --json`."""

    def rows(path, check=0):
        content = json.loads(okbench("summary", path, "--json", check=check).stdout)
        assert content["format"] == 1
        return content["trials"]

    return rows


@pytest.fixture
def toy(tmp_path):
    """Makes a user's data set with catalog, mirror and spec. make(...) returns the environment that selects it.

    train, test: LIBSVM text. sha: digest for the catalog; None: the right one. pack: transforms the gzip files.
    """

    def make(train="1 1:1\n-1 2:1\n", test="1 1:0.5\n", sha=None, pack=lambda b: b):
        lines = [
            "[toy]",
            "title='toy'",
            "format='libsvm'",
            "features=2",
            "range=[0.0,1.0]",
            "labels=['-1','1']",
            "kind='binary'",
            "terms='none'",
            "synthetic={generator='clusters'}",
        ]
        for part, text in (("train", train), ("test", test)):
            path = tmp_path / "mirror" / f"toy.{part}.gz"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(pack(gzip.compress(text.encode())))
            digest = hashlib.sha256(text.encode()).hexdigest() if sha is None else sha
            lines += [
                f"[toy.{part}]",
                f"rows={len(text.splitlines())}",
                f"files=[{{name='toy.{part}.gz', sha256='{digest}'}}]",
            ]
        (tmp_path / "catalog.toml").write_text("\n".join(lines))
        (tmp_path / "toy.toml").write_text(TOY)
        return {"OKBENCH_CATALOG": str(tmp_path / "catalog.toml"), "OKBENCH_MIRROR": str(tmp_path / "mirror")}

    return make


@pytest.fixture
def fault_runner(binary, environment, faults, toy, tmp_path):
    """A small experiment and what runs verbs on it while calls fail (tests/faults/verbs.py)."""
    import verbs

    return verbs.FaultRunner(binary, environment, faults, toy, tmp_path)


def make_page(binary, folder):
    """folder/index.html over all results."""
    run_all(binary, folder)
    arguments = ["--experiments", ROOT / "experiments", "--results", folder / "r", "--out", folder / "index.html"]
    done = subprocess.run(
        [sys.executable, "-m", "okbench", "report", *arguments],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}/python", "PATH": "/usr/bin:/bin", "HOME": "/tmp"},
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def page(binary, tmp_path_factory):
    """The page over a quick run of all specs on generated data."""
    return once(tmp_path_factory, "page", lambda folder: make_page(binary, folder)) / "index.html"


@pytest.fixture(scope="session")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1300,1000",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=webdriver.chrome.service.Service("/usr/bin/chromedriver"), options=options)
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, page):
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.get(page.as_uri())
    return browser
