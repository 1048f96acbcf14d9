#!/usr/bin/python3
"""The jobs of a run: made from the plan, and run one at a time by a workflow engine.

Below RESULTS/workflow lie grouping.json (which trials form which job), jobs/JOB.json (all that a node has to know
of a job) and done/JOB.json (its marker: the job is over). All are written by rename.

usage: jobs.py run RESULTS JOB THREADS     compute the trials of a job, then write its marker
       jobs.py scale PLAN ...              how a plan's jobs would scale, on paper
"""

import argparse
import hashlib
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import time

import grouping

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "python"))

from okbench.writing import write_text  # noqa: E402

# A trial that failed for one of these reasons fails again, wherever it runs: its record is its result.
LASTING_FAILURES = {"diverged", "not-converged", "argument", "cross-validation"}


class Stop(Exception):
    """What the user asked for cannot be done; one line."""


def write_atomically(path, content):
    """By rename, so that no reader sees half a file; the temporary name is this process's own."""
    write_text(path, json.dumps(content, indent=1) + "\n", folders=True)


def read_json(path):
    """The content of a file; None where there is none, or no JSON."""
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def place(results, kind, name):
    """A file of the workflow: kind is jobs, done, logs or ids."""
    return f"{results}/workflow/{kind}/{name}"


def marker(results, job):
    """The file that tells that a job is over."""
    return place(results, "done", f"{job}.json")


def read_settings(config, specs):
    """What the user chose, checked. Raises Stop."""
    tier = config.get("tier", "default")
    settings = {
        "tier": tier,
        "results": str(config.get("results") or f"results/{tier}"),
        "binary": str(config.get("binary") or "build/release/okbench"),
        "specs": config["specs"].split() if config.get("specs") else specs,
    }
    for name, kind, least, default in (("job_minutes", float, 1e-9, 10), ("job_cores", int, 1, 1)):
        given = config.get(name, default)
        try:
            settings[name] = kind(str(given))
        except ValueError:
            raise Stop(f"{name} is {given!r}, not a {'whole ' if kind is int else ''}number") from None
        if not least <= settings[name] < float("inf"):
            raise Stop(f"{name} is {given}; it must be {'1 or more' if kind is int else 'above 0'}")
    for name in ("results", "report"):
        # These go through the command lines of Snakemake and schedulers.
        if set(str(config.get(name, ""))) & set("'\"\\{}%$`"):
            raise Stop(f"{name} is {config[name]}; quotes, backslashes, braces, % and $ cannot be in a name here")
    if shutil.which(settings["binary"]) is None:
        raise Stop(f"{settings['binary']} is not there; make build makes it")
    return settings


