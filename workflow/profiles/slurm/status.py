#!/usr/bin/python3
"""What became of a Slurm job: prints running, success or failed, as Snakemake asks.

usage: status.py JOBID
"""

import subprocess
import sys

RUNNING = {"PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED", "REQUEUED", "RESIZING", "SIGNALING",
           "STAGE_OUT", "STOPPED"}


def output_of(*command):
    """Standard output and standard error; the latter alone when the command is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    return done.stdout, done.stderr


def state_of(job):
    """The job's state; None when Slurm knows it no longer, RUNNING while Slurm cannot be asked."""
    text, problem = output_of("scontrol", "--oneliner", "show", "job", job)
    for word in text.split():
        if word.startswith("JobState="):
            return word.removeprefix("JobState=")
    if "Invalid job id" not in problem:
        return "RUNNING"  # the controller restarts, or is busy
    # Finished jobs are soon forgotten, unless they are accounted for.
    text, _ = output_of("sacct", "--noheader", "--allocations", "--parsable2", "--format=State", "--jobs", job)
    return text.split()[0] if text.split() else None


def main():
    """Answers for one job."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    state = state_of(sys.argv[1])
    if state in RUNNING:
        print("running")
    else:
        # A forgotten job counts as failed: given again, it finds its results and is over at once.
        print("success" if state == "COMPLETED" else "failed")


if __name__ == "__main__":
    main()
