"""The verbs of the program that are written in Python: one module per verb.

A module NAME.py is the verb `okbench NAME`; an underscore stands for a blank (data_add: `okbench data add`). Its
docstring starts with one sentence, which is the help line. It has EXAMPLE, a command; add_options(parser), which
declares the options; and run(options), which returns the exit status (None: 0) or raises OkbenchError. run()
imports the modules that use Matplotlib, so that --help and option errors are immediate.
"""

import argparse
import importlib
import os
import pathlib
import pkgutil
import sys

from ..errors import OkbenchError, RequestError, WriteError, root_cause


def names():
    """Module names of all verbs."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def find(words):
    """(module name, remaining arguments) of the verb that the words begin with; (None, words) when there is none."""
    for length in (2, 1):
        name = "_".join(words[:length])
        if len(words) >= length and name in names():
            return name, words[length:]
    return None, words


class Parser(argparse.ArgumentParser):
    """Its errors are one line, and have the exit status of an invalid request."""

    def error(self, message):
        print(f"okbench: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(2)


def increasing_integers(text):
    """Increasing integers >= 1, separated by commas, for argparse."""
    try:
        values = [int(token) for token in text.split(",")]
    except ValueError:
        values = [0]
    if values[0] < 1 or any(a >= b for a, b in zip(values, values[1:])):
        raise argparse.ArgumentTypeError(f"{text!r}: expected increasing integers >= 1, such as 64,256")
    return values


def number_of(kind, valid, expected):
    """A function for argparse that reads a number of type `kind` for which valid(number) holds."""

    def read(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not valid(value):
            raise argparse.ArgumentTypeError(f"{text!r}: expected {expected}")
        return value

    return read


def add_experiments_option(parser):
    parser.add_argument(
        "--experiments",
        type=pathlib.Path,
        action="append",
        help="folder of papers; may be repeated (default: okbench's and those of OKBENCH_EXPERIMENTS)",
    )


def add_results_options(parser):
    """A result folder, as an argument or by --results."""
    parser.add_argument(
        "folder", nargs="?", type=pathlib.Path, metavar="RESULTS", help="result folder (default: results/default)"
    )
    parser.add_argument("--results", type=pathlib.Path, help="the same, as an option")


def results_of(options):
    """The result folder of the options of add_results_options(). Raises RequestError for two of them."""
    if options.folder and options.results:
        raise RequestError(f"two result folders: {options.folder} and --results {options.results}")
    return options.folder or options.results or pathlib.Path("results/default")


def load(name):
    """(module, parser) of a verb."""
    module = importlib.import_module(f".{name}", __name__)
    parser = Parser(
        prog=f"okbench {name.replace('_', ' ')}",
        description=module.__doc__,
        epilog=f"Example: {module.EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_options(parser)
    return module, parser


def call(name, arguments):
    """Runs a verb; returns its exit status. Errors become one line on standard error."""
    # No verb uses BLAS threads. OpenBLAS would start them when NumPy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        module, parser = load(name)
        try:
            options = parser.parse_args(arguments)
        except SystemExit as stop:  # --help, or an error that argparse has printed
            return stop.code or 0
        for name, value in vars(options).items():
            if name == "drop":  # a column may have no name
                continue
            if (value == "" and parser.get_default(name) != "") or (isinstance(value, list) and "" in value):
                raise RequestError(f"--{name.replace('_', '-')}: must not be empty")
        return module.run(options) or 0
    except OkbenchError as error:
        print(f"okbench: {error}", file=sys.stderr)
        return error.exit_status
    except WriteError as error:
        print(f"okbench: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing in ("", "okbench"):
            raise
        print(
            f"okbench: {sys.executable} cannot import {missing}; install it or set OKBENCH_PYTHON",
            file=sys.stderr,
        )
        return 2
    except ImportError as error:  # a library that is installed but does not load
        print(f"okbench: {root_cause(error)}", file=sys.stderr)
        return 1


def options():
    """{verb: [{"name", "help", "choices", "takes_value"}, ...]} of all verbs, for shell completion."""
    parsers = {name.replace("_", " "): load(name)[1] for name in names()}
    return {verb: [option(action, parser) for action in parser._actions] for verb, parser in parsers.items()}


def option(action, parser):
    """One option or positional argument of a parser of argparse."""
    flags = [flag for flag in action.option_strings if flag.startswith("--")]
    return {
        "name": flags[0] if flags else "",
        "help": parser.formatter_class(parser.prog)._expand_help(action) if action.help else "",
        "choices": [*map(str, getattr(action, "offered", action.choices) or [])],
        "takes_value": action.nargs != 0,
    }
