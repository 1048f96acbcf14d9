"""Compares the plans of results with the present specs, data and code."""

import json
import os
import subprocess
import sys

from .. import home
from ..errors import ClaimError

ACCEPT = "OKBENCH_STALE"  # 1: accept stale results


def stale_trials(folder):
    """Returns {trial id: reason} for the planned trials that the present specs would run differently.

    A reason is a text such as "mu = 1, now 0.5". Accepted stale results (OKBENCH_STALE=1) are reported on standard
    error and not returned. Returns {} if the program is not installed. Raises ClaimError if a plan or trace is invalid.
    """
    try:
        program = home.program()
    except FileNotFoundError:
        return {}
    done = subprocess.run([program, "verify", "--plans", "--json", str(folder)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise ClaimError(f"{folder}: {done.stderr.strip().removeprefix('okbench: ')}")
    stale = json.loads(done.stdout)["stale"]
    if stale and os.environ.get(ACCEPT) == "1":
        print(f"okbench: {folder}: accepts {len(stale)} stale results", file=sys.stderr)
        return {}
    return stale
