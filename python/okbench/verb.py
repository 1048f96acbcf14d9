"""python -m okbench.verb MODULE ARGUMENTS: the program's verbs that are written in Python."""

import importlib
import sys

from .console import run


def main() -> int:
    name, *arguments = sys.argv[1:]
    try:
        return importlib.import_module(name).main(arguments)
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


if __name__ == "__main__":
    sys.exit(run(main))
