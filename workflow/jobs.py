#!/usr/bin/python3
"""Make jobs from a plan, and run a single job for a workflow engine.

Files in RESULTS/workflow, all written by rename:
  grouping.json    the trials of each job
  jobs/JOB.json    the description of a job, read by its node
  done/JOB.json    the marker of a finished job

usage: jobs.py run RESULTS JOB THREADS     compute the trials of a job, then write its marker
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

# Deterministic failures: such a trial fails on every node, so its failure record is final.
DETERMINISTIC_FAILURES = {"diverged", "not-converged", "argument", "cross-validation"}


class Stop(Exception):
    """Error with a one-line message for the user."""


def write_atomically(path, content):
    """Write JSON by rename, so that readers never see a partial file. The temporary name is unique to the process."""
    write_text(path, json.dumps(content, indent=1) + "\n", folders=True)


def read_json(path):
    """Return the content of a JSON file, or None if it is missing or invalid."""
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def place(results, kind, name):
    """Return the path of a workflow file. `kind`: jobs, done, logs or ids."""
    return f"{results}/workflow/{kind}/{name}"


def marker(results, job):
    """Return the path of the marker of a finished job."""
    return place(results, "done", f"{job}.json")


def read_settings(config, specs):
    """Return the checked settings of the user. Raises Stop."""
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
            raise Stop(f"{name} is {given!r}, not {'an integer' if kind is int else 'a number'}") from None
        if not least <= settings[name] < float("inf"):
            raise Stop(f"{name} is {given}; it must be {'1 or more' if kind is int else 'above 0'}")
    for name in ("results", "report"):
        # These names are part of shell command lines of Snakemake and the scheduler.
        if set(str(config.get(name, ""))) & set("'\"\\{}%$`"):
            raise Stop(f"{name} is {config[name]}; it must not contain quotes, backslashes, braces, % or $")
    if shutil.which(settings["binary"]) is None:
        raise Stop(f"{settings['binary']} does not exist; run make build")
    return settings


def read_plan(settings, write):
    """Return the trials of the plan with cost estimates for the data and the machine of the head process."""
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
    """Return the kind of failure recorded for a trace file, or None."""
    record = read_json(pathlib.Path(file).with_suffix(".failed.json"))
    return record.get("kind") if isinstance(record, dict) else None


def is_stored(file):
    """Whether a trace has a file or is in a segment of its folder."""
    from okbench.native import module  # other functions of this file work without it

    return module.has_trace(file)


def unfinished(trials):
    """Return the ids of trials without a result and without a final failure."""
    failed = {trial["id"]: failure_of(trial["file"]) for trial in trials if not trial["done"]}
    lasting = {ident for ident, kind in failed.items() if kind in DETERMINISTIC_FAILURES}
    # A tuned trial that failed because of a fold is repeated once none of its folds has a final failure.
    for trial in trials:
        if failed.get(trial["id"]) == "cross-validation" and not lasting.intersection(trial["needs"]):
            lasting.discard(trial["id"])
    return set(failed) - lasting


def prepare(settings, write=True):
    """Plan, and return the description of each job by its id. If `write`, also write descriptions for the nodes.

    An earlier grouping of the same trials is reused, so that running and finished jobs of an earlier head process are
    recognised. Markers without results are removed. Jobs whose results all exist get a marker.
    """
    folder = pathlib.Path(settings["results"]) / "workflow"
    before = list((folder / "done").glob("????????????.json"))  # later markers belong to jobs that run during planning
    trials = read_plan(settings, write)
    left = unfinished(trials)
    earlier = read_json(folder / "grouping.json")
    jobs = group(trials, left, settings, earlier if isinstance(earlier, dict) else {})
    described = {ident: describe(job, settings) for ident, job in jobs.items()}
    open_jobs = {ident for ident, job in jobs.items() if left.intersection(trial["id"] for trial in job.trials)}
    if write:
        for ident in ("figures", "report"):  # jobs of an earlier head process may use outdated results
            (folder / "ids" / ident).unlink(missing_ok=True)
        (folder / "logs").mkdir(parents=True, exist_ok=True)  # schedulers do not create it
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
    """Return a count with its noun: 1 job, 2 jobs."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def key_of(trials, settings):
    """Return a hash of everything that determines a grouping."""
    places = sorted([trial["id"], trial["spec"], trial["file"]] for trial in trials)
    return hashlib.sha256(json.dumps([places, settings["job_minutes"], settings["job_cores"]]).encode()).hexdigest()


def group(trials, left, settings, earlier):
    """Return jobs by id: the earlier grouping if it contains every trial left, otherwise a new one of these trials."""
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
    """Return the description of a job for its node."""
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
        "time_limit_minutes": grouping.time_limit_minutes(job, cores),
        "memory_limit_mib": grouping.memory_limit_mib(job, cores),
    }


def read_job(results, ident):
    """Return the description of a job written by the head process. Raises Stop."""
    job = read_json(place(results, "jobs", f"{ident}.json"))
    if job is None:
        raise Stop(f"{place(results, 'jobs', ident)}.json is missing or damaged; rerun the head process")
    return job


def verify_data(binary, names):
    """Verify every data file of the job on this node, and fetch missing files. Raises Stop."""
    verify = [binary, "data", "verify", *names]
    if not names or subprocess.run(verify, stdout=subprocess.DEVNULL, check=False).returncode == 0:
        return
    subprocess.run([binary, "data", "fetch", *names], check=False)
    if subprocess.run(verify, check=False).returncode != 0:
        raise Stop(f"{platform.node()}: missing data files of {', '.join(names)}")


def run_job(results, ident, threads):
    """Compute the trials of a job that have no result yet, then write its marker. Raises Stop."""
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
        "--pack",  # few files for many trials: shared file systems are slow with many
    ]
    for trial in job["trials"]:
        command += ["--trial", trial]
    start = time.monotonic()
    # Ctrl-C and scheduler signals reach all processes of the job: okbench stops by itself, and this process waits.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    status = subprocess.run(command, check=False).returncode
    if status not in (0, 1):
        raise Stop(f"okbench run ended with status {status} in job {ident}")
    # A failed trial leaves a record. A trial without record and trace was never started.
    causes = [failure_of(file) or (None if is_stored(file) else "no record") for file in job["files"]] if status else []
    passing = [cause for cause in causes if cause not in {None, *DETERMINISTIC_FAILURES}]
    if passing:
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


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    verbs = parser.add_subparsers(required=True, dest="verb")
    run = verbs.add_parser("run", help="compute the trials of a job, then write its marker")
    run.add_argument("results", help="folder of results")
    run.add_argument("job", help="id of the job")
    run.add_argument("threads", type=int, help="trials to run in parallel")
    arguments = parser.parse_args()
    try:
        run_job(arguments.results, arguments.job, arguments.threads)
    except (Stop, OSError) as cause:
        sys.exit(f"workflow: {cause}")


if __name__ == "__main__":
    main()
