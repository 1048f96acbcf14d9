"""How fetch.py and add.py end: they print in any locale, and where nothing can be printed that is one line."""

import os
import sys


def run(main, name):
    """Ends the process with the status of `main`; 1 where standard output cannot be written, 130 after Ctrl-C."""
    sys.stdout.reconfigure(errors="backslashreplace")  # a locale may not have a file's name
    try:
        status = main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        # Python would try again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = f"{name}: {error.filename or 'standard output'}: {error.strerror or error}"
    sys.exit(status)
