"""Compares the plans of results with the present specs, data and code."""

import json
import os
import subprocess
import sys

from .. import home
from ..errors import TraceFileError

ACCEPT = "OKBENCH_STALE"  # 1: accept stale results


def compare_plans(folder):
    """How plans differ from the present specs: ({trial id: reason}, names).

    The trials that the present specs would run differently, each with a reason such as "mu = 1, now 0.5", and the
    names of the trials that the plans lack. With OKBENCH_STALE=1, prints the number of stale results to standard error
    and returns none of them. Returns nothing if the program is not installed. Raises TraceFileError if the folder
    cannot be read.
    """
    try:
        program = home.program()
    except FileNotFoundError:
        return {}, []
    done = subprocess.run([program, "verify", "--plans", "--json", str(folder)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise TraceFileError(f"{folder}: {done.stderr.strip().removeprefix('okbench: ')}")
    content = json.loads(done.stdout)
    stale, unplanned = content["stale"], [*content["unplanned"]]
    if stale and os.environ.get(ACCEPT) == "1":
        print(f"okbench: {folder}: accepts {len(stale)} stale results", file=sys.stderr)
        stale = {}
    return stale, unplanned
