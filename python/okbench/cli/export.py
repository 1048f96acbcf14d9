"""Export results as an SQLite database, CSV files, or a table of means.

--to NAME.sqlite writes a database and --to FOLDER one CSV file per table: trials, axes, summaries, curves and measures.
--to parquet:FOLDER writes the same tables as Parquet files, and --to mlflow:FOLDER a database of runs for MLflow.
--to NAME.tex and --to NAME.csv write the means over seeds with 95 % bootstrap intervals. --to - prints them.
`okbench export crate` describes a result folder for archives.
"""

import pathlib
import sys

from ..errors import CONTENT_ERRORS, ContentError, RequestError, cause_of
from ..report import database, mean_tables, mlflow_store
from ..results.table import table
from ..writing import write_text

PLACES = "NAME.sqlite, NAME.tex, NAME.csv, a folder, parquet:FOLDER, mlflow:FOLDER, or -"
FOLDERS = {"parquet": database.write_parquet, "mlflow": mlflow_store.write}
EXAMPLE = "okbench export results/default --to results.sqlite"


def add_options(parser):
    parser.add_argument("results", nargs="+", type=pathlib.Path, help="result folders")
    parser.add_argument("--to", required=True, help=PLACES)
    parser.add_argument(
        "--best", action="store_true", help="in .tex and .csv: only the best grid point of each learner"
    )
    parser.add_argument(
        "--format", choices=("csv", "tex"), help="format of the means (default: by the name; csv for -)"
    )
    parser.add_argument(
        "--points",
        type=int,
        default=database.POINTS,
        help="write at most this many points per curve; 0: all (default: %(default)s)",
    )


def run(options):
    if options.points < 0:
        raise RequestError("--points: expected a number >= 0")
    for folder in options.results:
        if not folder.is_dir():
            raise RequestError(f"{folder}: no such result folder")
    rows = table(*options.results)
    for line in rows.messages:
        print(line, file=sys.stderr)
    try:
        write(options, rows)
    except CONTENT_ERRORS as error:
        raise ContentError(f"the results cannot be exported ({cause_of(error)})") from error


def write(options, rows):
    scheme, _, folder = options.to.partition(":")
    if folder and scheme in FOLDERS:
        report(folder, FOLDERS[scheme](rows, folder, options.points))
        return
    kind = options.format or pathlib.Path(options.to).suffix.removeprefix(".")
    if options.to == "-" or kind in ("csv", "tex"):
        means = mean_tables.rows(rows, options.best)
        text = mean_tables.as_tex(means) if kind == "tex" else mean_tables.as_csv(means)
        if options.to == "-":
            print(text, end="")
            return
        write_text(options.to, text, folders=True)
        print(f"{options.to}: {len(means)} rows")
        return
    if kind.lower() in ("sqlite", "db"):
        counts = database.write_sqlite(rows, options.to, options.points)
    elif kind:
        raise RequestError(f"--to: {options.to}: expected {PLACES}")
    else:
        counts = database.write_csv(rows, options.to, options.points)
    report(options.to, counts)


def report(place, counts):
    print(f"{place}: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
