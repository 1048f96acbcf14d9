#!/usr/bin/env python3
"""Between Snakemake and Slurm: submits jobs, and tells what became of them. Any Python from 3.6 on will do.

usage: slurm.py submit ID_FILE SBATCH_OPTION... SCRIPT    prints the id of the job
       slurm.py status ID                                 prints running, success or failed
       slurm.py ID...                                     cancels (Snakemake gives no verb, and two seconds)

An id may name its cluster: 123;name, as sbatch --parsable prints it.
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
# A waiting job with one of these reasons waits for an administrator, not for its turn.
HOPELESS = {
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
# What sbatch says when it may say otherwise a little later.
PASSING = (
    "Socket timed out",
    "Unable to contact slurm controller",
    "Slurm temporarily unable",
    "Connection refused",
    "Connection timed out",
    "Zero Bytes were transmitted",
)
FULL = "MaxSubmit"  # as many jobs as the user may have: some will end
WAITS = (1, 2, 5, 10, 20, 40, 60, 60, 60)  # seconds between tries of sbatch


def run(command):
    """Exit status, standard output and standard error."""
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
    """The words of a command of Slurm's that select a job, on its cluster."""
    number, _, cluster = job.partition(";")
    return [program] + (["--clusters=" + cluster] if cluster else []), number


def show(job):
    """What scontrol says of a job, by key; None when it knows no such job, {} while it cannot be asked."""
    command, number = about("scontrol", job)
    _, text, problem = run(command + ["--oneliner", "show", "job", number])
    words = dict(word.split("=", 1) for word in text.split() if "=" in word)
    if "JobState" in words:
        return words
    return None if "Invalid job id" in problem else {}


def cancel(jobs):
    """Ends jobs; those that are over already are no error."""
    clusters = {}
    for job in jobs:
        command, number = about("scancel", job)
        clusters.setdefault(tuple(command), []).append(number)
    for command, numbers in clusters.items():
        run(list(command) + numbers)


def outcome(job, words):
    """running, success or failed, by what `show` said of the job."""
    if words == {}:
        return "running"  # the controller restarts, or is busy
    if words is not None:
        state = words["JobState"]
        if state in ALIVE and words.get("Reason") not in HOPELESS:
            return "running"
        if state != "COMPLETED":
            cancel([job])  # held jobs would come back
            print("slurm: job {} is {}: {}".format(job, state, words.get("Reason")), file=sys.stderr)
        return "success" if state == "COMPLETED" else "failed"
    # Finished jobs are soon forgotten, unless they are accounted for. A forgotten job counts as failed: given again, it
    # finds its results and is over at once.
    command, number = about("sacct", job)
    _, text, _ = run(command + ["--noheader", "--allocations", "--parsable2", "--format=State", "--jobs", number])
    return "success" if text.split()[:1] == ["COMPLETED"] else "failed"


def is_ours(job, options):
    """Whether a living job is this user's and writes where these options say: ids start anew when a cluster does."""
    words = show(job)
    output = [option[len("--output=") :] for option in options if option.startswith("--output=")]
    if not words or not words.get("UserId", "").endswith("({})".format(os.getuid())):
        return False
    if output and words.get("StdOut") != os.path.abspath(output[0]):
        return False
    return outcome(job, words) == "running"


def submit(id_file, options):
    """Submits, unless the job that an earlier head submitted is still alive; prints its id.

    Snakemake's own record of the id is overwritten when the job starts, so that it could adopt waiting jobs only.
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
        elif waits and any(phrase in problem for phrase in PASSING):
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
    """Reads the command line."""
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
