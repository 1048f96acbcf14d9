"""Imports a file as a data set: CSV, LIBSVM text, ARFF, Parquet, Arrow or NumPy."""


import os
import re

import numpy as np

from .. import home
from ..reading import read_toml
from ..scaling import LIMIT
from .adding.catalog import Catalog
from .adding.encode import OPENML, OpenMl, encoded, few
from .adding.series_file import Series
from .adding.source import Source
from .adding.split import divided
from .adding.store import store
from .adding.table import AddError, Wanted, shown

SCALED = {"column", "mean", "deviation", "constant", "clipped"}  # keys of a column that was only scaled
SHOWN = 5  # columns in a line
GROUPED = "rows are grouped by class"
RESERVED = ("rows", "words")  # folders that okbench uses in the cache


def check_name(name, folder, replace):
    """Raises AddError if the name is invalid or taken. Called before the file is read, which may take long."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise AddError(f"--name {shown(name)}: use letters, digits, _ and -")
    for path in home.catalog_paths():
        if path != os.path.join(folder, "catalog.toml") and name in read_toml(path):
            raise AddError(f"--name {name}: {path} has a data set of this name; choose another name")
    if name in RESERVED:
        raise AddError(f"--name {name}: okbench uses this folder; choose another name")
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise AddError(f"--folder {shown(folder, 1000)}: is not a folder")
    Catalog(folder).check(name, replace)


def check_same_columns(train, test):
    """Raises AddError if the test rows do not have the features of the training rows."""
    if train.sparse != test.sparse:
        raise AddError(f"{test.file}: must be {'sparse' if train.sparse else 'dense'} like {train.file}")
    if not (train.sparse and train.names is None) and train.features != test.features:
        raise AddError(f"{test.file}: has {test.features} features, {train.file} has {train.features}")


def read_parts(options, source, test_source):
    """Reads (training table, test table or None) from the files. Raises AddError."""
    tables = source.tables(Wanted(options.label, options.header))
    train, test = tables["train"], tables.get("test")
    if test is not None and (test_source or options.test):
        raise AddError(f"{source.name}: already contains a test part; omit --test and --test-file")
    if test_source:
        more = test_source.tables(Wanted(options.label, options.header, like=train))
        if "test" in more:
            raise AddError(f"{test_source.name}: contains two parts; give one file with both, or one file each")
        test = more["train"]
    if dropped := train.drop_row_numbers():
        count = "column counts" if dropped == 1 else f"{dropped} columns count"
        left_out = "is" if dropped == 1 else "are"
        train.label_description += f"; the first {count} the rows and {left_out} left out"
        if test is not None:
            names = test.names or train.names
            test.values, test.names, test.features = test.values[:, dropped:], names, test.features - dropped
            test.label_column = train.label_column
    if test is not None:
        check_same_columns(train, test)
        train.features = test.features = max(train.features, test.features)
    if options.delay:
        if options.test:
            raise AddError("--delay: the rows of a stream keep their order; use --test-file instead of --test")
        for table in (train, *([test] if test is not None else [])):
            table.take_delays(options.delay)
    if train.features == 0:
        raise AddError(f"{train.file}: has no features")
    return train, test


def wide(low, high):
    """The range [low, high] for the catalog; widened if it is empty."""
    if low == high:
        high = low + 1 if low + 1 > low else float(np.nextafter(low, np.inf))
    return [low, high]


def add_series(options):
    """Adds a time series. Returns and raises as add()."""
    for option in (
        "label",
        "test",
        "test_file",
        "kind",
        "missing",
        "scale",
        "scale_on",
        "drop",
        "delay",
        "change_points",
        "categories",
        "lags",
    ):
        if getattr(options, option):
            raise AddError(f"--{option.replace('_', '-')}: is not for a series, which has --embedding")
    source = Source(options.file)
    source.check_text()
    series = Series(source.name, source.content, options.embedding, options.horizon or 1, options.target)
    low, high = wide(*series.entry()["range"])
    file = os.fsencode(source.path.name).decode(errors="replace")
    entry = {"title": f"{options.name}, from {file}", **series.entry(), "range": [low, high]}
    entry |= {"terms": f"added from {file}", "source": {"file": absolute(source), "sha256": source.sha256}}
    parts = {"train": (series, np.arange(len(series.values)), None)}
    paths = store(options.folder, options.name, parts, entry, options.replace)
    count, inputs = series.values.shape
    ahead = "next value" if series.horizon == 1 else f"value {series.horizon} steps ahead"
    return [
        f"added     {options.name}: {count - series.horizon} rows from {count} steps, "
        f"{entry['features']} features, real",
        f"rows      the last {series.embedding} values of {inputs} input{'s' if inputs > 1 else ''}; "
        "zeros before the start",
        f"targets   the {ahead} of {series.names[0]}" + (f"; inputs {', '.join(series.names)}" if inputs > 1 else ""),
        *([f"left out  {series.time}: it counts the steps"] if series.time else []),
        f"range     {low:g} to {high:g}",
        *(f"written   {shown(str(path), 1000)[1:-1]}" for path in paths),
        f'use       name = "{options.name}" in [data] of a spec; embedding and horizon there replace these',
    ]


def wants_encoding(options):
    """Whether columns are encoded, scaled or left out, which only CSV files and OpenML offer."""
    return any((options.missing, options.scale, options.drop, options.categories, options.missing_marks, options.lags))


def check_lags(options):
    """Raises AddError unless the options that --lags needs are there."""
    if options.kind != "real":
        raise AddError("--lags: is for real targets: add --kind real")
    if not options.missing:
        raise AddError("--lags: the first rows have no earlier targets: add --missing mean or median")
    for option in ("test", "test_file", "delay"):
        if getattr(options, option):
            raise AddError(f"--lags: cannot be combined with --{option.replace('_', '-')}")


def add(options):
    """Adds a data set to a data folder. Returns the lines to print. Raises AddError; then nothing is written."""
    check_name(options.name, options.folder, options.replace)
    if options.embedding:
        return add_series(options)
    for option in ("horizon", "target"):
        if getattr(options, option):
            raise AddError(f"--{option}: is for a series, which has --embedding")
    if options.scale_on and not (options.scale or options.missing):
        raise AddError("--scale-on: is for --scale and --missing")
    if options.scale_on and options.test:
        raise AddError("--scale-on: with --test the training part gives means and deviations; omit one")
    if options.lags:
        check_lags(options)
    source = OpenMl(options.file) if options.file.startswith(OPENML) else Source(options.file)
    test_source = Source(options.test_file) if options.test_file else None
    columns, notes, scaled_by = [], [], None
    if wants_encoding(options) or isinstance(source, OpenMl) or source.is_arrow():
        source, test_source, columns, notes, scaled_by = encoded(source, test_source, options)
    train, test = read_parts(options, source, test_source)
    classes, targets, rows, test_rows = divided(train, options)
    parts, how = {"train": (train, rows, targets[rows])}, ""
    if options.test:
        parts["test"] = (train, test_rows, targets[test_rows])
        group = " of each class" if classes.kind != "real" else ""
        how = f" (random share of {options.test:g}{group}, seed {options.seed})"
    elif test is not None:
        parts["test"] = (test, np.arange(len(test)), classes.of(test))
        how = f" ({test.file})"

    extents = [table.extent() for table in (train, test) if table is not None]
    largest = max(max(-low, high) for low, high in extents)
    if largest > float(np.finfo(np.float32).max):
        raise AddError(f"{train.file}: has a value of size {largest:.3g}, beyond single precision; scale its column")
    low, high = wide(min(low for low, _ in extents), max(high for _, high in extents))
    file = os.fsencode(source.path.name).decode(errors="replace")
    entry = {
        "title": f"{options.name}, from {file}",
        "format": "libsvm" if train.sparse else "csv",
        "features": train.features,
        "range": [low, high],
    }
    if all(table.whole() for table in (train, test) if table is not None):
        entry["integer_scale"] = 1
    if classes.labels:
        entry["labels"] = classes.labels
    if classes.names:
        entry["class_names"] = classes.names
    by_class = classes.stand_together(parts["train"][2])
    entry |= {"kind": classes.kind, "terms": f"added from {file}"} | ({"by_class": True} if by_class else {})
    if options.change_points:
        if options.test:
            raise AddError("--change-points: the rows of a stream keep their order; use --test-file instead of --test")
        if options.change_points[-1] >= len(train):
            raise AddError(f"--change-points: {options.change_points[-1]} is beyond the {len(train)} rows")
        entry["change_points"] = options.change_points
    entry["source"] = {"file": absolute(source), "sha256": source.sha256}
    treated = [column for column in columns if len(column) > 1]
    if scaled_by:
        entry["source"]["scaled_by"] = scaled_by
    if test_source:
        entry["source"] |= {"test_file": absolute(test_source), "test_sha256": test_source.sha256}
    paths = store(options.folder, options.name, parts, entry, options.replace, treated, classes.written)

    every = np.concatenate([labels for _, _, labels in parts.values()])
    lines = [
        f"added     {options.name}: {len(every)} rows, {train.features} features, {classes.kind}",
        f"read as   {train.source}",
        f"label     {train.label_description}",
        f"{'targets' if classes.kind == 'real' else 'classes':<9} {classes.counts(every)}",
        f"range     {low:g} to {high:g}",
        "parts     " + ", ".join(f"{part} {len(at)} rows" for part, (_, at, _) in parts.items()) + how,
    ]
    lines += treatments(treated, scaled_by) + notes
    if by_class:
        lines.append(f'note      {GROUPED}: use order = "permutation"')
    lines += [f"written   {shown(str(path), 1000)[1:-1]}" for path in paths]
    lines.append(f'use       name = "{options.name}" in [data] of a spec')
    return lines


def treatments(columns, scaled_by):
    """What was done with the columns, as lines. Columns that were only scaled share lines.

    `scaled_by`: the rows that give means and deviations, as text.
    """
    scaled = [column for column in columns if "mean" in column and column.keys() <= SCALED]
    lines = [f"column    {column['column']}: {treatment(column)}" for column in columns if column not in scaled]
    names = [column["column"] for column in scaled if "constant" not in column]
    if names:
        lines.append(f"scaled    {few(names, SHOWN)}: to mean 0 and deviation 1 over {scaled_by}")
    names = [column["column"] for column in columns if "constant" in column]
    if names:
        lines.append(f"centred   {few(names, SHOWN)}: equal values in {scaled_by}; 1 counts as the deviation")
    clipped = sorted((column for column in columns if "clipped" in column), key=lambda column: -column["clipped"])
    if clipped:
        counts = few([f"{column['clipped']} of {column['column']}" for column in clipped], SHOWN)
        lines.append(f"clipped   values beyond {LIMIT} deviations: {counts}")
    return lines


def treatment(column):
    """What was done with a column, as text."""
    if "left_out" in column:
        return f"left out, {column['left_out']}"
    if "categories" in column:
        return f"one feature per category: {', '.join(column['categories'][:10])}"
    texts = []
    if "missing" in column:
        texts.append(f"missing values are the {column['missing']}, {column['fill']:g}")
    if "mean" in column:
        texts.append(f"scaled, mean {column['mean']:g}, deviation {column['deviation']:g}")
    return "; ".join(texts)


def absolute(source):
    """The absolute path of a file, with undecodable bytes replaced so that TOML can represent it."""
    if str(source.path).startswith(OPENML):
        return str(source.path)
    return os.fsencode(os.path.abspath(source.path)).decode(errors="replace")
