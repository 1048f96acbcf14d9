"""Add a file of your own as a data set.

FILE is CSV (commas, semicolons or tabs), LIBSVM text, ARFF, Parquet or Arrow (if pyarrow is installed), or NumPy's .npy
or .npz. Text may be packed by gzip, bzip2 or xz, and openml:ID is a data set of OpenML. Features are numbers without
missing values; labels are numbers or words. The default label is the last non-numeric column, else the last one called
label, class, target or y, else the last. With --missing, --scale or --drop, a CSV column with such a name comes first;
else two text columns are an error. With --missing, a CSV or ARFF file may have categories, which become one feature
each, and missing numbers. Missing are empty fields, ?, NA, n/a, #N/A, NaN, null and none, in any case, and those of
--missing-marks. A word in a column of numbers, or a first row that may be a header, is an error that an option decides.
A test file is read with the decisions of the training file. With --embedding, FILE is a time series: text with one or
several numbers a line, without gaps. A first column that increases in equal steps is its time, not an input. The data
set is stored below OKBENCH_DATA, with an entry in its catalog.toml. The whole file is held in memory.
"""

import signal
import sys

from .. import home
from ..data.add import add
from ..data.adding.table import AddError
from ..scaling import SCALES
from . import increasing_integers, number_of

EXAMPLE = "okbench data add measurements.csv --name mine --label diagnosis --test 0.2"

SCALE_ON = ("all", "first-tenth", "random-tenth")

share = number_of(float, lambda value: 0 < value < 1, "a share between 0 and 1, such as 0.2")
positive = number_of(int, lambda value: value >= 1, "an integer >= 1")
seed = number_of(int, lambda value: 0 <= value < 2**32, "an integer from 0 to 2^32 - 1")


def marks(text):
    """The texts of --missing-marks."""
    return [mark for mark in text.split(",") if mark.strip()]


def add_column_options(parser):
    """Adds the options that decide what the columns of a CSV file are."""
    header = parser.add_mutually_exclusive_group()
    header.add_argument("--header", action="store_true", default=None, help="the first row of a CSV file has names")
    header.add_argument(
        "--no-header", action="store_false", dest="header", help="the first row of a CSV file has values"
    )
    parser.add_argument(
        "--drop", metavar="COLUMN", action="append", default=[], help="leave out this column; may be repeated"
    )
    parser.add_argument(
        "--positive", metavar="LABEL", help="label of the positive class of two (default: the larger or last one)"
    )
    parser.add_argument(
        "--categories",
        metavar="COLUMN",
        action="append",
        default=[],
        help="this column has categories, even if they look like numbers; may be repeated",
    )
    parser.add_argument(
        "--lags",
        type=positive,
        metavar="K",
        help="real targets in time order: the last K targets become columns",
    )
    parser.add_argument(
        "--missing-marks",
        metavar="TEXT,...",
        type=marks,
        default=[],
        help="more texts that mark a missing value, e.g. ERR,-",
    )


def add_options(parser):
    parser.add_argument("file", help="file to add, or openml:ID")
    parser.add_argument("--name", required=True, help="name of the data set: letters, digits, _ and -")
    parser.add_argument(
        "--label",
        metavar="first|last|NAME",
        help="label column (default: see above)",
    )
    add_column_options(parser)
    test = parser.add_mutually_exclusive_group()
    test.add_argument(
        "--test", type=share, metavar="SHARE", help="share of the rows to draw as the test part, e.g. 0.2"
    )
    test.add_argument("--test-file", metavar="FILE", help="file with the test part, with the same columns")
    parser.add_argument("--seed", type=seed, default=0, help="seed of the draw (default: 0)")
    parser.add_argument(
        "--kind",
        choices=("binary", "multiclass", "real"),
        help="kind of labels (default: binary for two; multiclass for up to 1000 integers or words; else real)",
    )
    parser.add_argument(
        "--missing",
        choices=("error", "mean", "median"),
        help="encode categories, and replace missing numbers by the mean or median of their column",
    )
    parser.add_argument(
        "--scale",
        choices=SCALES,
        help="scale columns of numbers, and real targets with --kind real, to mean 0 and deviation 1; clipped: "
        "values of columns beyond 3 deviations become 3 deviations",
    )
    parser.add_argument(
        "--scale-on",
        choices=SCALE_ON,
        help="rows that give means, medians and deviations (default: all, with --test the training part)",
    )
    parser.add_argument("--delay", metavar="COLUMN", help="column with the steps until a label becomes known")
    parser.add_argument(
        "--change-points",
        type=increasing_integers,
        metavar="ROWS",
        help="rows at which a stream changes, e.g. 1000,2500",
    )
    parser.add_argument(
        "--embedding",
        type=positive,
        metavar="L",
        help="the file is a time series, one step a line: each row has the last L values of each column",
    )
    parser.add_argument(
        "--horizon", type=positive, metavar="STEPS", help="series: steps from the last value to the target (default: 1)"
    )
    parser.add_argument(
        "--target", metavar="NAME", help="series: input to predict (default: the first that is no time)"
    )
    parser.add_argument("--folder", default=home.data_folder(), help="folder of data sets (default: OKBENCH_DATA)")
    parser.add_argument("--replace", action="store_true", help="replace a data set of this name that was added before")


def run(options):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that a half-written data set is rolled back
    try:
        lines = add(options)
    except OSError as error:
        raise AddError(f"{error.filename or 'the data set'}: cannot be written: {error.strerror}") from error
    except MemoryError as error:
        raise AddError("the data set does not fit into memory") from error
    print("\n".join(lines))
