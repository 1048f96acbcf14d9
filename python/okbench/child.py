"""A child process that ends with this process."""

import ctypes
import os
import signal
import subprocess
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def run(words):
    """Runs a command and returns its exit status. The child gets SIGTERM as soon as this process ends, even if it is
    killed (Linux), or gets SIGTERM or SIGHUP (other systems)."""
    parent = os.getpid()

    def follow():
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it ended before the call
            os._exit(128 + signal.SIGTERM)

    linux = sys.platform.startswith("linux")
    child = subprocess.Popen(words, preexec_fn=follow if linux else None)

    def end(number, _frame):
        child.terminate()
        sys.exit(128 + number)

    before = {} if linux else {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        return child.wait()
    except BaseException:  # Ctrl-C reaches the child, too
        child.wait()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
