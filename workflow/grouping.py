"""Grouping the trials of a plan into jobs of a chosen cost.

A trial is an entry of `okbench plan --json`; times are seconds of one core, a job's is what its cores need
side by side. Tuned trials come after the folds of their cross validation: in one job with them where that is small
enough, else in a job of their own that needs those of the folds.
"""

import dataclasses
import hashlib
import math

INTERPRETERS = 160  # MiB: Snakemake on the node, and the script that starts the program


def job_seconds(loads, own, chain, cores):
    """Of a job on so many cores: loading, then no less than its longest chain of trials."""
    return sum(loads.values()) + max(own / cores, chain)


@dataclasses.dataclass
class Job:
    """Trials that one call of `okbench run` computes."""

    trials: list = dataclasses.field(default_factory=list)
    needs: set = dataclasses.field(default_factory=set)  # ids of jobs

    @property
    def id(self):
        """Twelve hexadecimal digits that depend on the trials alone, not on the order or the time of planning."""
        return hashlib.sha256(" ".join(sorted(trial["id"] for trial in self.trials)).encode()).hexdigest()[:12]

    def data_sets(self):
        """Their names."""
        return {trial["data_set"] for trial in self.trials}

    def loads(self):
        """Seconds to read each data set once, by the set in each of its forms."""
        return {(trial["data_set"], trial["load_seconds"]): trial["load_seconds"] for trial in self.trials}

    def own_seconds(self):
        """Of one core, nothing loaded."""
        return sum(trial["seconds"] for trial in self.trials)

    def chain_seconds(self):
        """The longest trial after the longest of its folds that are here."""
        own = {trial["id"]: trial["seconds"] for trial in self.trials}
        return max(
            trial["seconds"] + max((own[need] for need in trial["needs"] if need in own), default=0)
            for trial in self.trials
        )

    def seconds(self, cores):
        """Of the job on so many cores."""
        return job_seconds(self.loads(), self.own_seconds(), self.chain_seconds(), cores)

    def memory(self, cores):
        """Bytes: every data set, and the largest trials that may run side by side."""
        held = {data["key"]: data["bytes"] for trial in self.trials for data in trial["memory"]["data"]}
        learners = sorted((trial["memory"]["learner"] for trial in self.trials), reverse=True)
        return self.trials[0]["memory"]["process"] + sum(held.values()) + sum(learners[:cores])


def units_of(trials):
    """Lists of trials that belong together: those that share folds, with these, and every other trial alone."""
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
    """A job that is being filled, with the sums that tell its time."""

    def __init__(self, piece, target, cores):
        self.job = Job(trials=list(piece.trials))
        self.cores = cores
        self.loads = piece.loads()
        self.own = piece.own_seconds()
        self.chain = piece.chain_seconds()
        self.room = max(target, piece.seconds(cores))

    def takes(self, piece):
        """Adds a piece if there is room for it."""
        loads = {**self.loads, **piece.loads()}
        own, chain = self.own + piece.own_seconds(), max(self.chain, piece.chain_seconds())
        if job_seconds(loads, own, chain, self.cores) > self.room:
            return False
        self.loads, self.own, self.chain = loads, own, chain
        self.job.trials += piece.trials
        return True


def fill(pieces, target, cores):
    """First fit, the longest first. What is too long by itself is joined by what costs no time beside it."""
    bins = []
    for piece in sorted(pieces, key=lambda job: (-job.seconds(cores), job.id)):
        if not any(bin_.takes(piece) for bin_ in bins):
            bins.append(Bin(piece, target, cores))
    return [bin_.job for bin_ in bins]


def pack(units, target, cores):
    """Jobs of units (lists of trials), none longer than `target` seconds unless a single unit is.

    Units over one data set share jobs, so that it is loaded once; what is left over is filled up across sets.
    """
    by_data = {}
    for unit in units:
        by_data.setdefault(unit[0]["data_set"], []).append(Job(trials=list(unit)))
    full, open_jobs = [], []
    for pieces in by_data.values():
        # All but the emptiest are done.
        jobs = sorted(fill(pieces, target, cores), key=lambda job: job.seconds(cores))
        open_jobs += jobs[:1]
        full += jobs[1:]
    return full + fill(open_jobs, target, cores)


def group(trials, minutes, cores):
    """Jobs of about so many minutes on so many cores, for trials that have no result yet."""
    target = 60 * minutes
    small, split = [], []
    for unit in units_of(trials):
        (small if len(unit) == 1 or Job(trials=unit).seconds(cores) <= target else split).append(unit)
    tuned = [trial for unit in split for trial in unit if trial["needs"]]
    small += [[trial] for unit in split for trial in unit if not trial["needs"]]
    jobs = pack(small, target, cores)
    place = {trial["id"]: job for job in jobs for trial in job.trials}
    # Trials that wait for the same jobs may go together.
    waiting = {}
    for trial in tuned:
        needs = frozenset(place[need].id for need in trial["needs"] if need in place)
        waiting.setdefault(needs, []).append([trial])
    for needs, units in waiting.items():
        for job in pack(units, target, cores):
            job.needs = set(needs)
            jobs.append(job)
    return jobs


def makespan(jobs, nodes, node_cores, cores, start_seconds):
    """Seconds until all jobs are over, each node running as many as its cores allow, the longest first.

    `start_seconds` pass between a free place and the job's first trial (queue, interpreter, planning).
    """
    places = [0.0] * (nodes * max(1, node_cores // cores))
    over = {}
    todo = sorted(jobs, key=lambda job: -job.seconds(cores))
    while todo:
        # The next job is the longest whose needs end soonest.
        place = min(range(len(places)), key=places.__getitem__)
        ready = [job for job in todo if all(need in over for need in job.needs)]
        job = min(ready, key=lambda j: max([places[place]] + [over[need] for need in j.needs]))
        begin = max([places[place]] + [over[need] for need in job.needs])
        places[place] = over[job.id] = begin + start_seconds + job.seconds(cores)
        todo.remove(job)
    return max(over.values(), default=0.0)


def minutes_asked(job, cores):
    """Time limit of a job: four times the estimate, and ten minutes for what is no learning."""
    return math.ceil(10 + 4 * job.seconds(cores) / 60)


def mebibytes_asked(job, cores):
    """Memory limit of a job: a quarter more than the bound, and what the interpreters around it hold."""
    return math.ceil(1.25 * job.memory(cores) / 2**20) + INTERPRETERS
