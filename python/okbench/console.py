"""What the commands of these packages do alike: print in any locale, and end in one line where they cannot print."""

import os
import sys

PIPE_CLOSED, INTERRUPTED = 141, 130  # as shells tell of SIGPIPE and SIGINT


def run(main, *arguments):
    """A command's exit status: that of its `main`, or 1 after one line where standard output cannot be written."""
    for stream in (sys.stdout, sys.stderr):
        # Titles and names have characters that a locale may not have.
        stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return main(*arguments) or 0
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemoryError:
        silence()
        print("okbench: out of memory", file=sys.stderr)
        return 1
    except BrokenPipeError:  # who reads has seen enough
        silence()
        return PIPE_CLOSED
    except OSError as error:
        silence()
        print(f"okbench: {error.filename or 'standard output'}: {error.strerror or error}", file=sys.stderr)
        return 1


def silence():
    """What is left to print goes nowhere: Python would try again at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def in_utf8(stream):
    """Makes a stream write UTF-8 in any locale: what it gets is a file."""
    if hasattr(stream, "reconfigure"):  # a notebook's does
        stream.reconfigure(encoding="utf-8")
