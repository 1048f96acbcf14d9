"""Trials grouped into jobs: by hand, and invariants over random plans."""

import random

import grouping
import pytest


def trial(ident, seconds, data="a", needs=(), learner=10, load=0.0):
    return {
        "id": ident,
        "seconds": seconds,
        "data_set": data,
        "needs": list(needs),
        "load_seconds": load,
        "memory": {"process": 1000, "learner": learner, "data": [{"key": data, "bytes": 100}]},
    }


def ids(jobs):
    return sorted(sorted(t["id"] for t in job.trials) for job in jobs)


def random_plan(seed):
    """Single trials, and tuned ones that share the folds before them."""
    draw = random.Random(seed)
    trials = []
    for unit in range(draw.randint(1, 30)):
        data = draw.choice("abc")
        folds = [f"f{unit}.{i}" for i in range(draw.choice([0, 0, 2, 10]))]
        trials += [trial(fold, draw.uniform(0.1, 30), data) for fold in folds]
        for i in range(draw.randint(1, 3)):
            trials.append(trial(f"t{unit}.{i}", draw.uniform(0.1, 200), data, folds))
    return trials


def test_small_trials_share_a_job_up_to_its_cost():
    jobs = grouping.group([trial(str(i), 25) for i in range(5)], minutes=1, cores=1)
    assert sorted(len(job.trials) for job in jobs) == [1, 2, 2]
    # On two cores twice as much fits.
    jobs = grouping.group([trial(str(i), 25) for i in range(5)], minutes=1, cores=2)
    assert sorted(len(job.trials) for job in jobs) == [1, 4]


def test_data_sets_are_kept_apart_where_it_costs_no_job():
    jobs = grouping.group([trial(f"{d}{i}", 25, d) for d in "ab" for i in range(2)], minutes=1, cores=1)
    assert ids(jobs) == [["a0", "a1"], ["b0", "b1"]]
    # What is left over of several sets goes together.
    jobs = grouping.group([trial("a0", 5, "a"), trial("b0", 5, "b")], minutes=1, cores=1)
    assert ids(jobs) == [["a0", "b0"]]


def test_a_tuned_trial_is_in_the_job_of_its_folds_or_later():
    folds = [trial(f"f{i}", 20) for i in range(4)]
    tuned = trial("t", 30, needs=[f["id"] for f in folds])
    together = grouping.group([*folds, tuned], minutes=3, cores=1)
    assert ids(together) == [["f0", "f1", "f2", "f3", "t"]] and not together[0].needs
    apart = grouping.group([*folds, tuned], minutes=1, cores=1)
    last = next(job for job in apart if job.trials[0]["id"] == "t")
    assert len(last.trials) == 1 and last.needs == {job.id for job in apart if job is not last}


def test_a_fold_that_has_a_result_is_waited_for_no_more():
    jobs = grouping.group([trial("f0", 50), trial("t", 50, needs=["f0", "f1"])], minutes=1, cores=1)
    last = next(job for job in jobs if job.trials[0]["id"] == "t")
    assert len(last.needs) == 1


def test_a_job_takes_no_less_than_its_longest_chain():
    job = grouping.Job(trials=[trial("f", 40), trial("t", 30, needs=["f"]), trial("x", 10, load=2)])
    assert job.seconds(1) == 2 + 80
    assert job.seconds(8) == 2 + 70


def test_memory_counts_data_once_and_learners_side_by_side():
    job = grouping.Job(
        trials=[trial("1", 1, "a", learner=5), trial("2", 1, "a", learner=7), trial("3", 1, "b", learner=6)]
    )
    assert job.memory(1) == 1000 + 200 + 7
    assert job.memory(2) == 1000 + 200 + 13


@pytest.mark.parametrize("seed", range(40))
def test_every_trial_is_in_one_job_after_what_it_needs(seed):
    trials = random_plan(seed)
    minutes, cores = random.Random(seed).choice([0.2, 1, 10]), random.Random(seed).choice([1, 2, 8])
    jobs = grouping.group(trials, minutes, cores)
    place = {t["id"]: job for job in jobs for t in job.trials}
    assert sum(len(job.trials) for job in jobs) == len(trials) == len(place)
    by_id = {job.id: job for job in jobs}
    assert len(by_id) == len(jobs)
    for job in jobs:
        assert job.needs <= set(by_id) - {job.id}
        for t in job.trials:
            for need in t["needs"]:
                assert place[need] is job or place[need].id in job.needs
        # Longer than asked only when nothing smaller would do.
        alone = max(grouping.Job(trials=[t]).seconds(cores) for t in job.trials)
        assert job.seconds(cores) <= max(60 * minutes, alone)
    # Jobs can be ordered: none waits for itself.
    over = set()
    while len(over) < len(jobs):
        ready = [job for job in jobs if job.id not in over and job.needs <= over]
        assert ready
        over |= {job.id for job in ready}
    assert ids(grouping.group(trials, minutes, cores)) == ids(jobs)


def test_limits_leave_room():
    job = grouping.Job(trials=[trial("1", 120, learner=2**30)])
    assert grouping.time_limit_minutes(job, 1) == 18
    assert grouping.memory_limit_mib(job, 1) == 1281 + grouping.INTERPRETERS


def test_trials_beside_a_long_one_cost_no_time():
    trials = [trial("long", 600), *(trial(f"s{i}", 100) for i in range(6))]
    beside = grouping.group(trials, minutes=1, cores=2)
    assert ids(beside) == [sorted(t["id"] for t in trials)] and beside[0].seconds(2) == 600
    assert len(grouping.group(trials, minutes=1, cores=1)) == 7
