"""python -m okbench.verb MODULE ARGUMENTS: the program's verbs that are written in Python."""

import importlib
import mmap
import os
import resource
import sys

from .console import run

# What NumPy's BLAS would start and, where memory is short, wait for without an end; no verb has a use for its threads.
BLAS_THREADS = "OPENBLAS_NUM_THREADS"
DRAWING_BYTES = 224 << 20  # of addresses, that matplotlib with all that it loads takes
BLAS_BYTES = 130 << 20  # and of these the buffer of the BLAS


def main() -> int:
    name, *arguments = sys.argv[1:]
    os.environ.setdefault(BLAS_THREADS, "1")
    draws = name.split(".")[0] == "okplots"
    try:
        if draws:
            require_addresses(DRAWING_BYTES)
        module = importlib.import_module(name)
        if draws:
            reserve_blas()
        return module.main(arguments)
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing in ("", "okbench", "okplots"):
            raise
        print(
            f"okbench: {sys.executable} cannot import {missing}; install it there, or choose another interpreter "
            "with OKBENCH_PYTHON",
            file=sys.stderr,
        )
        return 2
    except ImportError as error:  # a library that is there
        print(f"okbench: {sys.executable} cannot load what the verb needs: {last_line(error)}", file=sys.stderr)
        return 1
    except SystemError as error:  # how extension modules end that find no memory
        if not limited():
            raise
        raise MemoryError from error


def limited() -> bool:
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def require_addresses(count: int) -> None:
    """Raises MemoryError where a limit of the process (ulimit -v) leaves fewer bytes of addresses."""
    if limited():
        try:
            mmap.mmap(-1, count).close()
        except OSError as error:
            raise MemoryError from error


def reserve_blas() -> None:
    """OpenBLAS asks for its buffer at the first solution of a linear system, and where it gets none again and again
    without an end: better while there is room, or not at all."""
    if limited():
        require_addresses(BLAS_BYTES)
        numpy = importlib.import_module("numpy")
        numpy.linalg.inv(numpy.eye(2))


def last_line(error) -> str:
    """NumPy tells of a library that cannot be loaded in forty lines; the reason is that of the error before it."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__
    return (str(error).strip().splitlines() or [type(error).__name__])[-1]


if __name__ == "__main__":
    sys.exit(run(main))
