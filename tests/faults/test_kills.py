"""Programs that are killed: what was reported is there, nothing is damaged, and the next run finishes and clears up."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import time

import pytest
import verbs
from conftest import snakemake


def kill(process, after):
    """Kills a process with its children, unless they are over already."""
    time.sleep(after)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def killed(runner, verb, name, more=(), after=None):
    """Runs a verb that is killed at a call (`more`) or `after` some seconds: (whether it died, list of problems)."""
    place = runner.place(name)
    verb.prepare(place)
    process = runner.start(verb.words(place), place, more)
    if after is not None:
        kill(process, after)
    out, error = process.communicate(timeout=120)
    wrong = verb.lost(place, out + error) + runner.wrong_after(verb, place)
    if not wrong:
        shutil.rmtree(place)
    died = process.returncode == -signal.SIGKILL
    if not died and process.returncode != 0:
        wrong.append(f"ended with {process.returncode}: {error}")
    return died, [f"{verb.name}, killed at {name}: {problem}" for problem in wrong]


def report(verb, outcomes, least):
    died = sum(died for died, _ in outcomes)
    print(f"\n{verb.name}: {died} kills of {len(outcomes)}")
    wrong = [problem for _, wrong in outcomes for problem in wrong]
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:20])
    assert died > least * len(outcomes)


KILLS = min(500, verbs.MAX_CALLS)  # at random moments, of each verb
CALLS = ("write", "fsync", "close", "rename", "open", "mkdir")


@pytest.mark.parametrize(
    ("kind", "sample"), [(verbs.Run, 3), (verbs.Pack, 2), (verbs.Merge, 2)], ids=["run", "pack", "merge"]
)
def test_a_kill_at_any_call_loses_no_reported_trial(fault_runner, faults, kind, sample):
    runner, verb = fault_runner, kind(fault_runner)
    counts = runner.counts(verb)
    places = [
        (call, at)
        for call in CALLS
        for at in (range(1, counts[call] + 1) if verbs.FULL else verbs.evenly(counts[call], sample, len(call)))
    ]

    def outcome(place):
        call, at = place
        more = faults.environment(runner.folder / f"{call}-{at}.counters", call=call, at=at, errno=0)
        return killed(runner, verb, f"{call}-{at}", more)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        report(verb, list(pool.map(outcome, places)), 0.9)


@pytest.mark.skipif(not verbs.FULL, reason="moments are of the clock: make fault-test")
@pytest.mark.parametrize("kind", [verbs.Run, verbs.Pack, verbs.Merge], ids=["run", "pack", "merge"])
def test_kills_at_random_moments(fault_runner, kind):
    runner, verb = fault_runner, kind(fault_runner)
    start = time.monotonic()
    runner.counts(verb)
    longest, rng, outcomes = time.monotonic() - start, random.Random(11), []
    while sum(died for died, _ in outcomes) < KILLS:
        moments = [rng.uniform(0, longest) for _ in range(100)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = [f"moment-{len(outcomes) + i}" for i in range(len(moments))]
            batch = list(pool.map(lambda pair: killed(runner, verb, pair[0], after=pair[1]), zip(names, moments)))
        outcomes += batch
        if sum(died for died, _ in batch) < 50:  # most were over before
            longest *= 0.7
    report(verb, outcomes, 0)


@pytest.mark.skipif(not verbs.FULL, reason="moments are of the clock: make fault-test")
def test_a_workflow_that_is_killed_again_and_again(fault_runner, monkeypatch):
    for name, value in fault_runner.environment.items():
        if name.startswith("OKBENCH_"):
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(fault_runner.folder)
    settings = {"tier": "default", "results": "r", "binary": fault_runner.binary, "job_minutes": 1e-6, "job_cores": 1}
    start, rng = time.monotonic(), random.Random(3)
    output, _ = (head := snakemake(settings)).communicate()
    assert head.returncode == 0, output
    longest, died = time.monotonic() - start, 0
    while died < 20:
        if not list(pathlib.Path("r").glob("test/*/*.h5")) or rng.random() < 0.2:
            shutil.rmtree("r", ignore_errors=True)
        head = snakemake(settings)
        kill(head, rng.uniform(0.1, 0.9) * longest)
        output, _ = head.communicate()
        died += head.returncode == -signal.SIGKILL
        assert head.returncode in (0, -signal.SIGKILL), output
        traces = list(pathlib.Path("r").glob("test/*/*.h5"))
        assert all(map(verbs.is_whole, traces))
        # A marker tells that a job is over.
        for marker in pathlib.Path("r/workflow/done").glob("????????????.json"):
            job = json.loads(pathlib.Path("r/workflow/jobs", marker.name).read_text())
            assert all(pathlib.Path(file).exists() for file in job["files"]), marker
        if head.returncode == 0:
            shutil.rmtree("r")
    output, _ = (head := snakemake(settings)).communicate()
    assert head.returncode == 0, output
    assert fault_runner.equal(fault_runner.folder / "r")
    assert not verbs.leftovers(fault_runner.folder / "r" / "test")
    print(f"\nworkflow: {died} kills")
