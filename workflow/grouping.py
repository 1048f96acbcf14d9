"""Group the trials of a plan into jobs of a given duration.

A trial is an entry of `okbench plan --json`. Times of trials are seconds on one core. The time of a job is its wall
time on its cores. A tuned trial runs after the folds of its cross validation: in the same job if that job is short
enough, otherwise in a separate job that needs the jobs of the folds.
"""

import dataclasses
import hashlib
import math

INTERPRETERS = 160  # MiB used by Snakemake on the node and by jobs.py


def job_seconds(loads, own, chain, cores):
    """Seconds of a job on `cores` cores: loading, then at least the longest chain of dependent trials."""
    return sum(loads.values()) + max(own / cores, chain)


@dataclasses.dataclass
class Job:
    """Trials that a single call of `okbench run` computes."""

    trials: list = dataclasses.field(default_factory=list)
    needs: set = dataclasses.field(default_factory=set)  # ids of jobs that must finish first

    @property
    def id(self):
        """Twelve hexadecimal digits of a hash of the trial ids. Independent of their order."""
        return hashlib.sha256(" ".join(sorted(trial["id"] for trial in self.trials)).encode()).hexdigest()[:12]

    def data_sets(self):
        """Names of the data sets of all trials."""
        return {trial["data_set"] for trial in self.trials}

    def loads(self):
        """Seconds to load each distinct form of a data set, by (name, seconds)."""
        return {(trial["data_set"], trial["load_seconds"]): trial["load_seconds"] for trial in self.trials}

    def own_seconds(self):
        """Seconds of all trials on one core, without loading."""
        return sum(trial["seconds"] for trial in self.trials)

    def chain_seconds(self):
        """Seconds of the longest chain: a trial after the longest of its folds in this job."""
        own = {trial["id"]: trial["seconds"] for trial in self.trials}
        return max(
            trial["seconds"] + max((own[need] for need in trial["needs"] if need in own), default=0)
            for trial in self.trials
        )

    def seconds(self, cores):
        """Seconds of the job on `cores` cores."""
        return job_seconds(self.loads(), self.own_seconds(), self.chain_seconds(), cores)

    def memory(self, cores):
        """Bytes needed for every data set and for the `cores` largest trials at once."""
        data_bytes = {data["key"]: data["bytes"] for trial in self.trials for data in trial["memory"]["data"]}
        learners = sorted((trial["memory"]["learner"] for trial in self.trials), reverse=True)
        return self.trials[0]["memory"]["process"] + sum(data_bytes.values()) + sum(learners[:cores])


def units_of(trials):
    """Lists of connected trials: trials with shared folds together with these folds, every other trial alone."""
    owner = {trial["id"]: trial["id"] for trial in trials}

    def root(ident):
        while owner[ident] != ident:
            owner[ident] = ident = owner[owner[ident]]
        return ident

    for trial in trials:
        for need in trial["needs"]:
            if need in owner:
                owner[root(need)] = root(trial["id"])
    units = {}
    for trial in trials:
        units.setdefault(root(trial["id"]), []).append(trial)
    return list(units.values())


class Bin:
    """A job under construction, with the sums that determine its time."""

    def __init__(self, piece, target, cores):
        self.job = Job(trials=list(piece.trials))
        self.cores = cores
        self.loads = piece.loads()
        self.own = piece.own_seconds()
        self.chain = piece.chain_seconds()
        self.limit = max(target, piece.seconds(cores))

    def try_add(self, piece):
        """Add a piece if the job stays within its time limit. Return whether it was added."""
        loads = {**self.loads, **piece.loads()}
        own, chain = self.own + piece.own_seconds(), max(self.chain, piece.chain_seconds())
        if job_seconds(loads, own, chain, self.cores) > self.limit:
            return False
        self.loads, self.own, self.chain = loads, own, chain
        self.job.trials += piece.trials
        return True


def fill(pieces, target, cores):
    """Pack pieces first-fit, longest first. A piece above the target may share its job with pieces that add no time."""
    bins = []
    for piece in sorted(pieces, key=lambda job: (-job.seconds(cores), job.id)):
        if not any(bin_.try_add(piece) for bin_ in bins):
            bins.append(Bin(piece, target, cores))
    return [bin_.job for bin_ in bins]


def pack(units, target, cores):
    """Return jobs for units (lists of trials). A job exceeds `target` seconds only if a single unit does.

    Units of the same data set share jobs, so that it is loaded once. The emptiest job of each data set is packed again
    with those of other data sets.
    """
    by_data = {}
    for unit in units:
        by_data.setdefault(unit[0]["data_set"], []).append(Job(trials=list(unit)))
    full, open_jobs = [], []
    for pieces in by_data.values():
        # All jobs except the emptiest are final.
        jobs = sorted(fill(pieces, target, cores), key=lambda job: job.seconds(cores))
        open_jobs += jobs[:1]
        full += jobs[1:]
    return full + fill(open_jobs, target, cores)


def group(trials, minutes, cores):
    """Return jobs of about `minutes` minutes on `cores` cores each, for trials without a result."""
    target = 60 * minutes
    small, split = [], []
    for unit in units_of(trials):
        (small if len(unit) == 1 or Job(trials=unit).seconds(cores) <= target else split).append(unit)
    tuned = [trial for unit in split for trial in unit if trial["needs"]]
    small += [[trial] for unit in split for trial in unit if not trial["needs"]]
    jobs = pack(small, target, cores)
    place = {trial["id"]: job for job in jobs for trial in job.trials}
    # Trials that need the same jobs may share a job.
    waiting = {}
    for trial in tuned:
        needs = frozenset(place[need].id for need in trial["needs"] if need in place)
        waiting.setdefault(needs, []).append([trial])
    for needs, units in waiting.items():
        for job in pack(units, target, cores):
            job.needs = set(needs)
            jobs.append(job)
    return jobs


def time_limit_minutes(job, cores):
    """Time limit of a job in minutes: four times the estimate, plus ten minutes of overhead."""
    return math.ceil(10 + 4 * job.seconds(cores) / 60)


def memory_limit_mib(job, cores):
    """Memory limit of a job in MiB: 1.25 times the bound, plus the interpreters."""
    return math.ceil(1.25 * job.memory(cores) / 2**20) + INTERPRETERS
