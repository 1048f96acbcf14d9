"""Compare two traces or two result folders bit for bit.

If folders differ, a table shows each learner: the errors of both with a paired t-test over the seeds, and differences
of the counts. --level decides the exit status by these instead of bits.
"""

import json
import pathlib
import sys

from ..errors import RequestError
from ..native import module as _native
from ..results import comparing
from ..text_tables import aligned
from . import number_of

EXAMPLE = "okbench compare results/default /mnt/other/results/default"
MAX_SHOWN = 20  # differences


def add_options(parser):
    parser.add_argument("a", help="trace file or folder")
    parser.add_argument("b", help="trace file or folder")
    parser.add_argument(
        "--level",
        type=number_of(float, lambda value: 1e-12 <= value <= 1, "a number from 1e-12 to 1"),
        help="ignore error differences that are not significant at this level",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options):
    try:
        compared, differences = _native.compare(options.a, options.b)
    except ValueError as error:
        raise RequestError(str(error)) from error
    folders = pathlib.Path(options.a).is_dir()
    if options.level and not folders:
        raise RequestError("--level needs two folders: it tests errors over seeds")
    sets = comparing.compare(options.a, options.b) if folders else None
    for line in sets.messages if sets else ():
        print(line, file=sys.stderr)
    equal = not differences and not (sets and sets.failed)
    if options.json:
        content = {"format": 1, "equal": equal, "compared": compared, "differences": differences}
        print(json.dumps(content | {"sets": comparing.as_json(sets) if sets else None}, indent=1, allow_nan=False))
    elif equal:
        print(f"{compared} {'trace agrees' if compared == 1 else 'traces agree'} bit for bit")
    else:
        show(differences, compared, sets)
    return int(sets.differs(options.level) if options.level else not equal)


def show(differences, compared, sets):
    for difference in differences[:MAX_SHOWN]:
        table = f": {difference['table']}" if difference["table"] else ""
        column = f"/{difference['column']}" if difference["column"] else ""
        row = f", row {difference['row']}" if difference["row"] >= 0 else ""
        print(f"{difference['trial']}{table}{column}{row}: {difference['a']} against {difference['b']}")
    if len(differences) > MAX_SHOWN:
        print(f"and {len(differences) - MAX_SHOWN} more")
    if sets is None:
        return
    # A file that one side lacks is not a pair.
    different = sum(bool(difference["table"]) for difference in differences)
    print(f"{compared - min(compared, different)} of {compared} traces agree bit for bit")
    if sets.learners:
        print("\n".join(aligned(comparing.cells(sets.learners))))
    for names, where in ((sets.only_a, "a"), (sets.only_b, "b")):
        for name in names:
            print(f"{name}: only in {where}")
    for line in sets.failed:
        print(line)
    for name in sets.unlike:
        print(f"{name}: not compared: data or number of examples differs")
