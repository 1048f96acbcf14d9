"""Machines and habits: two runs at once, folders that vanish, clocks, locales, paths, limits, processors."""

import json
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import threading
import time

import pytest
from conftest import ROOT, SMOKE

from okbench.results import read_trace

TRIALS = 6
LONGEST = 3600  # bytes of a path; the system takes 4095
COMMA = "de_DE"


@pytest.fixture
def machine(binary, environment, tmp_path):
    """Runs the program on small specs, and the results that all runs must have."""
    return Machine(binary, environment, tmp_path)


class Machine:
    def __init__(self, binary, environment, folder):
        self.binary, self.environment, self.folder = binary, environment, folder
        self.expected = folder / "expected"
        assert self.run(self.expected).returncode == 0

    def __call__(self, *arguments, before=(), limits=(), **environment):
        def limit():
            for kind, value in limits:
                resource.setrlimit(kind, (value, value))

        return subprocess.run(
            [*before, self.binary, *map(str, arguments)],
            env={**self.environment, **environment},
            cwd=self.folder,
            capture_output=True,
            text=True,
            errors="replace",
            preexec_fn=limit,
            timeout=240,
        )

    def run(self, out, *arguments, spec=SMOKE, **how):
        return self("run", spec, "--tier", "quick", "--out", out, "--quiet", *arguments, **how)

    def check(self, out):
        """The results are whole, and those that are expected."""
        compared = self("compare", self.expected, out)
        assert compared.stdout == f"{TRIALS} traces agree bit for bit\n", compared
        assert not [path for path in pathlib.Path(out).rglob("*") if ".tmp-" in path.name]


