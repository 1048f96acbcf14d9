#!/usr/bin/env python3
"""Submit, query and cancel Slurm jobs for Snakemake. Works with Python 3.6 or later.

usage: slurm.py submit ID_FILE SBATCH_OPTION... SCRIPT    prints the id of the job
       slurm.py status ID                                 prints running, success or failed
       slurm.py ID...                                     cancels (called by Snakemake, with a limit of two seconds)

An id may include its cluster, as printed by sbatch --parsable: 123;name.
"""

import os
import subprocess
import sys
import time

ALIVE = {
    "PENDING",
    "CONFIGURING",
    "RUNNING",
    "COMPLETING",
    "SUSPENDED",
    "REQUEUED",
    "RESIZING",
    "SIGNALING",
    "STAGE_OUT",
    "STOPPED",
}
# Pending jobs with one of these reasons never start without an administrator.
NEVER_STARTING = {
    "PartitionTimeLimit",
    "PartitionNodeLimit",
    "BadConstraints",
    "DependencyNeverSatisfied",
    "InvalidAccount",
    "InvalidQOS",
    "AccountNotAllowed",
    "QOSNotAllowed",
    "JobHeldAdmin",
    "launch_failed_requeued_held",
}
# Temporary errors of sbatch, after which it is retried.
TEMPORARY_ERRORS = (
    "Socket timed out",
    "Unable to contact slurm controller",
    "Slurm temporarily unable",
    "Connection refused",
    "Connection timed out",
    "Zero Bytes were transmitted",
)
FULL = "MaxSubmit"  # the user's job limit is reached: retry until jobs end
WAITS = (1, 2, 5, 10, 20, 40, 60, 60, 60)  # seconds between tries of sbatch


def run(command):
    """Run a command. Return its exit status, standard output and standard error."""
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            timeout=120,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, "", str(error)
    return done.returncode, done.stdout, done.stderr


def about(program, job):
    """Return the command for the cluster of a job, and the number of the job."""
    number, _, cluster = job.partition(";")
    return [program] + (["--clusters=" + cluster] if cluster else []), number


def show(job):
    """Return the keys of a job from scontrol; None if the job is unknown, {} if scontrol is unavailable."""
    command, number = about("scontrol", job)
    _, text, problem = run(command + ["--oneliner", "show", "job", number])
    words = dict(word.split("=", 1) for word in text.split() if "=" in word)
    if "JobState" in words:
        return words
    return None if "Invalid job id" in problem else {}


def cancel(jobs):
    """Cancel jobs. Ignores jobs that have already ended."""
    clusters = {}
    for job in jobs:
        command, number = about("scancel", job)
        clusters.setdefault(tuple(command), []).append(number)
    for command, numbers in clusters.items():
        run(list(command) + numbers)


def outcome(job, words):
    """Return running, success or failed. `words`: result of show(job)."""
    if words == {}:
        return "running"  # the controller is restarting or busy
    if words is not None:
        state = words["JobState"]
        if state in ALIVE and words.get("Reason") not in NEVER_STARTING:
            return "running"
        if state != "COMPLETED":
            cancel([job])  # a held job could start later
            print("slurm: job {} is {}: {}".format(job, state, words.get("Reason")), file=sys.stderr)
        return "success" if state == "COMPLETED" else "failed"
    # scontrol forgets finished jobs, and sacct knows them only with accounting. A forgotten job counts as failed. When
    # it is submitted again, it finds its results and ends at once.
    command, number = about("sacct", job)
    _, text, _ = run(command + ["--noheader", "--allocations", "--parsable2", "--format=State", "--jobs", number])
    return "success" if text.split()[:1] == ["COMPLETED"] else "failed"


def is_ours(job, options):
    """Return whether a running job has this user and this output file. A reset cluster reuses job ids."""
    words = show(job)
    output = [option[len("--output=") :] for option in options if option.startswith("--output=")]
    if not words or not words.get("UserId", "").endswith("({})".format(os.getuid())):
        return False
    if output and words.get("StdOut") != os.path.abspath(output[0]):
        return False
    return outcome(job, words) == "running"


def submit(id_file, options):
    """Submit a job and print its id. If a job of an earlier head process still runs, print its id instead.

    The id is kept in id_file, because Snakemake overwrites its own record when the job starts.
    """
    try:
        with open(id_file, encoding="utf-8") as file:
            known = file.read().strip()
    except OSError:
        known = ""
    if known and is_ours(known, options):
        print("slurm: adopted job " + known, file=sys.stderr)
        print(known)
        return
    waits = list(WAITS)
    while True:
        failed, text, problem = run(["sbatch", "--parsable"] + options)
        if not failed:
            break
        if FULL in problem:
            time.sleep(WAITS[-1])
        elif waits and any(phrase in problem for phrase in TEMPORARY_ERRORS):
            time.sleep(waits.pop(0))
        else:
            sys.exit("slurm: " + problem.strip())
    ident = text.strip()
    temporary = id_file + ".tmp-" + str(os.getpid())
    try:
        os.makedirs(os.path.dirname(os.path.abspath(id_file)), exist_ok=True)
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(ident + "\n")
        os.replace(temporary, id_file)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        sys.exit(f"slurm: job {ident} was submitted, but {id_file} cannot be written: {error.strerror}")
    print(ident)


def main():
    """Run the command line."""
    if len(sys.argv) == 3 and sys.argv[1] == "status":
        print(outcome(sys.argv[2], show(sys.argv[2])))
    elif len(sys.argv) >= 4 and sys.argv[1] == "submit":
        submit(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) >= 2 and all(word[:1].isdigit() for word in sys.argv[1:]):
        cancel(sys.argv[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
