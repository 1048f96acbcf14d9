"""Reads Parquet and Arrow files, whose columns have declared types, with pyarrow."""

import math
import re

from .table import AddError, check_names, column_text
from .text_columns import Columns

PARQUET, ARROW = b"PAR1", b"ARROW1"  # first bytes of the files
BLOCK = 1 << 16  # values that are looked at together
NULL = "\0"  # text of a missing value; an empty text is a category
INDEX = re.compile(r"__index_level_\d+__")  # how pandas calls its index in these files


def read(source):
    """The pyarrow.Table of a file. Raises AddError, also without pyarrow."""
    what = "a Parquet file" if source.content.startswith(PARQUET) else "an Arrow file"
    try:
        import pyarrow
        from pyarrow import feather, parquet
    except ImportError:
        raise AddError(f"{source.name}: is {what}; install pyarrow to read it, or write it as CSV") from None
    try:
        buffer = pyarrow.BufferReader(source.content.read())
        table = parquet.read_table(buffer) if what == "a Parquet file" else feather.read_table(buffer)
        table.validate(full=True)  # a damaged file may otherwise end the process
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise AddError(f"{source.name}: is {what} that pyarrow cannot read: {str(error).splitlines()[0]}") from None
    return table.select([name for name in table.column_names if not INDEX.fullmatch(name)])


def kind_of(declared):
    """The type of a column as in ARFF: "numeric", "nominal", or another word, which is refused."""
    from pyarrow import types

    if types.is_dictionary(declared):
        return "nominal"
    if types.is_integer(declared) or types.is_floating(declared) or types.is_decimal(declared):
        return "numeric"
    text = types.is_string(declared) or types.is_large_string(declared) or types.is_boolean(declared)
    return "nominal" if text or types.is_null(declared) else str(declared)


def categorical(file, schema):
    """Names of categorical columns of pandas: a Parquet file has their values, and says in its metadata what they were.

    Raises AddError.
    """
    try:
        columns = (schema.pandas_metadata or {}).get("columns", [])
        return {column["name"] for column in columns if column["pandas_type"] == "categorical"}
    except (AttributeError, LookupError, TypeError, ValueError):
        raise AddError(f"{file}: its metadata of pandas cannot be read") from None


def text_of(value):
    """A value as text. NaN counts as missing, as pandas writes it."""
    if value is None or isinstance(value, float) and math.isnan(value):
        return NULL
    return repr(value) if isinstance(value, float) else str(value).strip()


class ArrowColumn:
    """The values of a pyarrow.ChunkedArray as text; can be iterated several times."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        for start in range(0, len(self.values), BLOCK):
            yield from map(text_of, self.values.slice(start, BLOCK).to_pylist())


class ArrowTexts(Columns):
    """The values of a Parquet or Arrow file as text. `types`: "numeric", "nominal" or another type of each column.

    `train`: the training file of a test file. Raises AddError.
    """

    header = True

    def __init__(self, source, train=None):
        table = read(source)
        names = [name.strip() for name in table.column_names]
        if not names or not table.num_rows:
            raise AddError(f"{source.name}: has no {'rows' if names else 'columns'}")
        check_names(source.name, names)
        categories = categorical(source.name, table.schema)
        self.types = ["nominal" if field.name in categories else kind_of(field.type) for field in table.schema]
        columns = [ArrowColumn(column) for column in table.columns]
        super().__init__(source.name, names, columns, range(1, table.num_rows + 1), {NULL})
        if train is not None:
            self.require_like(train)

    def require_like(self, train):
        """Raises AddError if the columns have other names or types than those of the training file."""
        for at, column in enumerate(zip(self.names, self.types)):
            if at < len(train.names) and column != (train.names[at], train.types[at]):
                expected = f"'{train.names[at]}', {train.types[at]}"
                raise AddError(
                    f"{self.file}: {column_text(at, self.names)} is {column[1]}; {train.file} has {expected}"
                )
        if len(self.names) != len(train.names):
            raise AddError(f"{self.file}: has {len(self.names)} columns, {train.file} has {len(train.names)}")

    def place(self, row, at):
        return f"{self.file}: row {row + 1}: {column_text(at, self.names)}"

    def shown(self, text):
        return "null"

    def description(self):
        return "a Parquet or Arrow table"
