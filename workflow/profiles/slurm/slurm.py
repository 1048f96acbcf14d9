#!/usr/bin/env python3
"""Between Snakemake and Slurm: submits jobs, and tells what became of them. Any Python from 3.6 on will do.

usage: slurm.py submit ID_FILE SBATCH_OPTION... SCRIPT    prints the id of the job
       slurm.py status ID                                 prints running, success or failed
"""

import os
import subprocess
import sys
import time

ALIVE = {"PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "REQUEUED", "RESIZING", "SIGNALING",
         "STAGE_OUT", "STOPPED"}
# What sbatch says when it may say otherwise a little later.
PASSING = ("Socket timed out", "Unable to contact slurm controller", "Slurm temporarily unable", "Connection refused",
           "job submit limit", "MaxSubmitJob", "Zero Bytes were transmitted", "Connection timed out")
WAITS = (1, 2, 5, 10, 20, 40, 60, 60, 60)  # seconds between tries of sbatch


def run(command):
    """Exit status, standard output and standard error."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 1, "", str(error)
    return done.returncode, done.stdout, done.stderr


def state_of(job):
    """The job's state; None when Slurm knows it no longer, RUNNING while Slurm cannot be asked."""
    _, text, problem = run(["scontrol", "--oneliner", "show", "job", job])
    for word in text.split():
        if word.startswith("JobState="):
            return word[len("JobState="):]
    if "Invalid job id" not in problem:
        return "RUNNING"  # the controller restarts, or is busy
    # Finished jobs are soon forgotten, unless they are accounted for.
    _, text, _ = run(["sacct", "--noheader", "--allocations", "--parsable2", "--format=State", "--jobs", job])
    return text.split()[0] if text.split() else None


def status(job):
    """Prints what Snakemake asks for."""
    state = state_of(job)
    if state in ALIVE:
        print("running")
    else:
        # A forgotten job counts as failed: given again, it finds its results and is over at once.
        print("success" if state == "COMPLETED" else "failed")


def submit(id_file, options):
    """Submits, unless the job that an earlier head submitted is still alive; prints its id.

    Snakemake's own record of the id is overwritten when the job starts, so that it could adopt waiting jobs only.
    """
    try:
        with open(id_file, encoding="utf-8") as file:
            known = file.read().strip()
    except OSError:
        known = ""
    if known and state_of(known) in ALIVE:
        print("slurm: adopted job " + known, file=sys.stderr)
        print(known)
        return
    for wait in WAITS + (0,):
        failed, text, problem = run(["sbatch", "--parsable"] + options)
        if not failed:
            break
        if wait == 0 or not any(phrase in problem for phrase in PASSING):
            sys.exit("slurm: sbatch: " + problem.strip())
        time.sleep(wait)
    ident = text.strip().split(";")[0]
    os.makedirs(os.path.dirname(id_file), exist_ok=True)
    temporary = id_file + ".tmp-" + str(os.getpid())
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(ident + "\n")
    os.replace(temporary, id_file)
    print(ident)


def main():
    """Reads the command line."""
    if len(sys.argv) == 3 and sys.argv[1] == "status":
        status(sys.argv[2])
    elif len(sys.argv) >= 4 and sys.argv[1] == "submit":
        submit(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