@pytest.fixture
def clock(sanitized, tmp_path):
    if sanitized:
        pytest.skip("the sanitizer is loaded first")
    library = tmp_path / "jumping_clock.so"
    source = pathlib.Path(__file__).with_name("jumping_clock.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    return library


def test_a_rounding_mode_of_a_preloaded_library_changes_no_id(machine, okbench, sanitized, tmp_path):
    if sanitized:
        pytest.skip("the sanitizer is loaded first")
    library = tmp_path / "rounding_up.so"
    source = pathlib.Path(__file__).with_name("rounding_up.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    spec = ROOT / "experiments" / "svmd-2006" / "fig3.toml"
    plans = [okbench("plan", spec, "--json", env=env, check=0).stdout for env in ({}, {"LD_PRELOAD": str(library)})]
    ids = [[trial["id"] for trial in json.loads(plan)["trials"]] for plan in plans]
    assert ids[0] == ids[1]


def test_two_runs_in_one_folder(machine, tmp_path):
    done = []
    threads = [threading.Thread(target=lambda: done.append(machine.run(tmp_path / "r"))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(process.returncode, process.stderr) for process in done] == [(0, "")] * 2
    machine.check(tmp_path / "r")


def test_a_folder_that_is_removed_while_a_run_writes_to_it_ends_the_run(machine, tmp_path):
    specs = sorted((ROOT / "experiments" / "svmd-2006").glob("f*.toml"))
    program = subprocess.Popen(
        [machine.binary, "run", *specs, "--tier", "quick", "--out", tmp_path / "r", "-v", "--jobs", "1"],
        env=machine.environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    while program.poll() is None and not any((tmp_path / "r").rglob("*.h5")):
        time.sleep(0.005)
    os.rename(tmp_path / "r", tmp_path / "away")
    lines = program.communicate(timeout=240)[1].splitlines()
    assert program.returncode == 1
    assert lines[-1] == "okbench: the result folder was removed during the run; stopped", lines[-3:]
    assert sum("FAILED (write)" in line for line in lines) == 1
    assert not (tmp_path / "r").exists()


def test_a_clock_that_jumps(machine, clock, tmp_path):
    assert machine.run(tmp_path / "r", LD_PRELOAD=str(clock)).returncode == 0
    assert machine("summary", tmp_path / "r", LD_PRELOAD=str(clock)).returncode == 0
    machine.check(tmp_path / "r")


@pytest.fixture(scope="module")
def comma(tmp_path_factory):
    """Environment with a locale that writes 1,5."""
    folder = tmp_path_factory.mktemp("locales")
    if not pathlib.Path(f"/usr/share/i18n/locales/{COMMA}").exists():
        pytest.skip("needs the package locales")
    # Warnings give status 1.
    subprocess.run(["localedef", "-i", COMMA, "-f", "UTF-8", folder / f"{COMMA}.UTF-8"], capture_output=True)
    # The C library forgets a piece of LOCPATH, which a sanitizer would tell.
    environment = {"LOCPATH": str(folder), "LC_ALL": f"{COMMA}.UTF-8", "ASAN_OPTIONS": "detect_leaks=0"}
    shown = subprocess.run(["locale", "decimal_point"], env=environment, capture_output=True, text=True).stdout
    assert shown == ",\n"
    return environment


def test_a_locale_with_decimal_commas(machine, comma, tmp_path):
    assert machine.run(tmp_path / "r", **comma).returncode == 0
    machine.check(tmp_path / "r")
    for verb in (("summary", tmp_path / "r"), ("summary", tmp_path / "r", "--json"), ("help", "learners")):
        assert machine(*verb, **comma).stdout == machine(*verb).stdout


def test_an_ascii_locale_and_a_path_that_is_not(machine, tmp_path):
    folder = tmp_path / "a b" / "ü ñ 漢字"
    folder.mkdir(parents=True)
    shutil.copy(SMOKE, folder / "my spec.toml")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert machine.run(folder / "r e s", spec=folder / "my spec.toml", **ascii_only).returncode == 0
    machine.check(folder / "r e s")
    drawn = machine(
        "plot", folder / "my spec.toml", "--results", folder / "r e s", "--out", folder / "ü.png", **ascii_only
    )
    assert drawn.returncode == 0 and (folder / "ü.png").stat().st_size > 5000, drawn


def long_folder(folder, length):
    """A folder below `folder` whose path has so many bytes."""
    while length - len(str(folder)) > 1:
        folder /= "d" * min(200, length - len(str(folder)) - 1)
    return folder


def test_a_path_as_long_as_paths_are(machine, tmp_path):
    folder = long_folder(tmp_path, LONGEST)
    assert len(str(folder)) >= LONGEST - 1
    assert machine.run(folder).returncode == 0
    machine.check(folder)
    joined = machine("verify", folder, "--out", folder / "m")
    assert joined.returncode == 0 and f"{TRIALS} copied" in joined.stdout
    done = machine.run(long_folder(folder, 4200))
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "File name too long" in done.stderr


def test_private_files_and_no_home(machine, tmp_path):
    bare = ["env", "-i", "PATH=/usr/bin:/bin", f"OKBENCH_HOME={ROOT}", "sh", "-c", 'umask 077; exec "$@"', "sh"]
    assert machine.run(tmp_path / "r", before=bare).returncode == 0
    machine.check(tmp_path / "r")
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "r").rglob("*")} == {0}


@pytest.mark.parametrize("arguments", [("--jobs", 96), ("--jobs", 1)])
def test_more_jobs_than_cores_and_one_core(machine, tmp_path, arguments):
    done = machine.run(tmp_path / "r", *arguments, before=("taskset", "-c", "0"))
    assert (done.returncode, done.stderr) == (0, "")
    machine.check(tmp_path / "r")


@pytest.mark.parametrize("files", [4, 5, 6, 8, 12])
def test_few_open_files(machine, tmp_path, files):
    done = machine.run(tmp_path / "r", limits=[(resource.RLIMIT_NOFILE, files)])
    assert done.returncode in (0, 1) and done.stderr.count("\n") <= 2 * TRIALS + 1, done
    assert machine.run(tmp_path / "r").returncode == 0
    machine.check(tmp_path / "r")


@pytest.mark.skipif(platform.machine() != "x86_64" or not shutil.which("qemu-x86_64"), reason="needs qemu-x86_64")
def test_a_processor_with_avx2_only(machine, sanitized, tmp_path):
    if sanitized:
        pytest.skip("the sanitizer reserves terabytes of addresses")
    processor = ("qemu-x86_64", "-cpu", "max")  # 7.2 emulates AVX2 and FMA, nothing of AVX-512
    assert machine.run(tmp_path / "r", before=processor).returncode == 0
    machine.check(tmp_path / "r")
    traces = [read_trace(path) for path in (tmp_path / "r").rglob("*.h5")]
    assert {trace.provenance["target"] for trace in traces} == {"avx2"}
