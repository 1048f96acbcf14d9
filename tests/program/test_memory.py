"""Allocations that fail: a trial's failure is recorded, all else ends with one line; nothing ends by a signal."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest

from okbench.traces import read_trace

MORE = """[learners.sfd]
learner = "sfd"
[learners.pegasos]
learner = "pegasos"
lambda = 0.01
"""
TRIALS = 3
# The second is how the system tells that a thread finds no memory.
SHORTAGES = ("okbench: out of memory", "okbench: pthread_create has failed: Resource temporarily unavailable")


def losses(folder):
    """The losses' sum that ends each trace of a folder, by its file's name."""
    return {path.name: read_trace(path).tables["trace"]["loss_sum"][-1] for path in folder.rglob("*.h5")}


class Runs:
    """Runs of three small trials, one of each way to learn; and what is left of each."""

    def __init__(self, binary, environment, faults, folder):
        self.binary, self.environment, self.faults, self.folder = binary, environment, faults, folder

    def __call__(self, *arguments, **how):
        counters = self.folder / f"counters-{how.get('at', 0)}"
        return subprocess.run(
            [self.binary, *map(str, arguments)],
            env={**self.environment, **(self.faults.environment(counters, call="malloc", **how) if how else {})},
            cwd=self.folder,
            capture_output=True,
            timeout=60,
        )

    def allocations(self, *arguments, **how):
        self(*arguments, **how, at=0)
        return self.faults.counted(self.folder / "counters-0")["malloc"]

    def outcome(self, out, **how):
        """Exit status of a run with failing allocations; what is wrong with what it left; kinds of failures."""
        done = self("run", "toy.toml", "--out", out, "--quiet", "--jobs", 2, **how)
        error = done.stderr.decode(errors="replace")
        files = [path for path in (self.folder / out).rglob("*") if path.is_file()]
        # A thread that can do nothing but end the program may do so while another writes: the next run clears that up.
        swept = how.get("run", 1) > 1 and error.endswith("okbench: out of memory\n")
        wrong = [path.name for path in files if path.suffix not in (".h5", ".json") and not swept]
        traces = losses(self.folder / out)
        wrong += [name for name, loss in traces.items() if loss != self.expected[name]]
        records = [json.loads(path.read_text()) for path in files if path.name.endswith(".failed.json")]
        wrong += [record for record in records if record["kind"] not in ("memory", "write", "data")]
        if done.returncode not in (0, 1):
            wrong.append(f"ended with {done.returncode}")
        ended = len(traces) + len(records)
        if done.returncode == 0 and (ended < TRIALS or records) or ended > TRIALS:
            wrong.append(f"status {done.returncode} with {len(traces)} traces and {len(records)} failures")
        # Where nothing can be allocated at all a failure is told, but cannot be recorded.
        lines = error.splitlines()
        if done.returncode == 1 and not records and not (lines and lines[-1] in SHORTAGES):
            wrong.append(error)
        if not all(lines) or len(lines) > 2 * TRIALS + 1 or lines.count("okbench: out of memory") > 1:
            wrong.append(error)
        return done.returncode, [(how, one) for one in wrong], [record["kind"] for record in records]


@pytest.fixture
def runs(binary, environment, faults, toy, tmp_path):
    rows = random.Random(3)
    text = ["".join(f"{rows.choice((1, -1))} 1:{rows.random():.3f} 2:{rows.random():.3f}\n" for _ in range(60))] * 2
    env = toy(*text)
    spec = tmp_path / "toy.toml"
    spec.write_text(spec.read_text().replace('test = "test"', 'test = "test"\norder = "permutation"\nbatch = 5') + MORE)
    runs = Runs(binary, {**environment, **env}, faults, tmp_path)
    assert runs("run", "toy.toml", "--out", "expected").returncode == 0
    runs.expected = losses(tmp_path / "expected")
    assert len(runs.expected) == TRIALS
    return runs


@pytest.mark.parametrize(
    ("least", "in_a_row", "tries"), [(1, 1, 90), (1, 10**9, 30), (4096, 1, 40), (65536, 10**9, 20)]
)
def test_a_failed_allocation_is_a_failed_trial_or_one_line(runs, least, in_a_row, tries):
    how = {"least": least, "run": in_a_row}
    every = runs.allocations("run", "toy.toml", "--out", "counted", "--jobs", 2, least=least)
    # Of every part of the run, and not the same ones in all four cases.
    places = sorted({1 + (2 * i + 1) * every // (2 * tries) for i in range(tries)})
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda at: runs.outcome(f"r{at}", at=at, **how), places))
    wrong = [one for outcome in outcomes for one in outcome[1]]
    assert not wrong, f"{len(wrong)} of {len(places)}: {wrong[:5]}"
    assert any(status == 1 for status, _, _ in outcomes)
    assert in_a_row > 1 or any("memory" in kinds for _, _, kinds in outcomes)


def test_reading_with_failing_allocations_ends_in_one_line(runs):
    every = runs.allocations("summary", "expected", least=1)
    whole = runs("summary", "expected").stdout
    for at in range(1, every, every // 40):
        done = runs("summary", "expected", at=at)
        assert done.returncode in (0, 1), (at, done)
        assert done.stdout == whole or done.returncode == 1 and done.stderr.count(b"\n") <= TRIALS + 1, (at, done)


def test_a_learner_that_asks_for_more_than_there_is(runs):
    done = runs(
        "run", "toy.toml", "--only", "*svmd*", "--out", "r", "--set", "learners.svmd.buffer=4611686018427387903"
    )
    assert done.returncode in (1, 2) and done.stderr.count(b"\n") <= 4, done


def test_a_library_that_needs_memory_does_not_end_the_program(binary, environment, faults, toy, tmp_path):
    """LIBLINEAR writes to what it was not given: its own allocations are among the large ones."""
    rows = random.Random(4)
    train = "".join(f"{rows.choice((1, -1))} 1:{rows.random():.2f}\n" for _ in range(20000))
    env = {**environment, **toy(train)}
    spec = tmp_path / "linear.toml"
    spec.write_text(
        (tmp_path / "toy.toml")
        .read_text()
        .split("[kernel]")[0]
        .replace('"test"', '"test"\norder = "permutation"\nbatch = 100')
        + '[kernel]\nname = "linear"\n[learners.batch]\nlearner = "liblinear"\n[learners.online]\nlearner = "linear"\n'
    )
    runs = Runs(binary, env, faults, tmp_path)
    words = ("run", "linear.toml", "--jobs", 1, "--quiet", "--out")
    assert runs(*words, "expected").returncode == 0
    expected = losses(tmp_path / "expected")
    assert len(expected) == 2
    every = runs.allocations(*words, "counted", least=50000)
    assert 20 < every < 400
    told = set()
    for at in range(1, every + 1):
        done = runs(*words, f"r{at}", at=at, least=50000)
        assert done.returncode in (0, 1), (at, done)
        traces = losses(tmp_path / f"r{at}")
        assert traces.items() <= expected.items()
        records = [json.loads(path.read_text()) for path in (tmp_path / f"r{at}").rglob("*.failed.json")]
        assert len(traces) + len(records) == 2 or done.returncode == 1 and done.stderr.count(b"\n") == 1, (at, done)
        told |= {(record["kind"], record["message"].split(":")[0]) for record in records}
    assert ("memory", "not enough memory for this trial") in told and ("learner", "LIBLINEAR failed") in told


def test_a_forged_trace_does_not_take_all_memory(binary, sanitized, environment, tmp_path):
    """A finding of the fuzzer, 13 kB, for which HDF5 asks for more than 13 GB."""
    if sanitized:
        pytest.skip("the limit is not there: the sanitizer's shadow is terabytes")
    (tmp_path / "r").mkdir()
    shutil.copy(pathlib.Path(__file__).parent / "forged" / "all-memory.h5", tmp_path / "r" / "t.h5")
    told, most = tmp_path / "told", 0
    with open(told, "wb") as out, subprocess.Popen(
        [binary, "migrate", "r"], stderr=out, stdout=out, cwd=tmp_path, env=environment, start_new_session=True
    ) as program:
        while program.poll() is None and most < 2 << 20:
            sizes = subprocess.run(["ps", "-o", "rss=", "-s", str(program.pid)], capture_output=True, text=True).stdout
            most = max(most, *map(int, sizes.split()), 0)  # KiB of the largest process
            time.sleep(0.05)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
    assert 1000 < most < 2 << 20 and program.returncode == 1
    assert "t.h5: not a valid trace file: it is damaged, or memory is short\n" in told.read_text()