def read_plan(settings, write):
    """What okbench expects every trial to cost, from the data and the machine here."""
    command = [
        settings["binary"],
        "plan",
        *settings["specs"],
        "--tier",
        settings["tier"],
        "--out",
        settings["results"],
        "--json",
    ] + (["--write"] if write else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise Stop(f"okbench plan ended with status {done.returncode}")
    return json.loads(done.stdout)["trials"]


def failure_of(file):
    """Kind of the failure recorded beside a trace, or None."""
    record = read_json(pathlib.Path(file).with_suffix(".failed.json"))
    return record.get("kind") if isinstance(record, dict) else None


def unfinished(trials):
    """Ids of the trials without a result and without a failure that would come again."""
    failed = {trial["id"]: failure_of(trial["file"]) for trial in trials if not trial["done"]}
    lasting = {ident for ident, kind in failed.items() if kind in LASTING_FAILURES}
    # A choice that failed for want of a fold is open again when no fold fails any more.
    for trial in trials:
        if failed.get(trial["id"]) == "cross-validation" and not lasting.intersection(trial["needs"]):
            lasting.discard(trial["id"])
    return set(failed) - lasting


def prepare(settings, write=True):
    """Plans, and returns what there is to know of each job, by its id; unless a dry run, writes it for nodes.

    An earlier grouping of the same trials is kept, so that jobs of an earlier head process that still run, or
    are over, are known again. Markers whose results have gone are removed, and given to jobs whose results are
    there.
    """
    folder = pathlib.Path(settings["results"]) / "workflow"
    before = list((folder / "done").glob("????????????.json"))  # later ones are those of jobs that run meanwhile
    trials = read_plan(settings, write)
    left = unfinished(trials)
    earlier = read_json(folder / "grouping.json")
    jobs = group(trials, left, settings, earlier if isinstance(earlier, dict) else {})
    described = {ident: describe(job, settings) for ident, job in jobs.items()}
    open_jobs = {ident for ident, job in jobs.items() if left.intersection(trial["id"] for trial in job.trials)}
    if write:
        for ident in ("figures", "report"):  # an earlier head's may draw what was there before
            (folder / "ids" / ident).unlink(missing_ok=True)
        (folder / "logs").mkdir(parents=True, exist_ok=True)  # schedulers do not make it
        write_atomically(
            folder / "grouping.json",
            {
                "format": 1,
                "key": key_of(trials, settings),
                "jobs": {ident: {"trials": job["trials"], "needs": job["needs"]} for ident, job in described.items()},
            },
        )
        for ident, job in described.items():
            write_atomically(place(settings["results"], "jobs", f"{ident}.json"), job)
            if ident not in open_jobs and not os.path.exists(marker(settings["results"], ident)):
                write_atomically(marker(settings["results"], ident), {"job": ident, "node": None})
        for path in before:
            if path.stem in open_jobs:
                path.unlink(missing_ok=True)
    hours = sum(trial["seconds"] for trial in trials if trial["id"] in left) / 3600
    print(
        f"workflow: {len(left)} of {len(trials)} trials to run, about {hours:.2g} core-hours, in "
        f"{counted(len(open_jobs), 'job')} of about {settings['job_minutes']:g} min on "
        f"{counted(settings['job_cores'], 'core')}",
        file=sys.stderr,
        flush=True,
    )
    return described


def counted(number, word):
    """1 job, 2 jobs."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def key_of(trials, settings):
    """Equal for equal groupings."""
    places = sorted([trial["id"], trial["spec"], trial["file"]] for trial in trials)
    return hashlib.sha256(json.dumps([places, settings["job_minutes"], settings["job_cores"]]).encode()).hexdigest()


def group(trials, left, settings, earlier):
    """Jobs by id: as they were, if every trial that is left has its place there; else anew, of what is left."""
    by_id = {trial["id"]: trial for trial in trials}
    known = earlier.get("jobs", {})
    if earlier.get("key") == key_of(trials, settings) and left <= {i for job in known.values() for i in job["trials"]}:
        return {
            ident: grouping.Job(trials=[by_id[i] for i in job["trials"]], needs=set(job["needs"]))
            for ident, job in known.items()
        }
    todo = [trial for trial in trials if trial["id"] in left]
    return {job.id: job for job in grouping.group(todo, settings["job_minutes"], settings["job_cores"])}


def describe(job, settings):
    """All that a node has to know."""
    cores = min(settings["job_cores"], len(job.trials))
    seconds = job.seconds(cores)
    return {
        "binary": settings["binary"],
        "tier": settings["tier"],
        "results": settings["results"],
        "trials": [trial["id"] for trial in job.trials],
        "files": [trial["file"] for trial in job.trials],
        "specs": sorted({trial["spec"] for trial in job.trials}),
        "data_sets": sorted({trial["data_set"] for trial in job.trials if not trial["synthetic"]}),
        "needs": sorted(job.needs),
        "cores": cores,
        "seconds": seconds,
        "about": f"{counted(len(job.trials), 'trial')} over {', '.join(sorted(job.data_sets()))}, "
        f"about {seconds:.0f} s",
        "minutes_asked": grouping.minutes_asked(job, cores),
        "mebibytes_asked": grouping.mebibytes_asked(job, cores),
    }


def read_job(results, ident):
    """What the head process wrote about a job."""
    job = read_json(place(results, "jobs", f"{ident}.json"))
    if job is None:
        raise Stop(f"{place(results, 'jobs', ident)}.json is not there, or damaged; the head process writes it")
    return job


def verify_data(binary, names):
    """Every file that the job reads is on this node and whole; what is missing is fetched."""
    verify = [binary, "data", "verify", *names]
    if not names or subprocess.run(verify, stdout=subprocess.DEVNULL, check=False).returncode == 0:
        return
    subprocess.run([binary, "data", "fetch", *names], check=False)
    if subprocess.run(verify, check=False).returncode != 0:
        raise Stop(f"{platform.node()} has not all files of {', '.join(names)}")


def run_job(results, ident, threads):
    """Computes the trials of a job that have no result yet, then writes its marker. Raises Stop."""
    job = read_job(results, ident)
    verify_data(job["binary"], job["data_sets"])
    command = [
        job["binary"],
        "run",
        *job["specs"],
        "--tier",
        job["tier"],
        "--out",
        job["results"],
        "--jobs",
        str(threads),
    ]
    for trial in job["trials"]:
        command += ["--trial", trial]
    start = time.monotonic()
    # Ctrl-C and a scheduler's signals reach all processes of the job: the program stops by itself, this one waits.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    status = subprocess.run(command, check=False).returncode
    if status not in (0, 1):
        raise Stop(f"okbench run ended with status {status} in job {ident}")
    # A failed trial leaves a record; what has neither record nor trace was not even begun.
    causes = [failure_of(file) or (None if os.path.exists(file) else "no record") for file in job["files"]]
    passing = [cause for cause in causes if cause not in {None, *LASTING_FAILURES}]
    if status == 1 and passing:
        raise Stop(f"no result of {counted(len(passing), 'trial')} of job {ident} ({', '.join(sorted(set(passing)))})")
    write_atomically(
        marker(results, ident),
        {
            "job": ident,
            "node": platform.node(),
            "trials": len(job["trials"]),
            "cores": threads,
            "expected_seconds": job["seconds"],
            "seconds": time.monotonic() - start,
        },
    )


def scale(arguments):
    """Prints how long the jobs of a plan, whether done or not, would take on several numbers of nodes."""
    if not 1 <= arguments.job_cores <= arguments.node_cores:
        raise Stop("--job-cores must be 1 or more, and no more than --node-cores")
    trials = (read_json(arguments.plan) or {}).get("trials")
    if not trials:
        raise Stop(f"{arguments.plan}: not what okbench plan --json prints")
    cores = arguments.job_cores
    print("minutes of a job  jobs " + "".join(f"{nodes:>6} nodes" for nodes in arguments.nodes))
    for minutes in arguments.minutes:
        jobs = grouping.group(trials, minutes, cores)
        spans = [
            grouping.makespan(jobs, nodes, arguments.node_cores, cores, arguments.start_seconds)
            for nodes in arguments.nodes
        ]
        print(f"{minutes:>16g} {len(jobs):>5} " + "".join(f"{span / 60:>8.1f} min" for span in spans))


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    verbs = parser.add_subparsers(required=True, dest="verb")
    run = verbs.add_parser("run", help="compute the trials of a job, then write its marker")
    run.add_argument("results", help="folder of results")
    run.add_argument("job", help="its id")
    run.add_argument("threads", type=int, help="trials side by side")
    scaled = verbs.add_parser("scale", help="how a plan's jobs would scale, on paper")
    scaled.add_argument("plan", help="output of okbench plan --json")

    def nodes(text):
        return [int(word) for word in text.split(",")]

    def minutes(text):
        return [float(word) for word in text.split(",")]

    scaled.add_argument("--nodes", type=nodes, default=[1, 10, 100], help="numbers of nodes, e.g. 1,10,100")
    scaled.add_argument("--node-cores", type=int, default=32, help="cores of a node; default: 32")
    scaled.add_argument("--job-cores", type=int, default=1, help="cores of a job; default: 1")
    scaled.add_argument("--minutes", type=minutes, default=[10, 3, 1], help="costs of a job, e.g. 10,3,1")
    scaled.add_argument(
        "--start-seconds", type=float, default=10, help="between a free place and a job's first trial; default: 10"
    )
    arguments = parser.parse_args()
    try:
        if arguments.verb == "run":
            run_job(arguments.results, arguments.job, arguments.threads)
        else:
            scale(arguments)
    except (Stop, OSError) as cause:
        sys.exit(f"workflow: {cause}")


if __name__ == "__main__":
    main()
