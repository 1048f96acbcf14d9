"""Compares the plans of results with the present specs, data and code."""

import json
import os
import subprocess
import sys

from .. import home
from ..errors import TraceFileError

ACCEPT = "OKBENCH_STALE"  # 1: accept stale results


def stale_trials(folder):
    """Returns {trial id: reason} for the planned trials that the present specs would run differently.

    A reason is a text such as "mu = 1, now 0.5". With OKBENCH_STALE=1, prints the number of stale results to standard
    error and returns {}. Also returns {} if the program is not installed. Raises TraceFileError if the folder cannot be
    read.
    """
    try:
        program = home.program()
    except FileNotFoundError:
        return {}
    done = subprocess.run([program, "verify", "--plans", "--json", str(folder)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise TraceFileError(f"{folder}: {done.stderr.strip().removeprefix('okbench: ')}")
    stale = json.loads(done.stdout)["stale"]
    if stale and os.environ.get(ACCEPT) == "1":
        print(f"okbench: {folder}: accepts {len(stale)} stale results", file=sys.stderr)
        return {}
    return stale
