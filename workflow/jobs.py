#!/usr/bin/python3
"""The jobs of a run: made from the plan, kept in one file, run one at a time by a workflow engine.

usage: jobs.py run FILE JOB MARKER THREADS      compute the trials of a job, then write its marker
       jobs.py scale PLAN [--nodes N,N,...] ... how a plan's jobs would scale, on paper
"""

import argparse
import hashlib
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import time

import grouping

# A trial that failed for one of these reasons fails again, wherever it runs: its record is its result.
LASTING_FAILURES = {"diverged", "not-converged", "argument"}


def write_atomically(path, content):
    """By rename, so that no reader sees half a file; the name is this machine's own."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp-{platform.node()}-{os.getpid()}")
    temporary.write_text(json.dumps(content, indent=1) + "\n")
    os.replace(temporary, path)


def read_plan(settings):
    """What okbench expects every trial to cost, from the data and the machine here."""
    command = [settings["binary"], "plan", *settings["specs"], "--tier", settings["tier"],
               "--out", settings["results"], "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"jobs: okbench plan ended with status {done.returncode}")
    return json.loads(done.stdout)


def failure_of(trial):
    """Kind of a recorded failure, or None."""
    record = pathlib.Path(trial["file"]).with_suffix(".failed.json")
    try:
        return json.loads(record.read_text()).get("kind", "unknown")
    except (OSError, ValueError):
        return None


def is_over(trial):
    """Has a result, or a failure that would come again."""
    return trial["done"] or failure_of(trial) in LASTING_FAILURES


def marker(settings, job):
    """The file that tells that a job is over."""
    return f"{settings['results']}/workflow/{job}.json"


def prepare(settings):
    """Plans, and writes the file of jobs; returns its content.

    An earlier grouping of the same trials is kept, so that jobs of an earlier head process that still run, or are
    over, are known again. Markers whose results have gone are removed.
    """
    path = pathlib.Path(settings["results"]) / "workflow" / "jobs.json"
    trials = read_plan(settings)["trials"]
    sizes = [settings["job_minutes"], settings["job_cores"]]
    key = hashlib.sha256(json.dumps([sorted(trial["id"] for trial in trials), sizes]).encode()).hexdigest()
    left = {trial["id"] for trial in trials if not is_over(trial)}
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError):
        content = {}
    known = {ident for job in content.get("jobs", {}).values() for ident in job["trials"]}
    if content.get("key") != key or not left <= known:
        content = {"format": 1, "key": key, **settings, "jobs": describe(trials, left, settings)}
    content.update(settings)
    for ident, job in content["jobs"].items():
        if left.intersection(job["trials"]):
            pathlib.Path(marker(settings, ident)).unlink(missing_ok=True)
    write_atomically(path, content)
    open_jobs = {ident for ident, job in content["jobs"].items() if left.intersection(job["trials"])}
    hours = sum(content["jobs"][ident]["seconds"] for ident in open_jobs) * settings["job_cores"] / 3600
    print(f"workflow: {len(left)} of {len(trials)} trials have no result yet; {len(open_jobs)} jobs of at most about "
          f"{settings['job_minutes']:g} min, {settings['job_cores']} cores each; about {hours:.2g} core-hours",
          file=sys.stderr, flush=True)
    return content


def describe(trials, left, settings):
    """The jobs that compute what is left, as the file holds them."""
    cores = settings["job_cores"]
    todo = [trial for trial in trials if trial["id"] in left]
    jobs = {}
    for job in grouping.group(todo, settings["job_minutes"], cores):
        jobs[job.id] = {
            "trials": [trial["id"] for trial in job.trials],
            "files": [trial["file"] for trial in job.trials],
            "specs": sorted({trial["spec"] for trial in job.trials}),
            "data_sets": sorted({trial["data_set"] for trial in job.trials if not trial["stand_in"]}),
            "needs": sorted(job.needs),
            "seconds": job.seconds(cores),
            "about": f"{len(job.trials)} trials over {', '.join(sorted(job.data_sets()))}, about {job.seconds(cores):.0f} s",
            "minutes_asked": grouping.minutes_asked(job, cores),
            "mebibytes_asked": grouping.mebibytes_asked(job, cores),
        }
    return jobs


def read_jobs(results):
    """The file that the head process wrote."""
    return json.loads((pathlib.Path(results) / "workflow" / "jobs.json").read_text())


def verify_data(content, names):
    """Every file that the job reads is on this node and whole; what is missing is fetched."""
    if not names:
        return
    verify = [content["binary"], "data", "verify", *names]
    if subprocess.run(verify, stdout=subprocess.DEVNULL, check=False).returncode == 0:
        return
    subprocess.run([content["binary"], "data", "fetch", *names], check=False)
    if subprocess.run(verify, check=False).returncode != 0:
        sys.exit(f"jobs: {platform.node()} has not all files of {', '.join(names)}")


def run_job(path, ident, marker_path, threads):
    """Computes the trials of a job that have no result yet."""
    content = json.loads(pathlib.Path(path).read_text())
    job = content["jobs"][ident]
    verify_data(content, job["data_sets"])
    command = [content["binary"], "run", *job["specs"], "--tier", content["tier"], "--out", content["results"],
               "--jobs", str(threads)]
    for trial in job["trials"]:
        command += ["--trial", trial]
    start = time.monotonic()
    with subprocess.Popen(command) as child:
        # The program stops by itself when it is asked to; what it has finished stays.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda received, _frame: child.send_signal(received))
        status = child.wait()
    if status == 1:
        failures = {failure_of({"file": file}) for file in job["files"]} - {None}
        if failures - LASTING_FAILURES:
            sys.exit(f"jobs: job {ident} has failures that may not come again: {', '.join(sorted(failures))}")
    elif status != 0:
        sys.exit(f"jobs: okbench run ended with status {status} in job {ident}")
    write_atomically(marker_path, {"job": ident, "node": platform.node(), "trials": len(job["trials"]),
                                   "expected_seconds": job["seconds"], "seconds": time.monotonic() - start})


def scale(arguments):
    """Prints how long the jobs of a plan would take on several numbers of nodes."""
    with open(arguments.plan, encoding="utf-8") as file:
        trials = json.load(file)["trials"]
    print("minutes of a job  jobs " + "".join(f"{nodes:>6} nodes" for nodes in arguments.nodes))
    for minutes in arguments.minutes:
        jobs = grouping.group(trials, minutes, arguments.job_cores)
        spans = [
            grouping.makespan(jobs, nodes, arguments.node_cores, arguments.job_cores, arguments.start_seconds)
            for nodes in arguments.nodes
        ]
        print(f"{minutes:>16g} {len(jobs):>5} " + "".join(f"{span / 60:>8.1f} min" for span in spans))


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    verbs = parser.add_subparsers(required=True, dest="verb")
    run = verbs.add_parser("run", help="compute the trials of a job, then write its marker")
    run.add_argument("file", help="jobs.json")
    run.add_argument("job")
    run.add_argument("marker")
    run.add_argument("threads", type=int)
    scaled = verbs.add_parser("scale", help="how a plan's jobs would scale, on paper")
    scaled.add_argument("plan", help="output of okbench plan --json")

    def numbers(text):
        return [int(word) for word in text.split(",")]

    scaled.add_argument("--nodes", type=numbers, default=[1, 10, 100])
    scaled.add_argument("--node-cores", type=int, default=32)
    scaled.add_argument("--job-cores", type=int, default=1)
    scaled.add_argument("--minutes", type=numbers, default=[10, 3, 1])
    scaled.add_argument("--start-seconds", type=float, default=10, help="of a job before its first trial")
    arguments = parser.parse_args()
    if arguments.verb == "run":
        run_job(arguments.file, arguments.job, arguments.marker, arguments.threads)
    else:
        scale(arguments)


if __name__ == "__main__":
    main()
