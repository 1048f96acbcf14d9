"""Runs a command: prints in any locale, and turns errors into one line and an exit status."""

import os
import sys

from .errors import OkbenchError

PIPE_CLOSED, INTERRUPTED = 141, 130  # exit statuses of shells for SIGPIPE and SIGINT


def run(main, *arguments):
    """The exit status of `main`; after an error, one line on standard error and its status."""
    for stream in (sys.stdout, sys.stderr):
        # Titles and names have characters that the locale may lack.
        stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return main(*arguments) or 0
        finally:
            sys.stdout.flush()
    except OkbenchError as error:
        print(f"okbench: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        discard_output()
        print("okbench: out of memory", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader has closed the pipe
        discard_output()
        return PIPE_CLOSED
    except OSError as error:
        discard_output()
        print(f"okbench: {error.filename or 'standard output'}: {error.strerror or error}", file=sys.stderr)
        return 1


def discard_output():
    """Discards what is left to print. Python would try to flush it again when it exits."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:
        pass  # Python then prints a second line


def in_utf8(stream):
    """Makes a standard stream write UTF-8 in any locale, because other programs read its output as a file."""
    if hasattr(stream, "reconfigure"):  # the stream of a notebook has none
        stream.reconfigure(encoding="utf-8")
